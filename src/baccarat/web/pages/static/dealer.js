// The dealer's console: keys and touches in, what the server says out. Whatever was done goes
// through the outbox; whatever happens at the table, by whomever, comes in over the socket. Nothing
// is decided here: choices, words, totals and who is next come with the console.

import { api, Problem } from "./api.js";
import { card, cardInWords } from "./cards.js";
import { CardKeys } from "./keys.js";
import { chooseBy, chosen as preferred } from "./look.js";
import { Outbox } from "./outbox.js";
import { h, island, money, note, t } from "./page.js";
import { TableSocket } from "./socket.js";

const $ = (id) => document.getElementById(id);
const table = island.table;
const me = island.session.account;
const HASTE = 300; // keys of a scanner follow each other faster than this
const LOOSE = ["nobody", "back"]; // cards with no hand: in excess, and taken back into the shoe
const PAUSE = 400; // a choice that has just appeared is not taken by a key that was meant for a card

let now = island.console;
let put = null; // the hand that the next card was put with, where somebody says so
let again = 0; // the place of the card that is told again
let left = ""; // the question that was left aside
let asked = null; // a question that the panel asks: { words, choices } or { words, text }
let shownAt = 0;
let lastKey = -HASTE;
let said = "";
let stale = null; // what was said of the moment, until the next thing has happened
let socketUp = true;

// ---- what is sent --------------------------------------------------------------------------------

const outbox = new Outbox(`${table}.${me}`, {
  done(answer) {
    for (const one of answer.events ?? []) tell(one);
    if (answer.console) take(answer.console);
    else refresh();
  },
  refused(problem) {
    if (problem.status === 401) return location.assign(`/sign-in?back=/dealer/${table}`);
    note(problem.message, "bad");
    say(problem.message);
    refresh();
  },
  waits(count, tries) {
    sayLink(count, tries);
  },
});

const post = (path, body, then) => outbox.put("POST", `/tables/${table}/${path}`, body, then);
const call = (name) => post("calls", { call: name }, after(name));

/** Where the table stands once all that waits is told; null where only the answer will say. */
function here() {
  const last = outbox.waiting.at(-1);
  if (last) return last.then;
  const dealing = !resting() && now.phase !== "open";
  return { round: now.round, dealing, cards: dealing ? now.drawn.length : 0, early: now.shown_early };
}

function after(name) {
  const at = here();
  if (!at) return null;
  if (name === "place-your-bets") return { round: at.round + 1, dealing: false, cards: 0, early: 0 };
  if (name === "no-more-bets") return { ...at, dealing: true, cards: 0 };
  return name === "pay" ? { ...at, dealing: false, cards: 0 } : at;
}

/** A card, for the round and the place that it is told for: nowhere else is it taken. */
function postCard(body) {
  const at = here();
  if (!at) return post("cards", body);
  const [cards, early] = at.dealing ? [at.cards + 1, at.early] : [0, at.early + 1];
  post("cards", { ...body, round: at.round, place: cards || 1 - early }, { ...at, cards, early });
}

/** What a command has caused and the console does not show: a card that is missing. */
function tell({ type, value }) {
  if (type === "IrregularityFound" && value.kind === "missing") note(value.words, "bad");
  if (type === "ShoeClosed" && !value.surplus.length && !value.lacking.length) {
    note(t(value.unseen ? "dealer.none_too_often" : "dealer.adds_up", { seen: value.seen, unseen: value.unseen }));
  }
  if (type === "ActionProposed") note(t(value.subject.startsWith("hand-over ") ? "dealer.asked" : "dealer.proposed"));
}

/** A player, or somebody of the staff, reports an error: the dealer sees and hears it at once. */
function tellOfReport(value) {
  const words = t("dealer.report_line", value);
  note(words, "bad");
  say(words);
}

function sendCard(text) {
  const drawn = now.drawn.map((one) => one.card);
  if (again) {
    drawn[again - 1] = text;
    post("rectification", { drawn });
  } else if (now.next.do === "burn") post("burns", { cards: [text] });
  else if (early()) askExposed(text);
  else postCard(put ? { card: text, hand: put } : { card: text });
  [put, again] = [null, 0];
  drawPad();
}

/** No card is due: one that is told now was shown early, or is a slip of the finger. */
function early() {
  return now.shoe && !outbox.size && (resting() || now.phase === "open");
}

function askExposed(text) {
  ask({
    words: t("dealer.exposed", { card: text.toUpperCase() }),
    choices: [{ words: t("dealer.burn_it"), take: () => postCard({ card: text }) }],
  });
}

