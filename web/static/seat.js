// A seat's page: its own asks, large.

import { follow } from "/static/live.js";
import { hands } from "/static/hands.js";

const veil = document.getElementById("veil");
document.addEventListener("visibilitychange", () => { if (document.hidden) veil.open = false; });
follow(hands(document.getElementById("asks"), document.body.dataset.seat));
