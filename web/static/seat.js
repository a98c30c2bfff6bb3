// A seat's page: its own asks, large.

import { follow } from "/static/live.js";
import { hands } from "/static/hands.js";

follow(hands(document.getElementById("asks"), document.body.dataset.seat));
