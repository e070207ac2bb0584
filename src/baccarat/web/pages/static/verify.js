// Was a shoe dealt as it was promised? Written from docs/fairness.md and from nothing else: it shares
// no code with the server, and no line with the verifier in Python. Nothing here touches a page.
//
// verifyShoe(text, published) reads the document of a shoe and gives a report: `state` is "good",
// "faulty" or "unreadable", and `steps` say what was checked, each with its findings ({code, …},
// worded by the catalogue). verifyCard({position, card, nonce, proof, root, size}) is one card's proof.

export const STEPS = ["form", "promise", "published", "contributions", "shuffle", "burn", "cards", "tableau", "end", "reveal"];
export const LARGEST = 2 ** 24;

/** A size as people read it; one that is just too large does not look as if it were not. */
export function mebibytes(bytes) {
  return (Math.ceil((bytes / 2 ** 20) * 10) / 10).toFixed(1);
}

const SUITS = "shdc";
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SOURCES = { shoe: 0, shuffler: 1 };
const BURNS = { none: 0, one: 1, "first-card": 2 };
const NOTHING = 10; // stands for the third card of a player who took none
const [MOST_DECKS, MOST_STEPS, MOST_CONTRIBUTIONS] = [24, 32, 10_000];
const DEEPEST = 50;

class Unreadable extends Error {
  constructor(code, values = {}) {
    super(code);
    this.finding = { code, ...values };
  }
}

// ---- the bytes ---------------------------------------------------------------------------------

const utf8 = new TextEncoder();

/** H(tag, a, b, …): bytes in, bytes out. What need not wait for another is asked for at once. */
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

/** Thirteen times the suit, plus the rank; −1 for what is no card. */
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

/** One dealt card: did it lie at its position under the root? */
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

/** JSON by the letter: no key twice, no half characters; a number that is not whole is NaN. */
function parse(text) {
  let at = 0;
  const fail = () => { throw new Unreadable("not-json", { at }); };
  const blank = () => { while (" \t\n\r".includes(text[at] ?? "x")) at++; };
  const take = (token) => (text.startsWith(token, at) ? ((at += token.length), true) : false);
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) fail();
    at = pattern.lastIndex;
    return found[0];
  };
  const string = () => {
    const made = JSON.parse(match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y));
    if (!made.isWellFormed()) fail();
    return made;
  };
  const number = () => {
    const made = match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    return /[.eE]/.test(made) ? NaN : Number(made);
  };
  const items = (end, one) => {
    blank();
    if (take(end)) return;
    do {
      blank();
      one();
      blank();
    } while (take(","));
    if (!take(end)) fail();
  };
  const value = (depth) => {
    if (depth > DEEPEST) throw new Unreadable("too-deep");
    blank();
    if (text[at] === '"') return string();
    if (take("{")) {
      const made = new Map();
      items("}", () => {
        const key = string();
        if (made.has(key)) throw new Unreadable("key-twice", { key });
        blank();
        if (!take(":")) fail();
        made.set(key, value(depth + 1));
      });
      return Object.fromEntries(made);
    }
    if (take("[")) {
      const made = [];
      items("]", () => made.push(value(depth + 1)));
      return made;
    }
    for (const [token, meant] of [["true", true], ["false", false], ["null", null]]) if (take(token)) return meant;
    return number();
  };
  const read = value(0);
  blank();
  return at === text.length ? read : fail();
}

const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isWhole = (low, high) => (value) => Number.isSafeInteger(value) && value >= low && value <= high;
const isOne = (...known) => (value) => known.includes(value);
const isText = (value) => typeof value === "string" && !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(value);
const isCard = (value) => isText(value) && code(value) >= 0;
const isFlag = (value) => typeof value === "boolean";
const orNull = (form) => (value) => value === null || (typeof form === "function" ? form(value) : check(value, form));
const isList = (form, most = Infinity) => (value) => Array.isArray(value) && value.length <= most
  && value.every((one) => (typeof form === "function" ? form(one) : check(one, form)));

