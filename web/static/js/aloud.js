// Read aloud: this phone says what its seat is asked, what happened and what was chosen, so that a game can be played by
// ear. Off until somebody turns it on, here alone. Touching a control says it; touching it again presses it.

import { advise, keepAwake } from "/static/js/awake.js";
import { gameUi } from "/static/js/asks/game_ui.js";
import { follow } from "/static/js/live.js";
import { newCalls } from "/static/js/news.js";
import { h } from "/static/js/parts.js";
import { hush, onVoices, readEverything, say, voiceless, waiting } from "/static/js/voice.js";
import { aloud, briefOf, controlAt, controlsOf, linesOf, nameOf, numbered, phrase, sentences } from "/static/js/aloud/words.js";

const LEVELS = ["off", "on request", "each question"];
// A region is complete this many milliseconds after its first change.
const SETTLED = 80;
// Calls that wait while a new one comes; older ones are dropped, because each call says whole facts.
const BEHIND = 3;
// Two digits within this many milliseconds are one number.
const QUICK = 1000, NOTHING = { digit: "", when: -Infinity };

const asks = document.getElementById("asks"), veil = document.getElementById("veil"), asking = document.getElementById("asking");
const parts = [asks, veil, asking];
const { seat } = document.body.dataset;

let level = localStorage.getItem("aloud") || "off";
let view = null, race = null;
const unheard = newCalls();
// The lines that were there last, by key, with the cards and the controls.
let before = new Set(), cards = new Set(), controls = new Map();
// The control that the next press is for, its name, and the control before the finger came down.
let at = null, called = "", touched = null, typing = NOTHING;
// True from a press until what came of it was read: then even a phone that reads on request says it.
let pressed = false, soon = 0, link = "live";

const on = () => level !== "off" && !voiceless();
const each = () => on() && level === "each question";
const speak = (text, kind) => say(aloud(text, gameUi(view && view.game.key).spoken), { kind });
const tell = (lines) => { for (const [text, secret] of sentences(lines, numbered(linesOf(asks)))) speak(text, secret ? "secret" : "ask"); };

// What to read -------------------------------------------------------------------------------------------------------

/** The lines of what this seat is asked. Of what it may set, only what was answered for it. */
const question = () => [...linesOf(asks), ...linesOf(veil).filter(({ control, secret }) => secret && !control), ...linesOf(asking).filter(({ control }) => !control)];

function situation() {
  const { scoreboard } = view.table, latest = (view.calls.slice(-1)[0] || {}).now;
  const field = (document.querySelector("#diamond svg[aria-label]") || { getAttribute: () => "" }).getAttribute("aria-label");
  const tired = [...document.querySelectorAll("#lamps .tally")].map((one) => phrase(one));
  const whole = latest ? [latest] : ["score", "lamps"].flatMap((id) => linesOf(document.getElementById(id)).map(({ text }) => text));
  return [...whole, field.replace(/^Bases empty\.\s*/, ""), scoreboard.pitcher && `${scoreboard.pitcher} is pitching`, ...(latest ? tired : [])].filter(Boolean);
}

function read() {
  hush();
  tell(question());
  for (const text of situation()) speak(text, "ask");
}

function standing() {
  hush();
  for (const text of situation()) speak(text, "ask");
}

function table() {
  hush();
  const lines = ["odds", "plate", "now"].flatMap((id) => linesOf(document.getElementById(id)));
  if (!lines.length) speak("No cards to read.", "ask");
  tell(lines);
}

// What changes -------------------------------------------------------------------------------------------------------

/** Remember what is there: it is no longer new. */
function remember(lines) {
  before = new Set(lines.map(({ key }) => key));
  cards = new Set(asks.children);
  controls = new Map(lines.map(({ control, text }) => [control, text]));
}

/** True if the line says something that was not said before, as all of a new question does. A control that was pressed
    has been named already. */
function news({ key, text, control, card, state }) {
  // The camera's state waits for a request, the table draws at once, and the last call tells how the game ended.
  if (state || card && card.querySelector(".draws")) return false;
  if (card && card.matches(".calm") && each() && view.calls.slice(-1).some((call) => call.text.includes(text))) return false;
  if (card && card.matches(".ask:not(.given)") && !cards.has(card)) return true;
  if (!control) return !before.has(key);
  if (control === at) return false;
  const was = controls.get(control);
  return was === undefined ? !before.has(key) : was !== text && !control.matches(".pickable");
}

