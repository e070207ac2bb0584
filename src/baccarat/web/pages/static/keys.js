// Cards from keys: two for a card (8 h), or the text of a barcode (08H, 13S), which ends in Enter.
// Rank first, a card is whole with its suit; suit first (H8), with its rank, unless that can be the
// beginning of two digits: then with the second, or with Enter.

const SUIT = /^[shdc]$/;
const RANK = /^[a2-9tjqk01]$/;
const BEGUN = /^(?:[shdc]|[shdc][01]|[a2-9tjqk]|[01]\d?)$/;

export class CardKeys {
  #typed = "";
  #change;
  #card;

  /** `change(typed)` after every key, `card(text)` when a card is whole. */
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

  /** Take a key; false when it is none of a card's. */
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

  /** Take the last key back; false when there is none. */
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
