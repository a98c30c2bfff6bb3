// Speech of this device: one voice and one queue for all that speaks on a page, so that it never talks over itself.

const voice = globalThis.speechSynthesis;
const queue = [];
// What is being said. The reference matters: some browsers forget an utterance without one, and never end it.
let now = null;
let reader = false;

// Apple lists these first: voices made for fun, and old robots.
const ODD = /^(albert|bad news|bahh|bells|boing|bruce|bubbles|cellos|deranged|eddy|flo|fred|good news|grandma|grandpa|hysterical|jester|junior|kathy|organ|pipe organ|princess|ralph|reed|rocko|sandy|shelley|superstar|trinoids|whisper|wobble|zarvox)\b/i;
// What counts first comes first. A voice of the device itself also speaks without the internet.
const worth = ({ name, lang, localService, default: usual }) =>
  [!ODD.test(name), localService, /^en[-_]us/i.test(lang), usual, /premium|enhanced|natural|samantha/i.test(name)]
    .reduce((sum, good) => 2 * sum + (good ? 1 : 0), 0);

/** The best English one of these voices, whatever their order; undefined if there is none. */
export const bestVoice = (voices) => voices.filter(({ lang }) => /^en([-_]|$)/i.test(lang))
  .sort((a, b) => worth(b) - worth(a) || (a.name < b.name ? -1 : 1))[0];

/** True if this device cannot speak. Some browsers know their voices only a moment later: see `onVoices`. */
export const voiceless = () => !(voice && voice.getVoices().length);

/** Call `heed` whenever the voices of this device become known or change. */
export const onVoices = (heed) => voice && voice.addEventListener && voice.addEventListener("voiceschanged", heed);

/** How many things of this kind wait to be said. */
export const waiting = (kind) => queue.filter((item) => item.kind === kind).length;

/** Say whether this page reads everything aloud, plays too: then the announcer leaves them to it. */
export const readEverything = (on) => { reader = on; };

/** True if this page reads everything aloud. */
export const readsEverything = () => reader;

function next() {
  if (now || !queue.length) return;
  const item = queue.shift(), words = new SpeechSynthesisUtterance(item.text);
  words.lang = "en-US";
  words.voice = bestVoice(voice.getVoices()) || null;
  words.volume = item.volume;
  const over = () => { if ((now && now.words) === words) { now = null; next(); } };
  words.onend = over;
  words.onerror = ({ error }) => {
    if (error !== "not-allowed" || (now && now.words) !== words) return over();
    // A page that was reloaded may speak only once it is touched.
    queue.unshift(item);
    now = null;
    for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, next, { once: true });
  };
  now = { words, ...item };
  voice.speak(words);
}

/** Say `text` after what waits already. `kind` is for `hush`, `volume` goes from 0 to 1. */
export function say(text, { kind = "", volume = 1 } = {}) {
  if (!voice) return;
  queue.push({ text, kind, volume });
  // Some browsers lose the end of what they said.
  if (!voice.speaking && !voice.pending) now = null;
  next();
}

/** Stop what is being said, and forget what waits; with `kinds`, only those. */
export function hush(...kinds) {
  const meant = ({ kind }) => !kinds.length || kinds.includes(kind);
  queue.splice(0, queue.length, ...queue.filter((item) => !meant(item)));
  if (now && meant(now)) {
    now = null;
    voice.cancel();
  }
  next();
}
