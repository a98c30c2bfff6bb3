// On the page of a seat whose phone is the operator's, too: undo, and a rematch that need not wait for the other seat.

import "/static/js/asks/undo.js";
import { follow } from "/static/js/live.js";
import { run, send } from "/static/js/parts.js";

const { seat } = document.body.dataset, start = document.getElementById("start-rematch");
start.onclick = () => run(start, () => send("/api/game/again", {}));
follow(({ rematch }) => { start.hidden = !rematch.includes(seat); });
