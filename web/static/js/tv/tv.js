// The television's page: it follows the table, keeps everything in its place, and celebrates what happens.

import { keepAwake } from "/static/js/awake.js";
import { follow } from "/static/js/live.js";
import { celebrate, skip } from "/static/js/tv/moments.js";
import "/static/js/tv/league.js";
import { flash, reveal, tumble } from "/static/js/tv/reveal.js";
import { remember, run } from "/static/js/tv/runners.js";

const LEAST = .45;

/** Make what a region holds fit: what is `spare` goes first, the last of it before the others, so that letters stay
    large enough to read from a sofa. Longer names and cards get smaller letters, never a scroll bar. */
function fit(inner) {
  // What moves is measured where it comes to rest.
  // Chrome 84: an older one measures what moves where it is.
  const moving = (inner.getAnimations ? inner.getAnimations({ subtree: true }) : []).map((one) => [one, one.currentTime, one.effect.getComputedTiming().endTime]);
  for (const [one, , end] of moving) one.currentTime = end;
  scale(inner);
  for (const [one, time] of moving) one.currentTime = time;
}

function scale(inner) {
  const outer = inner.parentElement;
  if (!outer.matches(".region") || !outer.clientHeight) return;
  const style = getComputedStyle(outer);
  const room = outer.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  const width = outer.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const fits = (zoom) => {
    inner.style.zoom = zoom;
    return inner.scrollHeight * zoom <= room + 1 && inner.scrollWidth * zoom <= width + 1;
  };
  const spare = [...inner.querySelectorAll(".spare")];
  for (const one of spare) one.removeAttribute("hidden");
  while (!fits(1) && spare.length) spare.pop().setAttribute("hidden", "");
  if (fits(1)) return;
  let [low, high] = [LEAST, 1];
  while (high - low > .02) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle; else high = middle;
  }
  fits(low);
}

const fitAll = () => { for (const inner of document.querySelectorAll(".stage .fit")) fit(inner); };

const wide = () => !document.getElementById("field").childElementCount;
let was = wide();

/** Without a field the players have its room. They are cut to it: for one frame they are not there. */
function cut() {
  if (wide() === was) return;
  was = !was;
  const players = document.querySelector(".region.duel");
  players.classList.add("cut");
  requestAnimationFrame(() => requestAnimationFrame(() => players.classList.remove("cut")));
}

document.addEventListener("drawn", ({ target }) => {
  cut();
  fit(target);
  if (target.id === "field") run(target);
  if (target.id === "dice") tumble(target);
  if (target.id === "duel") reveal(target);
});
addEventListener("resize", fitAll);
// The chances to win take room from the plays when they arrive, after the plays were drawn.
const plays = document.getElementById("plays");
if (window.ResizeObserver) new ResizeObserver(() => fit(plays)).observe(plays.parentElement);
// A picture has no size until it has arrived.
document.addEventListener("load", ({ target }) => { const inner = target.closest && target.closest(".fit"); if (inner) fit(inner); }, true);

/** Light the cell of a batter's card for the face that was read. */
function light({ proposal }) {
  const face = (proposal && proposal.faces.length) === 1 ? proposal.faces[0] : null;
  for (const [i, cell] of [...document.querySelectorAll("#duel .card td")].entries()) {
    const now = i + 1 === face;
    if (now && !cell.classList.contains("lit")) flash(cell);
    cell.classList.toggle("lit", now);
  }
}

let latest = null;
document.addEventListener("drawn", ({ target }) => { if (target.id === "duel" && latest) light(latest); });
follow((view, missed) => {
  latest = view;
  remember(document.getElementById("field"), view.table.scoreboard);
  light(view);
  celebrate(view, missed);
});
const KEYS = { a: "announcer", s: "sounds" };
addEventListener("keydown", ({ key }) => { if (key in KEYS) document.getElementById(KEYS[key]).click(); else skip(); });
addEventListener("pointerdown", skip);
keepAwake("television", true);
fitAll();
document.querySelector(".stage").classList.add("fitted");
if (document.fonts) document.fonts.ready.then(fitAll);
