// The replay: a slider through what spectators saw, by hand or at a pace. The server renders; this module inserts.

import { mark } from "/static/js/marks.js";
import { send, tell } from "/static/js/parts.js";

const PACE = 1500;
const player = document.getElementById("replay");
const [play, back, on, slider, moment, dice] = ["play", "back", "on", "step", "moment", "dice"].map((id) => document.getElementById(id));
let count = 0, size = 0, shown = null, timer = 0, turn = 0;
let parts = new Map();

const partOf = (place) => size ? Math.floor(Math.min(place, count) / size) * size : 0;

/** Fetch the part of the game that has this place, once; most visitors only read the page. */
async function load(place) {
  const first = partOf(place), kept = parts;
  if (!kept.has(first)) {
    const found = await send(`/api/games/${player.dataset.game}/replay?first=${first}`);
    // Each step holds only what changed; make them whole, so that one can jump to any.
    let whole = {};
    kept.set(first, found.steps.map((step) => ({ ...step, panel: whole = { ...whole, ...step.panel } })));
    ({ count, most: size } = found);
    slider.max = count;
  }
  return kept.get(first);
}

/** The step that was shown after this number of answers. */
async function at(place) {
  const steps = await load(place);
  return steps.filter((step) => step.place <= place).pop() || steps[0];
}

/** The step after this one, or null after the last. */
async function after(step) {
  for (let first = partOf(step.place); first <= count; first += size) {
    const later = (await load(first)).find((other) => other.place > step.place);
    if (later) return later;
  }
  return null;
}

const before = (step) => at(Math.max(0, step.place - 1));

async function show(step) {
  shown = step;
  const { panel, scoreboard, outcome, place } = step;
  for (const [name, html] of Object.entries(panel)) {
    const region = document.getElementById(name);
    if (region && region.innerHTML !== html) region.innerHTML = html;
  }
  mark(panel);
  const when = outcome ? "Final" : scoreboard.batting === null ? "Before the game" : `${scoreboard.half === "top" ? "Top" : "Bottom"} of inning ${scoreboard.inning}, ${scoreboard.outs} out`;
  slider.value = place;
  slider.setAttribute("aria-valuetext", `${place + 1} of ${count + 1}: ${when}`);
  moment.textContent = `${place + 1} of ${count + 1} · ${when}`;
  back.disabled = place === 0;
  // This also fetches the next part before it is needed.
  const next = await after(step);
  if (shown === step) on.disabled = next === null;
}

/** Do what may have to fetch a part. If it fails, say so and stop; `newest` is false once something else was begun. */
async function attempt(act) {
  const mine = ++turn;
  try {
    await act(() => mine === turn);
  } catch (error) {
    pause();
    tell(error.message);
  }
}

const pace = () => PACE / player.querySelector("[name=speed]:checked").value;

function pause() {
  turn += 1;
  clearTimeout(timer);
  timer = 0;
  play.textContent = "Play";
  play.setAttribute("aria-label", "Resume the replay");
  dice.setAttribute("aria-live", "polite");
}

const tick = () => attempt(async (newest) => {
  const next = await after(shown);
  if (!newest()) return;
  if (next === null) return pause();
  timer = setTimeout(tick, pace());
  await show(next);
});

function toggle() {
  if (timer) return pause();
  return attempt(async (newest) => {
    const start = shown && await after(shown) ? shown : await at(0);
    if (!newest()) return;
    // Screen readers do not read out a running replay line by line.
    dice.setAttribute("aria-live", "off");
    play.textContent = "Pause";
    play.setAttribute("aria-label", "Pause");
    timer = setTimeout(tick, pace());
    await show(start);
  });
}

/** Show another step; `choose` returns it, given the one that is shown: at first the last. */
const go = (choose) => attempt(async (newest) => {
  await load(0);
  const step = await choose(shown != null ? shown : await at(count));
  if (!newest()) return;
  pause();
  await show(step);
});

play.addEventListener("click", toggle);
back.addEventListener("click", () => go(before));
on.addEventListener("click", () => go(async (step) => await after(step) || step));
slider.addEventListener("input", () => go((step) => shown ? at(Number(slider.value)) : step));
slider.addEventListener("focus", () => attempt(() => load(0)));
for (const speed of player.querySelectorAll("[name=speed]")) {
  speed.addEventListener("change", () => { if (timer) { clearTimeout(timer); timer = setTimeout(tick, pace()); } });
}
// Parts that were fetched before the chances to win were known lack them.
document.addEventListener("analyzed", () => {
  parts = new Map();
  if (shown && !timer) go((step) => at(step.place));
});
on.disabled = true;
player.hidden = false;
