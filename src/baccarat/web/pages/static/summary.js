// The summary of some rounds: a button that prints it.

import { $ } from "./page.js";

$("print").addEventListener("click", () => print());
