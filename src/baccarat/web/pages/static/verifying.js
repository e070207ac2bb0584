// The page of the verifier: which shoe, the check itself (verify.js), and what it found in words.

import { api } from "./api.js";
import { h, t } from "./page.js";
import { LARGEST, verifyShoe } from "./verify.js";

const $ = (id) => document.getElementById(id);
const MARKS = { holds: "✓", fault: "✕", open: "○", unchecked: "–" };
const MOST_FINDINGS = 5;
const asked = new URLSearchParams(location.search);

let mine = null; // a file of the visitor's, or null for a shoe of the house
let turn = 0; // a check that was overtaken by another says nothing

async function listShoes() {
  const [table, select, now] = [$("table").value, $("shoe"), ++turn];
  select.disabled = true;
  try {
    const { shoes } = await api("GET", `/tables/${table}/shoes`);
    if (now !== turn) return;
    const shown = shoes.map((one) => h("option", { value: one.shoe }, t("verify.option", { number: one.number, start: one.commitment.slice(0, 12) })));
    select.replaceChildren(...shown);
    if (!shoes.length) select.append(h("option", {}, t("verify.no_shoes")));
    select.disabled = !shoes.length;
  } catch (problem) {
    say("fault", problem.message);
  }
}

function say(kind, ...words) {
  $("verdict").className = `verdict is-${kind}`;
  $("verdict").replaceChildren(...words.map((one, i) => h("p", { class: i ? "quiet" : "headline" }, one)));
}

/** The document: what was pasted, the file, or the house's. */
async function documentOf(shoe) {
  if ($("text").value.trim()) return $("text").value;
  if (mine) {
    if (mine.size > LARGEST) return "";
    return mine.arrayBuffer();
  }
  const answer = await fetch(`/api/shoes/${shoe}`, { headers: { Accept: "application/json" } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(JSON.parse(text).detail);
  return text;
}

async function check(shoe) {
  const now = ++turn;
  $("steps").replaceChildren();
  $("download").hidden = true;
  if (!globalThis.crypto?.subtle) return say("fault", t("verify.insecure"));
  const published = $("commitment").value.trim().toLowerCase();
  if (published && !/^[0-9a-f]{64}$/.test(published)) return say("fault", t("verify.no_commitment"));
  say("open", t("verify.working"));
  try {
    const text = await documentOf(shoe);
    const report = await verifyShoe(text, published || null);
    if (now === turn) show(report, text);
  } catch (problem) {
    if (now === turn) say("fault", problem.message);
  }
}

function show(report, text) {
  const open = report.steps.some((one) => one.state === "open");
  const state = report.state === "good" && open ? "open" : report.state;
  say({ good: "holds", open: "open" }[state] ?? "fault", t(`verify.state.${state}`),
    ...(report.commitment ? [t("verify.commitment_is", { commitment: report.commitment })] : []));
  $("steps").replaceChildren(...report.steps.map(stepOf));
  const house = !mine && !$("text").value.trim();
  $("download").hidden = !house;
  if (house) {
    URL.revokeObjectURL($("keep").href);
    $("keep").href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    $("keep").download = `shoe-${report.commitment.slice(0, 12)}.json`;
  }
}

function stepOf({ step, state, facts, findings }) {
  const found = findings.slice(0, MOST_FINDINGS).map((one) => h("li", {}, t(`verify.fault.${one.code}`, one)));
  if (findings.length > MOST_FINDINGS) found.push(h("li", {}, t("verify.more", { number: findings.length - MOST_FINDINGS })));
  const known = Object.entries(facts).filter(([, value]) => value !== null && state !== "unchecked")
    .map(([name, value]) => t(`verify.fact.${name}`, { value: name === "ended" ? t(`verify.ended.${value}`) : value }));
  return h("li", { class: `step is-${state}` },
    h("span", { class: "step-mark", "aria-hidden": "true" }, MARKS[state]),
    h("div", {},
      h("h3", {}, t(`verify.step.${step}`), h("span", { class: "step-state" }, t(`verify.is.${state}`))),
      h("p", {}, state === "open" ? t(`verify.later.${step}`) : t(`verify.says.${step}`)),
      known.length ? h("p", { class: "quiet" }, known.join(" · ")) : null,
      found.length ? h("ul", { class: "findings" }, ...found) : null));
}

// ---- what visitors do --------------------------------------------------------------------------

function take(file) {
  mine = file ?? null;
  $("text").value = "";
  if (mine) check();
}

$("table").addEventListener("change", listShoes);
for (const id of ["table", "shoe"]) {
  $(id).addEventListener("change", () => {
    mine = null;
    $("file").value = $("text").value = "";
  });
}
$("file").addEventListener("change", () => take($("file").files[0]));
$("choice").addEventListener("submit", (event) => {
  event.preventDefault();
  check($("shoe").value);
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
await listShoes();
const wanted = asked.get("shoe");
if (/^[0-9a-f]{32}$/.test(wanted ?? "")) {
  if (![...$("shoe").options].some((one) => one.value === wanted)) {
    $("shoe").prepend(h("option", { value: wanted }, t("verify.asked", { start: wanted.slice(0, 12) })));
    $("shoe").disabled = false;
  }
  $("shoe").value = wanted;
  await check(wanted);
}
