// The player's agreement at this table: what both parties have confirmed, what one of them proposes, and
// the letter. Every request is answered with the current state; steps of the pit arrive over the socket.

import { api, attempt } from "./api.js";
import { $, h, island, list, note, t } from "./page.js";

const path = `/tables/${encodeURIComponent(island.view.id)}/agreement`;
let standing = island.terms;
let last = Promise.resolve(); // one request at a time, so that no older answer replaces a newer one

const inWords = (values) => list(Object.values(values));

function draw() {
  const { in_force: held, next, proposed } = standing;
  const own = inWords(Object.fromEntries(standing.can_be_agreed.map((one) => [one.parameter, one.without])));
  const facts = [["terms-now", held ? inWords(held) : t("terms-own", { values: own })]];
  if (next) facts.push(["terms-next", t("terms-from_round", { values: next.values ? inWords(next.values) : own, round: next.from_round })]);
  if (proposed) facts.push([`terms-proposed-${proposed.by}`, inWords(proposed.values)]);
  $("terms-now").replaceChildren(...facts.map(([key, words]) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, words))));
  $("terms").dataset.state = proposed ? `proposed-${proposed.by}` : held || next?.values ? "agreed" : "none";
  $("terms-confirm").hidden = proposed?.by !== "house";
  $("terms-decline").hidden = !proposed;
  $("terms-decline").textContent = t(proposed?.by === "player" ? "terms-withdraw" : "terms-decline");
  $("terms-end").hidden = !(next ? next.values : held);
  $("terms-letter").hidden = $("terms-end").hidden;
}

async function send(method, end, body) {
  const answer = await attempt(() => api(method, `${path}${end}`, body), { refused: ({ message }) => ($("terms-fault").textContent = message) });
  if (!answer) return;
  standing = answer;
  draw();
}

function queue(action) {
  last = last.then(action, action);
}

function step(method, end, body) {
  $("terms-fault").textContent = "";
  queue(() => send(method, end, body));
}

$("terms-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = [...event.target.querySelectorAll("[data-parameter]")];
  step("POST", "", { values: Object.fromEntries(fields.map((one) => [one.dataset.parameter, one.value.trim()])) });
});
$("terms-confirm").addEventListener("click", () => step("POST", "/confirm", { values: standing.proposed.values }));
$("terms-decline").addEventListener("click", () => step("DELETE", "/proposal"));
$("terms-end").addEventListener("click", () => step("DELETE", ""));
document.addEventListener("agreement", () =>
  queue(async () => {
    const before = JSON.stringify(standing);
    await send("GET", "");
    if (JSON.stringify(standing) !== before) note(t("terms-changed"));
  }),
);
draw();
