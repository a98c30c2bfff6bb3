// What a seat is asked, "Wait", and who manages it: the forms of the page, sent without leaving it.

import { focusOn, run, send } from "/static/js/parts.js";

/** Send the forms in `place`. The table renders the region again, so the focus goes back to the same button. */
export function standing(place, seat) {
  place.addEventListener("submit", (event) => {
    event.preventDefault();
    const { target: form, submitter: button } = event;
    const data = Object.fromEntries(new FormData(form, button));
    if ("n" in data) data.n = Number(data.n);
    if ("on" in data) data.on = data.on === "true";
    if (data.strength === "") data.strength = null;
    run(button, () => form.dataset.send ? send(form.dataset.send, data) : send(`/api${new URL(form.action).pathname}`, { seat, ...data }));
  });
  let held = null;
  place.addEventListener("focusin", ({ target }) => { held = target.form ? selector(target) : null; });
  place.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget) held = null; });
  new MutationObserver(() => {
    if (held && document.activeElement === document.body) focusOn(place.querySelector(held));
  }).observe(place, { childList: true });
}

/** How to find a button of these forms again. */
function selector({ form, name, value }) {
  const topic = form.elements.topic && form.elements.topic.value;
  if (!name) return ".wait";
  // A switch has another value after it was pressed.
  const which = name === "on" ? '[name="on"]' : `[value="${value}"]`;
  return `form[action="${form.getAttribute("action")}"]${topic ? `:has([name="topic"][value="${topic}"])` : ""} ${which}`;
}
