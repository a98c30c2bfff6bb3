// A correction of the last roll that one seat proposes, and the other side agrees to. Loaded once it is needed.

import { drawn, tappable, words } from "/static/js/asks/dice.js";
import { compared, fell, kept } from "/static/js/asks/preview.js";
import { picker } from "/static/js/asks/reroll.js";
import { proof } from "/static/js/asks/roll.js";
import { follow, ordinaryNotice } from "/static/js/live.js";
import { focusOn, h, rest, run, send, tell } from "/static/js/parts.js";

const PROPOSE = "/api/seat/correction";
const { seat } = document.body.dataset;
const main = document.getElementById("main"), place = document.getElementById("wrong");
const side = ({ sides, plays }, one) => sides[plays[one]] ? sides[plays[one]].name : one;
const body = (who, { n, value, version }) => ({ seat: who, n, value, version });

// A running button loses the focus, and is gone before it could get it back.
let touched = null;
for (const moved of ["focusin", "pointerdown"]) document.addEventListener(moved, ({ target }) => { touched = target; });

/** Replace what is in `place`; keyboard focus that was there goes to `onto`. */
function fill(place, onto, ...inside) {
  const focused = place.contains(touched);
  place.replaceChildren(...inside.filter(Boolean));
  place.hidden = !place.children.length;
  if (focused && document.activeElement === document.body) focusOn(place.querySelector("button") || onto);
}

// What the other side is asked --------------------------------------------------------------------------------------

const sheet = h("section", { class: "agree", hidden: true, "aria-label": "Correction of the last roll" });
const said = h("p", { class: "unseen", role: "status" });
main.append(sheet, said);
let asked = "";

/** Each die that the correction changes: what counts, and what it would be. */
function changes({ roll, value }) {
  const at = value.flatMap((face, i) => face === roll.value[i] ? [] : [i]), face = (of, i) => of[i] != null ? of[i] : roll.faces[i];
  const dice = at.map((i) => roll.dice[i]), [old, now] = [roll.value, value].map((of) => at.map((i) => face(of, i)));
  return { dice, old, now, many: roll.dice.length > 1 };
}

/** True if this phone may agree: the other side's, the operator's for a seat that no phone holds, or that of a player
    who plays alone. */
const may = ({ agrees, empty }) => seat ? seat === agrees : empty;

async function ask(correction, board) {
  const wanted = correction && (!seat || may(correction)) ? JSON.stringify(correction) : "";
  if (wanted === asked) return;
  asked = wanted;
  if (!wanted) return fill(sheet, main);
  const { dice, old, now, many } = changes(correction), alone = correction.seat === correction.agrees, agrees = may(correction);
  const change = agrees && await send("/api/correction").catch(() => null);
  if (wanted !== asked) return;
  const yes = h("button", { class: "button", onclick: () => run(yes, () => send(`${PROPOSE}/agree`, body(correction.agrees, correction))) },
    alone ? "Correct it" : seat ? "Agree" : `Agree for ${side(board, correction.agrees)}`);
  const no = h("button", { class: "button quiet", onclick: () => run(no, () => send(`${PROPOSE}/drop`, body(correction.agrees, correction))) }, alone ? "Cancel" : "Refuse");
  const look = agrees && [
    h("div", { class: "beside" }, h("p", { class: "turned", "aria-hidden": "true" }, dice.map((die, i) => h("span", {}, drawn(die, old[i]), h("b", {}, "→"), drawn(die, now[i])))), proof(correction.roll.evidence)),
    h("div", { class: "preview" }, change ? [fell(change.games), compared(change), kept(change)] : h("p", {}, "You'll see the effect once it's agreed."))];
  fill(sheet, main, h("p", { class: "whose" }, alone ? "Correction of the last roll" : `Correction from ${side(board, correction.seat)}`),
    h("h2", {}, `Did the ${many ? "dice" : "die"} show ${words(dice, now)}, not ${words(dice, old)}?`),
    ...look || [h("p", {}, `${side(board, correction.agrees)} must agree on the other phone.`)],
    h("div", { class: "choices" }, agrees && yes, no));
  said.textContent = correction.sentence;
  // A tap that was meant for what stood here before agrees to nothing.
  for (const button of sheet.querySelectorAll(".choices .button")) rest(button);
}

