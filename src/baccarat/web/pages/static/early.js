// Holds back forms that are submitted before the page's modules are loaded: otherwise the browser would
// reload the page without sending anything. This is not a module, so that it runs first.

{
  const pressed = new Map();
  const wait = (event) => {
    if (event.target.hasAttribute("action")) return; // works without a module
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
