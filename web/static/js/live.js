// The page follows the table: one stream, always the newest whole view, and a badge for the connection.
// The server renders the panel; this module only replaces the regions that changed.

import { mark } from "/static/js/marks.js";
import { announceUse, mayStream, onOtherUse } from "/static/js/streams.js";

const BEAT = 5, QUIET = 2.5 * BEAT;
// Seconds from look to look of a page that is visible and has no stream of its own.
const TURN = 5;
// The parts that sound or speak. Their modules are loaded only when they are turned on.
const AUDIBLE = ["sounds", "announcer", "aloud"];
const { seat, size, page } = document.body.dataset;
const badge = document.getElementById("badge");
const title = document.querySelector("header .game");
const said = document.getElementById("said");
const older = document.getElementById("older");
const only = document.getElementById("only");
const none = document.getElementById("none");
const drawn = new Map();
const followers = [];

let fetching = false, latest = null, arrived = null;
let source = null, heard = Date.now(), tried = 0, lastSaid = said && said.textContent, undone, again = 0, off = null;
let woke = 0, missed = false;

const isOn = (name) => document.getElementById(name) && (localStorage.getItem(name) || "off") !== "off";
const speaks = () => AUDIBLE.some(isOn);
// A page without a badge is for broadcasts, whose software may call it hidden.
const shown = () => !badge || !document.hidden;
const hasStream = () => mayStream(shown());
const followed = () => shown() || (speaks() && hasStream());

/** Call `follower(view, missed)` with the newest view, if there is one, and with every one that arrives. `missed` is true
    after a time in which nobody followed this page: what happened then is no news. */
export function follow(follower) { followers.push(follower); if (latest) follower(latest); }

/** What a view's notice says beside its warnings, which have a place of their own; "" for nothing. */
export const ordinaryNotice = ({ notice, warnings }) => (notice != null ? notice : "").slice(warnings.join(" ").length).trim();

function connect() {
  clearTimeout(again);
  if (source) source.close();
  if (!followed()) return;
  tried = Date.now();
  const which = Object.entries({ seat, page }).find(([, value]) => value);
  source = new EventSource(`/stream?changes=true${which ? `&${which.join("=")}` : ""}`);
  const on = (name, act) => source.addEventListener(name, (event) => {
    heard = Date.now();
    act(JSON.parse(event.data));
    show();
  });
  // A view and its panel are shown together: nothing moves twice.
  on("view", (now) => { arrived = now; });
  on("change", (news) => { arrived = news.reduce(put, arrived); });
  on("panel", (regions) => { view(arrived); panel(regions); document.documentElement.dataset.live = "following"; makeRoom(); });
  on("beat", () => {});
  on("freed", () => location.reload());
  on("over", over);
  source.onerror = () => {
    show();
    if (source.readyState === EventSource.CLOSED) { again = setTimeout(connect, 3000); checkPass(); }
  };
}

/** Close the stream if other pages need it more; a visible page then looks again and again. */
function makeRoom() {
  if (hasStream() && followed()) return;
  clearTimeout(again);
  if (source) source.close();
  if (shown()) again = setTimeout(connect, 1000 * TURN); else missed = true;
}

/** Somebody uses this page: it has a stream from now on, and others may have to close theirs. */
function claimStream() {
  announceUse(speaks() ? "speaks" : "shows");
  if (!source || source.readyState === EventSource.CLOSED || Date.now() - heard > 2000) connect();
}

/** `old` with a value put at the end of a path of keys and places; those who hold the old one see no change. */
function put(old, [[key, ...path], value]) {
  if (key === undefined) return value;
  return Object.assign(Array.isArray(old) ? [...old] : { ...old }, { [key]: put(old[key], [path, value]) });
}

/** The table was switched off: say so, and wait for it. A page without a badge is for broadcasts, and shows nothing. */
function over({ sentence }) {
  source.close();
  again = setTimeout(connect, 3000);
  if (!badge || off) return;
  off = Object.assign(document.createElement("p"), { className: "refusal", textContent: sentence });
  off.setAttribute("role", "status");
  document.getElementById("main").prepend(off);
}

/** A stream that stays refused: the seat was given up, or the table has a new key. */
async function checkPass() {
  const answer = seat && await fetch(`/api/view?seat=${seat}`).catch(() => null);
  if ((answer && answer.status) === 401 || (answer && answer.status) === 403) location.reload();
}

