// A seat's page: its own asks, large; in a race one button, larger still.

import { follow } from "/static/live.js";
import { hands, held } from "/static/hands.js";
import { caller } from "/static/race.js";

const { seat } = document.body.dataset;
document.getElementById("veil").append(held("Press and hold: what only you may see", null, document.getElementById("own")));
follow(({ table: { scoreboard: { plays } } }) => {
  // The page says what to do where the game on the table has no such seat.
  if (!(seat in plays)) location.reload();
  // Who plays alone has no secrets.
  document.getElementById("veil").hidden = Object.keys(plays).length < 2;
});
follow(hands(document.getElementById("asks"), seat));
follow(caller(seat));
