// In the first inning that somebody plays on this phone, alone against the computer, the coach says unasked what it would do.

import { follow } from "/static/js/live.js";
import { h } from "/static/js/parts.js";

// Milliseconds until a coach that was busy is asked again.
const AGAIN = 4000;
const { seat } = document.body.dataset;
// The inning in which this phone was helped first, "done" after it.
const key = "first-inning";
let now = "", alone = false, secret = true, soon = 0;

follow(({ number, table, managers, coached }) => {
  const { scoreboard: { plays, inning, batter } } = table;
  // Before anybody bats, as in a draft, the inning has not begun.
  now = table.outcome ? "over" : batter ? `${number}:${inning}` : "";
  alone = coached.includes(seat) && Object.keys(plays).every((one) => one === seat || one in managers);
  secret = table.asks.some((ask) => ask.seat === seat && ask.secret);
});

/** Ask the coach about the questions in `asks`, as long as it is the first inning. A secret stays covered. */
export function coachFirstInning(asks) {
  const first = localStorage.getItem(key);
  if (!alone || first === "done" || now === "over") return;
  const coaches = [...asks.querySelectorAll(".coach:not([hidden])")].filter((one) => !secret || one.closest(".veiled"));
  if (!coaches.length) return;
  if (first === null && now) localStorage.setItem(key, now);
  else if (first !== null && first !== now) {
    localStorage.setItem(key, "done");
    coaches[0].append(h("p", { class: "quiet" }, "You know the rest. The coach stays under “What would you do?”"));
    return;
  }
  for (const coach of coaches) {
    const [button] = coach.children;
    if (!button.disabled && !coach.querySelector(".advice")) button.click();
  }
  clearTimeout(soon);
  if (coaches.some((coach) => !coach.querySelector(".advice"))) soon = setTimeout(() => coachFirstInning(asks), AGAIN);
}