const keys = new CardKeys({ change: drawPad, card: sendCard });

// ---- what a dealer does --------------------------------------------------------------------------

const ACTS = {
  "begin-shoe": () => (now.shoe ? ask({ words: t("dealer.close"), text: t("dealer.rest"), blank: true, send: (rest) => post("shoe/end", { rest: rest || null }) }) : post("shoe")),
  burn: () => post("burns", { cards: [] }),
  "tell-again": () => tellAgain(now.drawn.length),
  report: () => report(now.reportable),
  cancel: () => askReason(),
};

function can(act) {
  if (act === "report") return now.reportable !== null;
  return now.can.includes(act === "begin-shoe" && now.shoe ? "close-shoe" : act);
}

const resting = () => ["none", "settled", "cancelled"].includes(now.phase);

function act(name) {
  const plain = !ACTS[name];
  if (outbox.size && !plain) return note(t("dealer.wait"));
  if (!outbox.size && !can(name)) return void (stale = note(t("dealer.not_now", { act: actWords(name), next: now.next.words }), "bad"));
  keys.clear();
  (ACTS[name] ?? (() => call(name)))();
}

const actWords = (name) => document.querySelector(`[data-act="${name}"] span`).textContent;

function report(round) {
  ask({ words: t("dealer.report", { round }), text: t("dealer.what"), send: (reason) => post(`rounds/${round}/errors`, { reason }) });
}

function tellAgain(place) {
  [again, asked] = [place, null];
  draw();
}

function neverDrawn() {
  post("rectification", { drawn: now.drawn.map((one) => one.card).filter((_, at) => at !== again - 1) });
  again = 0;
  drawPad();
}

function askReason() {
  ask({
    words: t("dealer.cancel", { round: now.round }),
    choices: now.reasons.map((reason) => ({ words: t(`dealer.reason.${reason}`), take: () => cancel(reason) })),
  });
}

/** Once the result is known, somebody says why the round cannot be put right, and a second confirms. */
function cancel(reason) {
  const send = (words) => post("dummy", { round: now.round, reason, words });
  if (!now.result_known) send("");
  else ask({ words: t("dealer.cancel", { round: now.round }), text: t("dealer.considered"), send });
}

// ---- choices and questions -----------------------------------------------------------------------

function ask(question) {
  asked = question;
  drawPanel();
}

/** What the panel shows: a question that was asked, what is wrong, or what waits for a decision. */
function panel() {
  if (asked) return asked;
  if (again) return null;
  const shown = asksForTable() ?? changing() ?? wrong() ?? callingOff() ?? reported();
  return shown && shown.about !== left ? shown : null;
}

function wrong() {
  if (!now.choices.length) return null;
  const flags = now.irregularities.filter((one) => one.kind !== "exposed").map((one) => one.words);
  return {
    about: flags.join(), words: t("dealer.wrong"), flags: flags.slice(1),
    choices: now.choices.map((one) => ({ words: one.words, take: () => chosen(one) })),
  };
}

/** Another dealer asks for the table: who has it, or the pit, says yes or no; who asked can take it back. */
function asksForTable() {
  if (!resting() && now.phase !== "open") return null; // a digit may be meant for a card
  const mine = now.dealer === me || island.may.cancel;
  const one = now.asked_for.find(({ dealer }) => mine !== (dealer === me));
  if (!one) return null;
  const refuse = () => outbox.put("DELETE", `/tables/${table}/hand-over/${one.dealer}`);
  const name = now.names[one.dealer] ?? one.dealer;
  if (one.dealer === me) {
    return { about: `asked ${one.until}`, words: t("dealer.you_asked"), choices: [{ words: t("dealer.take_back"), take: refuse }] };
  }
  return {
    about: `hand-over ${one.dealer} ${one.until}`, words: t("dealer.asks", { name }),
    choices: [
      { words: t("dealer.hand_over", { name }), take: () => post("hand-over", { dealer: one.dealer }) },
      { words: t("dealer.keep"), take: refuse },
    ],
  };
}

/** A change of a complete coup: the pit confirms it, unless it deals; the dealer can take it back. */
function changing() {
  const waits = now.rectifying;
  if (!waits) return null;
  const path = `rounds/${now.round}/rectification`;
  const back = { words: t("dealer.take_back"), take: () => outbox.put("DELETE", `/tables/${table}/${path}`) };
  const confirm = { words: t("dealer.confirm_change"), take: () => post(path, { cards: waits.drawn }) };
  const second = island.may.remedy && waits.by !== me && now.dealer !== me;
  if (!second && now.dealer !== me && !island.may.remedy) return null;
  return {
    about: `rectify ${now.round} ${waits.drawn}`, words: t(second ? "dealer.change" : "dealer.change_waits"), flags: [waits.words],
    choices: second ? [confirm, back] : [back],
  };
}

