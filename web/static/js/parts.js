// What every module of the pages needs: make an element, show a notice, run an action that may be refused.

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

/** Print the signs of numbers: −1 with a minus, 0 without a sign. */
export const signs = (words) => words && words.replace(/(\s)-(?=[1-9])/g, "$1−").replace(/(\s)[+-]0\b/g, "$10");

// Whether a hand or a key did the last thing: dugout.css draws the ring of the focus for keys only.
const pointed = (on) => () => document.documentElement.classList.toggle("pointed", on);
addEventListener("pointerdown", pointed(true), true);
addEventListener("keydown", pointed(false), true);

/** Focus an element, if there is one, without scrolling to it. */
export const focusOn = (made) => { if (made) made.focus({ preventScroll: true }); };

/** Show what went wrong, in words, for a few seconds. */
export function tell(sentence) {
  const note = h("p", { class: "toast", role: "alert" }, sentence);
  const before = document.querySelector(".toast");
  if (before) before.remove();
  document.body.append(note);
  setTimeout(() => note.remove(), 6000);
}

/** Run an action of a button: ignore a second tap while it runs, and show its refusal. The focus stays where it was. */
export async function run(button, action) {
  if (button.disabled) return;
  const focused = document.activeElement === button;
  button.disabled = true;
  try { await action(); } catch (error) { tell(error.message); } finally {
    button.disabled = false;
    if (focused && document.activeElement === document.body) button.focus({ preventScroll: true });
  }
}

// Seconds that the table may take to respond; mostly it needs a moment.
const PATIENCE = 8;

/** Why there was no response. The table may have accepted the request, and only the response was lost. */
function silence(late, body) {
  dispatchEvent(new Event("silence"));
  if (!late) return "Can't reach the table.";
  return body === undefined ? "The table isn't responding." : "The table isn't responding. It may have gone through. Check before you repeat it.";
}

/** Ask the server, with a body that is a Blob or becomes JSON; return its JSON, or throw an Error with a sentence for people, `status` and, for a card or deck, the
    `faults`: {card, field, reason}. After `patience` seconds without a response the window gets a `silence` event. */
export async function send(path, body, patience = PATIENCE) {
  if (document.body.dataset.leaving) return new Promise(() => {});  // the pass of this page ends: see sit_down.js
  const how = body === undefined ? {} : body instanceof Blob ? { method: "POST", body } : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const abort = new AbortController(), end = setTimeout(() => abort.abort(), patience * 1000);
  const lost = () => { throw new Error(silence(abort.signal.aborted, body)); };
  const answer = await fetch(path, { credentials: "same-origin", signal: abort.signal, ...how }).catch(lost);
  const data = await answer.json().catch((error) => error.name === "SyntaxError" ? { sentence: "Unexpected reply. Reload the page before you try again." } : lost());
  clearTimeout(end);
  if (!answer.ok) throw Object.assign(new Error(data.sentence), { status: answer.status, faults: data.faults });
  return data;
}

/** For half a second `made` ignores taps, which were meant for what stood there before. Keys always work. */
export function rest(made) {
  made.classList.add("resting");
  clearTimeout(made.rested);
  made.rested = setTimeout(() => made.classList.remove("resting"), 500);
}

/** True if a button was tapped a second time: the first tap only asks `words`. It resets then, or a few seconds later. */
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
