// On every page: the light or dark theme, a message before a long wait, and times in the visitor's time zone
// (for staff: in the house's, with its clock).

import { nextTheme } from "./look.js";
import { note, t } from "./page.js";

document.getElementById("theme")?.addEventListener("click", () => {
  note(t(`common-${nextTheme() ?? "auto"}`));
});

for (const button of document.querySelectorAll("[data-language]")) {
  button.addEventListener("click", () => {
    document.cookie = `baccarat_language=${button.dataset.language}; path=/; max-age=31536000; samesite=lax`;
    location.reload();
  });
}

for (const link of document.querySelectorAll("a[data-slow]")) {
  link.addEventListener("click", () => note(t("common-slow")));
}

const clock = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium" });
for (const time of document.querySelectorAll("time[datetime]:not([data-house])")) {
  time.title = time.textContent;
  time.textContent = clock.format(new Date(time.dateTime));
}

const houseClock = document.getElementById("house-clock");
if (houseClock) {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: houseClock.dataset.zone, hour: "2-digit", minute: "2-digit" });
  setInterval(() => { houseClock.textContent = format.format(new Date()); }, 5000);
}