/** A dummy round that somebody else has called, for whoever may confirm it. */
function callingOff() {
  const waits = now.calling_off;
  if (!waits || waits.by === me || !island.may.cancel) return null;
  return {
    about: `dummy ${now.round} ${waits.words}`, words: t("dealer.confirm", { round: now.round }), flags: [t(`dealer.reason.${waits.reason}`), waits.words],
    choices: [{ words: t("dealer.confirm_it"), take: () => post(`rounds/${now.round}/cancel`, { reason: waits.reason }) }],
  };
}

/** An error that somebody else has reported, for whoever may decide on it. */
function reported() {
  const one = island.may.remedy && now.reports.find(({ round }) => !now.reports.some((one) => one.round === round && one.by === me));
  if (!one) return null;
  const path = `rounds/${one.round}/errors`;
  const settle = (cards) => outbox.put("PUT", `/tables/${table}/${path}`, { cards: cards.split(" ") });
  const told = now.correctable.find((past) => past.round === one.round)?.cards.join(" ") ?? "";
  return {
    about: path, words: t("dealer.reported", { round: one.round }), flags: [one.words],
    choices: [
      { words: t("dealer.settle_again"), take: () => ask({ words: t("dealer.settle_again"), text: t("dealer.as_drawn"), given: told, send: settle }) },
      { words: t("dealer.no_error"), take: () => ask({ words: t("dealer.no_error"), text: t("dealer.why"), send: (reason) => post(`${path}/dismissal`, { reason }) }) },
    ],
  };
}

function chosen(choice) {
  if (choice.do === "rectify") post("rectification", { drawn: choice.drawn });
  else if (choice.do === "explain") post("cards/explanation", { card: choice.drawn[0], was: choice.was });
  else if (choice.do === "tell-again") tellAgain(choice.place);
  else askReason();
}

function choose(at) {
  const shown = panel();
  if (!shown?.choices?.[at]) return;
  asked = null;
  shown.choices[at].take();
  drawPanel();
}

function leave() {
  if (asked) asked = null;
  else if (again) again = 0;
  else if (keys.typed || put) put = null;
  else if (panel()) left = panel().about;
  keys.clear();
  draw();
}

function answer() {
  const text = $("answer").value.trim().replace(/\s+/g, " ");
  if (!text && !asked.blank) return $("answer").focus();
  const { send } = asked;
  asked = null;
  $("answer").blur();
  send(text);
  drawPanel();
}

// ---- what is shown -------------------------------------------------------------------------------

function take(told) {
  if (told.sequence < now.sequence) return;
  if (told.choices.length && told.sequence !== now.sequence) keys.clear();
  if (told.sequence !== now.sequence) stale?.remove();
  if (told.round !== now.round || told.drawn.length < again) again = 0;
  now = told;
  draw();
  announce();
}

function draw() {
  $("console").dataset.phase = now.phase;
  $("console").dataset.sequence = now.sequence;
  $("dealer").textContent = now.dealer_name ? t("dealer.deals", { name: now.dealer_name }) : t("dealer.nobody");
  $("round").textContent = now.round;
  drawWagers(now.wagers);
  drawShoe();
  drawDue();
  for (const hand of ["player", "banker"]) drawHand(hand, now.hands[hand]?.cards ?? []);
  drawHand("nobody", now.drawn.filter((one) => !one.hand).map((one) => one.card));
  drawHand("back", now.shoe?.known ?? []);
  drawSettling();
  $("reports").replaceChildren(
    ...now.asked_for.map((one) => h("li", {}, t("dealer.asks", { name: now.names[one.dealer] ?? one.dealer }))),
    ...now.reports.map((one) => h("li", {}, t("dealer.report_line", { round: one.round, words: one.words }))));
  for (const button of document.querySelectorAll("[data-act]")) {
    const name = button.dataset.act;
    button.setAttribute("aria-disabled", String(!can(name)));
    const due = name === now.next.do || (name === "begin-shoe" && now.next.do === "close-shoe");
    button.classList.toggle("due", due);
    if (name === "take-table") button.lastElementChild.textContent = t(now.dealer && now.dealer !== me && !island.may.cancel ? "dealer.ask_for" : "dealer.take");
    if (name === "begin-shoe") button.lastElementChild.textContent = t(now.shoe ? "dealer.close_shoe" : "dealer.begin_shoe");
  }
  drawPad();
  drawPanel();
}

