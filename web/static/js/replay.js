// The replay: a slider through what spectators saw, by hand or at a pace. The server renders; this module inserts.

import { tell } from "/static/js/parts.js";

const PACE = 1500;
const player = document.getElementById("replay");
const [play, back, on, slider, moment, dice] = ["play", "back", "on", "step", "moment", "dice"].map((id) => document.getElementById(id));
let steps = [], at = 0, timer = 0;

/** Fetch the game once, at the first touch: most visitors only read the page. */
async function load() {
  if (steps.length) return true;
  try {
    const answer = await fetch(`/api/games/${player.dataset.game}/replay`);
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.sentence);
    // Each step holds only what changed; make them whole, so that one can jump to any.
    let whole = {};
    steps = found.steps.map((step) => ({ ...step, panel: whole = { ...whole, ...step.panel } }));
  } catch (error) {
    tell(error instanceof TypeError || error instanceof SyntaxError ? "The table cannot be reached just now." : error.message);
    return false;
  }
  slider.max = at = steps.length - 1;
  slider.value = at;
  return true;
}

function show(step) {
  at = Math.max(0, Math.min(step, steps.length - 1));
  const { panel, scoreboard, outcome } = steps[at];
  for (const [name, html] of Object.entries(panel)) {
    const place = document.getElementById(name);
    if (place && place.innerHTML !== html) place.innerHTML = html;
  }
  const when = outcome ? "Final" : scoreboard.batting === null ? "Before the game" : `${scoreboard.half === "top" ? "Top" : "Bottom"} of inning ${scoreboard.inning}, ${scoreboard.outs} out`;
  slider.value = at;
  slider.setAttribute("aria-valuetext", `${at + 1} of ${steps.length}: ${when}`);
  moment.textContent = `${at + 1} of ${steps.length} · ${when}`;
  back.disabled = at === 0;
  on.disabled = at === steps.length - 1;
}

const pace = () => PACE / player.querySelector("[name=speed]:checked").value;

function pause() {
  clearTimeout(timer);
  timer = 0;
  play.textContent = "Play";
  play.setAttribute("aria-label", "Play the game on");
  dice.setAttribute("aria-live", "polite");
}

function tick() {
  if (at >= steps.length - 1) return pause();
  show(at + 1);
  timer = setTimeout(tick, pace());
}

async function toggle() {
  if (timer) return pause();
  if (!await load() || timer) return;
  show(at >= steps.length - 1 ? 0 : at);
  // Screen readers do not read out a running replay line by line.
  dice.setAttribute("aria-live", "off");
  play.textContent = "Pause";
  play.setAttribute("aria-label", "Pause");
  timer = setTimeout(tick, pace());
}

async function go(step) {
  const first = !steps.length;
  if (!await load()) return;
  pause();
  show(step(first));
}

play.addEventListener("click", toggle);
back.addEventListener("click", () => go(() => at - 1));
on.addEventListener("click", () => go(() => at + 1));
slider.addEventListener("input", () => go((first) => first ? at : Number(slider.value)));
slider.addEventListener("focus", load);
for (const speed of player.querySelectorAll("[name=speed]")) {
  speed.addEventListener("change", () => { if (timer) { clearTimeout(timer); timer = setTimeout(tick, pace()); } });
}
on.disabled = true;
player.hidden = false;
