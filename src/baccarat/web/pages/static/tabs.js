// Tabs: one panel is shown at a time. Arrow keys, Home and End move between the tabs.

/** Make the tabs in a tablist choose which panel is shown. */
export function useTabs(list) {
  const tabs = [...list.children];
  const choose = (chosen) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  };
  for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
  list.addEventListener("keydown", (event) => {
    const place = tabs.indexOf(event.target);
    const last = tabs.length - 1;
    const next = { ArrowRight: place === last ? 0 : place + 1, ArrowLeft: place === 0 ? last : place - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(tabs[next]);
    tabs[next].focus();
  });
}
