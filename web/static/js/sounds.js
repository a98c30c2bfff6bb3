// Short sounds: off until somebody turns them on, on this phone alone.

import { follow } from "/static/js/live.js";

// Each note is [pitch in hertz, second it begins at].
const TUNES = {
  over: [[523, 0], [659, .14], [784, .28], [1047, .42]],
  run: [[659, 0], [880, .14]],
  out: [[294, 0], [220, .14]],
  play: [[523, 0]],
  yours: [[988, 0], [1319, .1]],
};
const LENGTH = .35, LOUD = .15;

const { seat } = document.body.dataset;
let air = null, before = null;

const runs = ({ scoreboard: { sides } }) => sides.away.runs + sides.home.runs;
const asked = (table) => table.asks.some((ask) => ask.seat === seat);

/** The key of the tune for the step from one table to the next, or undefined. */
function tune(then, now) {
  if (now.outcome) return then.outcome ? undefined : "over";
  if (seat && asked(now) && !asked(then)) return "yours";
  if (now.last === then.last) return undefined;
  if (runs(now) > runs(then)) return "run";
  const ended = now.scoreboard.half !== then.scoreboard.half;
  return ended || now.scoreboard.outs > then.scoreboard.outs ? "out" : "play";
}

function sing(notes) {
  // A reloaded page is silent until it is touched; sounds it missed are not played later.
  if (air.state !== "running") return;
  for (const [pitch, at] of notes) {
    const start = air.currentTime + at, note = air.createOscillator(), volume = air.createGain();
    note.type = "triangle";
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD, start);
    volume.gain.exponentialRampToValueAtTime(.001, start + LENGTH);
    note.connect(volume).connect(air.destination);
    note.start(start);
    note.stop(start + LENGTH);
  }
}

follow((now) => {
  // Taking back makes no sound.
  const heard = before && air && now.undone <= before.undone && tune(before.table, now.table);
  before = now;
  if (heard) sing(TUNES[heard]);
});

/** Turn sounds on or off; `button` says which. */
export function turn(button) {
  const on = !air;
  if (on) {
    air = new AudioContext();
    addEventListener("pointerdown", () => air?.resume(), { once: true });
    air.resume().then(() => sing(TUNES.play));
  } else {
    air.close();
    air = null;
  }
  localStorage.setItem("sounds", on ? "on" : "off");
  button.setAttribute("aria-pressed", String(on));
}
