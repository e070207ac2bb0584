// The dealer's console: takes keys and touches, and shows what the server sends. Actions are sent
// through the outbox; everything that happens at the table arrives over the socket. Nothing is decided
// here: choices, words, totals and the next hand come with the console.

import { attempt } from "./api.js";
import { card, cardInWords } from "./cards.js";
import { CardKeys } from "./keys.js";
import { Live } from "./live.js";
import { chooseBy, chosen as preferred } from "./look.js";
import { Outbox } from "./outbox.js";
import { $, h, island, money, note, shortMoney, t } from "./page.js";
import { TableSocket } from "./socket.js";

const PATH = `/tables/${island.table}`;
const BY_KEY = Object.fromEntries(Object.entries(island.acts).map(([name, key]) => [key.toLowerCase(), name]));
const me = island.session.account;
const HASTE = 300; // milliseconds; keys of a scanner follow each other faster
const LOOSE = ["nobody", "back"]; // cards without a hand: in excess, or returned to the shoe
const ANSWERS = ["rectify", "explain", "re-enter"]; // choices that rectify a coup
const PAUSE = 400; // milliseconds for which a new choice ignores keys, as they may be meant for a card
const WORDS = 200; // maximum characters of a reason

class Console {
  #live = new Live(`${PATH}/console`, island.console, (view, before) => this.#shows(view, before));
  #put = null; // the hand that the dealer has chosen for the next card
  #dropped = []; // what was refused last, and what followed it
  #again = 0; // the position of the card that is being corrected
  #beforeClosing = null; // the card entered while bets were open, until "no more bets" is confirmed
  #left = ""; // the question that was dismissed
  #asked = null; // the question in the panel: { words, choices } or { words, text }
  #shownAt = 0;
  #lastKey = -HASTE;
  #announced = "";
  #stale = null; // a note that is removed when something happens
  #socketUp = true;
  #keys = new CardKeys({ change: () => this.#drawPad(), card: (text) => this.#sendCard(text) });
  #outbox = new Outbox(`${island.table}.${me}`, {
    done: (answer) => {
      for (const event of answer.events ?? []) this.#noteEvent(event);
      if (answer.console) this.#live.take(answer.console);
      else this.#refresh();
    },
    refused: (problem, item, dropped) => this.#refused(problem, [item, ...dropped]),
    signedOut: () => location.assign(`/sign-in?back=/dealer/${island.table}`),
    change: () => this.#drawSending(),
  });
  #acts = {
    "begin-shoe": () => this.#beginShoe(),
    "close-shoe": () => this.#askRest(),
    "cut-card": () => this.#cutCard(),
    "undo-cut-card": () => this.#ask({ words: t("dealer-undo_cut"), text: t("dealer-why"), most: WORDS, send: (reason) => this.#post("cut-card/undo", { reason }) }),
    "correct-burn": () => this.#ask({ words: t("dealer-burn_again"), text: t("dealer-burn_card"), send: (text) => this.#correctBurn(text) }),
    burn: () => this.#post("burns", { cards: [] }),
    "re-enter": () => this.#reEnter((this.#again || this.#now.drawn.length + 1) - 1),
    report: () => this.#askRound(),
    cancel: () => this.#askReason(),
  };
  #socket = null;

  get #now() {
    return this.#live.view;
  }

  /** Whether something is being sent: the view does not show it yet. */
  get #busy() {
    return this.#outbox.waiting.length > 0;
  }

  begin() {
    this.#listen();
    this.#follow();
    this.#draw();
    this.#drawSending();
    this.#announce();
    this.#outbox.begin();
    document.documentElement.dataset.ready = "yes";
  }

  // ---- sending -------------------------------------------------------------------------------------

  /** Put a request to this table into the outbox; `proposal` is the one that it confirms. */
  #send(method, path, body, proposal) {
    this.#dropped = [];
    this.#outbox.put(method, `${PATH}/${path}`, body, proposal);
  }
  #post(path, body, proposal) {
    this.#send("POST", path, body, proposal);
  }

  /** Send a card that follows everything shown here: the server refuses it if the table has moved on. */
  #postCard(card, hand) {
    this.#post("cards", { card, hand, after: this.#now.sequence });
  }

  /** Show which input was refused, and that what followed it was not sent. */
  #refused(problem, dropped) {
    [this.#dropped, this.#beforeClosing] = [dropped, null];
    this.#drawSending();
    const words = `${this.#notSent()} ${problem.message}`;
    note(words, "bad");
    this.#announceOnce(words);
    this.#refresh();
  }

  #notSent() {
    return t("dealer-not_sent", { what: this.#dropped.map((item) => this.#inWords(item)).join(", ") });
  }

  /** Show an effect of a command that the console does not contain, such as a missing card. */
  #noteEvent(event) {
    if (event.type === "IrregularityFound" && event.wrong.kind === "missing") note(t("dealer-not_over", { next: this.#now.next.words }), "bad");
    if (event.type === "ShoeClosed" && !event.surplus.length && !event.lacking.length) {
      note(t(event.unseen ? "dealer-none_too_often" : "dealer-adds_up", { seen: event.seen, unseen: event.unseen }));
    }
    const more = event.type === "BurnedByHand" ? event.count - event.shown.length : 0;
    if (more && event.shown.length) note(t("dealer-burn_more", { count: more }));
    if (event.type === "ActionProposed") note(t(event.subject.kind === "hand-over" ? "dealer-asked" : "dealer-proposed"));
  }

  /** Show and announce that someone else has reported an error. */
  #noteReport(report) {
    const words = t("dealer-report_line", report);
    note(words, "bad");
    this.#announceOnce(words);
  }

  #sendCard(text) {
    if (this.#beforeClosing) return note(t("dealer-wait"));
    const drawn = this.#now.drawn.map((one) => one.card);
    if (this.#again) {
      drawn[this.#again - 1] = text;
      this.#correct(drawn, this.#now.drawn[this.#again - 1].sent);
    } else if (this.#now.next.do === "burn") this.#post("burns", { cards: [text] });
    else if (this.#early()) this.#askExposed(text);
    else this.#postCard(text, this.#put);
    [this.#put, this.#again] = [null, 0];
    this.#drawPad();
  }

  /** Whether no card is due: a card entered now was shown early, or entered by mistake. */
  #early() {
    return this.#now.shoe && !this.#now.turn && !this.#busy;
  }

  /** Ask whether a card was exposed. If bets are open, they are closed first: bets must not change meanwhile. */
  #askExposed(text) {
    const { phase, round, place } = this.#now;
    if (phase === "open") {
      this.#beforeClosing = { text, round, place };
      return this.#post("calls", { call: "no-more-bets" });
    }
    this.#ask({ words: t("dealer-exposed", { card: text.toUpperCase() }), choices: [{ words: t("dealer-burn_it"), take: () => this.#postCard(text) }] });
  }

  /** Once bets are closed, ask about the card that was entered while they were open. */
  #askBeforeClosing() {
    const { text, round, place } = this.#beforeClosing;
    if (this.#now.round === round && this.#now.phase === "open") return;
    this.#beforeClosing = null;
    if (this.#now.round !== round || this.#now.phase !== "closed") return;
    this.#ask({
      words: t("dealer-entered_early", { card: text.toUpperCase() }),
      choices: [
        { words: t("dealer-burn_it"), take: () => this.#post("cards", { card: text, round, place }) },
        { words: t("dealer-first_card"), take: () => this.#post("cards", { card: text, round, place: 1 }) },
      ],
    });
  }

  /** Send the cards as they really left the shoe; if the pit must confirm, with a reason in the dealer's words. */
  #rectify(drawn, two, words = t("dealer-reason_for_second")) {
    if (!two) return this.#post("rectification", { drawn, reason: words.slice(0, WORDS) });
    this.#ask({ words, text: t("dealer-reason_for_second"), most: WORDS, send: (reason) => this.#post("rectification", { drawn, reason }) });
  }

  /** Correct the card that was burned last, with one of the usual reasons. */
  #correctBurn(text) {
    this.#askWhy((reason) => this.#send("PUT", "burns", { cards: text.trim().split(/\s+/), reason }));
  }

  /** Correct a card of the coup, with a reason: one of the usual ones or, if the pit must confirm, in words. */
  #correct(drawn, sent) {
    if (!this.#now.changes_alone || sent) return this.#rectify(drawn, true);
    this.#askWhy((reason) => this.#post("rectification", { drawn, reason }));
  }

  #askWhy(send) {
    const reasons = ["key", "read", "scan"].map((why) => t(`dealer-why-${why}`));
    this.#ask({ words: t("dealer-why_wrong"), choices: reasons.map((reason) => ({ words: reason, take: () => send(reason) })) });
  }

  // ---- actions of the dealer -----------------------------------------------------------------------

  #can(act) {
    return act === "report" ? this.#now.reportable.length > 0 : this.#now.can.includes(act);
  }

  /** The action of a button: some undo what they did, and the shoe's button also closes the shoe. */
  #actOf(button) {
    if (button === "begin-shoe" && this.#now.shoe) return "close-shoe";
    if (button === "cut-card" && this.#now.shoe?.cut_card_out) return "undo-cut-card";
    return button === "re-enter" && !this.#can("re-enter") && this.#can("correct-burn") ? "correct-burn" : button;
  }

  #act(button) {
    const name = this.#actOf(button);
    if (this.#busy && this.#acts[name]) return note(t("dealer-wait"));
    if (!this.#busy && !this.#can(name)) return void (this.#stale = note(t("dealer-not_now", { act: this.#actWords(button), next: this.#now.next.words }), "bad"));
    this.#keys.clear();
    (this.#acts[name] ?? (() => this.#post("calls", { call: name })))();
  }

  #actWords(name) {
    return document.querySelector(`[data-act="${name}"] span`).textContent;
  }

  /** Ask for the round of an error, if there are several; at most nine, one for each digit key. */
  #askRound() {
    const rounds = this.#now.reportable.slice(0, 9);
    if (rounds.length === 1) return this.#report(rounds[0]);
    this.#ask({
      words: t("dealer-report_which"),
      choices: rounds.map((round) => ({ words: t("dealer-report_round", { round }), take: () => this.#report(round) })),
    });
  }

  #report(round) {
    this.#ask({ words: t("dealer-report", { round }), text: t("dealer-what"), send: (reason) => this.#post(`rounds/${round}/errors`, { reason }) });
  }

  #reEnter(place) {
    if (!place) return; // before the first card
    [this.#again, this.#asked] = [place, null];
    this.#draw();
  }

  #neverDrawn() {
    const sent = this.#now.drawn.slice(this.#again - 1).some((one) => one.sent);
    const drawn = this.#now.drawn.map((one) => one.card).filter((_, at) => at !== this.#again - 1);
    if (!this.#now.changes_alone || sent) this.#rectify(drawn, true);
    else this.#post("rectification", { drawn, reason: t("dealer-why-not_drawn") });
    this.#again = 0;
    this.#drawPad();
  }

  #askReason() {
    this.#ask({
      words: t("dealer-cancel", { round: this.#now.round }),
      choices: this.#now.reasons.map((reason) => ({ words: t(`dealer-reason-${reason}`), take: () => this.#cancel(reason) })),
    });
  }

  /** Call a dummy round. The second person sees the reason; once the result is known, it says why rectifying is impossible. */
  #cancel(reason) {
    const send = (words) => this.#post("dummy", { round: this.#now.round, reason, words });
    const text = t(this.#now.result_known ? "dealer-considered" : "dealer-cancel_why");
    const blank = this.#now.phase === "open"; // no card is out: the dealer may do it alone
    if (blank && !this.#now.wagers.coins) return send("");
    this.#ask({ words: t("dealer-cancel", { round: this.#now.round }), text, blank, most: WORDS, send });
  }

  // ---- choices and questions -----------------------------------------------------------------------

  #ask(question) {
    this.#asked = question;
    this.#drawPanel();
  }

  /** The content of the panel: an open question, an irregularity, or something that awaits a decision. */
  #panel() {
    if (this.#asked) return this.#asked;
    if (this.#again) return null;
    const shown = this.#called() ?? this.#asksForTable() ?? this.#changing() ?? this.#wrong() ?? this.#callingOff() ?? this.#correcting() ?? this.#reported();
    return shown && shown.about !== this.#left ? shown : null;
  }

  /** A call for the floor, for a member of the pit who may answer it. */
  #called() {
    const { called } = this.#now;
    if (!called?.may_answer) return null;
    const send = (reason) => this.#post("floor-call/answer", { reason });
    return {
      about: `called ${called.at}`, words: t("dealer-called", { name: this.#now.dealer_name ?? called.dealer }), flags: [],
      choices: [{ words: t("dealer-answer_call"), take: () => this.#ask({ words: t("dealer-answer_call"), text: t("dealer-call_found"), most: WORDS, send }) }],
    };
  }

  #wrong() {
    if (this.#now.called) return null;
    if (!this.#now.choices.length) return null;
    const mine = this.#now.calling_off?.may_withdraw;
    const flags = this.#now.irregularities.filter((one) => one.kind !== "exposed").map((one) => one.words);
    const choices = this.#now.choices.filter((one) => !mine || ANSWERS.includes(one.do));
    return {
      about: flags.join(), words: t("dealer-wrong"), flags: [...flags.slice(1), ...(mine ? [this.#calledOff()] : [])],
      choices: [...choices.map((one) => ({ words: one.words, take: () => this.#chosen(one) })), ...(mine ? [this.#keepRound()] : [])],
    };
  }

  #calledOff() {
    return t("dealer-called_off", { reason: t(`dealer-reason-${this.#now.calling_off.reason}`) });
  }
  #keepRound() {
    return ({ words: t("dealer-take_back_dummy"), take: () => this.#send("DELETE", `dummy/${this.#now.round}`) });
  }

  /** A request for the table: the current dealer or the pit answers it; the dealer who made it can withdraw it. */
  #asksForTable() {
    if (this.#now.turn) return null; // a digit may be meant for a card
    const one = this.#now.asked_for.find((asked) => asked.may_confirm || asked.may_withdraw);
    if (!one) return null;
    const refuse = () => this.#send("DELETE", `hand-over/${one.by}`);
    const name = this.#now.names[one.by] ?? one.by;
    if (!one.may_confirm) {
      return { about: `asked ${one.until}`, words: t("dealer-you_asked"), choices: [{ words: t("dealer-take_back"), take: refuse }] };
    }
    return {
      about: `hand-over ${one.by} ${one.until}`, words: t("dealer-asks", { name }),
      choices: [
        { words: t("dealer-hand_over", { name }), take: () => this.#send("POST", "hand-over", { dealer: one.by }, one.proposal) },
        { words: t("dealer-keep"), take: refuse },
      ],
    };
  }

  /** A proposed change to a complete coup: the pit, except the person who deals, can confirm it; the dealer can withdraw it. */
  #changing() {
    const waits = this.#now.rectifying;
    if (!waits) return null;
    const path = `rounds/${this.#now.round}/rectification`;
    const back = { words: t("dealer-take_back"), take: () => this.#send("DELETE", path) };
    const yes = { words: t("dealer-confirm_change"), take: () => this.#send("POST", path, { cards: waits.drawn }, waits.proposal) };
    if (!waits.may_confirm && !waits.may_withdraw) return null;
    return {
      about: `rectify ${waits.proposal}`, words: t(waits.may_confirm ? "dealer-change" : "dealer-change_waits"), flags: this.#proposed(waits),
      choices: waits.may_confirm ? [yes, back] : [back],
    };
  }

  /** A proposed dummy round: shown to those who may confirm it, and to the person who called it, who can withdraw it. */
  #callingOff() {
    const waits = this.#now.calling_off;
    if (waits?.may_withdraw) return { about: `dummy ${waits.proposal}`, words: this.#calledOff(), choices: [this.#keepRound()] };
    if (!waits?.may_confirm) return null;
    return {
      about: `dummy ${waits.proposal}`, words: t("dealer-confirm", { round: this.#now.round }), flags: this.#proposed(waits),
      choices: [{ words: t("dealer-confirm_it"), take: () => this.#send("POST", `rounds/${this.#now.round}/cancel`, { reason: waits.reason }, waits.proposal) }],
    };
  }

  /** A decision about a reported error that someone else has proposed. */
  #correcting() {
    const waits = this.#now.correcting.find((one) => one.may_confirm);
    if (!waits) return null;
    const path = `rounds/${waits.round}/errors`;
    const yes = waits.cards
      ? () => this.#send("PUT", path, { cards: waits.cards }, waits.proposal)
      : () => this.#send("POST", `${path}/dismissal`, { reason: waits.words }, waits.proposal);
    return {
      about: `correct ${waits.proposal}`, words: t(waits.cards ? "dealer-correction" : "dealer-dismissal", waits), flags: this.#proposed(waits),
      choices: [
        { words: t("dealer-confirm_correction"), take: yes },
        { words: t("dealer-take_back"), take: () => this.#send("DELETE", path) },
      ],
    };
  }

  /** What a proposal would do, why, and what it changes for each player. */
  #proposed(waits) {
    const reason = waits.words && t("dealer-proposal_reason", { words: waits.words });
    return [this.#now.proposals[waits.proposal], reason, ...this.#effect(waits)].filter(Boolean);
  }

  /** What a proposal changes for each player: stakes, and the result before and after. */
  #effect({ proposal }) {
    const found = this.#now.effects[proposal];
    if (!found) return [];
    const result = (coins) => (coins === null ? t("dealer-open_result") : money(coins, { sign: true }));
    const stakes = Object.fromEntries((found.stakes ?? []).map(({ player, bets }) => [player, Object.entries(bets).map(([bet, coins]) => `${island.bets[bet] ?? bet} ${money(coins)}`).join(", ")]));
    return Object.entries(stakes).map(([player, staked]) => {
      const { before = null, after = null } = found.money.find((one) => one.player === player) ?? {};
      return t("dealer-effect_line", { player, stakes: staked, before: result(before), after: result(after) });
    });
  }

  /** An error that someone else has reported, for those who may decide on it. */
  #reported() {
    const one = this.#now.reports.find((report) => report.may_decide);
    if (!one) return null;
    const path = `rounds/${one.round}/errors`;
    const send = (cards, reason) => this.#send("PUT", path, { cards: cards.split(" "), reason });
    const settle = (cards) => this.#ask({ words: t("dealer-settle_again"), text: t("dealer-reason_for_second"), most: WORDS, send: (reason) => send(cards, reason) });
    const recorded = this.#now.correctable.find((past) => past.round === one.round)?.cards.join(" ") ?? "";
    return {
      about: path, words: t("dealer-reported", { round: one.round }), flags: [one.words],
      choices: [
        { words: t("dealer-settle_again"), take: () => this.#ask({ words: t("dealer-settle_again"), text: t("dealer-as_drawn"), given: recorded, send: settle }) },
        { words: t("dealer-no_error"), take: () => this.#ask({ words: t("dealer-no_error"), text: t("dealer-why"), send: (reason) => this.#post(`${path}/dismissal`, { reason }) }) },
      ],
    };
  }

  #chosen(choice) {
    if (choice.do === "rectify") this.#rectify(choice.drawn, choice.takes_two, choice.words);
    else if (choice.do === "explain") this.#post("cards/explanation", { card: choice.drawn[0], was: choice.was });
    else if (choice.do === "re-enter") this.#reEnter(choice.place);
    else this.#askReason();
  }

  #choose(at) {
    const shown = this.#panel();
    if (!shown?.choices?.[at]) return;
    this.#asked = null;
    shown.choices[at].take();
    this.#drawPanel();
  }

  #leave() {
    if (this.#asked) this.#asked = null;
    else if (this.#again) this.#again = 0;
    else if (this.#keys.typed || this.#put) this.#put = null;
    else if (this.#panel()) this.#left = this.#panel().about;
    this.#keys.clear();
    this.#draw();
  }

  #answer() {
    const text = $("answer").value.trim().replace(/\s+/g, " ");
    if (!text && !this.#asked.blank) return $("answer").focus();
    const { send } = this.#asked;
    this.#asked = null;
    $("answer").blur();
    $("ask").hidden = true; // the next question starts with an empty field
    send(text);
    this.#drawPanel();
  }

  // ---- drawing -------------------------------------------------------------------------------------

  #shows(view, before) {
    const happened = view.sequence !== before.sequence;
    if (view.round !== before.round || view.drawn.length < this.#again) this.#again = 0;
    if (happened && view.choices.length) this.#keys.clear();
    if (happened) this.#stale?.remove();
    if (this.#beforeClosing) this.#askBeforeClosing();
    this.#draw();
    this.#announce();
    const known = (one) => before.reports.some(({ round, by }) => round === one.round && by === one.by);
    for (const one of view.reports) if (one.by !== me && !known(one)) this.#noteReport(one);
  }

  #draw() {
    $("console").dataset.phase = this.#now.phase;
    $("console").dataset.sequence = this.#now.sequence;
    $("dealer").textContent = this.#now.dealer_name ? t("dealer-deals", { name: this.#now.dealer_name }) : t("dealer-nobody");
    $("round").textContent = this.#now.round;
    this.#drawLimits(this.#now.limits);
    this.#drawWagers(this.#now.wagers);
    this.#drawShoe();
    this.#drawDue();
    const drawn = this.#now.shoe ? this.#now.drawn : []; // the last coup of a closed shoe is not shown
    for (const hand of ["player", "banker", "nobody"]) this.#drawHand(hand, drawn.filter((one) => (one.hand ?? "nobody") === hand));
    this.#drawHand("back", (this.#now.shoe?.known ?? []).map((name) => ({ card: name })));
    this.#drawSettling();
    $("reports").replaceChildren(
      ...this.#now.asked_for.map((one) => h("li", {}, t("dealer-asks", { name: this.#now.names[one.by] ?? one.by }))),
      ...this.#now.correcting.map((one) => h("li", {}, t("dealer-correction_waits", one))),
      ...this.#now.reports.map((one) => h("li", {}, t("dealer-report_line", { round: one.round, words: one.words }))));
    for (const button of document.querySelectorAll("[data-act]")) {
      const name = this.#actOf(button.dataset.act);
      button.setAttribute("aria-disabled", String(!this.#can(name)));
      button.classList.toggle("due", name === this.#now.next.do);
      if (name === "take-table") button.lastElementChild.textContent = t(this.#now.must_ask ? "dealer-ask_for" : "dealer-take");
      if (button.dataset.act === "begin-shoe") button.lastElementChild.textContent = t(this.#now.shoe ? "dealer-close_shoe" : "dealer-begin_shoe");
      if (button.dataset.act === "cut-card") button.lastElementChild.textContent = t(this.#now.shoe?.cut_card_out ? "dealer-undo_cut_card" : "dealer-cut_card");
    }
    this.#drawPad();
    this.#drawPanel();
  }

  #drawWagers({ players, coins }) {
    $("coins").textContent = money(coins);
    $("players").textContent = t("dealer-players", { count: players });
  }

  #drawLimits(limits) {
    $("limits").replaceChildren(...limits.map(({ bet, name, minimum, maximum, staked }) => h("li", { "data-limits": bet },
      `${name} `, h("b", {}, t("dealer-limits_of", { least: shortMoney(minimum), most: shortMoney(maximum) })),
      staked ? h("span", { class: "staked" }, t("dealer-staked", { amount: shortMoney(staked) })) : "")),
      ...this.#now.agreed.map(({ player, terms }) => h("li", { class: "agreed" }, `${player}: `, h("b", {}, terms.join(", ")))));
  }

  #drawShoe() {
    const shoe = this.#now.shoe;
    $("left").textContent = shoe ? shoe.left : "–";
    $("of").textContent = shoe ? t(shoe.face_down ? "dealer-of_burned" : "dealer-of", { cards: shoe.cards, burned: shoe.face_down }) : "";
    $("coups").textContent = shoe ? shoe.coups : "–";
    $("cut").textContent = !shoe?.cut_card_out ? "" : t(shoe.over ? "dealer-over" : shoe.last_coup ? "dealer-last" : "dealer-cut");
    for (const place of document.querySelectorAll("[data-left]")) {
      const count = shoe?.unseen_by_rank[place.dataset.left];
      place.textContent = count ?? "";
      place.classList.toggle("none", count === 0);
    }
  }

  #drawDue() {
    const early = this.#now.irregularities.filter((one) => one.kind === "exposed").map((one) => one.words);
    $("due").classList.toggle("stop", Boolean(this.#now.alarm || this.#now.called) || this.#now.irregularities.length > early.length);
    $("due").classList.toggle("no-bets", !this.#now.bets);
    $("alarm").textContent = this.#now.alarm ? t("dealer-alarm", { words: this.#now.alarm }) : "";
    $("step").textContent = this.#now.next.short;
    $("do").textContent = this.#now.next.words;
    const words = this.#now.irregularities.length ? early.join(". ") : this.#now.hands.announce ?? "";
    $("why").textContent = this.#now.calling_off ? this.#calledOff() : words;
    $("due").dataset.do = this.#now.next.do;
  }

  #drawHand(hand, cards) {
    const place = $(`cards-${hand}`);
    const open = this.#can("re-enter");
    const key = cards.map((one) => `${one.place} ${one.card} ${open}`).join();
    if (place.dataset.key !== key) {
      place.dataset.key = key;
      place.replaceChildren(...cards.map((one) => (open && one.place ? this.#correctable(one) : card(one.card))));
    }
    if (LOOSE.includes(hand)) return void ($(`hand-${hand}`).hidden = !cards.length);
    $(`total-${hand}`).textContent = cards.length ? this.#now.hands[hand].total : "–";
    $(`hand-${hand}`).classList.toggle("next", this.#now.turn?.hand === hand);
  }

  /** A card that can be touched to correct it. */
  #correctable({ card: name, place }) {
    const button = h("button", { type: "button", class: "correctable", "aria-label": t("dealer-correct_card", { card: cardInWords(name) }) }, card(name));
    this.#touched(button, () => this.#reEnter(place));
    return button;
  }

  #drawSettling() {
    $("settling").hidden = this.#now.settling.length === 0;
    $("settling").replaceChildren(...this.#now.settling.map(({ do: step, words, bets }) =>
      h("li", { class: step }, h("b", {}, t(`dealer-step-${step}`)), " ",
        words || (bets.length ? "" : t("dealer-nothing")),
        ...bets.map((one) => h("span", { class: "bet" }, t(`dealer-moves-${step}`, { bet: one.name, amount: money(step === "give-back" ? one.staked : one.coins), count: one.wagers }))))));
  }

  #drawPad() {
    $("typed").textContent = (this.#keys.typed || "").toUpperCase();
    const drawn = this.#again ? cardInWords(this.#now.drawn[this.#again - 1].card) : "";
    $("typed-for").textContent = this.#again ? t("dealer-again", { card: drawn })
      : this.#now.next.do === "burn" ? t("dealer-to_burn")
      : this.#put ? t(`dealer-with-${this.#put}`)
      : this.#now.turn?.hand && !this.#busy ? t(`dealer-to-${this.#now.turn.hand}`) : t("dealer-card");
    for (const button of document.querySelectorAll("[data-put]")) button.setAttribute("aria-pressed", String(this.#put === button.dataset.put));
  }

  #drawPanel() {
    const shown = this.#panel();
    const hidden = !shown;
    if ($("panel").hidden && shown) this.#shownAt = performance.now();
    $("panel").hidden = hidden;
    $("pad").hidden = Boolean(shown);
    if (hidden) return void ($("ask").hidden = true);
    $("panel").classList.toggle("wrong", Boolean(shown.flags));
    $("panel-words").textContent = shown.words;
    $("flags").replaceChildren(...(shown.flags ?? []).map((words) => h("li", {}, words)));
    $("choices").replaceChildren(...(shown.choices ?? []).map((one, at) => {
      const button = h("button", { type: "button", class: "choice" }, h("kbd", {}, String(at + 1)), h("span", {}, one.words));
      button.addEventListener("click", () => this.#choose(at));
      return h("li", {}, button);
    }));
    const text = $("ask").hidden && shown.text;
    $("ask").hidden = !shown.text;
    $("ask-words").textContent = shown.text ?? "";
    if (text) {
      $("answer").value = shown.given ?? "";
      $("answer").maxLength = shown.most ?? 8000;
      $("answer").focus();
    }
  }

  /** Announce to screen readers what is wrong, or the totals and what is next. */
  #announce() {
    const wrong = this.#now.irregularities.map((one) => one.words);
    const before = this.#now.choices.length ? [] : [this.#now.next.words];
    this.#announceOnce(wrong.length ? [...wrong, ...before, ...this.#now.choices.map((one, at) => `${at + 1}: ${one.words}`)].join(". ") : [$("alarm").textContent, this.#now.hands.announce, this.#now.next.words].filter(Boolean).join(". "));
  }

  #announceOnce(words) {
    if (words === this.#announced) return;
    this.#announced = words;
    $("announce").textContent = words;
  }

  /** Draw the state of the connection and the unconfirmed entries, oldest first. */
  #drawSending() {
    const lost = this.#outbox.lost || !this.#socketUp;
    const waiting = this.#outbox.waiting.map((item) => this.#inWords(item));
    $("link").className = lost ? "link lost" : "link";
    $("link").dataset.waiting = waiting.length;
    $("link").textContent = lost ? t(waiting.length ? "dealer-lost_waiting" : "dealer-lost", { count: waiting.length, what: waiting.join(", ") }) : t("dealer-linked");
    $("sending").className = this.#dropped.length ? "sending dropped" : "sending";
    $("sending").textContent = waiting.length ? t("dealer-sending", { what: waiting.join(", ") }) : this.#dropped.length ? this.#notSent() : "";
    this.#drawPad();
  }

  /** An item of the outbox in words. */
  #inWords({ path, body }) {
    if (body?.call) return this.#actWords(body.call);
    const cards = body?.card ?? (body?.cards ?? body?.drawn)?.join(" ");
    return cards ? cards.toUpperCase() : path.split("/").slice(3).join(" ");
  }

  // ---- keys and touches ----------------------------------------------------------------------------

  /** Handle a key; return false if it is not used here. */
  #pressed({ key, timeStamp }) {
    const quick = timeStamp - this.#lastKey < HASTE;
    if (key !== "Enter") this.#lastKey = timeStamp;
    const shown = this.#panel();
    if (shown?.choices) {
      if (!/^[1-9]$/.test(key)) return false;
      if (performance.now() - this.#shownAt >= PAUSE) this.#choose(Number(key) - 1);
      return true;
    }
    if (shown) return false;
    if (key === "Enter") return this.#keys.press(key) || quick; // a scanner's Enter must not click a button
    if (key === "Backspace") return this.#keys.back() || (this.#act("re-enter"), true);
    if (key === "Delete" && this.#again) return this.#neverDrawn(), true;
    if (key === "p" || key === "b") return this.#putWith(key === "p" ? "player" : "banker"), true;
    if (this.#keys.press(key)) return true;
    if (!BY_KEY[key.toLowerCase()]) return false;
    this.#act(BY_KEY[key.toLowerCase()]);
    return true;
  }

  #putWith(hand) {
    this.#put = this.#put === hand ? null : hand;
    this.#drawPad();
  }

  /** Remove the focus from a touched button, so that the next key does not press it. */
  #touched(button, then) {
    button.addEventListener("click", (event) => {
      if (event.detail) button.blur();
      then();
    });
  }

  /** Record the cut card; if most of the shoe is left, the server wants to know whether the dealer is sure. */
  #cutCard() {
    const { mostly_left: early, left, cards } = this.#now.shoe;
    if (!early) return this.#post("calls", { call: "cut-card" });
    const take = () => this.#post("calls", { call: "cut-card", sure: true });
    this.#ask({ words: t("dealer-cut_early", { left, cards }), choices: [{ words: t("dealer-cut_out"), take }] });
  }

  /** Begin a shoe; if deck sets are recorded, ask for the set and for who cut the cards. */
  #beginShoe() {
    const { deck_sets: sets, deck_set_due: due } = this.#now;
    if (!sets.length && due) return note(t("dealer-no_deck_set"), "bad");
    if (!sets.length) return this.#post("shoe");
    const cut = (set) => ["player", "dealer", "pit"].map((by) => ({ words: t(`dealer-cut_by-${by}`), take: () => this.#post("shoe", { deck_set: set, cut_by: by }) }));
    const choices = sets.slice(0, 9).map((set) => ({ words: set, take: () => this.#ask({ words: t("dealer-who_cut"), choices: cut(set) }) }));
    this.#ask({ words: t("dealer-which_set"), choices });
  }

  #askRest() {
    this.#ask({ words: t("dealer-close"), text: t("dealer-rest"), blank: true, send: (rest) => this.#post("shoe/end", { rest: rest || null }) });
  }

  #listen() {
    document.addEventListener("keydown", (event) => this.#keydown(event));
    for (const button of document.querySelectorAll("[data-act]")) this.#touched(button, () => this.#act(button.dataset.act));
    for (const button of document.querySelectorAll("[data-type]")) this.#touched(button, () => this.#keys.press(button.dataset.type));
    for (const button of document.querySelectorAll("[data-put]")) this.#touched(button, () => this.#putWith(button.dataset.put));
    for (const id of ["clear", "leave"]) this.#touched($(id), () => this.#leave());
    chooseBy($("single-keys"), "keys", { unticked: "ignored" });
    $("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#answer();
    });
  }

  #keydown(event) {
    const writing = event.target.matches?.("textarea, input:not([type=checkbox])");
    if (event.key === "Escape") return void this.#leave();
    if (writing) {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.target.rows === 1)) {
        event.preventDefault();
        this.#answer();
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || preferred("keys") === "ignored") return;
    if (this.#pressed(event)) event.preventDefault();
  }

  // ---- following the table -------------------------------------------------------------------------

  #refresh() {
    return attempt(() => this.#live.refresh(), { refused: (problem) => problem.unknown || note(problem.message, "bad") });
  }

  #follow() {
    this.#socket = new TableSocket(island.table, this.#now.sequence, {
      frame: (frame) => this.#frame(frame),
      lost: () => {
        this.#socketUp = false;
        this.#drawSending();
      },
      back: () => {
        this.#socketUp = true;
        this.#drawSending();
        this.#refresh();
      },
      gap: async () => {
        await this.#refresh();
        this.#socket.resume(this.#now.sequence);
      },
    });
  }

  #frame({ stakes, events, through }) {
    if (stakes?.round === this.#now.round) {
      const coins = Object.values(stakes.bets).reduce((sum, stake) => sum + stake, 0);
      this.#now.wagers = { players: stakes.players, coins };
      for (const one of this.#now.limits) one.staked = stakes.bets[one.bet] ?? 0;
      this.#drawWagers(this.#now.wagers);
      this.#drawLimits(this.#now.limits);
    }
    if (events.length && through > this.#now.sequence) this.#refresh();
  }
}

new Console().begin();
