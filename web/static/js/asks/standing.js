// What a seat is asked, and "Wait": the forms of the page, sent without leaving it.

import { run, send } from "/static/js/parts.js";

/** Send the forms in `place`. The table renders the region again, so the focus goes back to the same button. */
export function standing(place, seat) {
  place.addEventListener("submit", (event) => {
    event.preventDefault();
    const { target: form, submitter: button } = event;
    const data = Object.fromEntries(new FormData(form, button));
    if ("n" in data) data.n = Number(data.n);
    run(button, () => send(`/api${new URL(form.action).pathname}`, { seat, ...data }));
  });
  let held = null;
  place.addEventListener("focusin", ({ target }) => { held = target.form ? selector(target) : null; });
  place.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget) held = null; });
  new MutationObserver(() => {
    if (held && document.activeElement === document.body) place.querySelector(held)?.focus({ preventScroll: true });
  }).observe(place, { childList: true });
}

/** How to find a button of these forms again. */
function selector({ form, value }) {
  const topic = form.elements.topic?.value;
  return topic ? `form:has([name="topic"][value="${topic}"]) [value="${value}"]` : ".wait";
}
