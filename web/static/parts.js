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