function drawWagers({ players, coins }) {
  $("coins").textContent = money(coins);
  $("players").textContent = t("dealer.players", { count: players });
}

function drawShoe() {
  const shoe = now.shoe;
  $("left").textContent = shoe ? shoe.left : "–";
  $("of").textContent = shoe ? t(shoe.face_down ? "dealer.of_burned" : "dealer.of", { cards: shoe.cards, burned: shoe.face_down }) : "";
  $("coups").textContent = shoe ? shoe.coups : "–";
  $("cut").textContent = !shoe?.cut_card_out ? "" : t(shoe.over ? "dealer.over" : shoe.last_coup ? "dealer.last" : "dealer.cut");
  for (const place of document.querySelectorAll("[data-left]")) {
    const count = shoe?.unseen_by_rank[place.dataset.left];
    place.textContent = count ?? "";
    place.classList.toggle("none", count === 0);
  }
}

function drawDue() {
  const early = now.irregularities.filter((one) => one.kind === "exposed").map((one) => one.words);
  $("due").classList.toggle("stop", Boolean(now.alarm) || now.irregularities.length > early.length);
  $("due").classList.toggle("no-bets", !now.bets);
  $("alarm").textContent = now.alarm ? t("dealer.alarm", { words: now.alarm }) : "";
  $("do").textContent = now.next.words;
  const words = now.calling_off ? t("dealer.called_off", { reason: t(`dealer.reason.${now.calling_off.reason}`) }) : now.hands.announce;
  $("why").textContent = now.irregularities.length ? early.join(". ") : words ?? "";
  $("due").dataset.do = now.next.do;
}

function drawHand(hand, cards) {
  const place = $(`cards-${hand}`);
  if (place.dataset.key !== cards.join()) {
    place.dataset.key = cards.join();
    place.replaceChildren(...cards.map((one) => card(one)));
  }
  if (LOOSE.includes(hand)) return void ($(`hand-${hand}`).hidden = !cards.length);
  $(`total-${hand}`).textContent = cards.length ? now.hands[hand].total : "–";
  $(`hand-${hand}`).classList.toggle("next", !resting() && now.turn?.hand === hand);
}

function drawSettling() {
  $("settling").hidden = now.settling.length === 0;
  $("settling").replaceChildren(...now.settling.map(({ do: step, words, bets }) =>
    h("li", { class: step }, h("b", {}, t(`dealer.step.${step}`)), " ",
      words || (bets.length ? "" : t("dealer.nothing")),
      ...bets.map((one) => h("span", { class: "bet" }, t(`dealer.moves.${step}`, { bet: one.name, amount: money(step === "give-back" ? one.staked : one.coins), count: one.wagers }))))));
}

function drawPad() {
  $("typed").textContent = (keys.typed || "").toUpperCase();
  const drawn = again ? cardInWords(now.drawn[again - 1].card) : "";
  $("typed-for").textContent = again ? t("dealer.again", { card: drawn })
    : now.next.do === "burn" ? t("dealer.to_burn")
    : put ? t(`dealer.with.${put}`)
    : now.turn?.hand ? t(`dealer.to.${now.turn.hand}`) : t("dealer.card");
  for (const button of document.querySelectorAll("[data-put]")) button.setAttribute("aria-pressed", String(put === button.dataset.put));
}

function drawPanel() {
  const shown = panel();
  const hidden = !shown;
  if ($("panel").hidden && shown) shownAt = performance.now();
  $("panel").hidden = hidden;
  $("pad").hidden = Boolean(shown);
  if (hidden) return void ($("ask").hidden = true);
  $("panel").classList.toggle("wrong", Boolean(shown.flags));
  $("panel-words").textContent = shown.words;
  $("flags").replaceChildren(...(shown.flags ?? []).map((words) => h("li", {}, words)));
  $("choices").replaceChildren(...(shown.choices ?? []).map((one, at) => {
    const button = h("button", { type: "button", class: "choice" }, h("kbd", {}, String(at + 1)), h("span", {}, one.words));
    button.addEventListener("click", () => choose(at));
    return h("li", {}, button);
  }));
  const text = $("ask").hidden && shown.text;
  $("ask").hidden = !shown.text;
  $("ask-words").textContent = shown.text ?? "";
  if (text) {
    $("answer").value = shown.given ?? "";
    $("answer").focus();
  }
}

