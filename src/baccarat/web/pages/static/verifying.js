// The verifier's page: choosing a shoe, checking it (verify.js), and showing the findings.

import { api } from "./api.js";
import { $, h, list, t } from "./page.js";
import { LARGEST, mebibytes, verifyShoe } from "./verify.js";

const MARKS = { holds: "✓", fault: "✕", open: "○", unchecked: "–" };
const MAX_FINDINGS = 5;
const address = new URLSearchParams(location.search);
const nothingYet = $("verdict").firstElementChild;
const pending = new Map(); // pending requests for lists of shoes, by table, which are shared

let mine = null; // the visitor's own file, or null for a shoe of the house
let turn = 0; // number of the current check or choice; earlier checks show nothing

function shoesOf(table) {
  if (!pending.has(table)) {
    const asked = api("GET", `/tables/${table}/shoes`).then(({ shoes }) => shoes);
    pending.set(table, asked.finally(() => pending.delete(table)));
  }
  return pending.get(table);
}

/** List the shoes of the chosen table; the one named in the address can always be checked. */
async function listShoes(named = null) {
  const [table, select, now] = [$("table").value, $("shoe"), turn];
  select.disabled = true;
  let shoes = [];
  try {
    shoes = await shoesOf(table);
  } catch (problem) {
    if (now === turn) say("fault", problem.message);
    if (!named) return;
  }
  if (table !== $("table").value) return;
  if (named && !shoes.some((one) => one.shoe === named)) shoes = [{ shoe: named }, ...shoes];
  select.replaceChildren(...shoes.map(optionOf));
  if (!shoes.length) select.append(h("option", { value: "" }, t("verify-no_shoes")));
  if (named) select.value = named;
  select.disabled = !shoes.length;
}

function optionOf({ shoe, number, commitment }) {
  const words = commitment ? t("verify-option", { number, start: commitment.slice(0, 12) }) : t("verify-asked", { start: shoe.slice(0, 12) });
  return h("option", { value: shoe }, words);
}

function say(kind, ...words) {
  $("verdict").className = `verdict is-${kind}`;
  $("verdict").replaceChildren(...words.map((one, i) => h("p", { class: i ? "quiet" : "headline" }, one)));
}

/** The visitor's own document: pasted text, or a file; null to check a shoe of the house. */
function brought() {
  if ($("text").value.trim()) return $("text").value;
  if (mine?.size > LARGEST) throw new Error(t("verify-fault-too-large", { size: mebibytes(mine.size) }));
  return mine?.arrayBuffer() ?? null;
}

