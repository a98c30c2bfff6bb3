// After a game the result and the league take turns, until the next game begins.

const TURN = 15000; // ms

const place = document.getElementById("league"), region = place.parentElement;
let timer = 0;

function turn() {
  region.hidden = !region.hidden;
  if (!region.hidden) place.dispatchEvent(new Event("drawn", { bubbles: true }));
}

/** Take turns while there is a league to show; the game that begins is never hidden. */
function start() {
  const shown = place.childElementCount > 0;
  if (shown && !timer) timer = setInterval(turn, TURN);
  if (shown) return;
  clearInterval(timer);
  timer = 0;
  region.hidden = true;
}

place.addEventListener("drawn", start);
start();
