// Putting pieces in their order, as batters in a line-up: tap one after the other. A second tap takes one out again.

import { h, run } from "/static/parts.js";

/** The controls of an Arrange ask whose places are a row. `done` is given place to piece. */
export function inTurn(ask, done) {
  const most = Math.min(ask.pieces.length, ask.places.length);
  const order = [];
  const draw = () => {
    const full = order.length === most, missing = ask.least - order.length;
    for (const { value, button, spot } of pieces) {
      const at = order.indexOf(value);
      spot.textContent = at < 0 ? "" : String(at + 1);
      button.setAttribute("aria-pressed", String(at >= 0));
      button.setAttribute("aria-label", `${button.dataset.label}${at < 0 ? "" : `. ${ask.places[at].label}`}`);
      button.disabled = full && at < 0;
    }
    back.disabled = !order.length;
    go.disabled = missing > 0;
    go.textContent = missing > 0 ? `${missing} more: ${ask.places[order.length].label} …` : "Take this order";
  };
  const tap = (value) => {
    const at = order.indexOf(value);
    if (at >= 0) order.splice(at, 1);
    else order.push(value);
    draw();
  };
  const pieces = ask.pieces.map(({ value, label, note }) => {
    const spot = h("b", { class: "spot", "aria-hidden": "true" });
    const button = h("button", { class: "pickable", "data-piece": value, "data-label": note ? `${label}. ${note}` : label, onclick: () => tap(value) },
      spot, h("span", {}, label, note && h("small", {}, note)));
    return { value, button, spot };
  });
  const back = h("button", { class: "button quiet", onclick: () => { order.pop(); draw(); } }, "Undo");
  const go = h("button", { class: "button", onclick: () => run(go, () => done(Object.fromEntries(order.map((piece, at) => [ask.places[at].value, piece])))) });
  draw();
  return h("div", { class: "turns" }, h("p", { class: "quiet" }, "Tap them one after the other. A second tap takes one out."),
    h("div", { class: "picks" }, pieces.map(({ button }) => button)), h("div", { class: "acts" }, back, go));
}
