// Laying pieces on places, by taps, by dragging or from the keyboard: on the field if its zones are the places; pieces
// without a place lie in a row.

import { inTurn } from "/static/js/asks/arrange_in_order.js";
import { h, run } from "/static/js/parts.js";

const FAR = 8, NEAR = 30;

/** The positions of the zones of the drawn field, as fractions of its width and height: {A: [x, y]}; null if a place has
    none. */
function spots(field, places) {
  if (!field) return null;
  const { x, y, width, height } = field.viewBox.baseVal;
  const found = places.map(({ value }) => {
    const shape = field.querySelector(`[data-zone="${CSS.escape(value)}"]`), { e, f } = shape ? shape.transform.baseVal[0].matrix : {};
    return [value, e === undefined ? null : [(e - x) / width, (f - y) / height]];
  });
  return found.every(([, spot]) => spot) ? Object.fromEntries(found) : null;
}

/** The controls of an Arrange ask. `ui` are the game's own parts: the look of a piece and the last arrangement, both from
    its `panel`. `done` is called with place to piece; `portrait` makes the portrait of a piece that is a player. */
export function arrange(ask, ui, panel, done, portrait) {
  const drawn = document.querySelector("#diamond svg");
  const spot = spots(drawn, ask.places);
  if (!spot) return inTurn(ask, done, portrait);
  const most = Math.min(ask.pieces.length, ask.places.length);
  const before = ask.places.map(({ value }) => [value, ui.lastPiece && ui.lastPiece(value, panel)])
    .filter(([, name]) => ask.pieces.some(({ value }) => value === name));
  const laid = new Map();
  // What a camera sees, whether anything was laid by hand since, and what the coach would do.
  let seen = [], touched = false, advised = [];
  // What the next tap is combined with: {place} or {piece}.
  let picked = null;
  let dragged = false;
  const holder = h("div", { class: "arrange spatial" });

  const held = ({ place, piece }) => piece != null ? piece : laid.get(place);
  const same = (one, other) => (one && one.place) === other.place && (one && one.piece) === other.piece;
  const put = (place, piece) => piece === undefined ? laid.delete(place) : laid.set(place, piece);

  /** Swap two places, or a place and a piece beside the field. */
  function change(here, there) {
    const [one, other] = [held(here), held(there)];
    if (here.place) put(here.place, other);
    if (there.place) put(there.place, one);
  }

  function tap(it) {
    if (dragged) return;
    touched = true;
    if (same(picked, it)) {
      // Tapped twice: take the piece back, or drop the pick.
      picked = it.place && laid.delete(it.place) ? it : null;
    } else if (!picked || (picked.piece && it.piece) || (held(picked) === undefined && held(it) === undefined)) {
      picked = it;
    } else {
      const filling = held(picked) === undefined && it.piece;
      change(picked, it);
      const free = filling && laid.size < most && ask.places.find(({ value }) => !laid.has(value));
      picked = free ? { place: free.value } : null;
    }
    draw();
  }

  function lay(lying) {
    laid.clear();
    lying.forEach(([place, piece]) => laid.set(place, piece));
    picked = null;
    draw();
  }

  /** Mirror what a camera sees, place to piece, unless something was laid by hand. */
  holder.seen = (value) => {
    const now = Object.entries(value);
    if (JSON.stringify(now) === JSON.stringify(seen)) return;
    seen = now;
    if (!touched) lay(seen);
    else if (!holder.querySelector(".ghost")) draw();
  };

  holder.advise = (value) => { advised = Object.entries(value); draw(); };

  function face({ value, label }) {
    const piece = ui.piece && ui.piece(value, panel);
    return piece ? h("span", { class: piece.class, title: label }, piece.text) : label;
  }

  const named = ({ value, label }) => (ui.piece && ui.piece(value, panel) || { words: label }).words;

  function placeButton(place) {
    const lies = ask.pieces.find(({ value }) => value === laid.get(place.value)), shows = lies && face(lies);
    const it = { place: place.value };
    const button = h("button", {
      class: `place${lies ? " laid" : ""}`, "data-place": place.value, "aria-pressed": String(same(picked, it)),
      "aria-label": `${place.label}: ${lies ? named(lies) : "empty"}`, onclick: () => tap(it), onpointerdown: lies && ((event) => drag(event, it)),
    }, h("small", {}, place.value), shows || "");
    if (shows && shows.className) button.classList.toggle("turned", shows.matches(".back"));
    [button.style.left, button.style.top] = spot[place.value].map((part) => `${100 * part}%`);
    return button;
  }

  function pieceButton(piece) {
    const it = { piece: piece.value };
    return h("button", { class: "piece", "data-piece": piece.value, "aria-pressed": String(same(picked, it)), "aria-label": named(piece), onclick: () => tap(it),
      onpointerdown: (event) => drag(event, it) }, face(piece), h("small", {}, piece.value));
  }

  function draw() {
    const focus = { ...(holder.querySelector(":focus") || {}).dataset };
    const spare = ask.pieces.filter(({ value }) => ![...laid.values()].includes(value));
    const go = h("button", { class: "button", disabled: laid.size < ask.least, onclick: () => run(go, () => done(Object.fromEntries(laid))) },
      laid.size < ask.least ? `${ask.least - laid.size} more to place` : `Place ${laid.size}`);
    const as = (act, lying, words) => lying.some(([place, piece]) => laid.get(place) !== piece) && h("button", { class: "button quiet", "data-act": act,
      onclick: () => { touched = act !== "seen"; lay(lying); } }, words);
    const places = ask.places.map(placeButton);
    holder.replaceChildren(
      h("div", { class: "ground" }, plain(drawn), places),
      h("div", { class: "pieces", role: "group", "aria-label": "Still to place" }, spare.length ? spare.map(pieceButton) : h("p", { class: "quiet" }, "All placed.")),
      h("p", { class: "quiet" }, "Drag one, or tap it and then its place. Tap a placed one twice to remove it."),
      h("div", { class: "acts" }, as("again", before, "Same as last time"), as("seen", seen, "As the camera sees it"), as("coach", advised, "As the coach would"), go));
    const [[key, value] = []] = Object.entries(focus);
    const next = key && (holder.querySelector(`[data-${key}="${CSS.escape(value)}"]`) || holder.querySelector("[aria-pressed=true], .piece, .acts .button:not(:disabled)"));
    if (next) next.focus({ preventScroll: true });
  }

  // Dragging --------------------------------------------------------------------------------------------------------

  /** The place or the bench under a finger, or near it. */
  function under(x, y) {
    const off = ({ left, right, top, bottom }) => Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
    const [far, nearest] = [...holder.querySelectorAll("[data-place]")].map((one) => [off(one.getBoundingClientRect()), one])
      .reduce((one, other) => other[0] < one[0] ? other : one);
    if (far < NEAR) return { place: nearest.dataset.place };
    return off(holder.querySelector(".pieces").getBoundingClientRect()) < NEAR ? {} : null;
  }

  function drag(down, it) {
    if (!down.isPrimary || down.button) return;
    const from = down.currentTarget;
    let ghost = null;
    const move = ({ clientX: x, clientY: y }) => {
      if (!ghost) {
        if (Math.hypot(x - down.clientX, y - down.clientY) < FAR) return;
        ghost = h("span", { class: "ghost", "aria-hidden": "true" }, face(ask.pieces.find(({ value }) => value === held(it))));
        touched = true;
        holder.append(ghost);
        from.classList.add("lifted");
      }
      [ghost.style.left, ghost.style.top] = [`${x}px`, `${y}px`];
      const there = (under(x, y) || {}).place;
      for (const place of holder.querySelectorAll("[data-place]")) place.classList.toggle("under", place.dataset.place === there);
    };
    const end = (event) => {
      for (const [name, act] of Object.entries(acts)) from.removeEventListener(name, act);
      if (!ghost) return;
      // The click event after a drag with the mouse is not a tap.
      dragged = true;
      setTimeout(() => { dragged = false; });
      const there = event.type === "pointerup" ? under(event.clientX, event.clientY) : null;
      if (there && there.place && there.place !== it.place) change(it, there);
      else if (there && !there.place && it.place) laid.delete(it.place);
      picked = null;
      draw();
    };
    const acts = { pointermove: move, pointerup: end, pointercancel: end };
    from.setPointerCapture(down.pointerId);
    for (const [name, act] of Object.entries(acts)) from.addEventListener(name, act);
  }

  draw();
  return holder;
}

/** A copy of the drawn field without the pieces on it. */
function plain(drawn) {
  const field = drawn.cloneNode(true);
  for (const zone of field.querySelectorAll("[data-zone]")) zone.remove();
  field.setAttribute("aria-hidden", "true");
  return field;
}
