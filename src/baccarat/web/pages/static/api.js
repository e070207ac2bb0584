// API client for scripts: JSON, the session's CSRF token, idempotency keys, problem documents.

import { capital, island, setServerTime, t } from "./page.js";

const PATIENCE = [250, 500, 1000, 2000, 4000];
let token = island.session?.csrf_token ?? "";

/** A request that the server refused: its stable code, and a message for people. */
export class Problem extends Error {
  constructor(status, document) {
    super(capital(document.detail ?? document.title ?? String(status)));
    this.status = status;
    this.code = document.code ?? "";
    this.document = document;
  }

  /** The bets that the refusal concerns, unless it concerns all of them. */
  get bets() {
    const { bet, other } = this.document.values ?? {};
    return [bet, other].filter((one) => one !== undefined);
  }

  /** Whether the session has ended. */
  get over() {
    return this.code === "not-signed-in";
  }

  /** Whether the outcome is unknown, so that the request may be retried with the same key. */
  get unknown() {
    return this.status === 0 || this.status >= 500;
  }
}

/** Send a request to the API. `key` is the idempotency key of a command that moves money. */
export async function api(method, path, body, { key, proposal, signal } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRF-Token"] = token;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  if (proposal) headers["X-Proposal"] = proposal;
  const asked = performance.now();
  let answer;
  let content;
  try {
    answer = await fetch(`/api${path}`, {
      method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
    });
    content = answer.status === 204 ? {} : await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    // A connection that is cut in the middle may leave a status without a document, even 200.
    throw new Problem(answer?.ok ? 0 : answer?.status ?? 0, { code: "no-answer", detail: t("common-no_answer") });
  }
  if (!answer.ok) throw new Problem(answer.status, content);
  if (typeof content.now === "number") setServerTime(content.now, asked);
  if (typeof content.csrf_token === "string") token = content.csrf_token;
  return content;
}

/** The pause before the next try, in milliseconds, after this many tries. */
export function waitAfter(tries) {
  return PATIENCE[Math.min(tries, PATIENCE.length - 1)];
}

export function pause(tries) {
  return new Promise((done) => setTimeout(done, waitAfter(tries)));
}

/** Make a request with its buttons disabled. If it fails, enable them again, call `refused` and return null. */
export async function attempt(request, { buttons = [], refused = () => {} } = {}) {
  for (const button of buttons) button.disabled = true;
  try {
    return await request();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    for (const button of buttons) button.disabled = false;
    refused(problem);
    return null;
  }
}

/** Send a request, and retry with the same key until its outcome is known, while `until()` is true. */
export async function apiWithRetries(method, path, body, { proposal, until = () => true } = {}) {
  const key = newKey();
  for (let tries = 0; ; tries++) {
    try {
      return await api(method, path, body, { key, proposal });
    } catch (problem) {
      if (!(problem instanceof Problem) || !problem.unknown || !until()) throw problem;
      await pause(tries);
    }
  }
}

/** A new idempotency key. It begins with the time, so that recent keys are adjacent in the store, which is faster. */
export function newKey() {
  return `${Date.now().toString(16)}-${hex(crypto.getRandomValues(new Uint8Array(16)))}`;
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
