// Verifies that a shoe was dealt as committed. Written only from docs/reference/fairness.md: it shares no
// code with the server or with the verifier in Python. Nothing here touches a page.
//
// verifyShoe(text, published) reads the document of a shoe and returns a report: `state` is "good",
// "faulty" or "unreadable", and `steps` lists what was checked, each with its findings ({code, …}; the
// catalogue has their text, docs/reference/fairness.md lists the codes).
// verifyCard({position, card, nonce, proof, root, size}) verifies the proof of one card.

export const STEPS = ["form", "promise", "published", "contributions", "shuffle", "burn", "cards", "tableau", "end", "reveal"];
export const LARGEST = 2 ** 24;

/** A size in MiB, rounded up, so that one slightly over the limit does not look like the limit. */
export function mebibytes(bytes) {
  return (Math.ceil((bytes / 2 ** 20) * 10) / 10).toFixed(1);
}

const SUITS = "shdc";
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SOURCES = { shoe: 0, shuffler: 1 };
const BURNS = { none: 0, one: 1, "first-card": 2 };
const NOTHING = 10; // the third card of a player who drew none
const [MAX_DECKS, MAX_STEPS, MAX_CONTRIBUTIONS] = [24, 32, 10_000];
const [MAX_CARDS, MAX_OF_A_COUP] = [52 * MAX_DECKS, 6];
const [DEEPEST, MAX_DIGITS] = [50, 15];

class Unreadable extends Error {
  constructor(code, values = {}) {
    super(code);
    this.finding = { code, ...values };
  }
}

// ---- the bytes ---------------------------------------------------------------------------------

const utf8 = new TextEncoder();

/** H(tag, a, b, …) of bytes. Independent hashes are requested concurrently. */
async function hash(tag, ...parts) {
  return sha256(utf8.encode(`baccarat/${tag}/1`), new Uint8Array(1), ...parts);
}

