// A seat's page: its own asks, large; in a race one button, larger still.

import { follow } from "/static/live.js";
import { hands, held } from "/static/hands.js";
import { caller } from "/static/race.js";

const { seat } = document.body.dataset;
document.getElementById("veil").append(held("Press and hold: what only you may see", null, document.getElementById("own")));
// Who plays alone has no secrets.
follow(({ table }) => { document.getElementById("veil").hidden = Object.keys(table.scoreboard.plays).length < 2; });
follow(hands(document.getElementById("asks"), seat));
follow(caller(seat));