// What the proposer types -------------------------------------------------------------------------------------------

let view = null, roll = null, typing = false, mine = null, note = "", shown = "";

/** Replace what stands above the question. That moves the answers, so they ignore a tap for a moment. */
function put(...inside) {
  fill(place, document.querySelector("#dice .wrong"), ...inside);
  rest(document.getElementById("asks"));
}

/** Propose `value`; the value that counts takes back what was proposed. */
async function propose(value, button) {
  const { version } = view.table;
  await run(button, async () => {
    if (String(value) !== String(roll.value)) await send(PROPOSE, body(seat, { n: roll.n, value, version }));
    else if (mine) await send(`${PROPOSE}/drop`, body(seat, mine));
    [typing, note] = [false, ""];
  });
  shown = "";
  draw();
}

function typed(value) {
  if (roll.kind !== "reroll") return tappable({ dice: roll.dice, faces: value, likely: roll.likely }, (now, _, button) => propose(now, button));
  let now = value;
  const go = h("button", { class: "button", disabled: true, onclick: () => propose(now, go) }, "Propose");
  return h("div", { class: "keypad" }, picker(roll, value, (changed, whole) => { now = changed; go.disabled = !whole; }), go);
}

/** What is typed, beside the picture of the roll. */
const besideProof = (value) => h("div", { class: "beside" }, typed(value), proof(roll.evidence));

function draw() {
  const facts = JSON.stringify([typing, note, mine, typing && roll]);
  if (facts === shown) return;
  shown = facts;
  if (mine) {
    const other = side(view.table.scoreboard, mine.agrees);
    const back = h("button", { class: "button quiet", onclick: () => run(back, () => send(`${PROPOSE}/drop`, body(seat, mine))) }, "Withdraw");
    roll = mine.roll;
    put(h("h2", {}, `You proposed ${mine.words}, not ${mine.stands}.`),
      h("p", {}, mine.empty ? `${other} must agree. No phone holds the ${mine.agrees} seat, so the operator can agree for it.` : `${other} must agree on the other phone, before the next answer.`),
      besideProof(mine.value), back);
  } else if (typing) {
    const leave = h("button", { class: "button quiet", onclick: () => { typing = false; draw(); } }, "Keep the roll");
    put(h("h2", {}, roll.dice.length > 1 ? "What do the dice show?" : "What does the die show?"), besideProof(roll.value), leave);
    // The values of a single die are open at once.
    if (roll.dice.length === 1 && roll.kind !== "reroll") place.querySelector(".tap").click();
  } else put(note && h("p", { class: "quiet", role: "status" }, note));
}

/** Open the last roll, to type what it really showed; or close it. */
export async function type() {
  if (mine) return place.querySelector("button").focus();
  const [last] = await send("/api/rolls?limit=1").catch((error) => { tell(error.message); return []; });
  [typing, roll, note, shown] = [Boolean(last) && !typing, last, "", ""];
  draw();
  if (!typing) return;
  place.querySelector("button").focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

let version = null;

/** The last roll may be another by now. */
async function again() {
  const [last] = await send("/api/rolls?limit=1").catch(() => [roll]);
  if (!typing) return;  // what was typed here has counted meanwhile
  if (JSON.stringify([last && last.n, last && last.value]) !== JSON.stringify([roll.n, roll.value])) [typing, note] = [false, "The game has moved on."];
  draw();
}

follow((now) => {
  view = now;
  const { correction, table: { scoreboard, version: at } } = now, gone = mine;
  ask(correction, scoreboard);
  if (!place) return;
  mine = (correction && correction.seat) === seat && correction.agrees !== seat ? correction : null;
  if (mine) [typing, note] = [false, ""];
  else if (gone) note = ordinaryNotice(now) ? "" : `The game moved on. The roll stays ${gone.stands}.`;
  else if (at !== version) note = "";
  if (typing && at !== version) again();
  version = at;
  draw();
});
