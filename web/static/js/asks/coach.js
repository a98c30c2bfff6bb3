// The coach: its chances to win stand on the options themselves, the best first, with a reason for the best alone.

import { veiled } from "/static/js/asks/asks.js";
import { focusOn, h, rest, run, send, signs } from "/static/js/parts.js";

// The coach may study the cards first, for PATIENCE seconds. Chances that differ by less than SAME are the same, and what
// it would choose more rarely than NEVER is never best.
const PATIENCE = 60, SAME = .001, NEVER = .005;
const QUESTION = "What would you do?";

/** What is at stake in one sentence, for somebody who has not learned to read the chances. */
function plainly(found) {
  const [best, worst] = [found[0], found[found.length - 1]], games = (one) => `about ${Math.round(100 * one.win)} of 100 games`;
  return `From here “${best.words}” wins ${games(best)}, “${worst.words}” ${games(worst)}.`;
}

/** The best answers; none if all are as good. */
function bestOf(found) {
  const best = found.filter(({ win, share }) => found[0].win - win < SAME && share > NEVER);
  return best.length < found.length || found.length === 1 ? best : [];
}

/** The buttons of a choice in `root`, with what the coach says of each: [button, rating]. */
const rated = (root, found) => found.map((one) => [[...root.querySelectorAll("[data-value]")].find(({ dataset }) => dataset.value === one.value), one]).filter(([button]) => button);

/** Remove the chances from the options in `root`. */
function unmark(root) {
  for (const mark of root.querySelectorAll(".coached")) mark.remove();
  for (const best of root.querySelectorAll(".best")) best.classList.remove("best");
}

/** Write on each option in `root` its chance to win, and on the best the coach's reason. */
function mark(root, found, secret) {
  unmark(root);
  const best = bestOf(found);
  for (const [button, one] of rated(root, found)) {
    const first = one === best[0];
    button.classList.toggle("best", best.includes(one));
    button.append(h("small", { class: "coached" }, " ", h("b", {}, one.chance), best.includes(one) ? " to win, best" : " to win", secret && `, chosen ${one.often} of the time`,
      first && one.reason && h("span", {}, `. ${signs(one.reason)}`)));
  }
  // Of a reroll, the best dice.
  for (const die of root.querySelectorAll("[data-die]")) if (Array.isArray(found[0].value) && found[0].value.includes(Number(die.dataset.die))) {
    die.classList.add("best");
    die.append(h("small", { class: "coached" }, "reroll"));
  }
}

/** Move the options to the order of `found`, and keep the focus. A tap meant for what was there before does nothing. */
function sort(root, found) {
  const buttons = rated(root, found).map(([button]) => button), focused = document.activeElement;
  for (const list of new Set(buttons.map(({ parentNode }) => parentNode))) if (list.matches(".choices, .picks")) list.prepend(...buttons.filter(({ parentNode }) => parentNode === list));
  if (root.contains(focused)) focusOn(focused);
  rest(root);
}

/** What the coach says besides the chances on the options: in words what is best, and what has no button of its own. */
function said(root, found, secret, first) {
  const best = bestOf(found), [top] = found, button = rated(root, [top]).length > 0;
  const words = secret && found.length > 1 && button ? "The coach mixes its choices, so that nobody can guess them." :
    !best.length ? "Here every choice is as good." : first && !secret && found.length > 1 ? plainly(found) : `Best: ${top.words}, ${top.chance} to win.`;
  const others = root.querySelector("[data-value]") ? found.filter((one) => !rated(root, [one]).length) : [];
  return h("div", { class: "advice" }, h("p", {}, words), !button && top.reason && h("p", { class: "quiet" }, signs(top.reason)),
    others.filter((one) => one !== top || !best.length).map((one) => h("p", { class: "quiet" }, `${one.words}: ${one.chance} to win.`)));
}

/** The button that asks the coach about `ask`. What it says about a secret is veiled; if the whole question is, it is
    already `covered`. `allow(may)` hides it, and what it said, if the seat may no longer ask. */
export function coach(ask, covered) {
  const holder = h("div", { "aria-live": "polite" });
  const root = () => made.closest(".veiled > div") || made.closest(".ask");
  // A page that asks the coach by itself (learn/first_inning.js) says nothing of a refusal.
  const button = h("button", { class: "button quiet", onclick: ({ isTrusted }) => run(button, async () => {
    button.textContent = "The coach is thinking …";
    try {
      const found = await send("/api/seat/advice", { seat: ask.seat, n: ask.n }, PATIENCE), place = root();
      const words = said(place, found, ask.secret, !isTrusted);
      const arranged = place.querySelector(".arrange, .turns");
      if (arranged && arranged.advise) arranged.advise(found[0].value);
      if (ask.secret && !covered) {
        const open = veiled("Show what the coach says", words, (shown) => { if (shown) mark(place, found, true); else unmark(place); });
        holder.replaceChildren(open);
        if (isTrusted) open.querySelector(".veil").click();
      } else {
        holder.replaceChildren(words);
        mark(place, found, ask.secret);
        sort(place, found);
      }
    } catch (error) { if (isTrusted) throw error; } finally { button.textContent = QUESTION; }
  }) }, QUESTION);
  const made = h("div", { class: "coach" }, button, holder);
  made.allow = (may) => {
    made.hidden = !may;
    if (may || !holder.firstChild) return;
    unmark(root());
    holder.replaceChildren();
  };
  return made;
}
