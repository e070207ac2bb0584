// The odds page: sends the cards removed from the shoe to the server, and draws the answer.

import { api, attempt } from "./api.js";
import { coins } from "./forms.js";
import { $, h, island, money, svg, t } from "./page.js";

const WAIT = 250;
let timer = 0;
let latest = 0;

// ---- the shoe ----------------------------------------------------------------------------------

function asked() {
  const removed = {};
  for (const input of document.querySelectorAll("[data-card]")) if (Number(input.value)) removed[input.dataset.card] = Number(input.value);
  return { game: island.game, parameters: parameters(), removed };
}

function parameters() {
  return Object.fromEntries([...document.querySelectorAll("[data-parameter]")].map((one) => [one.dataset.parameter, one.value.trim()]));
}

/** Check that all fields contain whole numbers; too many cards for the decks are refused by the server. */
function whole() {
  const cards = [...document.querySelectorAll("[data-card]")];
  for (const input of cards) input.setAttribute("aria-invalid", String(!input.validity.valid && !input.validity.rangeOverflow));
  const wrong = cards.find((input) => input.getAttribute("aria-invalid") === "true");
  if (wrong) refuse(t("odds-whole", { most: wrong.max }));
  return !wrong;
}

async function refresh() {
  const turn = ++latest;
  if (!whole()) return;
  const figures = await attempt(() => api("POST", "/odds", asked()), { refused: ({ message }) => turn === latest && refuse(message) });
  if (!figures || turn !== latest) return;
  $("shoe-fault").textContent = "";
  draw(figures);
}

/** Show why a shoe is refused, and remove the figures, which would be those of the last shoe. */
function refuse(words) {
  $("shoe-fault").textContent = words;
  $("left").textContent = "";
  for (const cell of document.querySelectorAll("#edges .edge b, #edges .moved, #edges .hit, #edges .deviation")) cell.textContent = "–";
  for (const cell of document.querySelectorAll("#edges .edge")) cell.classList.remove("against");
  for (const cell of document.querySelectorAll("#edges .picture")) cell.replaceChildren();
}

/** Two bars from a zero line: the edge of the full shoe, thin, and of the remaining one, in colour. */
function picture([full, now], widest, low) {
  const [width, zero] = [240, (240 * -low) / widest];
  const bar = (value, y, height, kind) => {
    const [x, size] = [zero + (Math.min(0, value) * width) / widest, (Math.abs(value) * width) / widest];
    return svg("rect", { class: kind, x, y, width: Math.max(size, 0.6), height, rx: 1 });
  };
  return svg("svg", { viewBox: `0 0 ${width} 18`, "aria-hidden": "true", preserveAspectRatio: "none" },
    bar(now, 3, 8, now < 0 ? "now against" : "now"), bar(full, 13, 3, "full"),
    svg("line", { class: "zero", x1: zero, x2: zero, y1: 0, y2: 18 }));
}

function draw(figures) {
  $("left").textContent = t("odds-left", figures);
  const every = figures.bets.flatMap((bet) => bet.millionths);
  const low = Math.min(0, ...every);
  const widest = Math.max(1, Math.max(0, ...every) - low);
  for (const bet of figures.bets) {
    const row = document.querySelector(`[data-bet="${bet.id}"]`);
    row.querySelector(".edge b").textContent = bet.edge;
    row.querySelector(".edge").classList.toggle("against", bet.millionths[1] < 0);
    row.querySelector(".moved").textContent = bet.moved;
    row.querySelector(".hit").textContent = bet.hit;
    row.querySelector(".deviation").textContent = bet.deviation;
    row.querySelector(".picture").replaceChildren(picture(bet.millionths, widest, low));
  }
}

$("game").addEventListener("change", () => $("game-form").requestSubmit());
$("shoe-form").addEventListener("submit", (event) => event.preventDefault());
$("full").addEventListener("click", () => {
  for (const input of document.querySelectorAll("[data-card]")) input.value = 0;
  refresh();
});
$("shoe-form").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, WAIT);
});
draw(island.figures);

// A browser that navigates back restores the fields of the forms, so the figures are updated.
addEventListener("pageshow", () => {
  $("game").value = island.game;
  const fields = [...document.querySelectorAll("[data-card], [data-parameter]")];
  if (fields.some((one) => one.value !== one.defaultValue)) refresh();
});

// ---- a session ---------------------------------------------------------------------------------

function wanted() {
  const [stake, bankroll, stop] = ["stake", "bankroll", "stop"].map((id) => coins($(id).value));
  if (!stake || !bankroll || ($("stop").value.trim() && !stop)) return null;
  const coups = Number($("coups").value);
  if (!$("coups").validity.valid) return null;
  return { game: island.game, parameters: parameters(), coups, bankroll, stop_win: stop,
    wagers: [{ bet: $("bet").value, stake }] };
}

