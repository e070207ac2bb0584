// What is pressed before the page's modules are there waits for them: the browser by itself would
// load the page anew, and nothing would have been sent. This is no module, so that it comes first.

{
  const pressed = new Map();
  const wait = (event) => {
    if (event.target.hasAttribute("action")) return; // it needs no module
    event.preventDefault();
    event.stopPropagation();
    pressed.set(event.target, event.submitter);
  };
  addEventListener("submit", wait, true);
  addEventListener("DOMContentLoaded", () => {
    removeEventListener("submit", wait, true);
    for (const [form, button] of pressed) form.requestSubmit(button);
  });
}
