// The socket of a table: frames that each cover a range of the journal, without gaps. A client that
// was cut off comes back with the last number it has seen. A frame that does not continue what was
// seen is not believed: the caller is asked to take the snapshot again. A browser does not say why a
// socket was refused, so whether the session is over is asked for.

import { api, Problem } from "./api.js";

export const PATIENCE = [250, 500, 1000, 2000, 4000];
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

  /** Nothing comes any more, though nobody has hung up: begin anew. */
  drop() {
    const socket = this.#socket;
    if (!socket || this.#closed) return;
    this.#socket = null;
    socket.close();
    if (this.#tries === 0) this.#on.lost({});
    this.#again(PATIENCE[0]);
  }

  /** Go on from another number: the snapshot was taken again. */
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
      this.#again(PATIENCE[Math.min(this.#tries, PATIENCE.length - 1)]);
    };
  }

  async #isOver() {
    try {
      await api("GET", "/session");
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      return problem.over;
    }
    return false;
  }

  #read(frame) {
    if (frame.through <= this.#after) return;
    if (frame.after !== this.#after) return void this.#giveUp();
    this.#after = frame.through;
    this.#on.frame(frame);
  }

  /** What came is not what was due: whoever listens takes the snapshot again and says `resume`. */
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
