// The WebSocket of a table: each frame covers a range of the journal, without gaps. After a lost
// connection, the client reconnects with the number of the last entry it has seen. A frame that leaves a
// gap is discarded, and the caller is asked to fetch the snapshot again. Browsers do not report why a
// socket was refused, so the API is asked whether the session is over.

import { api, attempt, waitAfter } from "./api.js";

const TAKE_SNAPSHOT = 4001;
const RESTARTING = 1012;

export class TableSocket {
  #table;
  #after;
  #on;
  #socket = null;
  #tries = 0;
  #closed = false;
  #timer = 0;

  /** `on`: frame(frame), lost(), back(), gap(), over(). */
  constructor(table, after, on) {
    this.#table = table;
    this.#after = after;
    this.#on = on;
    addEventListener("online", () => this.#again(0));
    addEventListener("offline", () => this.drop());
    this.#open();
  }

  get after() {
    return this.#after;
  }

  close() {
    this.#closed = true;
    this.#socket?.close();
  }

  /** Reconnect when the connection is open but nothing arrives any more. */
  drop() {
    const socket = this.#socket;
    if (!socket || this.#closed) return;
    this.#socket = null;
    socket.close();
    if (this.#tries === 0) this.#on.lost({});
    this.#again(waitAfter(0));
  }

  /** Continue from another entry, after the snapshot was fetched again. */
  resume(after) {
    this.#after = after;
    this.#closed = false;
    if (!this.#socket) this.#again(0);
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const path = `/api/tables/${encodeURIComponent(this.#table)}/events?after=${this.#after}`;
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    let accepted = false;
    this.#socket = socket;
    socket.onopen = () => {
      accepted = true;
      const again = this.#tries > 0;
      this.#tries = 0;
      if (again) this.#on.back();
    };
    socket.onmessage = (message) => this.#read(JSON.parse(message.data));
    socket.onclose = async ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (this.#closed) return;
      if (code === TAKE_SNAPSHOT) return void this.#giveUp();
      const signedOut = reason === "not-signed-in";
      if (this.#tries === 0 && !signedOut) this.#on.lost({ restarting: code === RESTARTING });
      if (signedOut || (!accepted && (await this.#isOver()))) {
        this.#closed = true;
        return void this.#on.over();
      }
      this.#again(waitAfter(this.#tries));
    };
  }

  async #isOver() {
    let over = false;
    await attempt(() => api("GET", "/session"), { refused: (problem) => (over = problem.over) });
    return over;
  }

  #read(frame) {
    if (frame.through <= this.#after) return;
    if (frame.after !== this.#after) return void this.#giveUp();
    this.#after = frame.through;
    this.#on.frame(frame);
  }

  /** After a gap, close the socket; the caller fetches the snapshot again and calls `resume`. */
  #giveUp() {
    this.#closed = true;
    this.#socket?.close();
    this.#socket = null;
    this.#on.gap();
  }

  #again(wait) {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#tries += 1;
      if (!this.#socket && !this.#closed) this.#open();
    }, wait);
  }
}
