// A seat's page: its own asks, large; in a race one button, even larger.

import "/static/js/learn/first_time.js";
import { follow } from "/static/js/live.js";
import { hands, seated, veiled } from "/static/js/asks/asks.js";
import { h, rest, run } from "/static/js/parts.js";
import { caller } from "/static/js/asks/race.js";
import { standing } from "/static/js/asks/standing.js";

const { seat } = document.body.dataset;
const veil = document.getElementById("veil"), own = document.getElementById("own");
veil.append(veiled(veil.dataset.lid, own));
own.hidden = false;
follow(({ table: { scoreboard: { plays } } }) => {
  // If the game on the table has no such seat, the page says what to do.
  if (!(seat in plays)) location.reload();
  // A single player has no secrets.
  veil.hidden = Object.keys(plays).length < 2;
});
// Sides change in a series: the page always shows the side that the seat plays now.
let side = "";
follow(({ table: { scoreboard } }) => {
  if (!(seat in scoreboard.plays)) return;
  const { colour, name } = seated(scoreboard, seat);
  if (side === colour + name) return;
  side = colour + name;
  document.querySelector("header .game").replaceChildren(h("span", { class: `chip team-${colour}`, "aria-hidden": "true" }), name);
  document.title = `${name} · Dugout`;
});
for (const place of ["asking", "rematch"]) standing(document.getElementById(place), seat);
// "Take it back" comes up under the thumb that tapped Rematch.
document.getElementById("rematch").addEventListener("drawn", ({ currentTarget }) => rest(currentTarget));
const asks = document.getElementById("asks"), plate = document.getElementById("plate"), odds = document.getElementById("odds"), home = document.getElementById("plate-home");
follow(hands(asks, seat));
// Odds and the card of batter and pitcher stand in the question; while nothing is asked, so does what only the seat may see.
const below = document.createComment("");
veil.after(below);
follow(() => {
  const there = asks.querySelector(".between") || home;
  if (plate.parentNode !== there) there.append(odds, plate);
  home.hidden = there !== home;
  const calm = asks.querySelector(".calm, .given"), focused = document.activeElement;
  if (veil.parentNode === (calm != null ? calm : below.parentNode)) return;
  if (calm) calm.append(veil); else below.before(veil);
  if (veil.contains(focused)) focused.focus({ preventScroll: true });
});
follow(caller(seat));
// The module for corrections is loaded once somebody proposes one.
const corrections = () => import("/static/js/asks/agree.js");
document.getElementById("dice").addEventListener("click", ({ target }) => {
  const button = target.closest(".wrong");
  if (button) run(button, async () => (await corrections()).type());
});
follow(({ correction }) => { if (correction) corrections(); });
// Reading aloud is turned on with its key as well.
document.addEventListener("keydown", (event) => {
  const other = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select");
  if (event.key === "r" && !other) document.getElementById("aloud").click();
});
