// The sounds of the ballpark: off until somebody turns them on, on this device alone.

import { level, next } from "/static/js/levels.js";
import { follow } from "/static/js/live.js";
import { news } from "/static/js/news.js";
import { choose } from "/static/js/sounds/choose.js";
import { ballpark, ECHO, sound } from "/static/js/sounds/synth.js";

const LOUD = { low: .4, full: .9 };
// The sounds are this much quieter while somebody speaks.
const UNDER_SPEECH = .25;
// Seconds: how often that is checked, how quickly a sound makes way, and after which it comes too late.
const TICK = .1, FADE = .08, LATE = 1;

const { seat } = document.body.dataset;
const asked = (table) => table.asks.some((ask) => ask.seat === seat);
const fresh = news();

let how = level("sounds");
let air = null, park = null, playing = null, over = 0, tending = 0, before = null;

/** While anything sounds, keep it below what is spoken; after it, let the audio device rest. */
function tend() {
  park.gain.setTargetAtTime(globalThis.speechSynthesis && globalThis.speechSynthesis.speaking ? UNDER_SPEECH : 1, air.currentTime, FADE);
  if (air.currentTime < over) return;
  clearInterval(tending);
  air.suspend();
}

const hush = () => playing && playing.gain.setTargetAtTime(0, air.currentTime, FADE);

async function play(sounds) {
  // A reloaded page is silent until it is touched; what it missed is not played later.
  if (!sounds.length || (navigator.userActivation && navigator.userActivation.hasBeenActive) === false) return;
  if (!air) {
    air = new (globalThis.AudioContext || globalThis.webkitAudioContext)();
    park = ballpark(air);
  }
  const began = performance.now();
  await air.resume();
  clearInterval(tending);
  tending = setInterval(tend, 1000 * TICK);
  if (performance.now() - began > 1000 * LATE) return;
  // The organ between half-innings waits for nobody; any other play ends the sounds of the one before.
  if (sounds.some(([, name]) => name !== "change")) hush();
  playing = new GainNode(air, { gain: LOUD[how] });
  playing.connect(park);
  const now = air.currentTime;
  over = Math.max(over, ...sounds.map(([wait, name]) => sound(air, playing, name, now + wait) + ECHO));
}

follow((view, missed) => {
  const lines = fresh(view, missed);
  const turn = seat && before && asked(view.table) && !asked(before);
  before = view.table;
  if (how === "off") return;
  if (!lines) { hush(); return; }
  const sounds = choose(lines, how);
  play(turn ? [...sounds, [sounds.length && .8, "yours"]] : sounds);
});

/** Play as much as was chosen before, or after a `tap` the next of off, low and full; `button` says which. */
export function turn(button, tap) {
  if (tap) {
    how = next("sounds");
    if (how === "off") hush(); else play([[0, "bat"], [.25, "stir"]]);
  }
  button.textContent = `Sounds: ${how}`;
}
