// What a camera over the board sees: it waits for a yes of the seat that lays, and is mirrored in the manual controls.

import { h, run, send } from "/static/js/parts.js";

/** The card of a layout; null while something moves over the board. `pieces` is the word for its pieces. */
export function layoutCard(layout, pieces = "pieces") {
  if (!layout) return h("article", { class: "ask proposed" }, h("p", { class: "whose" }, "Seen on the board"), h("h2", {}, "Something moves. One moment."));
  const { seat, n, value, sure, words } = layout;
  const lies = Object.entries(value);
  const yes = h("button", { class: "button", onclick: () => run(yes, () => send("/api/answer", { seat, n, value })) }, "That is right");
  return h("article", { class: "ask proposed" },
    h("p", { class: "whose" }, "Seen on the board"),
    h("h2", {}, sure ? `The camera sees ${lies.length} ${pieces}.` : lies.length ? "Not all is clear yet." : "Nothing lies there yet."),
    sure && h("p", {}, lies.map(([area, piece]) => `${area}: ${piece}`).join(", ")), words.map((sentence) => h("p", {}, sentence)),
    sure && h("div", { class: "choices" }, yes),
    h("p", { class: "quiet" }, sure ? "If it is not, move them, or lay them below." : `Or lay them below${lies.length ? ": what is clear lies there already" : ""}.`));
}

/** Mirror what is seen in the manual controls inside `place`. */
export function mirror(layout, place) {
  if (layout) place.querySelector(".arrange")?.seen?.(layout.value);
}
