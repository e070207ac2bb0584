// What every page has: the choice of light or dark.

import { nextTheme } from "./look.js";
import { note, t } from "./page.js";

document.getElementById("theme").addEventListener("click", () => {
  note(t(`common.${nextTheme() ?? "auto"}`));
});
