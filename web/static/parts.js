// What every module of the pages is made with: an element, a word to the person, an action that may be refused.

/** Make an element: `h("button", {class: "x", onclick: f}, "words")`. */
export function h(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...inside.flat().filter((one) => one != null && one !== false));
  return made;
}

/** Tell what went wrong, in words, for a few seconds. */
export function tell(sentence) {
  const note = h("p", { class: "toast", role: "alert" }, sentence);
  document.querySelector(".toast")?.remove();
  document.body.append(note);
  setTimeout(() => note.remove(), 6000);
}

/** Run an action of a button: no second tap while it runs, and its refusal told. */
export async function run(button, action) {
  if (button.disabled) return;
  button.disabled = true;
  try { await action(); } catch (error) { tell(error.message); } finally { button.disabled = false; }
}

/** Ask the server; an Error carries its sentence, `status` and, of a card or deck, the `faults`: {card, field, reason}. */
export async function send(path, body) {
  const how = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, { credentials: "same-origin", ...how }).catch(() => { throw new Error("The table cannot be reached just now."); });
  const data = await answer.json().catch(() => ({ sentence: "The table gave no clear answer." }));
  if (!answer.ok) throw Object.assign(new Error(data.sentence), { status: answer.status, faults: data.faults });
  return data;
}

/** Whether a button was tapped a second time: the first only asks `words`, and a few seconds later it is forgotten. */
export function sure(button, words) {
  if (button.dataset.sure) return true;
  const [before, label] = [button.textContent, button.getAttribute("aria-label")];
  button.dataset.sure = "yes";
  button.textContent = words;
  button.removeAttribute("aria-label");
  setTimeout(() => { delete button.dataset.sure; button.textContent = before; if (label) button.setAttribute("aria-label", label); }, 5000);
  return false;
}
