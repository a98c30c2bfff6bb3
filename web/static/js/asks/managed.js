// A seat that a computer manages: people throw its dice, and nothing else is asked of them.

import { names } from "/static/js/asks/dice.js";
import { h, run, send } from "/static/js/parts.js";

/** The paces of a computer, in words. */
export const PACES = { normal: "Normal", brisk: "Brisk", instant: "Instant" };

/** Who rolls for a computer, in words. */
export const ROLLERS = { you: "You", table: "The table" };

const thrown = ({ kind }) => kind === "roll" || kind === "reroll";

/** The asks that the phone of `seat` answers, or the operator's if it is undefined: its own and, for a computer, its
    throws. If a computer manages both sides, or people left it to the table, the table throws. */
export function answerable({ table: { asks, scoreboard }, managers, table_rolls: byTable }, seat) {
  const people = !byTable && Object.keys(scoreboard.plays).some((one) => !(one in managers));
  return asks.filter((ask) => ask.seat in managers ? people && thrown(ask) : !seat || ask.seat === seat);
}

/** The dice at these places, by what they show: "the 2 and the 5"; by name if that is not enough. */
function shown({ dice, faces }, places) {
  const twice = new Set(faces).size < faces.length && new Set(places.map((place) => faces[place])).size < places.length;
  const words = places.map((place) => twice ? `${names(dice)[place]}, which shows ${faces[place]},` : `the ${faces[place]}`);
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.slice(-1)[0]}` : words[0];
}

/** What people throw again for the computer, in words; `again` null: it is still thinking. */
export const throwAgain = (ask, again) => again ? `Reroll ${shown(ask, again)}.` : "One moment. The computer is choosing which dice to reroll.";

/** What is known of a computer manager, in a few words, and its portrait. */
export const traits = ({ strength, temper }) => `${strength}, ${temper}`;
export const portrait = ({ name }, colour, size) => h("img", { src: `/portrait.svg?name=${encodeURIComponent(name)}&colour=${colour}`, alt: "", width: size, height: size });

/** The first name of a manager, as boards and questions call it. */
export const firstName = ({ name }) => name.split(" ")[0];

/** The same ask, in which only the dice that the computer chose can be thrown. */
export const limited = (ask, again) => ({ ...ask, free: again, most: again.length, fixed: again });

/** On the phone of a seat that a computer manages: who manages it, and a large button to take over. It stays above what
    is thrown for the computer, so that the button never moves. */
export function managedCard(seat, manager, side) {
  const over = h("button", { class: "button choice", onclick: () => run(over, () => send("/api/seat/manager", { seat, strength: null })) }, "Take over");
  return h("article", { class: `ask managed team-${side.colour}` },
    h("div", { class: "manager" }, h("div", {}, portrait(manager, side.colour, 48), h("div", {}, h("p", { class: "whose" }, `${side.name}: computer, ${traits(manager)}`), h("h2", {}, `${firstName(manager)} manages this seat.`))), over),
    h("div", { class: "between" }));
}
