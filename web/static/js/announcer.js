// The announcer: play-by-play, spoken by this device. Off until somebody turns it on, here alone.

import { advise, keepAwake } from "/static/js/awake.js";
import { level as chosen, next } from "/static/js/levels.js";
import { follow } from "/static/js/live.js";
import { newCalls } from "/static/js/news.js";
import { hush, onVoices, readsEverything, say, voiceless, waiting } from "/static/js/voice.js";

const GREAT = ["runs", "half", "final", "back"];

let level = chosen("announcer");
let now = null;
const unheard = newCalls();

const tell = (text) => say(text, { kind: "call", volume: level === "low" ? .7 : 1 });

// A correction ends what was said before it; otherwise the newest play does, once it waits.
follow((view, missed) => {
  const fresh = unheard(view, missed);
  now = (view.calls.slice(-1)[0] || {}).now;
  if (level === "off" || readsEverything()) return;
  const heard = fresh.filter((call) => level === "full" || call.marks.some((mark) => GREAT.includes(mark)));
  if (heard.length && (waiting("call") || heard.some((call) => call.marks.includes("back")))) hush("call");
  for (const call of heard) tell(call.text);
});

let heeding = false;

/** Speak as much as was chosen before, or after a `tap` the next of off, low and full; `button` says which. */
export function turn(button, tap) {
  const begun = tap && level === "off";
  if (tap) {
    level = next("announcer");
    hush("call");
    if (level !== "off") tell(now != null ? now : "The announcer is on.");
  }
  if (!heeding) onVoices(() => turn(button));
  heeding = true;
  const mute = level !== "off" && voiceless(), speaking = level !== "off" && !mute;
  button.textContent = `Announcer: ${level}${mute ? ", no voice here" : ""}`;
  keepAwake("announcer", speaking).then((kept) => { if (begun && speaking && !kept) advise(button); });
}
