// The page of the verifier: which shoe, the check itself (verify.js), and what it found in words.

import { api } from "./api.js";
import { h, list, t } from "./page.js";
import { LARGEST, mebibytes, verifyShoe } from "./verify.js";

const $ = (id) => document.getElementById(id);
const MARKS = { holds: "✓", fault: "✕", open: "○", unchecked: "–" };
const MOST_FINDINGS = 5;
const asked = new URLSearchParams(location.search);

let mine = null; // a file of the visitor's, or null for a shoe of the house
let listed = new Map(); // commitments that the house lists, by shoe
let listing = null; // the shoes of the chosen table, on their way: what checks one waits for them
let turn = 0; // a check that was overtaken by another says nothing

async function listShoes() {
  const [table, select] = [$("table").value, $("shoe")];
  select.disabled = true;
  const { shoes } = await api("GET", `/tables/${table}/shoes`);
  if (table !== $("table").value) return;
  listed = new Map(shoes.map((one) => [one.shoe, one.commitment]));
  const shown = shoes.map((one) => h("option", { value: one.shoe }, t("verify.option", { number: one.number, start: one.commitment.slice(0, 12) })));
  select.replaceChildren(...shown);
  if (!shoes.length) select.append(h("option", { value: "" }, t("verify.no_shoes")));
  select.disabled = !shoes.length;
}

/** The shoe that the address names stands first where the list has it no more. */
function choose(shoe) {
  if (![...$("shoe").options].some((one) => one.value === shoe)) {
    $("shoe").prepend(h("option", { value: shoe }, t("verify.asked", { start: shoe.slice(0, 12) })));
  }
  $("shoe").disabled = false;
  $("shoe").value = shoe;
}

function awaitShoes(shoes) {
  listing = shoes;
  shoes.catch((problem) => say("fault", problem.message));
}

function say(kind, ...words) {
  $("verdict").className = `verdict is-${kind}`;
  $("verdict").replaceChildren(...words.map((one, i) => h("p", { class: i ? "quiet" : "headline" }, one)));
}

/** What the visitor brought: pasted words, or a file. Null where the house's shoe is asked for. */
function brought() {
  if ($("text").value.trim()) return $("text").value;
  if (mine?.size > LARGEST) throw new Error(t("verify.fault.too-large", { size: mebibytes(mine.size) }));
  return mine?.arrayBuffer() ?? null;
}

async function ofTheHouse() {
  await listing;
  const shoe = $("shoe").value;
  if (!shoe) throw new Error(t("verify.no_shoes"));
  const answer = await fetch(`/api/shoes/${shoe}`, { headers: { Accept: "application/json" } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(JSON.parse(text).detail);
  return { text, commitment: listed.get(shoe) ?? null };
}

async function check() {
  const now = ++turn;
  $("steps").replaceChildren();
  $("download").hidden = true;
  if (!globalThis.crypto?.subtle) return say("fault", t("common.insecure"));
  const published = $("commitment").value.trim().toLowerCase();
  if (published && !/^[0-9a-f]{64}$/.test(published)) return say("fault", t("verify.no_commitment"));
  say("open", t("verify.working"));
  try {
    const own = await brought();
    const house = own === null ? await ofTheHouse() : null;
    const report = await verifyShoe(own ?? house.text, published || house?.commitment);
    if (now === turn) show(report, house, Boolean(published));
  } catch (problem) {
    if (now === turn) say("fault", problem.message);
  }
}

/** `house`: the house's document and the commitment it lists, or null; `given`: the visitor knew the commitment. */
function show(report, house, given) {
  const ofHouse = !given && house?.commitment != null;
  const open = report.steps.filter((one) => one.state === "open" && one.step !== "published").map((one) => one.step);
  const state = report.state !== "good" ? report.state : open.length ? "open" : given || ofHouse ? "good" : "unpublished";
  const words = [t(`verify.state.${state}`)];
  if (report.commitment) words.push(t("verify.commitment_is", { commitment: report.commitment }));
  if (report.state === "good" && open.length) words.push(t("verify.not_proven", { steps: list(open.map((step) => t(`verify.step.${step}`))) }));
  if (report.state === "good" && !given) words.push(t(ofHouse ? "verify.house_says" : "verify.not_given"));
  say({ good: "holds", unpublished: "holds", open: "open" }[state] ?? "fault", ...words);
  $("steps").replaceChildren(...report.steps.map((one) => stepOf(one, ofHouse)));
  $("download").hidden = !house;
  if (house) {
    URL.revokeObjectURL($("keep").href);
    $("keep").href = URL.createObjectURL(new Blob([house.text], { type: "application/json" }));
    $("keep").download = `shoe-${report.commitment.slice(0, 12)}.json`;
  }
}

/** What holds is said; of what does not, only what was found. */
function said(step, state, ofHouse) {
  if (state === "fault") return null;
  if (state === "unchecked") return t("verify.skipped");
  if (state === "open") return t(`verify.later.${step}`);
  return step === "published" && ofHouse ? t("verify.house_says") : t(`verify.says.${step}`);
}

function stepOf({ step, state, facts, findings }, ofHouse) {
  const words = said(step, state, ofHouse);
  const found = findings.slice(0, MOST_FINDINGS).map((one) => h("li", {}, t(`verify.fault.${one.code}`, one)));
  if (findings.length > MOST_FINDINGS) found.push(h("li", {}, t("verify.more", { number: findings.length - MOST_FINDINGS })));
  const known = Object.entries(facts).filter(([, value]) => value !== null && state !== "unchecked")
    .map(([name, value]) => t(`verify.fact.${name}`, { value: name === "ended" ? t(`verify.ended.${value}`) : value }));
  return h("li", { class: `step is-${state}` },
    h("span", { class: "step-mark", "aria-hidden": "true" }, MARKS[state]),
    h("div", {},
      h("h3", {}, step === "published" && ofHouse ? t("verify.house_step") : t(`verify.step.${step}`), h("span", { class: "step-state" }, t(`verify.is.${state}`))),
      words === null ? null : h("p", {}, words),
      known.length ? h("p", { class: "quiet" }, known.join(" · ")) : null,
      found.length ? h("ul", { class: "findings" }, ...found) : null));
}

// ---- what visitors do --------------------------------------------------------------------------

function take(file) {
  mine = file ?? null;
  $("text").value = "";
  if (mine) check();
}

$("table").addEventListener("change", () => awaitShoes(listShoes()));
for (const id of ["table", "shoe"]) {
  $(id).addEventListener("change", () => {
    mine = null;
    $("file").value = $("text").value = "";
  });
}
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

if (asked.has("table")) $("table").value = asked.get("table");
if ($("table").selectedIndex < 0) $("table").selectedIndex = 0;
if (/^[0-9a-f]{32}$/.test(asked.get("shoe") ?? "")) {
  awaitShoes(listShoes().then(() => choose(asked.get("shoe"))));
  check();
} else {
  awaitShoes(listShoes());
}