const U32 = 2 ** 32 - 1;
const OPENED = { position: isWhole(0, U32), card: isCard, nonce: isHash, proof: isList(isHash, MOST_STEPS) };
const FORM = {
  format: isOne("baccarat-shoe"), version: isOne(1),
  shoe: (value) => isText(value) && /^[0-9a-f]{32}$/.test(value),
  source: isOne(...Object.keys(SOURCES)), decks: isWhole(1, MOST_DECKS), cut: isWhole(0, U32),
  burn: isOne(...Object.keys(BURNS)), rules: isText, root: isHash, commitment: isHash,
  contributions: isList({ name: isText, commitment: isHash, secret: orNull(isHash) }, MOST_CONTRIBUTIONS),
  seed: orNull(isHash), burned: isWhole(0, U32), shown: orNull(OPENED),
  coups: isList({ cards: isList({ hand: isOne("player", "banker"), ...OPENED }), cut_short: isFlag }),
  ended: orNull(isOne("dealt-out", "abandoned")), reveal: orNull({ key: isHash, order: isList(isCard) }),
};

/** Exactly these keys, each of its form. */
function check(value, form) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return Object.keys(value).length === Object.keys(form).length
    && Object.entries(form).every(([key, one]) => Object.hasOwn(value, key) && one(value[key]));
}

function read(text) {
  if (typeof text !== "string") text = decoded(text);
  if (text.length > LARGEST) throw new Unreadable("too-large", { size: mebibytes(text.length) });
  const found = parse(text.startsWith("\ufeff") ? text.slice(1) : text); // some editors begin files with a mark
  if (found === null || typeof found !== "object" || Array.isArray(found)) throw new Unreadable("no-object");
  const [missing] = Object.keys(FORM).filter((key) => !Object.hasOwn(found, key));
  if (missing) throw new Unreadable("missing", { key: missing });
  const [more] = Object.keys(found).filter((key) => !Object.hasOwn(FORM, key));
  if (more !== undefined) throw new Unreadable("unknown-key", { key: more.slice(0, 40) });
  const [bad] = Object.entries(FORM).filter(([key, form]) => !form(found[key]));
  if (bad) throw new Unreadable("bad-value", { key: bad[0] });
  const size = 52 * found.decks;
  for (const key of ["cut", "burned"]) if (found[key] >= size) throw new Unreadable("bad-value", { key });
  const opened = [found.shown, ...found.coups.flatMap((coup) => coup.cards)];
  if (opened.some((one) => one && one.position >= size)) throw new Unreadable("bad-value", { key: "position" });
  if (found.reveal && found.reveal.order.length !== size) throw new Unreadable("bad-value", { key: "reveal" });
  return { ...found, size, tableau: tableauOf(found.rules) };
}

function decoded(some) {
  if (some.byteLength > LARGEST) throw new Unreadable("too-large", { size: mebibytes(some.byteLength) });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(some);
  } catch {
    throw new Unreadable("not-json", { at: 0 });
  }
}

function tableauOf(rules) {
  let tableau;
  try {
    tableau = parse(rules).tableau;
  } catch {
    throw new Unreadable("no-tableau");
  }
  const total = isWhole(0, 9);
  const isPair = (one) => Array.isArray(one) && one.length === 2 && total(one[0]) && isWhole(0, NOTHING)(one[1]);
  const fits = tableau && isList(total)(tableau.naturals) && isList(total)(tableau.player_draws) && isList(isPair)(tableau.banker_draws);
  if (!fits) throw new Unreadable("no-tableau");
  return { naturals: new Set(tableau.naturals), player: new Set(tableau.player_draws), banker: new Set(tableau.banker_draws.map(String)) };
}

// ---- checking ----------------------------------------------------------------------------------

/** What was found, step by step. */
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

  /** It was looked at: it holds unless a fault was found, or remains open. */
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

/** The report on a document: its text or its bytes, and the commitment that was published, if known. */
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

