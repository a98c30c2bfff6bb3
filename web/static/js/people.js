// The operator's part of the page of people: add, change, merge and forget them.

import { run, send, sure } from "/static/js/parts.js";

/** Send a change, and show the page as it is then. */
const change = (button, path, body) => run(button, async () => {
  await send(path, body);
  location.reload();
});

for (const form of document.querySelectorAll(".person-form")) {
  const { name, colour } = form.elements, { person } = form.dataset;
  form.hidden = false;
  form.onsubmit = (event) => {
    event.preventDefault();
    change(form.querySelector("button"), "/api/people", { ...(person ? { key: person } : {}), name: name.value.trim(), colour: colour.value });
  };
}

for (const form of document.querySelectorAll(".merge-form")) form.onsubmit = (event) => {
  event.preventDefault();
  const button = form.querySelector("button"), { into } = form.elements;
  if (sure(button, `Merge into ${into.selectedOptions[0].textContent}?`)) change(button, `/api/people/${form.dataset.person}/merge`, { into: into.value });
};

for (const button of document.querySelectorAll("[data-forget]")) button.onclick = () => {
  if (sure(button, "Forget the name? This can’t be undone.")) change(button, `/api/people/${button.dataset.forget}/forget`, {});
};
