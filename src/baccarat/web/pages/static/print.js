// Pages for paper: their button opens the browser's print dialog.

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
