// Opens a dispute about a round; the page is reloaded to show its state.

import { sendForms } from "./forms.js";

sendForms({
  done() {
    location.hash = "dispute";
    location.reload();
  },
});