/** To whoever listens: what is wrong, or the totals and what is next. */
function announce() {
  const wrong = now.irregularities.map((one) => one.words);
  const before = now.choices.length ? [] : [now.next.words];
  say(wrong.length ? [...wrong, ...before, ...now.choices.map((one, at) => `${at + 1}: ${one.words}`)].join(". ") : [$("alarm").textContent, now.hands.announce, now.next.words].filter(Boolean).join(". "));
}

function say(words) {
  if (words === said) return;
  said = words;
  $("announce").textContent = words;
}

function sayLink(waiting = outbox.size, tries = 0) {
  const lost = tries > 0 || !socketUp;
  $("link").className = lost ? "link lost" : "link";
  $("link").dataset.waiting = waiting;
  const what = outbox.waiting.map(inWords).join(", ");
  $("link").textContent = lost ? t(waiting ? "dealer.lost_waiting" : "dealer.lost", { count: waiting, what }) : t("dealer.linked");
}

/** Something that waits to be sent, as it was told. */
function inWords({ path, body }) {
  if (body?.call) return actWords(body.call);
  const told = body?.card ?? (body?.cards ?? body?.drawn)?.join(" ");
  return told ? told.toUpperCase() : path.split("/").slice(3).join(" ");
}

// ---- keys and touches ----------------------------------------------------------------------------

const BY_KEY = Object.fromEntries(Object.entries(island.acts).map(([name, key]) => [key, name]));

document.addEventListener("keydown", (event) => {
  const writing = event.target.matches?.("textarea, input:not([type=checkbox])");
  if (event.key === "Escape") return void leave();
  if (writing) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.target.rows === 1)) {
      event.preventDefault();
      answer();
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || preferred("keys") === "ignored") return;
  if (pressed(event)) event.preventDefault();
});

/** Take a key; false when it is nothing here. */
function pressed({ key, timeStamp }) {
  const quick = timeStamp - lastKey < HASTE;
  if (key !== "Enter") lastKey = timeStamp;
  const shown = panel();
  if (shown?.choices) {
    if (!/^[1-9]$/.test(key)) return false;
    if (performance.now() - shownAt >= PAUSE) choose(Number(key) - 1);
    return true;
  }
  if (shown) return false;
  if (key === "Enter") return keys.press(key) || quick; // a scanner's Enter clicks no button
  if (key === "Backspace") return keys.back() || (again ? false : (act("tell-again"), true));
  if (key === "Delete" && again) return neverDrawn(), true;
  if (key === "p" || key === "b") return putWith(key === "p" ? "player" : "banker"), true;
  if (keys.press(key)) return true;
  if (!BY_KEY[key.toLowerCase()]) return false;
  act(BY_KEY[key.toLowerCase()]);
  return true;
}

function putWith(hand) {
  put = put === hand ? null : hand;
  drawPad();
}

/** A touch leaves no button behind that the next key would press. */
function touched(button, then) {
  button.addEventListener("click", (event) => {
    if (event.detail) button.blur();
    then();
  });
}

for (const button of document.querySelectorAll("[data-act]")) touched(button, () => act(button.dataset.act));
for (const button of document.querySelectorAll("[data-type]")) touched(button, () => keys.press(button.dataset.type));
for (const button of document.querySelectorAll("[data-put]")) touched(button, () => putWith(button.dataset.put));
touched($("clear"), leave);
touched($("leave"), leave);
chooseBy($("single-keys"), "keys", { unticked: "ignored" });
$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  answer();
});

// ---- the table, as it goes on --------------------------------------------------------------------

let asking = false;
let askAgain = false;

/** The console as it is now; one question at a time. */
async function refresh() {
  if (asking) return void (askAgain = true);
  asking = true;
  do {
    askAgain = false;
    try {
      take(await api("GET", `/tables/${table}/console`));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (!problem.unknown) note(problem.message, "bad");
    }
  } while (askAgain);
  asking = false;
}

const socket = new TableSocket(table, now.sequence, {
  frame(frame) {
    if (frame.stakes && frame.stakes.round === now.round) {
      const coins = Object.values(frame.stakes.bets).reduce((sum, one) => sum + one, 0);
      drawWagers({ players: frame.stakes.players, coins });
    }
    for (const one of frame.events) if (one.type === "ErrorReported" && one.value.by !== me && one.sequence > now.sequence) tellOfReport(one.value);
    if (frame.events.length && frame.through > now.sequence) refresh();
  },
  lost() {
    socketUp = false;
    sayLink();
  },
  back() {
    socketUp = true;
    sayLink();
    refresh();
  },
  async gap() {
    await refresh();
    socket.resume(now.sequence);
  },
});

draw();
announce();
outbox.begin();
document.documentElement.dataset.ready = "yes";
