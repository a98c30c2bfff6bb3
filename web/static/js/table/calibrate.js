// The calibration: each step once, but for the dice, which the table keeps looking at while somebody moves the lamp.

import { h, run, send } from "/static/js/parts.js";

const AGAIN = 700, LOOKS = 200; // ms between two looks at the dice, and how many there are at most
const FEWEST = 3, WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const BELIEVED = 0.27; // how clear a die must be to count without a question

const place = document.getElementById("calibrate"), checks = document.getElementById("checks");
let newest = 0, looking = Promise.resolve(), said = "";

/** Show what was found. What has not changed is not said again to who listens; the meters move all the same. */
function show(found, part) {
  const words = JSON.stringify(found.map(({ ok, words }) => [ok, words]));
  const meter = ({ clear }) => h("meter", { min: 0, max: 1, low: BELIEVED, high: BELIEVED, optimum: 1, value: clear, "aria-label": "How well it reads" });
  if (words !== said) checks.replaceChildren(...found.map((one) => { const line = part(one); if (one.clear !== null) line.append(meter(one)); return line; }));
  else checks.querySelectorAll("meter").forEach((one, i) => { one.value = found.filter(({ clear }) => clear !== null)[i].clear; });
  said = words;
}

async function look(step, part, corners = []) {
  const { checks: found } = await send("/api/calibrate", { step, corners }, 20).catch((error) => { checks.replaceChildren(); throw error; });
  show(found, part);
}

/** Let somebody tap the corners of the felt on the picture, or go to them with the arrow keys and press Enter. Call
    `done(corners)` with places as shares of the picture's width and height. */
function tapCorners(button, done) {
  const shot = document.getElementById("camera").parentElement, words = button.textContent;
  let corners = [], at = [0.5, 0.5];
  const cursor = h("i"), pane = h("div", { class: "tapped", tabindex: 0, role: "group", "aria-label": "The picture: move to each corner of the felt with the arrow keys and press Enter" }, cursor);
  const put = (dot, [x, y]) => { [dot.style.left, dot.style.top] = [`${100 * x}%`, `${100 * y}%`]; return dot; };
  const draw = () => { button.textContent = corners.length < FEWEST ? `${corners.length} of at least ${FEWEST} corners` : `Done: these ${corners.length} corners`; };
  const mark = () => { corners.push(at); cursor.before(put(h("i"), at)); draw(); };
  pane.onpointerdown = (event) => {
    const { left, top, width, height } = pane.getBoundingClientRect();
    put(cursor, at = [(event.clientX - left) / width, (event.clientY - top) / height].map((share) => Math.min(1, Math.max(0, share))));
    mark();
  };
  pane.onkeydown = (event) => {
    const [x, y] = WAYS[event.key] != null ? WAYS[event.key] : [0, 0], step = event.shiftKey ? 0.05 : 0.01;
    if (event.key === "Enter") mark();
    else if (x || y) put(cursor, at = [at[0] + step * x, at[1] + step * y].map((share) => Math.min(1, Math.max(0, share))));
    else return;
    event.preventDefault();
  };
  button.onclick = () => run(button, async () => {
    if (!pane.isConnected) {
      [corners, at] = [[], [0.5, 0.5]];
      pane.replaceChildren(put(cursor, at));
      shot.append(pane);
      pane.focus({ preventScroll: true });
      shot.scrollIntoView({ block: "center" });
      return draw();
    }
    pane.remove();
    button.textContent = words;
    if (corners.length >= FEWEST) await done(corners);
  });
}

/** Let the buttons of the calibration work; `part(check)` draws the outcome of a check. */
export function calibrates(part) {
  tapCorners(document.getElementById("corners"), async (corners) => {
    newest++;
    await looking.catch(() => {});
    said = "";
    await (looking = look("corners", part, corners));
  });
  for (const button of document.querySelectorAll("[data-calibrate]")) button.onclick = () => run(button, async () => {
    const step = button.dataset.calibrate, mine = ++newest;
    await looking.catch(() => {});
    checks.replaceChildren(h("li", {}, "Checking …"));
    said = "";
    for (let looks = 0; mine === newest && looks < (step === "dice" ? LOOKS : 1); looks++) {
      if (looks) await new Promise((go) => { setTimeout(go, AGAIN); });
      if (looks && (!place.open || document.hidden || mine !== newest)) return;
      await (looking = look(step, part));
    }
  });
}
