// The calibration: each step once, but for the dice, which the table keeps looking at while somebody moves the lamp.

import { h, run, send } from "/static/js/parts.js";

const AGAIN = 700, LOOKS = 200; // ms between two looks at the dice, and how many there are at most
const BELIEVED = 0.27; // how clear a die must be to count without a question

const place = document.getElementById("calibrate"), checks = document.getElementById("checks");
let newest = 0, looking = Promise.resolve(), said = "";

/** Show what was found. What has not changed is not said again to who listens; the meters move all the same. */
function show(found, part) {
  const words = JSON.stringify(found.map(({ ok, words }) => [ok, words]));
  const meter = ({ clear }) => h("meter", { min: 0, max: 1, low: BELIEVED, high: BELIEVED, optimum: 1, value: clear, "aria-label": "How clearly it is read" });
  if (words !== said) checks.replaceChildren(...found.map((one) => { const line = part(one); if (one.clear !== null) line.append(meter(one)); return line; }));
  else checks.querySelectorAll("meter").forEach((one, i) => { one.value = found.filter(({ clear }) => clear !== null)[i].clear; });
  said = words;
}

async function look(step, part) {
  const { checks: found } = await send("/api/calibrate", { step }, 20).catch((error) => { checks.replaceChildren(); throw error; });
  show(found, part);
}

/** Let the buttons of the calibration work; `part(check)` draws the outcome of a check. */
export function calibrates(part) {
  for (const button of document.querySelectorAll("[data-calibrate]")) button.onclick = () => run(button, async () => {
    const step = button.dataset.calibrate, mine = ++newest;
    await looking.catch(() => {});
    checks.replaceChildren(h("li", {}, "Looking …"));
    said = "";
    for (let looks = 0; mine === newest && looks < (step === "dice" ? LOOKS : 1); looks++) {
      if (looks) await new Promise((go) => { setTimeout(go, AGAIN); });
      if (looks && (!place.open || document.hidden || mine !== newest)) return;
      await (looking = look(step, part));
    }
  });
}
