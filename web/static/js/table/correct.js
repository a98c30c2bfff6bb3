// The operator's corrections: the last roll directly, an older one after a preview, and taking back any answer.

import { picker } from "/static/js/asks/reroll.js";
import { said, tappable } from "/static/js/asks/dice.js";
import { answers, compared, fell, halfName, kept } from "/static/js/asks/preview.js";
import { follow } from "/static/js/live.js";
import { focusOn, h, rest, run, send as ask, tell } from "/static/js/parts.js";
import { proof } from "/static/js/asks/roll.js";
import "/static/js/asks/undo.js";

const $ = (id) => document.getElementById(id);
const MANY = 40, ROLLS = 12;

let sides = {}, plays = {};
const who = ({ seat }) => sides[plays[seat]].name;

const WENT_ON = "The game has moved on. Here is what it would change now.";

/** The previews that are shown, by their place: each is refreshed as the game goes on. */
const looks = new Map();

/** Show in `result` what `preview()` says would change, and call `act(seen)` with it once it is confirmed. `leave`, if
    given, goes back. */
async function confirm(result, preview, described, sure, act, leave) {
  let shown = null, last = 0;
  const show = async (words) => {
    const turn = ++last, seen = await preview();
    if (turn !== last) return;
    shown = seen.version;
    const note = words && h("p", { tabindex: -1 }, words), focused = result.contains(document.activeElement);
    const yes = h("button", { class: "button", onclick: () => run(yes, () => go(seen)) }, seen.games ? "Yes, delete" : sure);
    // Losing whole games takes two taps.
    const first = seen.games ? h("button", { class: "button", onclick: () => { first.replaceWith(yes); rest(yes); yes.focus({ preventScroll: true }); } }, sure) : yes;
    rest(first);
    result.replaceChildren(h("div", { class: "preview" }, note, fell(seen.games), compared(seen), described(seen), first, leave && h("button", { class: "button quiet", onclick: leave }, "Cancel")));
    if (focused) focusOn(note);
    if (!words) result.firstChild.scrollIntoView({ block: "nearest" });
  };
  const again = async () => {
    if (shown === version) return;
    await show(WENT_ON).catch((error) => result.replaceChildren(h("p", {}, error.message)));
  };
  const go = async (seen) => {
    looks.delete(result);
    await act(seen).catch(async (error) => {
      looks.set(result, again);
      await again();
      throw error;
    });
    result.replaceChildren();
  };
  looks.delete(result);
  result.replaceChildren(h("p", { class: "quiet" }, "Checking …"));
  await show().catch((error) => { result.replaceChildren(); throw error; });
  looks.set(result, again);
  await again();
}

/** The dice of a roll that counted. `roll()` returns its current state; `done(words)` is called once it is corrected, and
    `leave()` drops a mere preview. */
function changer(roll, done, leave) {
  const first = roll(), { n, dice } = first, words = (value) => said(first, value), result = h("div", { "aria-live": "polite" });
  const put = async (value, i, button) => {
    const was = first.value;
    let righted = "";
    const amend = async ({ version, dropped }) => {
      await ask("/api/amend", { n, value, version });
      const fell = dropped.length > 0 && `Removed ${answers(dropped.length, "later ")}.`;
      righted = [`Corrected to ${words(value)}. It was ${words(was)}.`, fell].filter(Boolean).join(" ");
    };
    looks.delete(result);
    await run(button, async () => {
      if (String(value) === String(was)) result.replaceChildren(h("p", { class: "quiet" }, "No change."));
      else if (!roll().after) await amend({ version, dropped: [] }).catch((error) => { if (leave) leave(); throw error; });
      else await confirm(result, () => ask("/api/preview", { n, value }), kept, `Correct it to ${words(value)}`, async (seen) => { await amend(seen); done(righted); }, leave);
    });
    if (righted) done(righted);
  };
  if (first.kind === "reroll") {
    let now = first.value;
    const go = h("button", { class: "button", disabled: true, onclick: () => put(now, null, go) }, "Correct it");
    return [h("div", { class: "beside" }, picker(first, now, (value, whole) => { now = value; go.disabled = !whole; }), proof(first.evidence)), go, result];
  }
  return [h("div", { class: "beside" }, tappable({ dice, faces: first.value, likely: first.likely }, put), proof(first.evidence)), result];
}

// The last roll -----------------------------------------------------------------------------------------------------

const last = $("last"), note = h("p", { class: "quiet" });
let newest = null, drawn = "", version = null, about = null, number = null;

/** Show what was corrected in roll `n`, until there is newer news; keyboard focus goes back to the die. */
function righted(n, words) {
  about = n;
  note.textContent = words;
  focusOn(last.querySelector(".tap"));
}

async function lastRoll() {
  const [roll] = await ask("/api/rolls?limit=1").catch((error) => { tell(error.message); return [newest]; });
  // The note on a correction stays until there is a newer roll, or that roll is gone.
  if (!roll || roll.n < about || (newest && roll.n > newest.n)) note.textContent = "";
  newest = roll;
  last.hidden = !roll;
  const facts = roll ? JSON.stringify([roll.n, roll.value, roll.sentence]) : "";
  if (facts === drawn) return;
  drawn = facts;
  const focused = last.contains(document.activeElement);
  last.replaceChildren(...roll ? [h("h2", {}, "Last roll"), h("p", { class: "quiet asked" }, `${who(roll)} · ${roll.title || roll.sentence}`),
    ...changer(() => newest, (words) => righted(roll.n, words), () => { drawn = ""; lastRoll().then(() => focusOn(last.querySelector(".tap"))); }), note] : []);
  if (focused) focusOn(last.querySelector(".tap"));
}