function view(now) {
  if (off) off.remove();
  off = null;
  latest = now;
  // Each game has its own style sheet; the others wait until their game is on the table.
  for (const link of document.querySelectorAll("link[data-game]")) link.disabled = link.dataset.game !== now.game.key;
  const { away, home } = now.table.scoreboard.sides;
  if (!seat && !document.body.dataset.operator) document.title = `${away.name} ${away.runs}, ${home.name} ${home.runs} · Dugout`;
  if (title && !seat) title.textContent = now.game.title;
  // A notice reports what was taken back; the play before it is not news.
  const back = now.undone > undone && ordinaryNotice(now);
  undone = now.undone;
  // On pages that answer, the notice is enough.
  const spoken = back && document.getElementById("asks") ? "" : back || now.table.last;
  if (said && (back || now.table.last !== lastSaid)) said.textContent = spoken;
  lastSaid = now.table.last;
  for (const follower of followers) follower(now, missed);
  missed = false;
}

function panel(regions) {
  for (const [name, html] of Object.entries(regions)) {
    const place = document.getElementById(name);
    if (!place || drawn.get(name) === html) continue;
    const first = !drawn.has(name);
    drawn.set(name, html);
    const scrolled = (place.querySelector(".scroll") || {}).scrollLeft;
    // What somebody opened or closed stays that way.
    const folds = new Map([...place.querySelectorAll("[data-leaf]")].map((leaf) => [leaf.dataset.leaf, leaf.open]));
    place.innerHTML = html;
    for (const leaf of place.querySelectorAll("[data-leaf]")) if (folds.has(leaf.dataset.leaf)) leaf.open = folds.get(leaf.dataset.leaf);
    if (scrolled) place.querySelector(".scroll").scrollLeft = scrolled;
    place.classList.toggle("fresh", !first);
    place.dispatchEvent(new Event("drawn", { bubbles: true }));
    if (name === "plays" && older && older.open) earlier();
    if (name === "outcome" && html) import("/static/js/share.js");
  }
  mark(regions);
  mentionRuns();
}

async function earlier() {
  if (fetching) return;
  fetching = true;
  await new Promise((soon) => setTimeout(soon, 300));
  fetching = false;
  const answer = await fetch("/plays").catch(() => null);
  if (!(answer && answer.ok)) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const halves = [...page.querySelectorAll("#all .half")].slice(1);
  document.getElementById("earlier").replaceChildren(...halves.length ? halves : ["This is the first half-inning."]);
  mentionRuns();
}

/** "No runs yet." stands only where no play scored, and the earlier ones have been fetched. */
function mentionRuns() {
  if (none) none.hidden = document.querySelector(".story .scoring, #earlier > p") !== null;
}

function show() {
  if (!followed()) return;
  const silent = (Date.now() - heard) / 1000, quiet = Math.min(silent, (Date.now() - woke) / 1000) < QUIET;
  const open = !hasStream() || (source && source.readyState) === EventSource.OPEN;
  if (Date.now() - Math.max(heard, tried) > 2000 * QUIET) connect();
  if (!badge) return;
  const state = off ? "off" : open && silent < QUIET ? "live" : quiet ? "again" : "lost";
  const words = { off: "Turned off", live: hasStream() ? "Live" : `Every ${TURN} s`, again: "Reconnecting", lost: `Last heard ${span(silent)} ago` }[state];
  if (badge.dataset.state !== state) badge.dataset.state = state;
  if (badge.textContent !== words) badge.textContent = words;
}

const span = (seconds) => seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

// After sleep a phone holds a socket that looks open but is dead, so waking reconnects.
document.addEventListener("visibilitychange", () => {
  if (shown()) { woke = Date.now(); claimStream(); return; }
  if (!speaks()) announceUse("");
  makeRoom();
});
addEventListener("pageshow", (event) => { if (event.persisted) claimStream(); });
for (const doubt of ["online", "offline", "silence"]) addEventListener(doubt, () => { connect(); show(); });
addEventListener("pagehide", () => { announceUse(""); if (source) source.close(); });
onOtherUse(() => { if (!hasStream() || !followed()) makeRoom(); else if (source && source.readyState === EventSource.CLOSED) connect(); });
for (const touch of ["focus", "pointerdown", "keydown"]) addEventListener(touch, () => { if (!hasStream()) claimStream(); });
// Scoring plays only, or all plays: the style sheet does it, so new plays follow at once.
const whole = () => { if (only.checked && older) older.open = true; };
if (only) only.addEventListener("change", whole);
if (older) older.addEventListener("toggle", () => { if (older.open) earlier(); });
if (older && (only.checked || matchMedia("(min-width: 60rem)").matches)) older.open = true;
for (const name of [...AUDIBLE, "explain"]) {
  const button = document.getElementById(name);
  if (!button) continue;
  const load = (tap) => import(`/static/js/${name}.js`).then(({ turn }) => { turn(button, tap); if (tap) claimStream(); });
  button.hidden = false;
  button.onclick = load;
  if (isOn(name)) load();
}
if (size) document.documentElement.style.fontSize = `${size}%`;
setInterval(show, 1000);
document.documentElement.dataset.live = "started";
if (shown()) claimStream();