async function compute() {
  const body = wanted();
  const fault = $("coups").validity.valid ? "odds-amounts" : "odds-coups";
  $("session-fault").textContent = body ? "" : t(fault, { most: $("coups").max });
  if (!body) return;
  const buttons = $("session-form").querySelectorAll("button");
  $("night").replaceChildren(h("p", { class: "quiet" }, t("odds-computing")));
  const session = await attempt(() => api("POST", "/sessions", body), { buttons, refused: ({ message }) => ($("session-fault").textContent = message) });
  for (const button of buttons) button.disabled = false;
  if (session) show(session, body);
  else $("night").replaceChildren();
}

function show(night, body) {
  const pairs = [
    ["edge", night.edge], ["cost", money(night.cost)], ["hour", money(night.hour)],
    ["spread", money(night.deviation)], ["behind", night.behind], ["even", night.even], ["ahead", night.ahead],
    ["ruined", night.ruined], ...(night.reached ? [["reached", night.reached]] : []),
  ];
  const likely = h("table", { class: "data" },
    h("caption", {}, t("odds-quantiles")),
    h("thead", {}, h("tr", {}, ...night.quantiles.map(([q]) => h("th", { scope: "col", class: "n" }, q)))),
    h("tbody", {}, h("tr", {}, ...night.quantiles.map(([, net]) => h("td", { class: `n ${net < 0 ? "down" : net > 0 ? "up" : ""}` }, money(net, { sign: true }))))));
  const plots = h("div", { class: "plots" });
  $("night").replaceChildren(
    h("dl", { class: "pairs" }, ...pairs.map(([key, value]) => h("div", {}, h("dt", {}, t(`odds-night-${key}`, { coups: night.per_hour })), h("dd", {}, value)))),
    plots);
  const width = Math.max(260, plots.clientWidth); // the displayed width, so that text keeps its size
  plots.append(
    figure(t("odds-ends"), curves(night.curve, body, width), body.stop_win ? t("odds-ends_goal") : t("odds-ends_words")),
    figure(t("odds-results"), bars(night.bars, width), t("odds-results_words")),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("odds-quantiles") }, likely),
    h("p", { class: "quiet small" }, t("odds-exact", { error: night.error })));
}

function figure(title, drawing, words) {
  return h("figure", { class: "plot" }, h("figcaption", {}, title), drawing, h("p", { class: "quiet small" }, words));
}

const [H, PAD] = [190, 40];

function label(x, y, words, anchor = "middle") {
  return svg("text", { x, y, "text-anchor": anchor }, words);
}

/** Histogram of the net result: losses and wins in different colours, breaking even as its own bar. */
function bars(all, W) {
  const [low, high] = [all[0][0], Math.max(all.at(-1)[1], all[0][0] + 1)];
  const top = Math.max(...all.map(([, , chance]) => chance));
  const x = (net) => PAD + ((net - low) * (W - 2 * PAD)) / (high - low);
  const drawn = all.map(([from, to, chance]) => {
    const [kind, height] = [to > 0 ? "ahead" : from < 0 ? "behind" : "even", (chance * (H - 2 * PAD)) / top];
    const [left, wide] = from === to ? [x(0) - 1.5, 3] : [x(from) + 0.5, Math.max(0.5, x(to) - x(from) - 1)];
    return svg("rect", { class: kind, x: left, width: wide, y: H - PAD - height, height });
  });
  const marks = [[low, "start"], [high, "end"], ...(low < 0 && high > 0 ? [[0, "middle"]] : [])];
  return svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": t("odds-results") }, ...drawn,
    svg("line", { class: "axis", x1: PAD, x2: W - PAD, y1: H - PAD, y2: H - PAD }),
    ...marks.map(([net, anchor]) => label(x(net), H - 10, money(net), anchor)));
}

/** Curves of the probability of ruin, and of having reached the goal, by coup. */
function curves(points, body, W) {
  const x = (coup) => PAD + ((coup - 1) * (W - 2 * PAD)) / Math.max(1, body.coups - 1);
  const y = (chance) => H - PAD - chance * (H - 2 * PAD);
  const line = (column, kind) => svg("path", { class: kind, d: points.map((one, i) => `${i ? "L" : "M"}${x(one[0]).toFixed(1)} ${y(one[column]).toFixed(2)}`).join("") });
  return svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": t("odds-ends") },
    ...[0, 0.5, 1].flatMap((chance) => [svg("line", { class: "axis", x1: PAD, x2: W - PAD, y1: y(chance), y2: y(chance) }), label(PAD - 4, y(chance) + 4, `${chance * 100}%`, "end")]),
    line(1, "ruin"), ...(body.stop_win ? [line(2, "goal")] : []),
    label(PAD, H - 10, "1", "start"), label(W - PAD, H - 10, String(body.coups), "end"));
}

$("session-form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  compute();
});