/** Read what is new in the question since the last time. */
function changed() {
  soon = 0;
  const lines = question(), fresh = lines.filter(news);
  if ([...asks.children].some((card) => !cards.has(card) && !card.matches(".notice"))) hush("ask", "secret");
  else if (!lines.some(({ secret }) => secret)) hush("secret");
  // In a race there is no time to read what it is about.
  const wanted = (each() || (on() && pressed)) && (!race || race.confirm);
  if (wanted) tell(headed(lines, fresh));
  if (fresh.length) pressed = false;
  remember(lines);
}

/** New lines, with the heading above those that need one. */
const isKey = (line) => line && line.control && line.control.matches(".key");
const headed = (lines, fresh) => lines.filter((line, place) => fresh.includes(line) || (line.heading && isKey(lines[place + 1]) && fresh.includes(lines[place + 1])));

new MutationObserver(() => { soon = soon || setTimeout(changed, SETTLED); })
  .observe(asks.parentNode, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden", "disabled", "aria-label", "open"] });

new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const added of addedNodes) if (on() && added.matches && added.matches(".toast")) speak(added.textContent, "told");
}).observe(document.body, { childList: true });

const LINKS = { live: "The table is back.", lost: "Connection to the table lost.", off: "The table was turned off." };
const badge = document.getElementById("badge");
new MutationObserver(() => {
  const { state } = badge.dataset;
  if (state === link || !LINKS[state]) return;
  link = state;
  if (on()) speak(LINKS[state], "told");
}).observe(badge, { attributes: true, attributeFilter: ["data-state"] });

function raced(now) {
  const [was, mine] = [race && race.seats[seat], now && now.seats[seat]];
  race = now;
  if (!on() || !mine || (was && was.words) === mine.words) return;
  hush();
  speak(was ? mine.words : `Race to first. Go! ${mine.words} To call, tap the lower half of the screen, or press Space.`, "race");
}

function happened(missed) {
  const fresh = unheard(view, missed);
  if (!each() || !fresh.length) return;
  if (waiting("call") > BEHIND || fresh.some(({ marks }) => marks.includes("back"))) hush("call");
  for (const { text } of fresh) speak(text, "call");
}

// Choosing -----------------------------------------------------------------------------------------------------------

const within = (one) => one && parts.some((part) => part.contains(one));

const covered = (control) => control.closest(".veiled > div") !== null;

/** Go to a control, and say it. */
function go(control) {
  [at, called] = [control, nameOf(control)];
  if (document.activeElement !== control) control.focus();
  hush("ask", "secret", "at");
  const all = numbered(linesOf(asks)), number = all.indexOf(control) + 1;
  const name = `${nameOf(control, true)}${control.getAttribute("aria-pressed") === "true" ? ", chosen" : ""}`;
  const place = number ? `${/[.?!]$/.test(name) ? " " : ", "}${number} of ${all.length}` : "";
  speak(name + place, covered(control) ? "secret" : "at");
}

function step(by) {
  const all = parts.flatMap(controlsOf);
  if (!all.length) return speak("Nothing to choose.", "at");
  const place = all.indexOf(at);
  go(all[place < 0 ? (by > 0 ? 0 : all.length - 1) : (place + by + all.length) % all.length]);
}

/** The control with this number; while dice are typed, the face, or the place of a face without a number. */
function counted(number) {
  const open = [...asks.querySelectorAll(".keys")].find((one) => one.checkVisibility() && !one.querySelector("[aria-pressed=true]"));
  const keys = open ? controlsOf(open) : [];
  return keys.find((one) => parseInt(one.textContent) === number) || keys.filter((one) => Number.isNaN(parseInt(one.textContent)))[number - 1] ||
    numbered(linesOf(asks))[number - 1];
}

/** Go to the control with the number that was typed, of one digit or of two in quick succession; 0 alone is 10. */
function type(digit, when) {
  const two = when - typing.when < QUICK ? counted(Number(typing.digit + digit)) : null;
  typing = { digit, when };
  const control = two != null ? two : counted(Number(digit) || 10);
  if (control && !control.disabled) return go(control);
  // Enter must not press what was chosen before.
  at = null;
  if (document.activeElement) document.activeElement.blur();
  speak(`No option ${digit}`, "at");
}

const press = () => at && at.isConnected ? at.click() : speak("Nothing chosen yet", "at");

