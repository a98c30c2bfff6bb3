// A seat's page: its own asks, large; in a race one button, larger still.

import { follow } from "/static/js/live.js";
import { hands, seated, veiled } from "/static/js/asks/asks.js";
import { h } from "/static/js/parts.js";
import { caller } from "/static/js/asks/race.js";

const { seat } = document.body.dataset;
const veil = document.getElementById("veil"), own = document.getElementById("own");
veil.append(veiled(veil.dataset.lid, own));
own.hidden = false;
follow(({ table: { scoreboard: { plays } } }) => {
  // The page says what to do where the game on the table has no such seat.
  if (!(seat in plays)) location.reload();
  // Who plays alone has no secrets.
  veil.hidden = Object.keys(plays).length < 2;
});
// In a series the sides change: the page is always that of the side the seat plays now.
let side = "";
follow(({ table: { scoreboard } }) => {
  if (!(seat in scoreboard.plays)) return;
  const { colour, name } = seated(scoreboard, seat);
  if (side === colour + name) return;
  side = colour + name;
  document.querySelector("header .game").replaceChildren(h("span", { class: `chip team-${colour}`, "aria-hidden": "true" }), name);
  document.title = `${name} · Dugout`;
});
follow(hands(document.getElementById("asks"), seat));
follow(caller(seat));
