// The coach: what it thinks of the answers to a question. Its list is part of the question, and goes with it.

import { veiled } from "/static/js/asks/asks.js";
import { h, run, send, signs } from "/static/js/parts.js";

// The coach may study the cards first, for PATIENCE seconds. Of many answers it names the best MOST. Chances that differ
// by less than SAME are the same, and what it would choose more rarely than NEVER is never best.
const PATIENCE = 60, MOST = 10, SAME = .001, NEVER = .005;
const QUESTION = "What would you do?";

const percent = (chance) => `${Math.round(100 * chance)}%`;

/** What is at stake in one sentence, for somebody who has not learned to read the list. */
function plainly(found) {
  const [best, worst] = [found[0], found[found.length - 1]], games = (one) => `about ${Math.round(100 * one.win)} of 100 games`;
  return best.win - worst.win < SAME ? "Here every choice is as good." : `From here “${best.words}” wins ${games(best)}, “${worst.words}” ${games(worst)}.`;
}

function advice(found, secret, first) {
  const top = found[0].win, more = found.slice(MOST), good = found.filter(({ win, share }) => top - win < SAME && share > NEVER);
  const line = (one) => {
    const { words, win, share, reason } = one, best = good.length < found.length && good.includes(one);
    return h("li", { class: best && "best" }, h("b", { class: "chance" }, percent(win)),
      h("span", {}, h("b", {}, words), best && h("span", { class: "tag" }, "best"), secret && h("small", {}, `chosen ${percent(share)} of the time`), reason && h("small", {}, signs(reason))));
  };
  return h("div", { class: "advice" }, first && !secret && h("p", {}, plainly(found)), h("p", { class: "quiet" }, secret ? "Chance to win, and how often the coach would choose it:" : "Chance to win:"),
    h("ol", {}, found.slice(0, MOST).map(line)), more.length > 0 && h("p", { class: "quiet" }, `${more.length} more, each at most ${percent(more[0].win)}.`));
}

/** The button that asks the coach about `ask`. What it says about a secret is veiled; if the whole question is, it is
    already `covered`. */
export function coach(ask, covered) {
  const holder = h("div", { "aria-live": "polite" });
  // A page that asks the coach by itself (learn/first_inning.js) says nothing of a refusal.
  const button = h("button", { class: "button quiet", onclick: ({ isTrusted }) => run(button, async () => {
    button.textContent = "The coach is thinking …";
    try {
      const found = advice(await send("/api/seat/advice", { seat: ask.seat, n: ask.n }, PATIENCE), ask.secret, !isTrusted);
      const open = ask.secret && !covered ? veiled("Show what the coach says", found) : found;
      holder.replaceChildren(open);
      const veil = open.querySelector(".veil");
      if (veil && isTrusted) veil.click();
    } catch (error) { if (isTrusted) throw error; } finally { button.textContent = QUESTION; }
  }) }, QUESTION);
  return h("div", { class: "coach" }, button, holder);
}