// Older rolls, and taking back --------------------------------------------------------------------------------------

/** A list in `place`, rebuilt after every change while `box` is open and nothing in it is picked. */
function listed(box, place, path, none, words, picked) {
  let busy = false;
  async function list(newer = []) {
    if (!box.open || busy) return;
    const older = newer.length ? `&before=${newer.slice(-1)[0].n}` : "";
    const found = await ask(`${path}?limit=${MANY + 1}${older}`).catch((error) => { tell(error.message); return []; });
    if (busy || !box.open) return;
    const all = [...newer, ...found.slice(0, MANY)], items = all.map((one) => h("li", {}, h("button", { class: "roll", onclick: () => pick(one) }, words(one))));
    const more = found.length > MANY && h("button", { class: "button quiet", onclick: () => list(all) }, "Show earlier");
    place.replaceChildren(all.length ? h("ol", { class: "rolls" }, items) : h("p", { class: "quiet" }, none), more || "");
  }
  function pick(one) {
    busy = true;
    const back = () => { busy = false; list().then(() => box.querySelector("summary").focus()); };
    place.replaceChildren(...picked(one, () => { busy = false; box.open = false; box.querySelector("summary").focus(); }), h("button", { class: "button quiet", onclick: back }, "Cancel"));
    place.querySelector("button").focus();
  }
  box.addEventListener("toggle", () => { busy = false; list(); });
  return list;
}

const rolls = $("rolls");

/** An older roll: its dice to tap, its picture, and what came of it. */
function rolled(roll) {
  const made = h("li", { class: "rolled", "data-n": roll.n });
  const again = () => { const next = rolled(roll); made.replaceWith(next); next.querySelector("button").focus(); };
  // An older roll is always previewed first.
  const change = () => changer(() => ({ ...roll, after: 1 }), (words) => { righted(roll.n, words); listRolls(); }, again);
  const told = h("p", {}, roll.told || `${who(roll)}: ${roll.sentence}`);
  const words = said(roll, roll.value);
  // Dice that were thrown again need a whole card: it opens with a tap.
  made.append(...roll.kind !== "reroll" ? [...change(), told] : [h("button", { class: "button quiet", onclick: () => { made.replaceChildren(...change(), told); made.querySelector("button").focus(); } }, words), told]);
  return made;
}

/** List the rolls before the last one by half-inning, unless somebody is changing one; `newer` are shown already. */
async function listRolls(newer = []) {
  const older = newer.length ? `&before=${newer.slice(-1)[0].n}` : "";
  const found = await ask(`/api/rolls?limit=${ROLLS + 2}${older}`).catch((error) => { tell(error.message); return []; });
  const open = rolls.querySelector("[aria-expanded=true], .preview, .rolled .second");
  if (!$("correct").open || (open && !newer.length && open.closest(".rolled"))) return;
  const all = [...newer, ...found.slice(newer.length ? 0 : 1, ROLLS + 1)];
  const groups = all.reduce((map, one) => map.set(halfName(one), [...map.get(halfName(one)) || [], one]), new Map());
  const more = found.length > ROLLS + 1 && h("button", { class: "button quiet", onclick: (event) => run(event.currentTarget, () => listRolls(all)) }, "Show earlier");
  rolls.replaceChildren(...all.length ? [...groups].map(([half, some]) => h("section", { class: "rolls" }, h("h3", {}, half), h("ol", {}, some.map(rolled)))) : [h("p", { class: "quiet" }, "No older rolls yet.")], more || "");
}
$("correct").addEventListener("toggle", () => listRolls());

const listAnswers = listed($("back"), $("answers"), "/api/answers", "Nothing to undo.",
  (one) => [h("b", {}, one.words != null ? one.words : "a secret"), h("span", {}, `${who(one)}: ${one.sentence}`)],
  ({ n, seat, sentence, words }, done) => {
    const result = h("div", { "aria-live": "polite" });
    const preview = () => ask("/api/undo/preview", { n });
    const described = ({ dropped, given }) => h("p", {}, `This removes ${answers(given)}${Math.min(...dropped) < n ? ", including some before this one that belong with it" : ""}.`);
    confirm(result, preview, described, "Undo to here", async ({ version }) => { await ask("/api/undo", { n, version }); done(); }).catch((error) => tell(error.message));
    return [h("h3", {}, `${who({ seat })}: ${sentence}`), h("p", {}, `Answered: ${words != null ? words : "a secret"}. It will be asked again.`), result];
  });

follow((view) => {
  ({ sides, plays } = view.table.scoreboard);
  if (number !== null && view.number !== number) {
    // Another game: nothing that was begun for the one before is meant for it.
    looks.clear();
    for (const place of [rolls, $("answers")]) place.replaceChildren();
    version = null;
  }
  number = view.number;
  if (view.table.version === version) return;
  version = view.table.version;
  for (const [place, again] of looks) place.isConnected ? again() : looks.delete(place);
  lastRoll();
  listRolls();
  listAnswers();
});
