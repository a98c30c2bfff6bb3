// Who manages each seat: the operator may hand any of them over or back.

import { whose } from "/static/js/asks/asks.js";
import { PACES, ROLLERS, portrait, traits } from "/static/js/asks/managed.js";
import { follow } from "/static/js/live.js";
import { focusOn, h, run, send } from "/static/js/parts.js";

const place = document.getElementById("managers"), inside = place.querySelector("div");
const ASSISTANCE = { false: "All", true: "Only what matters" };
let shown = "";

/** A row of buttons, one of which is pressed: [value, words]. */
function row(legend, words, pressed, act) {
  const button = ([value, label]) => h("button", { class: "when", "data-value": value, "aria-pressed": String(value === pressed), onclick: ({ currentTarget }) => run(currentTarget, () => act(value)) }, label);
  return h("fieldset", { class: words.length > 3 ? "cast" : "" }, h("legend", {}, legend), words.map(button));
}

follow(({ managers, manageable, cast, pace, standing, table_rolls: byTable, table: { scoreboard, outcome } }) => {
  place.parentElement.hidden = !manageable || Boolean(outcome);
  const seats = Object.keys(scoreboard.plays), facts = JSON.stringify([manageable, seats.map((seat) => [whose(scoreboard, seat), managers[seat] && managers[seat].key, standing[seat].assisted]), pace, byTable]);
  if (facts === shown) return;
  shown = facts;
  const at = inside.contains(document.activeElement) && [document.activeElement.closest("fieldset"), document.activeElement.dataset.value];
  const old = at && [...inside.children].indexOf(at[0]);
  inside.replaceChildren(
    ...seats.map((seat) => row(whose(scoreboard, seat), [["", "A person"], ...cast.map((one) => [one.key, [portrait(one, scoreboard.sides[scoreboard.plays[seat]].colour, 40), h("span", {}, one.name, " ", h("small", {}, traits(one)))]])], managers[seat] ? managers[seat].key : "", (strength) => send("/api/seat/manager", { seat, strength: strength || null }))),
    ...seats.filter((seat) => !managers[seat]).map((seat) => row(`Questions to ${whose(scoreboard, seat)}`, Object.entries(ASSISTANCE), String(standing[seat].assisted), (on) => send("/api/seat/assistance", { seat, on: on === "true" }))),
    ...Object.keys(managers).length ? [row("Computer pace", Object.entries(PACES), pace, (now) => send("/api/pace", { pace: now })),
      row("Who rolls for the computer?", Object.entries(ROLLERS), byTable ? "table" : "you", (now) => send("/api/table-rolls", { on: now === "table" }))] : []);
  if (at && inside.children[old]) focusOn(inside.children[old].querySelector(`[data-value="${at[1]}"]`));
});
