// What a camera over the board sees: it waits for a yes of the seat that lays, and is mirrored in the manual controls.

import { h, run, send } from "/static/js/parts.js";

/** The card of a layout; null while something moves over the board. `pieces` is the word for its pieces. */
export function layoutCard(layout, pieces = "pieces") {
  if (!layout) return h("article", { class: "ask proposed" }, h("p", { class: "whose" }, "Seen on the board"), h("h2", {}, "Something is moving. One moment."));
  const { seat, n, value, sure, words } = layout;
  const lies = Object.entries(value);
  const yes = h("button", { class: "button", onclick: () => run(yes, () => send("/api/answer", { seat, n, value })) }, "That's right");
  return h("article", { class: "ask proposed" },
    h("p", { class: "whose" }, "Seen on the board"),
    h("h2", {}, sure ? `The camera sees ${lies.length} ${pieces}.` : lies.length ? "Not everything is clear yet." : "Nothing is there yet."),
    sure && h("p", {}, lies.map(([area, piece]) => `${area}: ${piece}`).join(", ")), words.map((sentence) => h("p", {}, sentence)),
    sure && h("div", { class: "choices" }, yes),
    h("p", { class: "quiet" }, sure ? "If not, move them, or place them below." : `Or place them below.${lies.length ? " What is clear is already there." : ""}`));
}

/** Mirror what is seen in the manual controls inside `place`. */
export function mirror(layout, place) {
  const arrange = layout && place.querySelector(".arrange");
  if (arrange && arrange.seen) arrange.seen(layout.value);
}
