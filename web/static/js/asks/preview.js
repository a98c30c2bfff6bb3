// What a correction would change, in words: for the operator, and for the seats that must agree.

import { gameUi } from "/static/js/asks/game_ui.js";
import { h } from "/static/js/parts.js";

const runs = ({ sides: { away, home } }) => `${away.name} ${away.runs}, ${home.name} ${home.runs}`;
const on = (board) => ["1st", "2nd", "3rd"].filter((_, base) => board.bases[base]).join(" and ");
const place = (board) => `${board.half === "top" ? "top" : "bottom"} ${board.inning}, ${board.outs} out, ${on(board) ? `runner on ${on(board)}` : "bases empty"}, ${board.stake == null ? "" : `${board.stake} at stake, `}${board.batter != null ? board.batter : "nobody"} at bat`;

/** How many games would be deleted; false for none. */
export const fell = (games) => games > 0 && h("p", {}, h("b", {}, `This deletes the ${games === 1 ? "game" : `${games} games`} played after it. You can't undo that.`));

/** A number of answers: "2 later answers". */
export const answers = (count, more = "") => `${count} ${more}answer${count === 1 ? "" : "s"}`;

/** "answer", or "2 answers". */
const after = (count) => count === 1 ? "answer" : answers(count);

/** What only this game adds to its place. */
function added(board) {
  const { standing } = gameUi(board.game);
  return standing && standing(board.panel) || "";
}

/** The scoreboard now and after the change. */
export function compared({ before, after }) {
  const [now, then] = [before, after].map((board) => `${runs(board)}; ${place(board)}${added(board)}`);
  if (now === then) return h("p", {}, "The score and bases stay the same.");
  return h("table", {}, [["Now", now], ["Then", then]].map(([when, words]) => h("tr", {}, h("th", { scope: "row" }, when), h("td", {}, words))));
}

const ordinal = (number) => `${number}${[, "st", "nd", "rd"][number % 100 >> 3 === 1 ? 0 : number % 10] || "th"}`;
export const halfName = ({ inning, half }) => `${half === "top" ? "Top" : "Bottom"} of the ${ordinal(inning)}`;

/** What becomes of the half-innings after a corrected roll; neighbors that share their fate are one item. */
function fates(halves) {
  const runs = [];
  for (const one of halves) {
    const fate = !one.dropped ? "stay" : !one.kept ? "fall" : "part", last = runs.slice(-1)[0];
    if ((last && last.fate) === fate && fate !== "part") last.to = one;
    else runs.push({ fate, from: one, to: one });
  }
  return h("ul", { class: "halves" }, runs.map(({ fate, from, to }) => {
    const words = from === to ? halfName(from) : `${halfName(from)} to ${halfName(to).toLowerCase()}`;
    const becomes = fate === "part" ? `${from.dropped} of ${answers(from.kept + from.dropped)} will be removed` : fate === "fall" ? "will be removed" : "will stay as played";
    return h("li", { class: fate === "stay" ? "stays" : "falls" }, h("b", {}, words), ` ${becomes}`);
  }));
}

/** What becomes of the later answers, and what would happen. */
export const kept = ({ kept, dropped, sentences, halves }) => h("div", {},
  halves.length > 0 && fates(halves),
  h("p", {}, kept.length && dropped.length ? `${answers(kept.length, "later ")} will stay. ${answers(dropped.length, "later ")} will be removed.` :
    dropped.length ? `This removes the ${after(dropped.length)} after it.` : kept.length ? `The ${after(kept.length)} after it will stay.` : "Nothing after it changes."),
  sentences.length > 0 && h("p", { class: "quiet" }, sentences.slice(0, 6).join(" ")));
