// Moments: what each kind of play looks like when it happens, for one to four seconds. Nothing is shown twice.

import { news } from "/static/js/news.js";
import { h } from "/static/js/parts.js";

// The greatest first. Words, seconds, and whether it fills the stage.
const SHOWS = {
  "walk-off": ["Walk-off!", 4, true],
  final: ["Ball game", 3, true],
  "home-run": ["Home run!", 3.5, true],
  comeback: ["Comeback!", 3, true],
  lead: ["Lead change", 2, false],
  "double-play": ["Double play", 2, false],
  strikeout: ["Strikeout", 1.2, false],
  tie: ["Tie game", 2, false],
  run: ["Run scores", 1.5, false],
  "half-inning": ["", 4, false],
};
const ORDER = Object.keys(SHOWS);

// Milliseconds. What comes sooner after a play, the table itself gave: both are shown, one after the other.
const SOON = 700;

let place = document.getElementById("moment");
const between = document.getElementById("between");
let over = 0, begun = 0, pressed = "";
const fresh = news();
const queue = [];

const greatest = (lines) => lines.filter((line) => line.moment in SHOWS).sort((a, b) => ORDER.indexOf(a.moment) - ORDER.indexOf(b.moment))[0];

/** Show the moments of plays that are news to this page. A press of a button at the table goes on at once, and so does the
    next play, but not the half-inning that it begins. */
export function celebrate(view, missed) {
  const dial = JSON.stringify(view.dial && view.dial.touched ? view.dial : null);
  if (dial !== pressed && dial !== "null") skip();
  pressed = dial;
  const lines = fresh(view, missed);
  if (!lines) skip();
  for (const n of new Set((lines && lines.map((line) => line.n)))) {
    const begins = ({ moment }) => moment === "half-inning", same = lines.filter((line) => line.n === n);
    // A third out has its own moment before the half-inning that it ends.
    for (const some of [same.filter((line) => !begins(line)), same.filter(begins)]) add(view, some);
  }
}

function add(view, lines) {
  const line = greatest(lines);
  if (!line) return;
  const { sides } = view.table.scoreboard;
  const [words, seconds, whole] = SHOWS[line.moment];
  const half = line.moment === "half-inning";
  // After a game of a season the scoreboard is that of the next one already.
  const gone = (line.moment === "walk-off" || line.moment === "final") && !view.table.outcome;
  // The first half-inning of a game needs no moment.
  if (half && line.inning === 1 && line.half === "top") return;
  if (!half && Date.now() - begun > SOON) skip();
  queue.push({
    words, half,
    sentence: half ? "" : lines.filter((one) => one.code !== "half-inning").map((one) => one.sentence).join(" "),
    score: !gone && (half || line.scored || whole) ? `${sides.away.name} ${sides.away.runs} · ${sides.home.name} ${sides.home.runs}` : "",
    team: !gone && (sides[line.seat != null ? line.seat : view.table.outcome && view.table.outcome.winner] || {}).colour,
    clip: whole && line.clip ? `/evidence/${line.evidence}.webp` : "",
    kind: line.moment, seconds, whole,
  });
  if (!over) { begun = Date.now(); next(); }
}

function next() {
  clearTimeout(over);
  over = 0;
  const show = queue.shift();
  // An element of its own for each: none grows out of the one before.
  const last = place;
  place = last.cloneNode();
  place.hidden = !show || show.half;
  last.replaceWith(place);
  // Between half-innings the line score and who is due up have a layout of their own.
  between.parentElement.hidden = !(show && show.half);
  if (!show) return;
  over = setTimeout(next, show.seconds * 1000);
  if (show.half) return between.dispatchEvent(new Event("drawn", { bubbles: true }));
  place.className = `${show.whole ? "whole" : "small"} ${show.kind}${show.clip ? " clipped" : ""}${show.team ? ` team-${show.team}` : ""}`;
  place.replaceChildren(...[
    show.whole && h("i"),
    h("b", {}, show.words),
    show.sentence && h("p", {}, show.sentence),
    show.score && h("p", { class: "score" }, show.score),
    show.clip && h("img", { class: "clip", src: show.clip, alt: "" }),
  ].filter(Boolean));
}

/** Show the next moment, or none, at once. */
export function skip() {
  queue.length = 0;
  next();
}
