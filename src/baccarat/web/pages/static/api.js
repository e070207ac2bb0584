// The API for scripts: JSON both ways, the session's token, idempotency keys, problem documents.

import { canSay, capital, fill, island, money, setServerTime, t } from "./page.js";

let token = island.session?.csrf_token ?? "";

/** A refusal in the page's language: words of its own for the code, or else what the house says. */
function inWords({ code, detail, title, sentence, values = {} }, status) {
  const shown = Object.fromEntries(Object.entries(values).map(([name, one]) => [name, one?.coins === undefined ? one : money(one.coins)]));
  shown.detail = sentence ? fill(sentence, shown) : detail ?? title ?? String(status);
  const own = `common.refusal.${code}`;
  const words = t(canSay(own, shown) ? own : "common.refusal.other", shown);
  return sentence?.startsWith("{") ? words : capital(words); // an id is written as it is
}

/** What the server has refused, with its stable code, in words for people. */
export class Problem extends Error {
  constructor(status, document) {
    super(inWords(document, status));
    this.status = status;
    this.code = document.code ?? "";
    this.document = document;
  }

  /** The bets that it is about, if it is about some and not about all. */
  get bets() {
    const { bet, other } = this.document.values ?? {};
    return [bet, other].filter((one) => one !== undefined);
  }

  /** There is no session any more: whatever was asked needs one. */
  get over() {
    return this.code === "not-signed-in";
  }

  /** Nobody knows whether it was done: the same may be sent again under the same key. */
  get unknown() {
    return this.status === 0 || this.status >= 500;
  }
}

/** Ask the API. `key` is the idempotency key of a command that moves money. */
export async function api(method, path, body, { key, proposal, signal } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRF-Token"] = token;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  if (proposal) headers["X-Proposal"] = proposal;
  const asked = performance.now();
  let answer;
  try {
    answer = await fetch(`/api${path}`, {
      method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { code: "no-answer", detail: String(error.message) });
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, told);
  if (typeof told.now === "number") setServerTime(told.now, asked);
  if (typeof told.csrf_token === "string") token = told.csrf_token;
  return told;
}

/** The same again under the same key until it is known what became of it, for as long as `until`. */
export async function surely(method, path, body, { proposal, until = () => true } = {}) {
  const key = newKey();
  for (let wait = 200; ; wait = Math.min(wait * 2, 3000)) {
    try {
      return await api(method, path, body, { key, proposal });
    } catch (problem) {
      if (!(problem instanceof Problem) || !problem.unknown || !until()) throw problem;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

/** It begins with the time: keys of the same moment are kept side by side, which is quicker. */
export function newKey() {
  return `${Date.now().toString(16)}-${hex(crypto.getRandomValues(new Uint8Array(16)))}`;
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
