// Replays a round: the cards in the order in which they were dealt, step by step or automatically.

import { card, cardInWords, rowInWords } from "./cards.js";
import { $, island, t } from "./page.js";

const PACE = 900;
const { cards, decided, totals } = island;
let shown = 0;
let timer = 0;

function draw() {
  for (const side of ["player", "banker"]) {
    const lying = cards.slice(0, shown).filter((one) => one.hand === side);
    const place = $(`lying-${side}`);
    while (place.children.length > lying.length) place.lastChild.remove();
    for (const one of lying.slice(place.children.length)) place.append(card(one.card));
    $(`total-${side}`).textContent = lying.length ? lying.at(-1).total : "–";
    place.parentElement.classList.toggle("wins", shown === cards.length && decided?.winner === side);
  }
  const last = cards[shown - 1];
  const over = shown === cards.length;
  $("called").textContent = over && decided
    ? t("history-result", { winner: t(`history-winner-${decided.winner}`), ...totals })
    : last ? t("history-say", { hand: t(`history-hand-${last.hand}`), card: cardInWords(last.card), total: last.total }) : "";
  $("row").textContent = rowInWords(over && decided?.reason ? decided : last);
  $("step").disabled = over;
}

function step() {
  shown = Math.min(shown + 1, cards.length);
  draw();
}

function stop() {
  clearInterval(timer);
}

if (cards.length) {
  $("step").addEventListener("click", () => { stop(); step(); });
  $("again").addEventListener("click", () => { stop(); shown = 0; draw(); $("step").focus(); });
  $("play").addEventListener("click", () => {
    stop();
    if (shown === cards.length) { shown = 0; draw(); }
    timer = setInterval(() => (shown < cards.length ? step() : stop()), PACE);
  });
  shown = cards.length;
  draw();
}
