// What the dice camera does, inside the question that it concerns. While it works, typing is folded away.

import { focusOn, h } from "/static/js/parts.js";

const WORKS = ["empty", "moving", "hand", "settled"];

/** The controls `keys` to type a roll, below what the camera does. If they `fold`, they open with one tap, and by
    themselves where no camera reads the roll of `count` dice. The returned element's `watch(watching)` takes each view's `watching`. */
export function besideCamera(keys, fold, count = 2) {
  const words = h("span"), open = h("button", { class: "button quiet", "aria-expanded": "false", onclick: () => {
    typed = true;
    draw();
    focusOn(keys.querySelector(".keypad button:not(:disabled)"));
  } }, "Type it instead");
  const says = h("p", { class: "watching" }, h("span", { class: "eye", "aria-hidden": "true" }), words);
  let typed = false, state = "off";
  const draw = () => {
    const works = fold && WORKS.includes(state);
    keys.hidden = works && !typed;
    open.hidden = !keys.hidden;
  };
  const holder = h("div", { class: "beside-camera" }, says, open, keys);
  holder.watch = (watching) => {
    ({ state } = watching);
    says.dataset.state = state;
    const now = state === "off" ? `No camera. Take a picture of the ${count === 1 ? "die" : "dice"}, or enter what you rolled.` : state === "empty" ? count === 1 ? "Roll the die. The camera reads it." : "Roll the dice. The camera reads them." : watching.words;
    if (words.textContent !== now) words.textContent = now;
    draw();
  };
  draw();
  return holder;
}
