// The operator's button that undoes the last answer of a person, and says which.

import { follow } from "/static/js/live.js";
import { rest, run, send } from "/static/js/parts.js";

const undo = document.getElementById("undo");
let version = null, shown = "";

undo.onclick = () => run(undo, () => send("/api/undo", { n: null, version }));

/** Say on the button what it takes back. */
async function nameUndo() {
  const [last] = await send("/api/answers?limit=1").catch(() => []);
  const words = last ? `Undo: ${last.what}` : "Nothing to undo";
  if (undo.textContent !== words) undo.textContent = words;
}

follow(({ number, table }) => {
  ({ version } = table);
  if (shown === `${number} ${version}`) return;
  shown = `${number} ${version}`;
  // By now it would take back a different answer.
  rest(undo);
  nameUndo();
});
