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

/** Numbers with their signs as they are printed: −1 has a minus, and 0 no sign. */
export const signs = (words) => words?.replace(/(?<=\s)-(?=[1-9])/g, "−").replace(/(?<=\s)[+-]0\b/g, "0");

/** Tell what went wrong, in words, for a few seconds. */
export function tell(sentence) {
  const note = h("p", { class: "toast", role: "alert" }, sentence);
  document.querySelector(".toast")?.remove();
  document.body.append(note);
  setTimeout(() => note.remove(), 6000);
}

/** Run an action of a button: no second tap while it runs, and its refusal told. The focus stays where it was. */
export async function run(button, action) {
  if (button.disabled) return;
  const focused = document.activeElement === button;
  button.disabled = true;
  try { await action(); } catch (error) { tell(error.message); } finally {
    button.disabled = false;
    if (focused && document.activeElement === document.body) button.focus({ preventScroll: true });
  }
}

// Seconds that an answer of the table may take: it has most of them in a moment.
const PATIENCE = 8;

/** Why nothing was heard. What was sent may have been taken, and only its answer have been lost. */
function silence({ name }, body) {
  dispatchEvent(new Event("silence"));
  if (name !== "TimeoutError") return "The table cannot be reached just now.";
  return body === undefined ? "The table does not answer just now." : "The table does not answer. It may have taken this all the same: look again before you repeat it.";
}

/** Ask the server; gives its JSON, or throws an Error with a sentence for people, `status` and, of a card or deck, the
    `faults`: {card, field, reason}. Where none is heard within `patience` seconds, the window hears of a `silence`. */
export async function send(path, body, patience = PATIENCE) {
  const how = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const lost = (error) => { throw new Error(silence(error, body)); };
  const answer = await fetch(path, { credentials: "same-origin", signal: AbortSignal.timeout(patience * 1000), ...how }).catch(lost);
  const data = await answer.json().catch((error) => error.name === "SyntaxError" ? { sentence: "The table gave no clear answer." } : lost(error));
  if (!answer.ok) throw Object.assign(new Error(data.sentence), { status: answer.status, faults: data.faults });
  return data;
}

/** A tap comes too early for what was shown only now: for half a second `made` takes none. Keys are never in its way. */
export function rest(made) {
  made.classList.add("resting");
  clearTimeout(made.rested);
  made.rested = setTimeout(() => made.classList.remove("resting"), 500);
}

/** Whether a button was tapped a second time: the first only asks `words`. Then, or a few seconds later, it is as before. */
export function sure(button, words) {
  if (button.dataset.sure) { button.unasked(); return true; }
  const [before, label] = [button.textContent, button.getAttribute("aria-label")];
  button.dataset.sure = "yes";
  button.textContent = words;
  button.removeAttribute("aria-label");
  const soon = setTimeout(() => button.unasked(), 5000);
  button.unasked = () => { clearTimeout(soon); delete button.dataset.sure; button.textContent = before; if (label) button.setAttribute("aria-label", label); };
  return false;
}
