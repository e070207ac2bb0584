// The rules of the game in a sheet beside the table. The page of the rules is fetched when it is first needed;
// links to it also work without this.

import { $, h, note, t } from "./page.js";

/** Let links to the rules open the sheet instead. */
export function useRulesSheet() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-rules]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.href);
  });
  $("rules-close").addEventListener("click", () => $("rules").close());
  $("rules").addEventListener("click", ({ target }) => target === $("rules") && $("rules").close());
}

/** Open the sheet, at the place that the address names. */
async function show(address) {
  if (!$("rules-content").childElementCount) {
    const page = await pageAt(address);
    if (!page) return void note(t("table-rules_failed"), "bad");
    $("rules-content").replaceChildren(page);
  }
  if (!$("rules").open) $("rules").showModal();
  const place = new URL(address).hash.slice(1);
  if (place) $(place)?.scrollIntoView();
}

/** The content of a page of rules, without what only makes sense on that page; null if it cannot be fetched. */
async function pageAt(address) {
  const found = await new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document"; // parsed without running anything
    request.onloadend = () => done(request.status === 200 ? request.response : null);
    request.send();
  });
  if (!found) return null;
  await new Promise((done) => {
    const style = h("link", { rel: "stylesheet", href: new URL("rules.css", import.meta.url) });
    style.onload = style.onerror = done;
    document.head.append(style);
  });
  const page = found.querySelector(".reading");
  for (const one of page.querySelectorAll(".opening .quiet")) one.remove();
  return page;
}
