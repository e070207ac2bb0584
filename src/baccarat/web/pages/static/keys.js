// Turns keys into cards: two for a card (8 h), or a scanned barcode (08H, 13S), which ends in Enter. If
// the rank is typed first, the suit completes the card. If the suit is typed first (H8), the rank
// completes it; if the rank may have a second digit, that digit or Enter completes the card.

const SUIT = /^[shdc]$/;
const RANK = /^[a2-9tjqk01]$/;
const BEGUN = /^(?:[shdc]|[shdc][01]|[a2-9tjqk]|[01]\d?)$/;

export class CardKeys {
  #typed = "";
  #change;
  #card;

  /** Calls `change(typed)` after every key, and `card(text)` when a card is complete. */
  constructor({ change, card }) {
    [this.#change, this.#card] = [change, card];
  }

  get typed() {
    return this.#typed;
  }

  clear() {
    this.#typed = "";
    this.#change("");
  }

  /** Handle a key; return false if it is not part of a card. */
  press(key) {
    const name = key.toLowerCase();
    if (name === "enter") return this.#end();
    if (!SUIT.test(name) && !RANK.test(name)) return false;
    this.#typed += name;
    if (this.#whole()) return this.#end();
    if (!BEGUN.test(this.#typed)) this.#typed = name;
    this.#change(this.#typed);
    return true;
  }

  /** Delete the last key; return false if there is none. */
  back() {
    if (!this.#typed) return false;
    this.#typed = this.#typed.slice(0, -1);
    this.#change(this.#typed);
    return true;
  }

  #whole() {
    const [first, ...rest] = this.#typed;
    if (!rest.length) return false;
    if (SUIT.test(first)) return rest.length > 1 || !/[01]/.test(rest[0]);
    return SUIT.test(rest.at(-1));
  }

  #end() {
    const typed = this.#typed;
    if (!typed) return false;
    this.clear();
    if (typed.length > 1) this.#card(typed);
    return true;
  }
}
