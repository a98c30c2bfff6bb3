// The operator's page: every ask, and what the machine sees and shows. Corrections, a new game and tabs have files of their own.

import { follow } from "/static/js/live.js";
import "/static/js/table/correct.js";
import "/static/js/table/managers.js";
import { hands } from "/static/js/asks/asks.js";
import "/static/js/asks/virtual_dice.js";
import "/static/js/table/new_game.js";
import { h, send, tell } from "/static/js/parts.js";
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
  if (displayAgain || document.body.dataset.leaving) return;
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
  for (const act of document.querySelectorAll("[data-laying]")) act.hidden = !laying;
  const roll = view.table.asks.find(({ kind }) => kind === "roll"), pick = document.querySelector("[data-simulate=pick-up]");
  if (pick) pick.replaceChildren((roll != null ? roll : view.table.scoreboard).dice.length === 1 ? "Pick it up" : "Pick them up");
  overlooked = overlooked || Boolean(view.layout);
  $("board").parentElement.hidden = !(laying && overlooked);
});
