// The state of a page: a view sent with the page, and newer ones that are requested when something has
// happened, or periodically. A page only draws views.

import { api, attempt } from "./api.js";

export class Live {
  #path;
  #draw;
  #asking = null;
  #again = false;

  /** `draw(view, before)` is called with each view that is not older than the one before it. */
  constructor(path, view, draw) {
    [this.#path, this.#draw, this.view] = [path, draw, view];
  }

  take(view) {
    const before = this.view;
    if (view.sequence < before.sequence) return;
    this.view = view;
    this.#draw(view, before);
  }

  /** Request the view. If this is called during a request, the view is requested again afterwards. */
  refresh() {
    this.#again = this.#asking !== null;
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #ask() {
    do {
      this.#again = false;
      this.take(await api("GET", this.#path));
    } while (this.#again);
  }

  /** Request the view every `every` milliseconds while the page is visible. */
  poll(every) {
    setTimeout(async () => {
      if (document.visibilityState === "visible") await attempt(() => this.refresh());
      this.poll(every);
    }, every);
  }
}
