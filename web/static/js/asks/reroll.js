// Some of the dice were thrown again: tap those, then their new faces.

import { drawn, names, printed, said } from "/static/js/asks/dice.js";
import { focusOn, h, run, tell } from "/static/js/parts.js";

/**
 * The dice of `ask`, with the new faces in `value` (null: kept). Only dice that may be thrown can be tapped; those
 * at the places `fixed`, if these are given, are all thrown and the only ones shown; a tap enters one of them again.
 * `changed(value, whole)` is called after every tap; `whole` is true if it can be the answer.
 */
export function picker({ dice, faces, free, most, fixed }, value, changed = () => {}) {
  const called = names(dice), thrown = new Map([...value.entries()].filter(([place, face]) => fixed ? fixed.includes(place) : face !== null));
  const id = `again-${Math.random().toString(36).slice(2)}`, values = h("div", { id, class: "values" });
  const open = () => { const [i] = [...thrown.keys()].filter((one) => thrown.get(one) === null); return i === undefined ? null : i; };

  const taps = dice.map((_, i) => h("button", { class: "tap", "aria-controls": id, onclick: () => {
    if (fixed) thrown.set(i, null);
    else if (thrown.has(i)) thrown.delete(i);
    else if (thrown.size < most) thrown.set(i, null);
    else return tell(most === 1 ? "Only one die can be rerolled. Tap it to keep it." : `At most ${most} dice can be rerolled. Tap one to keep it.`);
    report();
  } }));
  const notes = dice.map(() => h("small", {}));

  function report() {
    draw();
    const now = dice.map((_, i) => thrown.has(i) ? thrown.get(i) : null);
    changed(now, open() === null && thrown.size > 0 && thrown.size <= most && [...thrown.keys()].every((i) => free.includes(i)));
  }

  function draw() {
    taps.forEach((tap, i) => {
      const again = thrown.has(i), face = again ? thrown.get(i) : faces[i];
      tap.replaceChildren(drawn(dice[i], face));
      tap.disabled = !again && !free.includes(i);
      tap.setAttribute("aria-pressed", String(again));
      tap.setAttribute("aria-label", again ? `${called[i]}: rerolled, ${face === null ? "not entered yet" : `now ${face}`}` : `${called[i]}: ${faces[i]}, ${tap.disabled ? "must stay" : "kept"}`);
      tap.classList.toggle("empty", face === null);
      notes[i].textContent = again ? `was ${faces[i]}` : tap.disabled ? "must stay" : "";
    });
    const i = open();
    if (i === null) return values.replaceChildren();
    values.replaceChildren(h("p", { class: "which", id: `${id}-q` }, `You rerolled the ${faces[i]}. What does it show now?`),
      h("div", { class: `keys of-${dice[i].faces.length}`, role: "group", "aria-labelledby": `${id}-q` }, dice[i].faces.map((face) => h("button", {
        class: "key", onclick: (event) => {
          const key = event.currentTarget;
          thrown.set(i, face);
          report();
          if (!key.isConnected) focusOn(values.querySelector(".key") || taps[i]);
        },
      }, printed(dice[i], face)))));
  }
  draw();
  return h("div", { class: "tappable second" }, h("div", { class: `dice${dice.length > 6 ? " many" : ""}`, role: "group", "aria-label": "The dice. Tap the ones you rerolled." },
    taps.map((tap, i) => (!fixed || fixed.includes(i)) && h("span", { class: "lies", "data-die": i }, tap, notes[i]))), values);
}

/** The controls of an ask to throw some dice again; `done(value)` when it is sent. */
export function rethrow(ask, done) {
  let now = [];
  const go = h("button", { class: "button", disabled: true, onclick: () => run(go, () => done(now)) });
  const draw = (whole, begun) => {
    go.disabled = !whole;
    go.textContent = whole ? `Send: ${said(ask, now)}` : begun || ask.fixed ? ask.most === 1 ? "Enter what it shows" : "Enter what they show" : "Tap the dice you rerolled";
  };
  draw(false, false);
  const most = Math.min(ask.most, ask.free.length);
  return h("div", { class: "keypad" }, !ask.fixed && h("p", { class: "quiet" }, most === 1 ? "You can reroll one." : `You can reroll 1 to ${most}.`),
    picker(ask, ask.faces.map(() => null), (value, whole) => { now = value; draw(whole, whole || value.some((face) => face !== null)); }), go);
}