/** Step 1: the commitment is to these terms, these rules and this root, and is the published one. */
async function promise(shoe, published, report) {
  const shuffler = shoe.source === "shuffler";
  if (shuffler && (shoe.cut !== 0 || shoe.burn !== "none")) report.fault("promise", "shuffler-terms");
  const made = await hash("shoe", bytes(shoe.shoe), [SOURCES[shoe.source]], u32(shoe.decks), u32(shoe.cut),
    [BURNS[shoe.burn]], await sha256(utf8.encode(shoe.rules)), bytes(shoe.root));
  if (hex(made) !== shoe.commitment) report.fault("promise", "other-terms");
  report.close("promise");
  if (published !== null && published.trim().toLowerCase() !== shoe.commitment) report.fault("published", "not-published");
  report.close("published", {}, { open: published === null });
}

/** Steps 2 to 4: contributions, the seed they make, the order it makes. Null before there is a seed. */
async function shuffled(shoe, report) {
  const commitment = bytes(shoe.commitment);
  const [parts, seen] = [[], new Set()];
  for (const { name, commitment: promised, secret } of shoe.contributions) {
    const named = utf8.encode(name);
    if (seen.has(promised)) report.fault("contributions", "contribution-twice", { name });
    seen.add(promised);
    if (secret !== null && hex(await hash("contribution", commitment, bytes(secret), named)) !== promised) {
      report.fault("contributions", "other-secret", { name });
    }
    const told = secret === null ? [[0], new Uint8Array(32)] : [[1], bytes(secret)];
    parts.push(bytes(promised), ...told, u32(named.length), named);
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

/** A card that was shown: it was its turn, and it lay there. */
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
  for (const one of coup.cards) {
    const turn = turnOf(hands, shoe.tableau);
    if (turn === null) report.fault("tableau", "card-too-many", { coup: number, card: one.card });
    else if (turn !== one.hand) report.fault("tableau", "other-hand", { coup: number, card: one.card, hand: one.hand });
    inTurn(watched, { opened: one, place: table.place, where: number });
    hands[one.hand].push(one.card);
    table.place += 1;
    table.shown += 1;
  }
  const complete = turnOf(hands, shoe.tableau) === null;
  if (coup.cut_short && (complete || !coup.cards.length)) report.fault("tableau", "not-cut-short", { coup: number });
  const running = last && shoe.ended === null;
  if (!coup.cut_short && !complete && !running) report.fault("tableau", "incomplete", { coup: number });
  if (coup.cards.length === 0 || (!coup.cut_short && !complete)) return;
  table.over ||= table.cutOut || shoe.source === "shuffler";
  table.cutOut ||= table.place >= shoe.size - shoe.cut;
}

/** Whose card is next by the tableau; null when the coup is over. */
function turnOf({ player, banker }, tableau) {
  const dealtOut = player.length + banker.length;
  if (dealtOut < 4) return dealtOut % 2 === 0 ? "player" : "banker";
  const total = (hand) => hand.slice(0, 2).reduce((sum, card) => sum + points(card), 0) % 10;
  if (tableau.naturals.has(total(player)) || tableau.naturals.has(total(banker))) return null;
  if (tableau.player.has(total(player)) && player.length < 3) return banker.length < 3 ? "player" : null;
  const given = player.length > 2 ? points(player[2]) : NOTHING;
  return banker.length < 3 && tableau.banker.has(String([total(banker), given])) ? "banker" : null;
}

/** Step 6: the whole order, under the same root, and it is whole decks. */
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
  const counts = Map.groupBy(order, (card) => card);
  for (const suit of SUITS) {
    for (const rank of RANKS) {
      const times = counts.get(rank + suit)?.length ?? 0;
      if (times !== shoe.decks) report.fault("reveal", "not-whole-decks", { card: rank + suit, times, decks: shoe.decks });
    }
  }
  report.close("reveal", { cards: order.length, decks: shoe.decks });
}