async function sha256(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

function u32(number) {
  const made = new Uint8Array(4);
  new DataView(made.buffer).setUint32(0, number);
  return made;
}

function bytes(digits) {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

function hex(some) {
  return Array.from(some, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The code of a card: thirteen times the suit, plus the rank; −1 for anything else. */
function code(card) {
  const [rank, suit] = [RANKS.indexOf(card.slice(0, -1)), SUITS.indexOf(card.slice(-1))];
  return card.length < 2 || rank < 0 || suit < 0 ? -1 : 13 * suit + rank;
}

function rankOf(card) {
  return RANKS.indexOf(card.slice(0, -1)) + 1;
}

function points(card) {
  return rankOf(card) >= 10 ? 0 : rankOf(card);
}

async function leaf(position, card, nonce) {
  return hash("leaf", u32(position), [code(card)], nonce);
}

async function rootOf(leaves) {
  let level = leaves;
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => level.slice(2 * i, 2 * i + 2));
    level = await Promise.all(pairs.map(([left, right]) => (right ? hash("node", left, right) : left)));
  }
  return level[0];
}

/** Verify that a dealt card was at its position under the root. */
export async function verifyCard({ position, card, nonce, proof, root, size }) {
  if (!Number.isSafeInteger(position) || position < 0 || position >= size) return false;
  if (code(String(card)) < 0 || ![nonce, root, ...proof].every(isHash)) return false;
  let [reached, p, width, next] = [await leaf(position, card, bytes(nonce)), position, size, 0];
  while (width > 1) {
    if ((p ^ 1) < width) {
      if (next === proof.length) return false;
      const sibling = bytes(proof[next++]);
      reached = p % 2 === 0 ? await hash("node", reached, sibling) : await hash("node", sibling, reached);
    }
    [p, width] = [p >> 1, (width + 1) >> 1];
  }
  return next === proof.length && hex(reached) === root;
}

/** The order in which the committed positions are dealt. */
async function dealingOrder(seed, size) {
  const [words, some] = [[], Array.from({ length: Math.ceil(size / 8) })];
  let [block, at] = [0, 0];
  const next = async () => {
    if (at === words.length) {
      const blocks = await Promise.all(some.map((_, i) => hash("words", seed, u32(block + i))));
      block += some.length;
      for (const one of blocks) for (let i = 0; i < 8; i++) words.push(new DataView(one.buffer).getUint32(4 * i));
    }
    return words[at++];
  };
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const limit = 2 ** 32 - (2 ** 32 % (i + 1));
    let word;
    do word = await next(); while (word >= limit);
    const j = word % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

// ---- reading -----------------------------------------------------------------------------------

/**
 * A strict JSON parser: no duplicate keys, no lone surrogates, whole numbers only, limited depth. The
 * first fault is the one reported. Strings are scanned by hand, because a repeating regular expression
 * overflows the stack on a text of some megabytes.
 */
class Parser {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  whole() {
    const found = this.#value(1);
    this.#blanks();
    if (this.at < this.text.length) this.#fail();
    return found;
  }

  #fail(code = "not-json", values = {}) {
    throw new Unreadable(code, { at: this.at + 1, ...values });
  }

  #blanks() {
    while (this.at < this.text.length && " \t\n\r".includes(this.text[this.at])) this.at++;
  }

  #take(token) {
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  #value(level) {
    this.#blanks();
    const first = this.text[this.at];
    if (first === '"') return this.#string();
    if (first === "{" || first === "[") {
      if (level > DEEPEST) this.#fail("too-deep");
      this.at++;
      return first === "{" ? this.#object(level + 1) : this.#array(level + 1);
    }
    for (const [token, meant] of [["true", true], ["false", false], ["null", null]]) if (this.#take(token)) return meant;
    return this.#number();
  }

  #string() {
    const start = this.at;
    if (this.text[this.at++] !== '"') this.#fail();
    while (this.text[this.at] !== '"') {
      if (this.at >= this.text.length || this.text[this.at] < " ") this.#fail();
      if (this.text[this.at] === "\\") this.#escape();
      else this.at++;
    }
    this.at++;
    const made = JSON.parse(this.text.slice(start, this.at));
    if (!made.isWellFormed()) this.#fail();
    return made;
  }

  #escape() {
    const kind = this.text[this.at + 1];
    if (kind === "u" && /^[0-9a-fA-F]{4}$/.test(this.text.slice(this.at + 2, this.at + 6))) this.at += 6;
    else if (kind !== undefined && '"\\/bfnrt'.includes(kind)) this.at += 2;
    else this.#fail();
  }

  #digits() {
    const start = this.at;
    while (this.text[this.at] >= "0" && this.text[this.at] <= "9") this.at++;
    return this.at - start;
  }

  /** A whole number of at most 15 digits; other JSON numbers have their own fault code. */
  #number() {
    const start = this.at;
    const negative = this.#take("-");
    if (!this.#take("0") && !this.#digits()) this.#fail();
    const end = this.at;
    this.#part(".");
    this.#part("e", "E");
    const digits = this.text.slice(start + (negative ? 1 : 0), end);
    if (this.at > end || digits.length > MAX_DIGITS || (negative && digits === "0")) this.#fail("bad-number");
    return Number(this.text.slice(start, end));
  }

  /** A fraction or an exponent, which must have digits. */
  #part(...signs) {
    const start = this.at;
    if (!signs.some((sign) => this.#take(sign))) return;
    if (signs[0] === "e" && !this.#take("+")) this.#take("-");
    if (!this.#digits()) this.at = start;
  }

  #object(level) {
    const made = new Map();
    this.#blanks();
    if (this.#take("}")) return {};
    do {
      this.#blanks();
      const key = this.#string();
      if (made.has(key)) this.#fail("key-twice", { key: key.slice(0, 40) });
      this.#blanks();
      if (!this.#take(":")) this.#fail();
      made.set(key, this.#value(level));
      this.#blanks();
    } while (this.#take(","));
    if (!this.#take("}")) this.#fail();
    return Object.fromEntries(made);
  }

  #array(level) {
    const made = [];
    this.#blanks();
    if (this.#take("]")) return made;
    do {
      made.push(this.#value(level));
      this.#blanks();
    } while (this.#take(","));
    if (!this.#take("]")) this.#fail();
    return made;
  }
}

// A form is a function that throws if a value is invalid; `key` is the value's path in the document.

const bad = (key) => { throw new Unreadable("bad-value", { key }); };
const isText = (value, pattern) => typeof value === "string" && pattern.test(value);
const isHash = (value) => isText(value, /^[0-9a-f]{64}$/);
const form = (fits) => (value, key) => fits(value) || bad(key);
const hash32 = form(isHash);
const whole = (low, high) => form((value) => Number.isSafeInteger(value) && value >= low && value <= high);
const one = (...known) => form((value) => typeof value === "string" && known.includes(value));
const card = form((value) => typeof value === "string" && code(value) >= 0);
const orNull = (inner) => (value, key) => value === null || inner(value, key);

function list(inner, most) {
  return (value, key) => {
    if (!Array.isArray(value) || value.length > most) bad(key);
    value.forEach((item, i) => inner(item, `${key}[${i}]`));
  };
}

/** The form of an object with exactly these keys, checked in this order. */
function object(forms) {
  return (value, key) => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) bad(key);
    const place = (name) => (key ? `${key}.${name}` : name);
    for (const name of Object.keys(forms)) if (!Object.hasOwn(value, name)) throw new Unreadable("missing", { key: place(name) });
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(forms, name)) throw new Unreadable("unknown-key", { key: place(name.slice(0, 40)) });
    }
    for (const [name, inner] of Object.entries(forms)) inner(value[name], place(name));
  };
}

// Characters that may not occur in the text of the rules.
const UNWRITTEN = /[\0-\x1f\ud800-\udfff]/u;

const place = whole(0, MAX_CARDS - 1);
const OPENED = { position: place, card, nonce: hash32, proof: list(hash32, MAX_STEPS) };
const DOCUMENT = object({
  format: one("baccarat-shoe"),
  version: whole(1, 1),
  shoe: form((value) => isText(value, /^[0-9a-f]{32}$/)),
  source: one(...Object.keys(SOURCES)),
  decks: whole(1, MAX_DECKS),
  cut: place,
  burn: one(...Object.keys(BURNS)),
  rules: form((value) => typeof value === "string" && !UNWRITTEN.test(value)),
  root: hash32,
  commitment: hash32,
  contributions: list(object({ commitment: hash32, secret: orNull(hash32) }), MAX_CONTRIBUTIONS),
  seed: orNull(hash32),
  burned: place,
  shown: orNull(object(OPENED)),
  coups: list(object({
    cards: list(object({ hand: one("player", "banker"), ...OPENED }), MAX_OF_A_COUP),
    cut_short: form((value) => typeof value === "boolean"),
  }), MAX_CARDS),
  ended: orNull(one("dealt-out", "abandoned")),
  reveal: orNull(object({ key: hash32, order: list(card, MAX_CARDS) })),
});

function read(given) {
  const text = typeof given === "string" ? given : decoded(given);
  if (typeof given === "string" && utf8.encode(text).length > LARGEST) throw new Unreadable("too-large", { size: mebibytes(text.length) });
  const found = new Parser(text.startsWith("\ufeff") ? text.slice(1) : text).whole(); // without a byte order mark
  if (found === null || typeof found !== "object" || Array.isArray(found)) throw new Unreadable("no-object");
  DOCUMENT(found, "");
  const size = 52 * found.decks;
  const opened = [found.shown, ...found.coups.flatMap((coup) => coup.cards)];
  if (found.cut >= size) bad("cut");
  if (found.burned >= size) bad("burned");
  if (found.coups.length > size) bad("coups");
  if (opened.some((shown) => shown && shown.position >= size)) bad("position");
  if (found.reveal && found.reveal.order.length !== size) bad("reveal.order");
  return { ...found, size, tableau: tableauOf(found.rules) };
}

function decoded(some) {
  if (some.byteLength > LARGEST) throw new Unreadable("too-large", { size: mebibytes(some.byteLength) });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(some);
  } catch {
    throw new Unreadable("not-json", { at: 1 });
  }
}

/** The form of a strictly ascending list, which has no duplicates. */
function ascending(inner, most) {
  const before = (a, b) => (Array.isArray(a) ? a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) : a < b);
  return (value, key) => {
    list(inner, most)(value, key);
    if (!value.every((item, i) => i === 0 || before(value[i - 1], item))) bad(key);
  };
}

const TOTAL = whole(0, 9);
const PAIR = (value, key) => {
  if (!Array.isArray(value) || value.length !== 2) bad(key);
  TOTAL(value[0], key);
  whole(0, NOTHING)(value[1], key);
};
const TABLEAU = object({ naturals: ascending(TOTAL, 10), player_draws: ascending(TOTAL, 10), banker_draws: ascending(PAIR, 110) });

function tableauOf(rules) {
  try {
    const found = new Parser(rules).whole();
    if (found === null || typeof found !== "object" || Array.isArray(found) || !Object.hasOwn(found, "tableau")) bad("rules");
    TABLEAU(found.tableau, "tableau");
    const { naturals, player_draws: player, banker_draws: banker } = found.tableau;
    return { naturals: new Set(naturals), player: new Set(player), banker: new Set(banker.map(String)) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Unreadable("no-tableau");
  }
}

// ---- checking ----------------------------------------------------------------------------------

/** The findings of each step. */
class Report {
  steps = STEPS.map((step) => ({ step, state: "unchecked", facts: {}, findings: [] }));
  commitment = null;

  #of(step) {
    return this.steps[STEPS.indexOf(step)];
  }

  fault(step, name, values = {}) {
    const found = this.#of(step);
    found.state = "fault";
    found.findings.push({ code: name, ...values });
  }

  /** Finish a step: it is good unless a fault was found, or it remains open. */
  close(step, facts = {}, { open = false } = {}) {
    const found = this.#of(step);
    Object.assign(found.facts, facts);
    if (found.state === "unchecked") found.state = open ? "open" : "holds";
  }

  get state() {
    const states = this.steps.map((one) => one.state);
    if (this.steps[0].state === "fault") return "unreadable";
    return states.includes("fault") ? "faulty" : "good";
  }
}

/** Return the report on a document, given as text or bytes, and the published commitment, if known. */
export async function verifyShoe(text, published = null) {
  const report = new Report();
  let shoe;
  try {
    shoe = read(text);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    report.fault("form", error.finding.code, error.finding);
    return report;
  }
  report.close("form", { decks: shoe.decks, cards: shoe.size });
  report.commitment = shoe.commitment;
  await promise(shoe, published, report);
  const order = await shuffled(shoe, report);
  await dealt(shoe, order, report);
  await revealed(shoe, report);
  return report;
}

/** Step 1: the commitment matches the terms, rules and root, and is the published one. */
async function promise(shoe, published, report) {
  const shuffler = shoe.source === "shuffler";
  if (shuffler && (shoe.cut !== 0 || shoe.burn !== "none")) report.fault("promise", "shuffler-terms");
  const made = await hash("shoe", bytes(shoe.shoe), [SOURCES[shoe.source]], u32(shoe.decks), u32(shoe.cut),
    [BURNS[shoe.burn]], await sha256(utf8.encode(shoe.rules)), bytes(shoe.root));
  if (hex(made) !== shoe.commitment) report.fault("promise", "other-terms");
  report.close("promise");
  if (published !== null && published.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "").toLowerCase() !== shoe.commitment) report.fault("published", "not-published");
  report.close("published", {}, { open: published === null });
}

/** Steps 2 to 4: the contributions, the seed from them, the order from the seed. Null without a seed. */
async function shuffled(shoe, report) {
  const commitment = bytes(shoe.commitment);
  const [parts, seen] = [[], new Set()];
  for (const [place, { commitment: promised, secret }] of shoe.contributions.entries()) {
    const number = place + 1;
    if (seen.has(promised)) report.fault("contributions", "contribution-twice", { number });
    seen.add(promised);
    if (secret !== null && hex(await hash("contribution", commitment, bytes(secret))) !== promised) {
      report.fault("contributions", "other-secret", { number });
    }
    parts.push(bytes(promised), ...(secret === null ? [[0], new Uint8Array(32)] : [[1], bytes(secret)]));
  }
  const withheld = shoe.contributions.filter((one) => one.secret === null).length;
  report.close("contributions", { count: shoe.contributions.length, withheld }, { open: shoe.seed === null });
  if (shoe.seed === null) {
    const begun = shoe.burned || shoe.shown || shoe.coups.length || shoe.ended === "dealt-out";
    if (begun) report.fault("shuffle", "dealt-without-seed");
    report.close("shuffle", {}, { open: true });
    return null;
  }
  const seed = await hash("seed", commitment, u32(shoe.contributions.length), ...parts);
  if (hex(seed) !== shoe.seed) report.fault("shuffle", "other-seed");
  report.close("shuffle");
  return dealingOrder(seed, shoe.size);
}

/** Step 5: burn, coups and end. */
async function dealt(shoe, order, report) {
  if (order === null) {
    for (const step of ["burn", "cards", "tableau", "end"]) report.close(step, { count: 0, coups: 0 }, { open: true });
    return;
  }
  const opened = [...(shoe.shown ? [shoe.shown] : []), ...shoe.coups.flatMap((coup) => coup.cards)];
  const proofs = await Promise.all(opened.map((one) => verifyCard({ ...one, root: shoe.root, size: shoe.size })));
  const proven = new Map(opened.map((one, i) => [one, proofs[i]]));
  const watched = { shoe, order, report, proven };
  burned(watched);
  const table = { place: shoe.burned, cutOut: false, over: false, shown: shoe.shown ? 1 : 0 };
  for (const [i, coup] of shoe.coups.entries()) {
    coupDealt(watched, table, { coup, number: i + 1, last: i + 1 === shoe.coups.length });
  }
  report.close("cards", { count: table.shown });
  report.close("tableau", { coups: shoe.coups.length });
  if (shoe.ended === "dealt-out" && !table.over) report.fault("end", "ended-early");
  if (shoe.ended === "abandoned" && table.over) report.fault("end", "abandoned-yet-over");
  report.close("end", { ended: shoe.ended }, { open: shoe.ended === null });
}

function burned(watched) {
  const { shoe, report } = watched;
  const first = shoe.burn === "first-card";
  const none = shoe.burned === 0 && shoe.shown === null && shoe.coups.length === 0 && shoe.ended !== "dealt-out";
  if (none && shoe.burn !== "none") {
    report.close("burn", {}, { open: true });
    return;
  }
  if (first !== (shoe.shown !== null)) report.fault("burn", first ? "nothing-shown" : "shown-unasked");
  if (shoe.shown) inTurn(watched, { opened: shoe.shown, place: 0, where: 0 });
  if (!first || shoe.shown) {
    const rule = first ? 1 + Math.min(rankOf(shoe.shown.card), 10) : BURNS[shoe.burn];
    if (shoe.burned !== rule) report.fault("burn", "burned-otherwise", { burned: shoe.burned, rule });
  }
  report.close("burn", { burned: shoe.burned });
}

/** Check that a card that was shown was next in the order, and at its position. */
function inTurn({ order, report, proven }, { opened, place, where }) {
  if (place >= order.length) report.fault("cards", "no-card-left", { where });
  else if (opened.position !== order[place]) {
    report.fault("cards", "not-its-turn", { where, position: opened.position, turn: order[place] });
  }
  if (!proven.get(opened)) {
    report.fault("cards", "bad-proof", { where, card: opened.card, position: opened.position });
  }
}

function coupDealt(watched, table, { coup, number, last }) {
  const { shoe, report } = watched;
  if (table.over) report.fault("end", "after-the-end", { coup: number });
  const hands = { player: [], banker: [] };
  let amiss = false;
  for (const one of coup.cards) {
    const turn = amiss ? one.hand : turnOf(hands, shoe.tableau); // after a wrong card, the next turn is unknown
    if (turn === null) report.fault("tableau", "card-too-many", { coup: number, card: one.card });
    else if (turn !== one.hand) report.fault("tableau", "other-hand", { coup: number, card: one.card, hand: one.hand });
    amiss ||= turn !== one.hand;
    inTurn(watched, { opened: one, place: table.place, where: number });
    hands[one.hand].push(one.card);
    table.place += 1;
    table.shown += 1;
  }
  if (!amiss) completed(watched, hands, { coup, number, last });
  if (coup.cards.length === 0) return;
  table.over ||= table.cutOut || shoe.source === "shuffler";
  table.cutOut ||= table.place >= shoe.size - shoe.cut;
}

/** Check that no card is missing, unless the coup is under way or was cut short. */
function completed({ shoe, report }, hands, { coup, number, last }) {
  const complete = turnOf(hands, shoe.tableau) === null;
  if (coup.cut_short && (complete || !coup.cards.length)) report.fault("tableau", "not-cut-short", { coup: number });
  const running = last && shoe.ended === null;
  if (!coup.cut_short && !complete && !running) report.fault("tableau", "incomplete", { coup: number });
}

/** The hand that gets the next card by the tableau; null if the coup is over. */
function turnOf({ player, banker }, tableau) {
  const dealtOut = player.length + banker.length;
  if (dealtOut < 4) return dealtOut % 2 === 0 ? "player" : "banker";
  const total = (hand) => hand.slice(0, 2).reduce((sum, card) => sum + points(card), 0) % 10;
  if (tableau.naturals.has(total(player)) || tableau.naturals.has(total(banker))) return null;
  if (tableau.player.has(total(player)) && player.length < 3) return banker.length < 3 ? "player" : null;
  const given = player.length > 2 ? points(player[2]) : NOTHING;
  return banker.length < 3 && tableau.banker.has(String([total(banker), given])) ? "banker" : null;
}

/** Step 6: the whole order is revealed, has the same root, and consists of whole decks. */
async function revealed(shoe, report) {
  if ((shoe.reveal !== null) !== (shoe.ended !== null)) report.fault("reveal", shoe.ended ? "not-revealed" : "revealed-early");
  if (shoe.reveal === null) {
    report.close("reveal", {}, { open: true });
    return;
  }
  const { key, order } = shoe.reveal;
  const nonces = await Promise.all(order.map((_, position) => hash("nonce", bytes(key), u32(position))));
  const leaves = await Promise.all(order.map((card, position) => leaf(position, card, nonces[position])));
  if (hex(await rootOf(leaves)) !== shoe.root) report.fault("reveal", "other-root");
  const counts = new Map();
  for (const one of order) counts.set(one, (counts.get(one) ?? 0) + 1);
  for (const suit of SUITS) {
    for (const rank of RANKS) {
      const times = counts.get(rank + suit) ?? 0;
      if (times !== shoe.decks) report.fault("reveal", "not-whole-decks", { card: rank + suit, times, decks: shoe.decks });
    }
  }
  report.close("reveal", { cards: order.length, decks: shoe.decks });
}
