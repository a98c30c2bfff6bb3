// What a seat is asked, "Wait", and who manages it: the forms of the page, sent without leaving it.

import { focusOn, run, send } from "/static/js/parts.js";

/** Send the forms in `place`. The table renders the region again, so the focus goes back to the same button. */
export function standing(place, seat) {
  // Enter clicks the button of its form, too.
  let button = null;
  place.addEventListener("click", ({ target }) => { button = target.closest("button"); });
  place.addEventListener("submit", (event) => {
    event.preventDefault();
    const { target: form } = event;
    const data = Object.fromEntries(new FormData(form));
    if (button.name) data[button.name] = button.value;
    if ("n" in data) data.n = Number(data.n);
    if ("on" in data) data.on = data.on === "true";
    if (data.strength === "") data.strength = null;
    run(button, () => form.dataset.send ? send(form.dataset.send, data) : send(`/api${new URL(form.action).pathname}`, { seat, ...data }));
  });
  let held = null;
  place.addEventListener("focusin", ({ target }) => { held = target.form ? finder(target) : null; });
  place.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget) held = null; });
  new MutationObserver(() => {
    if (held && document.activeElement === document.body) focusOn(held(place));
  }).observe(place, { childList: true });
}

/** How to find a button of these forms again: a function of the place. */
function finder({ form, name, value }) {
  const topicOf = ({ elements: { topic } }) => topic && topic.value, topic = topicOf(form);
  if (!name) return (place) => place.querySelector(".wait");
  // A switch has another value after it was pressed.
  const which = name === "on" ? '[name="on"]' : `[value="${value}"]`;
  const forms = `form[action="${form.getAttribute("action")}"]`;
  return (place) => [...place.querySelectorAll(forms)].filter((one) => topicOf(one) === topic).map((one) => one.querySelector(which)).find(Boolean);
}
