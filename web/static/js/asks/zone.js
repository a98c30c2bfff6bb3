// A choice laid out as its places lie on the board: one tap chooses.

import { h, run } from "/static/js/parts.js";

/** The options of `ask` in the rows and columns of `grid`, a list of rows of codes; null unless it has exactly those. */
export function zone(ask, grid, done) {
  const codes = grid ? grid.flat() : [], found = new Map(ask.options ? ask.options.map((option) => [option.value, option]) : []);
  if (!codes.length || codes.length !== found.size || !codes.every((code) => found.has(code))) return null;
  const words = ({ label }) => label.split(", ").reverse().map((word, at) => h(at ? "span" : "b", {}, `${word[0].toUpperCase()}${word.slice(1)} `));
  const place = (code) => h("button", { class: "button choice", "data-place": code, "data-value": code, onclick: (event) => { const it = event.currentTarget; run(it, () => done(code)); } }, words(found.get(code)));
  return h("div", { class: `zone of-${grid[0].length}` }, grid.flat().map(place));
}