/** The chosen shoe of a table, or its first one if the list has not arrived yet. */
async function ofTheHouse(table, chosen) {
  const shoes = chosen ? await shoesOf(table).catch(() => []) : await shoesOf(table);
  const shoe = chosen || shoes[0]?.shoe;
  if (!shoe) throw new Error(t("verify-no_shoes"));
  const answer = await fetch(`/api/shoes/${shoe}`, { headers: { Accept: "application/json" } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(JSON.parse(text).detail);
  return { text, commitment: shoes.find((one) => one.shoe === shoe)?.commitment ?? null };
}

async function check(shoe = $("shoe").disabled ? null : $("shoe").value) {
  const [now, table] = [++turn, $("table").value];
  $("steps").replaceChildren();
  $("download").hidden = true;
  if (!globalThis.crypto?.subtle) return say("fault", t("common-insecure"));
  const published = $("commitment").value.trim().toLowerCase();
  if (published && !/^[0-9a-f]{64}$/.test(published)) return say("fault", t("verify-no_commitment"));
  say("open", t("verify-working"));
  try {
    const own = await brought();
    if (own === null && !shoe) listShoes(); // the last request failed, or there was no shoe yet
    const house = own === null ? await ofTheHouse(table, shoe) : null;
    const report = await verifyShoe(own ?? house.text, published || house?.commitment);
    if (now === turn) show(report, house, Boolean(published));
  } catch (problem) {
    if (now === turn) say("fault", problem.message);
  }
}

/** `house`: the house's document and its listed commitment, or null; `given`: the visitor entered a commitment. */
function show(report, house, given) {
  const ofHouse = !given && house?.commitment != null;
  const open = report.steps.filter((one) => one.state === "open" && one.step !== "published").map((one) => one.step);
  const state = report.state !== "good" ? report.state : open.length ? "open" : given || ofHouse ? "good" : "unpublished";
  const words = [t(`verify-state-${state}`)];
  if (report.commitment) words.push(t("verify-commitment_is", { commitment: report.commitment }));
  if (report.state === "good" && open.length) words.push(t("verify-not_proven", { steps: list(open.map((step) => t(`verify-step-${step}`))) }));
  if (report.state === "good" && !given) words.push(t(ofHouse ? "verify-house_says" : "verify-not_given"));
  say({ good: "holds", unpublished: "holds", open: "open" }[state] ?? "fault", ...words);
  $("steps").replaceChildren(...report.steps.map((one) => stepOf(one, ofHouse)));
  $("download").hidden = !house;
  if (house) {
    URL.revokeObjectURL($("keep").href);
    $("keep").href = URL.createObjectURL(new Blob([house.text], { type: "application/json" }));
    $("keep").download = `shoe-${report.commitment.slice(0, 12)}.json`;
  }
}

/** The text of a step; a failed step shows only its findings. */
function stepText(step, state, ofHouse) {
  if (state === "fault") return null;
  if (state === "unchecked") return t("verify-skipped");
  if (state === "open") return t(`verify-later-${step}`);
  return step === "published" && ofHouse ? t("verify-house_says") : t(`verify-says-${step}`);
}

function stepOf({ step, state, facts, findings }, ofHouse) {
  const words = stepText(step, state, ofHouse);
  const found = findings.slice(0, MAX_FINDINGS).map((one) => h("li", {}, t(`verify-fault-${one.code}`, one)));
  if (findings.length > MAX_FINDINGS) found.push(h("li", {}, t("verify-more", { number: findings.length - MAX_FINDINGS })));
  const known = Object.entries(facts).filter(([, value]) => value !== null && state !== "unchecked")
    .map(([name, value]) => t(`verify-fact-${name}`, { value: name === "ended" ? t(`verify-ended-${value}`) : value }));
  return h("li", { class: `step is-${state}` },
    h("span", { class: "step-mark", "aria-hidden": "true" }, MARKS[state]),
    h("div", {},
      h("h3", {}, step === "published" && ofHouse ? t("verify-house_step") : t(`verify-step-${step}`), h("span", { class: "step-state" }, t(`verify-is-${state}`))),
      words === null ? null : h("p", {}, words),
      known.length ? h("p", { class: "quiet" }, known.join(" · ")) : null,
      found.length ? h("ul", { class: "findings" }, ...found) : null));
}

// ---- input -------------------------------------------------------------------------------------

function take(file) {
  mine = file ?? null;
  $("text").value = "";
  if (mine) check();
}

for (const id of ["table", "shoe"]) {
  $(id).addEventListener("change", () => {
    mine = null;
    turn += 1;
    $("file").value = $("text").value = "";
    $("verdict").className = "verdict";
    $("verdict").replaceChildren(nothingYet);
    $("steps").replaceChildren();
    $("download").hidden = true;
  });
}
$("table").addEventListener("change", () => listShoes());
$("file").addEventListener("change", () => take($("file").files[0]));
$("choice").addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
for (const kind of ["dragover", "dragleave", "drop"]) {
  $("drop").addEventListener(kind, (event) => {
    event.preventDefault();
    $("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop") take(event.dataTransfer.files[0]);
  });
}

if (address.has("table")) $("table").value = address.get("table");
if ($("table").selectedIndex < 0) $("table").selectedIndex = 0;
const named = /^[0-9a-f]{32}$/.test(address.get("shoe") ?? "") ? address.get("shoe") : null;
listShoes(named);
if (named) check(named);
