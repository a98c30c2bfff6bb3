// The virtual dice of a demo: the buttons that throw them, on the operator's page and on the seat's of who plays alone.

import { wanted } from "/static/js/asks/dice.js";
import { follow } from "/static/js/live.js";
import { run, send, tell } from "/static/js/parts.js";

const { seat } = document.body.dataset;
const asks = document.getElementById("asks"), place = document.getElementById("throw");

/** Dice thrown before a choice would not count. */
const early = ({ table }) => !table.asks.some(({ kind }) => ["roll", "reroll", "call"].includes(kind));

// A seat throws its own die in a race.
for (const act of seat ? document.querySelectorAll("[data-race]") : []) {
  act.textContent = "Roll your die";
  act.classList.remove("quiet");
}
follow((view) => {
  for (const act of document.querySelectorAll("[data-race]")) act.hidden = !view.race || Boolean(seat && act.dataset.simulate !== `throw-${seat}`);
  const roll = view.table.asks.find(({ kind }) => kind === "roll");
  // One button is the next thing to do: to throw, only while dice are asked for and none are read.
  const open = !view.proposal && !early(view);
  for (const act of document.querySelectorAll("[data-simulate=throw]")) {
    act.textContent = `Roll ${roll ? wanted(roll.dice) : "the dice"}`;
    act.classList.toggle("quiet", !open);
    act.disabled = early(view);
    act.hidden = Boolean(seat && view.race);
  }
  if (!place) return;
  // On a seat's page the button stands in the question for dice.
  const there = asks.querySelector(".beside-camera");
  place.hidden = !there && !view.race;
  if (there && place.parentNode !== there) there.prepend(place);
  if (!there && place.parentNode !== asks.parentNode) asks.after(place);
});

// A throw that brings no roll, no call and no new notice within READ milliseconds is reported. The camera takes two to five seconds.
const READ = 8000;
let latest = null, thrown = null;
const facts = ({ number, table, race }) => JSON.stringify([number, table.version, race]);
const forget = () => { if (thrown) clearTimeout(thrown.soon); thrown = null; };
follow((view) => {
  latest = view;
  if (!thrown) return;
  // A notice that stood before the throw, as after an undo, says nothing about it.
  const news = view.notice && view.notice !== thrown.notice;
  thrown.notice = view.notice;
  if (view.proposal || news || facts(view) !== thrown.before) forget();
});
function offerTyping() {
  thrown = null;
  const fold = asks.querySelector(".beside-camera [aria-expanded]:not([hidden])");
  if (fold) fold.click();
  const key = asks.querySelector(".keypad button:not(:disabled)");
  tell(`The camera read no dice. ${key ? "Type the roll, or roll again" : "Roll again"}.`);
  if (!key) return;
  key.scrollIntoView({ block: "center" });
  key.focus({ preventScroll: true });
}
for (const act of document.querySelectorAll("[data-simulate]")) act.onclick = () => run(act, async () => {
  const { simulate: what } = act.dataset;
  forget();
  if (what.startsWith("throw") && latest) thrown = { before: facts(latest), notice: latest.notice, soon: setTimeout(offerTyping, READ) };
  await send("/api/simulate", { what }).catch((error) => { forget(); throw error; });
}).then(() => { if (act.dataset.simulate === "throw" && latest) act.disabled = early(latest); });
