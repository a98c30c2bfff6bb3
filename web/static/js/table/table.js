// The operator's page: every ask, and what the machine sees and shows. Corrections, a new game and tabs have files of their own.

import { follow } from "/static/js/live.js";
import "/static/js/table/correct.js";
import "/static/js/table/managers.js";
import { wanted } from "/static/js/asks/dice.js";
import { hands } from "/static/js/asks/asks.js";
import "/static/js/table/new_game.js";
import { h, run, send, tell } from "/static/js/parts.js";
import { calibrates } from "/static/js/table/calibrate.js";

const $ = (id) => document.getElementById(id);
const HOLD = 800, CAMERA = 500, PARTS = 5000;

follow(hands($("asks")));
// A correction that a seat proposes: the operator may agree for a seat that no phone holds.
follow(({ correction }) => { if (correction) import("/static/js/asks/agree.js"); });

// What the machine sees and shows -----------------------------------------------------------------------------------

const DISPLAY = 1250; // ms between two looks at the display, whose pages turn every 2.5 s
const display = $("display");
let displayAgain = false;

/** Refresh the picture of a camera while it is on screen; ask less often if there is none. */
function watch(name, words) {
  const picture = $(name), caption = $(`${name}-words`);
  let onScreen = true, waiting = false, asked = 0, pause = CAMERA;
  const came = (there) => { pause = there ? CAMERA : 10 * CAMERA; waiting = false; picture.hidden = !there; caption.textContent = there ? words : "No camera picture."; };
  new IntersectionObserver(([entry]) => { onScreen = entry.isIntersecting; }).observe(picture.closest("figure"));
  picture.onload = () => came(true);
  picture.onerror = () => came(false);
  setInterval(() => {
    if (document.hidden || !onScreen || waiting || Date.now() - asked < pause - 50) return;
    waiting = true;
    asked = Date.now();
    picture.src = `/${name}.jpg?t=${Date.now()}`;
  }, CAMERA);
}
watch("camera", "Camera");
watch("board", "Board");

function lookAtDisplay() {
  if (displayAgain) return;
  displayAgain = true;
  setTimeout(() => { displayAgain = false; display.src = `/display.png?t=${Date.now()}`; }, 150);
}
display.onload = () => { display.hidden = false; };
display.onerror = () => { display.hidden = true; };

const part = (one) => h("li", { class: one.ok ? "well" : "ill" }, h("b", {}, one.name != null ? one.name : one.part), ` ${one.ok ? "" : "problem: "}${one.words}`);


calibrates(part);

async function parts() {
  if (document.hidden) return;
  const all = await send("/api/health").catch(() => null);
  if (all) $("health").replaceChildren(...all.map(part));
}
setInterval(parts, PARTS);
parts();

setInterval(() => { if (!document.hidden) lookAtDisplay(); }, DISPLAY);
follow(lookAtDisplay);

// Virtual devices ---------------------------------------------------------------------------------------------------

let line = Promise.resolve();
const move = (button, action) => { line = line.then(() => send("/api/press", { button, action })).catch((error) => tell(error.message)); };
for (const pad of document.querySelectorAll(".pad")) {
  const { button } = pad.dataset;
  let timer = 0, down = false;
  const press = () => { if (down) return; down = true; move(button, "press"); timer = setTimeout(() => move(button, "hold"), HOLD); pad.classList.add("down"); };
  const release = () => { if (!down) return; down = false; clearTimeout(timer); move(button, "release"); pad.classList.remove("down"); };
  pad.onpointerdown = (event) => { pad.setPointerCapture(event.pointerId); press(); };
  pad.onpointerup = pad.onpointercancel = release;
  pad.onkeydown = (event) => { if ((event.key === " " || event.key === "Enter") && !event.repeat) press(); };
  pad.onkeyup = pad.onblur = release;
  pad.oncontextmenu = (event) => event.preventDefault();
}
const lays = ({ kind, places }) => kind === "arrange" && places && places.every(({ value }) => "ABCDEF".includes(value));
let overlooked = false;
follow((view) => {
  const laying = view.table.asks.some(lays);
  for (const act of document.querySelectorAll("[data-race]")) act.hidden = !view.race;
  for (const act of document.querySelectorAll("[data-laying]")) act.hidden = !laying;
  const roll = view.table.asks.find(({ kind }) => kind === "roll");
  // One button is the next thing to do: to throw, only while dice are asked for and none are read.
  const open = !view.proposal && view.table.asks.some(({ kind }) => ["roll", "reroll", "call"].includes(kind));
  for (const act of document.querySelectorAll("[data-simulate=throw]")) {
    act.textContent = `Roll ${roll ? wanted(roll.dice) : "the dice"}`;
    act.classList.toggle("quiet", !open);
  }
  const pick = document.querySelector("[data-simulate=pick-up]");
  if (pick) pick.replaceChildren((roll != null ? roll : view.table.scoreboard).dice.length === 1 ? "Pick it up" : "Pick them up");
  overlooked = overlooked || Boolean(view.layout);
  $("board").parentElement.hidden = !(laying && overlooked);
});

// A throw that brings no roll, no call and no notice within READ milliseconds is reported. The camera takes two to five seconds.
const READ = 8000;
let latest = null, thrown = null;
const facts = ({ number, table, race }) => JSON.stringify([number, table.version, race]);
const forget = () => { if (thrown) clearTimeout(thrown.soon); thrown = null; };
follow((view) => {
  latest = view;
  if (thrown && (view.proposal || view.notice || facts(view) !== thrown.before)) forget();
});
function offerTyping() {
  thrown = null;
  const key = $("asks").querySelector(".keypad button:not(:disabled)");
  tell(`The camera read no dice. ${key ? "Type the roll, or roll again" : "Roll again"}.`);
  if (!key) return;
  key.scrollIntoView({ block: "center" });
  key.focus({ preventScroll: true });
}
for (const act of document.querySelectorAll("[data-simulate]")) act.onclick = () => run(act, async () => {
  const { simulate: what } = act.dataset;
  forget();
  if (what.startsWith("throw") && latest) thrown = { before: facts(latest), soon: setTimeout(offerTyping, READ) };
  await send("/api/simulate", { what }).catch((error) => { forget(); throw error; });
});
