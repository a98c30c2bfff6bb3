// Putting pieces on places that are not on a field: tap one after the other. A second tap removes one.

import { h, run, signs } from "/static/js/parts.js";

/** The controls of an Arrange ask. Numbered places are a row, such as a batting order: when one is removed, the others
    move up. Named places, such as positions, stay empty instead. `done` is called with place to piece; `portrait` makes the
    portrait of a piece that is a player. */
export function inTurn(ask, done, portrait) {
  const { places } = ask, most = Math.min(ask.pieces.length, places.length);
  const row = places.every(({ value }, at) => value === String(at + 1));
  // Piece to place, in the order of the taps.
  const laid = new Map();
  const draw = () => {
    const full = laid.size === most, missing = ask.least - laid.size, next = places[free()];
    for (const { value, button, spot } of pieces) {
      const place = places[laid.get(value)];
      spot.textContent = place ? place.value : "";
      button.setAttribute("aria-pressed", String(Boolean(place)));
      button.setAttribute("aria-label", `${button.dataset.label}${place ? `. ${place.label}` : ""}`);
      button.disabled = full && !place;
    }
    back.disabled = !laid.size;
    go.disabled = missing > 0;
    go.textContent = missing > 0 ? row ? `${missing} more: ${next.label} …` : `Who plays ${next.label}? ${missing} more` : row ? "Use this order" : "Use these positions";
  };
  const free = () => { const taken = [...laid.values()]; return places.findIndex((_, at) => !taken.includes(at)); };
  const tap = (value) => {
    if (!laid.has(value)) laid.set(value, free());
    else if (laid.delete(value) && row) [...laid.keys()].forEach((piece, at) => laid.set(piece, at));
    draw();
  };
  const pieces = ask.pieces.map((piece) => {
    const { value, label, note } = piece;
    const spot = h("b", { class: "spot", "aria-hidden": "true" });
    const mug = portrait(piece), button = h("button", { class: `pickable${mug ? " pictured" : ""}`, "data-piece": value, "data-label": note ? `${label}. ${signs(note)}` : label, onclick: () => tap(value) },
      spot, mug || "", h("span", {}, label, note && h("small", {}, signs(note))));
    return { value, button, spot };
  });
  const back = h("button", { class: "button quiet", onclick: () => { laid.delete([...laid.keys()].pop()); draw(); } }, "Undo");
  const go = h("button", { class: "button", onclick: () => run(go, () => done(Object.fromEntries([...laid].map(([piece, at]) => [places[at].value, piece])))) });
  const coached = h("button", { class: "button quiet", hidden: true }, "As the coach would");
  draw();
  const made = h("div", { class: "turns" }, h("p", { class: "quiet" }, row ? "Tap them in order. Tap again to remove one." : "Tap a player for each position. Tap again to remove one."),
    h("div", { class: "picks" }, pieces.map(({ button }) => button)), coached, h("div", { class: "acts" }, back, go));
  made.advise = (value) => {
    coached.hidden = false;
    coached.onclick = () => {
      laid.clear();
      places.forEach((place, at) => { if (place.value in value) laid.set(value[place.value], at); });
      draw();
    };
  };
  return made;
}