/** Say what was pressed. It does not repeat a secret, and says of a piece only where it lies then. */
function said(control) {
  pressed = true;
  typing = NOTHING;
  hush("ask", "secret", "at");
  if (!control.matches(".place, .piece")) speak(covered(control) ? "Chosen" : briefOf(control), "told");
}

const pointed = () => { touched = at; };
const focused = ({ target }) => {
  const control = controlAt(target);
  if (!within(control) || control === at) return;
  // The same control, drawn again, is not said twice.
  if (at && !at.isConnected && called === nameOf(control)) at = control;
  else go(control);
};
const clicked = (event) => {
  const control = controlAt(event.target);
  if (!within(control)) return;
  const held = control.matches(".veil:not([aria-expanded])");
  if (held && at !== control) go(control);
  else if (event.detail && touched !== control && !held) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (at !== control) go(control);
    speak("Tap again to press it", "at");
  } else if (!held) said(control);
};

// Keys and the bar ---------------------------------------------------------------------------------------------------

const KEYS = { r: read, s: standing, c: table, escape: () => hush(), arrowdown: () => step(1), arrowright: () => step(1), arrowup: () => step(-1), arrowleft: () => step(-1) };
const typed = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const digit = /^[0-9]$/.test(event.key), act = digit ? () => type(event.key, event.timeStamp) : KEYS[event.key.toLowerCase()];
  // In a race Space calls, wherever the focus is, and nothing may take it from the call.
  const call = race && !race.confirm && (event.key === " " || event.key === "Enter") && document.querySelector(".call");
  if (call && event.target !== call) {
    event.preventDefault();
    if (!event.repeat) call.click();
  }
  if (!act || (race && !race.confirm && (digit || event.key.startsWith("Arrow")))) return;
  event.preventDefault();
  act();
};

const HEEDED = { pointerdown: pointed, focusin: focused, click: clicked, keydown: typed };
const button = (words, key, act, more = {}) => h("button", { class: "button", "aria-keyshortcuts": key, onclick: act, ...more }, words);
// What is shown only while a finger is down is shown by this button too.
const hold = (type) => () => at && at.dispatchEvent(new PointerEvent(type));
const bar = h("section", { class: "aloud", "aria-label": "Read aloud" },
  button("Read", "R", read), button("Situation", "S", standing), button("Cards", "C", table), button("Quiet", "Escape", () => hush()),
  h("div", { class: "walk" }, button("Back", "ArrowUp", () => step(-1)), button("OK", "Enter", press, { onpointerdown: hold("pointerdown"), onpointerup: hold("pointerup"), onpointercancel: hold("pointerup") }),
    button("Next", "ArrowDown", () => step(1))));

let active = false;

/** Heed keys and touches while it is on. Returns true if that has just begun: voices may become known only after the tap. */
function activate() {
  readEverything(each());
  if (on() === active) return false;
  active = on();
  for (const [type, act] of Object.entries(HEEDED)) (active ? document.addEventListener : document.removeEventListener).call(document, type, act, true);
  document.body.classList.toggle("by-ear", active);
  if (active) document.body.append(bar);
  else bar.remove();
  document.dispatchEvent(new Event("by-ear"));
  return active;
}

document.addEventListener("visibilitychange", () => { if (document.hidden) hush("secret"); });
document.head.append(h("link", { rel: "stylesheet", href: "/static/css/aloud.css" }));
follow((now, missed) => {
  view = now;
  raced(now.race);
  happened(missed);
});

let heeding = false, asked = false;

/** Read as much as was chosen before, or after a `tap` the next of off, on request and each question; `control` says which. */
export function turn(control, tap) {
  const show = () => {
    control.textContent = `Read aloud: ${level}${level !== "off" && voiceless() ? ", but this phone has no voice" : ""}`;
    const begun = activate();
    if (!on() || !(begun || tap) || !(asked || each())) return;
    speak(`Reading aloud, ${level}`, "told");
    tell(question());
    if (asked) for (const text of situation()) speak(text, "ask");
  };
  const first = tap && level === "off";
  if (tap) {
    asked = true;
    level = LEVELS[(LEVELS.indexOf(level) + 1) % LEVELS.length];
    localStorage.setItem("aloud", level);
    hush();
  }
  show();
  remember(question());
  if (!heeding) onVoices(() => turn(control));
  heeding = true;
  keepAwake("aloud", on()).then((kept) => { if (first && on() && !kept) speak(advise(control), "told"); });
}
