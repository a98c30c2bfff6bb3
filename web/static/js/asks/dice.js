// The dice of a roll, each to be tapped and corrected: its values come up, the likeliest first.

import { h } from "/static/js/parts.js";

const PIPS = {
  1: [[50, 50]], 2: [[28, 28], [72, 72]], 3: [[26, 26], [50, 50], [74, 74]], 4: [[28, 28], [72, 28], [28, 72], [72, 72]],
  5: [[27, 27], [73, 27], [50, 50], [27, 73], [73, 73]], 6: [[28, 24], [28, 50], [28, 76], [72, 24], [72, 50], [72, 76]],
};
const KINDS = { d6: "die", pitch: "pitching die" };

/** The name of each die: "home's red die", "the red die"; identical dice by number, "die 2". */
export function names(dice) {
  const called = dice.map((die) => [die.owner && `${die.owner}'s`, die.colour, KINDS[die.kind] != null ? KINDS[die.kind] : die.kind].filter(Boolean).join(" "));
  return called.map((name, i) => called.indexOf(name) !== called.lastIndexOf(name) ? `${name} ${i + 1}` : name.includes("'s ") ? name : `the ${name}`);
}

/** The name of a face: the 10 of a d10 is printed as 0. */
export const printed = ({ kind }, face) => kind === "d10" && face === 10 ? "10 (0)" : String(face);

/** An answer of dice in words: their faces, or for a reroll the change of each: "3 is now 5". */
export function said({ kind, dice, faces }, value) {
  if (kind !== "reroll") return words(dice, value);
  return value.flatMap((face, i) => face === null ? [] : `${faces[i]} is now ${face}`).join(", ");
}

/** The faces of the dice in words: "3, 5", or if it matters which is which "red die 3, white die 5". */
export function words(dice, faces) {
  const alike = new Set(dice.map((die) => [die.kind, die.colour, die.owner].join())).size === 1;
  return alike ? faces.join(", ") : faces.map((face, i) => `${names(dice)[i].replace(/^the /, "")} ${face}`).join(", ");
}

/** The dice to roll, in words: "the d20", "6 dice", "away's white die and away's white pitching die". */
export function wanted(dice) {
  const alike = dice.length > 1 && new Set(dice.map((die) => [die.kind, die.colour, die.owner].join())).size === 1;
  return alike ? `${dice.length} ${dice[0].kind === "d6" ? "dice" : dice[0].kind}` : names(dice).join(" and ");
}

function svg(name, attributes, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

export function drawn({ kind, colour }, face) {
  const pips = kind === "d6" && PIPS[face];
  return svg("svg", { class: `die ${colour != null ? colour : ""}`, viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("rect", { x: 4, y: 4, width: 92, height: 92, rx: 20 }),
    ...pips ? pips.map(([cx, cy]) => svg("circle", { cx, cy, r: 9.5 })) :
      [svg("text", { x: 50, y: 54, "text-anchor": "middle", "dominant-baseline": "middle" }, face != null ? face : "?")]);
}

/** True if two dice can be mistaken for each other: of one kind, and not identical. */
const twins = (one, other) => other && one.kind === other.kind && (one.colour !== other.colour || one.owner !== other.owner);

/**
 * Dice that show `faces` (null: unknown), each with the `likely` alternatives. Those that are not `clear` are marked
 * until somebody confirms them. A tap on a die opens its values and calls `opened`; a value, or a swap of two dice of
 * different colour, calls `put(faces, i, button)`, where `i` is the die, or null for a swap. The first unknown die is
 * open from the start.
 */
export function tappable({ dice, faces, likely, clear }, put, opened = () => {}) {
  const called = names(dice), now = dice.map((_, i) => faces[i] != null ? faces[i] : null);
  const doubted = new Set(now.map((_, i) => i).filter((i) => now[i] !== null && clear && clear.includes(true) && !clear[i]));
  const id = `dice-${Math.random().toString(36).slice(2)}`;
  const values = h("div", { id, class: "values" });
  const missing = () => now.includes(null) ? now.indexOf(null) : null;
  let open = missing();

  const taps = dice.map((die, i) => h("button", { class: "tap", "aria-controls": id, onclick: () => {
    open = open === i ? null : i;
    if (open !== null) opened();
    draw();
  } }));
  const marks = dice.map((_, i) => doubted.has(i) && h("small", { class: "doubted" }, "not sure"));
  const row = dice.flatMap((die, i) => {
    const swap = twins(die, dice[i + 1]) && h("button", { class: "swap", "aria-label": `Swap ${called[i]} and ${called[i + 1]}`, onclick: (event) => {
      [now[i], now[i + 1]] = [now[i + 1], now[i]];
      open = null;
      draw();
      put([...now], null, event.currentTarget);
    } }, "⇄");
    return [h("span", { class: "lies" }, taps[i], dice.length > 1 && h("small", {}, called[i]), marks[i]), swap];
  });

  function choose(i, face, button) {
    const same = now[i] === face;
    now[i] = face;
    doubted.delete(i);
    open = missing();
    draw();
    // The keys are gone: keyboard focus goes to the die, or to the one that is still missing.
    if (!button.isConnected) taps[(open != null ? open : i)].focus();
    if (!same) put([...now], i, taps[i]);
  }

  function draw() {
    taps.forEach((tap, i) => {
      tap.replaceChildren(drawn(dice[i], now[i]));
      tap.setAttribute("aria-expanded", String(open === i));
      tap.setAttribute("aria-label", now[i] === null ? `${called[i]}: unreadable. Tap to enter it.` : `${called[i]}: ${now[i]}, ${doubted.has(i) ? "not sure, " : ""}change it`);
      tap.classList.toggle("doubted", doubted.has(i));
      if (marks[i]) marks[i].hidden = !doubted.has(i);
      tap.classList.toggle("empty", now[i] === null);
    });
    if (open === null) return values.replaceChildren();
    const i = open, { length } = dice[i].faces;
    const order = [...new Set([...likely && likely[i] || [], ...dice[i].faces])];
    values.replaceChildren(h("p", { class: "which", id: `${id}-q` }, `What does ${called[i]} show?`),
      h("div", { class: `keys of-${length}`, role: "group", "aria-labelledby": `${id}-q` }, order.map((face) => h("button", {
        class: "key", "aria-pressed": String(now[i] === face), onclick: (event) => choose(i, face, event.currentTarget),
      }, printed(dice[i], face)))));
  }
  draw();
  return h("div", { class: "tappable" }, h("div", { class: `dice${dice.length > 6 ? " many" : ""}`, role: "group", "aria-label": "The dice. Tap one that is wrong." }, row), values);
}
