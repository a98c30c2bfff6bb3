// What the stage reveals once: dice that were just thrown tumble in, hidden hands open together, and the row of a card
// that counts lights up. Only what is new since the last drawing moves, and nothing does where less motion is wanted.

const calm = matchMedia("(prefers-reduced-motion: reduce)");

const shown = (die) => die.getAttribute("aria-label");
let dice = null, hidden = false, lit = new Set();

const TUMBLE = [
  { transform: "translateX(14rem) rotate(560deg) scale(.7)", opacity: 0 },
  { transform: "translateX(-.6rem) rotate(-14deg)", opacity: 1, offset: .6 },
  { transform: "none", opacity: 1 },
];

/** Let the dice in `place` tumble in, if they are others than before: a roll that is read and then counts does so once. */
export function tumble(place) {
  const now = [...place.querySelectorAll(".tray .die")], faces = now.map(shown).join();
  if (!calm.matches && dice !== null && faces && faces !== dice) {
    for (const [i, die] of now.entries()) die.animate(TUMBLE, { duration: 700, delay: 60 * i, fill: "backwards", easing: "cubic-bezier(.2, .9, .3, 1)" });
  }
  dice = faces;
}

/** Open the hands in `place` that were closed, all in the same moment, and light the rows that are new. */
export function reveal(place) {
  const open = place.querySelectorAll(".hand.open");
  if (!calm.matches && hidden) for (const hand of open) opening(hand);
  hidden = Boolean(place.querySelector(".hand.closed"));
  const rows = [...place.querySelectorAll("tr.now")], now = new Set(rows.map(({ textContent }) => textContent));
  for (const row of rows) if (!calm.matches && !lit.has(row.textContent)) flash(row);
  lit = now;
}

function opening(hand) {
  const how = { duration: 650, easing: "cubic-bezier(.2, 1.5, .4, 1)", fill: "backwards" };
  for (const finger of hand.querySelectorAll(".finger, .thumb")) finger.animate([{ transform: "scaleY(.3)" }, { transform: "none" }], how);
  hand.querySelector(".slip").animate([{ transform: "scale(.2)", opacity: 0 }, { transform: "none", opacity: 1 }], { ...how, delay: 250 });
}

/** A row or cell that counts swells once. */
export function flash(cell) {
  if (calm.matches) return;
  cell.animate([{ transform: "scale(1)" }, { transform: "scale(1.06)", offset: .3 }, { transform: "scale(1)" }], { duration: 700, easing: "ease-out" });
}
