// A seat's page: its own asks, large; in a race one button, larger still.

import { follow } from "/static/live.js";
import { hands } from "/static/hands.js";
import { caller } from "/static/race.js";

const { seat } = document.body.dataset;
const veil = document.getElementById("veil");
document.addEventListener("visibilitychange", () => { if (document.hidden) veil.open = false; });
follow(hands(document.getElementById("asks"), seat));
follow(caller(seat));
