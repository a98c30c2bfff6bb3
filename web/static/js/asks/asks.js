// The controls that answer asks: choices, dice, arrangements, and a call that needs confirmation.

import { rethrow } from "/static/js/asks/reroll.js";
import { arrange } from "/static/js/asks/arrange.js";
import { besideCamera } from "/static/js/asks/camera.js";
import { coach } from "/static/js/asks/coach.js";
import { gameUi, portraits } from "/static/js/asks/game_ui.js";
import { layoutCard, mirror } from "/static/js/asks/layout.js";
import { answerable, firstName, limited, managedCard, throwAgain } from "/static/js/asks/managed.js";
import { ordinaryNotice } from "/static/js/live.js";
import { h, rest, run, send, signs } from "/static/js/parts.js";
import { photograph } from "/static/js/asks/photo.js";
import { keypad, proposalCard, tableRollCard } from "/static/js/asks/roll.js";
import { zone } from "/static/js/asks/zone.js";

// With more options than FEW, one is picked first and then confirmed; a sentence of more than LONG letters is smaller.
// Notes of at most SHORT letters leave two options side by side.
// Veiled content is covered again after SEEN milliseconds without a tap on it.
const FEW = 8, LONG = 90, SEEN = 60000, SHORT = 14;

// What the coach may be asked about.
const DECIDED = ["choose", "arrange", "reroll"];
// This phone reads aloud: see aloud.js.
const byEar = () => document.body.classList.contains("by-ear");

function choices(ask, done, face = () => null) {
  const noted = ask.options.some(({ note }) => note && note.length > SHORT);
  return h("div", { class: `choices${noted ? " noted" : ""}` }, ask.options.map((option) => {
    const mug = face(option);
    return h("button", { class: `button choice${mug ? " pictured" : ""}`, "data-value": option.value, onclick: (event) => { const it = event.currentTarget; run(it, () => done(option.value)); } }, mug, option.label, option.note && h("small", {}, " ", signs(option.note)));
  }));
}

/** A note: its first sentence always, the others while its button is pressed. */
function noted(note) {
  const [first, ...more] = (signs(note) || "").match(/[^.]+\.?/g) || [];
  return first && [h("small", {}, first), more.length > 0 && h("small", { class: "more" }, more.map((sentence) => h("span", {}, sentence)))];
}

/** One of many, picked first and then confirmed: a slip of the thumb on a long list gives nothing away. `hand` are the
    names of the cards in hand, duplicates included; `plays`: one of them is played; `face` makes portraits. */
function picks(ask, hand, plays, done, face) {
  let value = null;
  const go = h("button", { class: "button", disabled: true, onclick: () => run(go, async () => { await done(value); scrollTo({ top: 0 }); }) }, "Tap one, then confirm here");
  const list = ask.options.map((option) => h("button", { class: "pickable", "aria-pressed": "false", "data-value": option.value, onclick: (event) => {
    value = option.value;
    for (const one of list) one.setAttribute("aria-pressed", String(one === event.currentTarget));
    go.disabled = false;
    go.textContent = !plays ? `Confirm: ${option.label}` : option.note ? `Play ${option.label}` : option.label;
  } }, face(option), many(option.label, hand), noted(option.note)));
  return h("div", { class: `picks${list.length > FEW ? " long" : ""}` }, list, go);
}

/** The label of a card, with its count in the hand. */
function many(label, hand) {
  const alike = hand.filter((name) => name === label).length;
  return alike > 1 ? `${alike} × ${label}` : label;
}

/** True if a slip of the thumb would cost something: among many, or if a card is played or given away. */
const weighs = ({ options, secret }, plays) => options.length > FEW || plays || (secret && options.some(({ note }) => note));

/** Choices with labels of two words, by the first and then the second: {Inside: {High: value}}; else null. */
function parted(options) {
  const tree = {};
  for (const { label, value } of options) {
    const [first, second, ...more] = label.split(", ");
    if (!second || more.length) return null;
    (tree[first] = tree[first] || {})[second[0].toUpperCase() + second.slice(1)] = value;
  }
  return tree;
}

/** A choice in two steps. The first tap is not shown again: somebody looking over a shoulder learns half at most. */
function twice(tree, done) {
  const holder = h("div", { class: "twice" });
  const step = (words, branch, tap, ...more) => holder.replaceChildren(h("p", { class: "quiet" }, words),
    h("div", { class: "choices" }, Object.entries(branch).map(([word, next]) => h("button", { class: "button choice", onclick: (event) => tap(next, event.currentTarget) }, word))), ...more);
  const first = () => step("First of two", tree, second);
  const second = (branch) => step("Second of two", branch, (value, button) => run(button, () => done(value)),
    h("button", { class: "button quiet", onclick: first }, "Start over"));
  first();
  return holder;
}

/** Secret content is shown only while somebody uncovers it, and never after the phone was put down. `turned(open)` is called
    each time. */
export function veiled(words, inside, turned = () => {}) {
  let soon = 0;
  const wait = () => { clearTimeout(soon); soon = setTimeout(() => turn(false), SEEN); };
  const body = h("div", { hidden: true, onpointerdown: wait, onkeydown: wait }, inside);
  const lid = h("button", { class: "button quiet veil", "aria-expanded": "false", onclick: () => turn(body.hidden) }, words);
  const turn = (open) => { wait(); body.hidden = !open; lid.setAttribute("aria-expanded", String(open)); lid.textContent = open ? "Hide" : words; turned(open); };
  document.addEventListener("visibilitychange", () => { if (document.hidden) turn(false); });
  return h("div", { class: "veiled" }, lid, body);
}

/** Content, made by `inside`, that is shown as long as a finger or a key is down. */
function held(words, inside) {
  const body = h("div", { hidden: true });
  const show = () => { body.replaceChildren(inside()); body.hidden = false; }, hide = () => { body.hidden = true; };
  const key = (act) => (event) => { if (event.key === " " || event.key === "Enter") act(); };
  const lid = h("button", { class: "button quiet veil", onpointerdown: show, onpointerup: hide, onpointercancel: hide, onpointerleave: hide,
    onkeydown: key(show), onkeyup: key(hide), onblur: hide, oncontextmenu: (event) => event.preventDefault() }, words);
  document.addEventListener("visibilitychange", hide);
  return h("div", { class: "veiled" }, lid, body);
}

/** Remember what this phone answered: the table sends it to no phone, because one code opens both seats. */
const remember = ({ n, secret }, value) => sessionStorage.setItem("answer", JSON.stringify([n, value, secret]));

/** The ask whose answer this phone remembers, if it was secret. */
function hidden() {
  const [n, , secret] = JSON.parse(sessionStorage.getItem("answer") || "[]");
  return secret ? n : null;
}

/** What this phone answered to ask `n`, in words. */
function remembered(n) {
  const [asked, value] = JSON.parse(sessionStorage.getItem("answer") || "[]");
  if (asked !== n) return "You chose on another phone, so it can't be shown here.";
  if (typeof value === "object") return Object.entries(value).map(([k, v]) => `${k}: ${v}`).join(", ");
  return String(value).replace(/^([a-z]+)-([a-z]+)$/, "$1, $2");
}

async function answer(ask, mine, value) {
  await send("/api/answer", { seat: ask.seat, n: ask.n, value });
  if (mine) remember(ask, value);
}

/** The hand of cards of the asked seat, if this phone may see it. */
function cards(ui, { seat }, panel) {
  const held = ui.hand && ui.hand(seat, panel);
  return Array.isArray(held) ? held : [];
}

/** The hand, shown if the decision is about all of it. */
function handed(hand) {
  const names = hand.map(({ name }) => name);
  return h("ul", { class: "hand" }, hand.filter(({ name }, at) => names.indexOf(name) === at).map(({ name, reads }) =>
    h("li", {}, h("b", {}, many(name, names)), h("br"), h("small", {}, signs(reads)))));
}

function control(ask, mine, ui, board, onSeat = mine) {
  const { panel } = board, face = portraits(board.game, ask, panel, side(board, ask.seat).colour);
  const done = (value) => answer(ask, mine, value);
  if (ask.kind === "roll") return besideCamera(h("div", { class: "typing" }, keypad(ask.dice, done), photograph(ask)), onSeat, ask.dice.length);
  if (ask.kind === "reroll") return besideCamera(h("div", { class: "typing" }, rethrow(ask, done), photograph(ask)), false);
  if (ask.kind === "draw") return h("p", { class: "quiet draws" }, "The table draws automatically.");
  if (ask.options) {
    const placed = zone(ask, ui.grid && ui.grid(ask.why), done);
    if (placed) return placed;
    const tree = ask.secret && parted(ask.options);
    if (tree) return twice(tree, done);
    const plays = Boolean(ui.playsCard && ui.playsCard(ask.why)), atOnce = ui.atOnce || [];
    if (!weighs(ask, plays)) return choices(ask, done, face);
    const now = ask.options.filter(({ value }) => atOnce.includes(value)), names = cards(ui, ask, panel).map(({ name }) => name);
    return h("div", {}, now.length > 0 && h("div", { class: "passing" }, choices({ options: now }, done)),
      picks({ ...ask, options: ask.options.filter((one) => !now.includes(one)) }, names, plays, done, face));
  }
  if (ask.pieces) return arrange(ask, ui, panel, async (value) => { await done(value); scrollTo({ top: 0 }); }, face);
  if (ask.kind === "call" && mine) return h("p", { class: "quiet" }, "Call with the button below, or with OK at the table.");
  // What no camera sees, the operator decides.
  if (ask.kind === "call") return h("div", {}, h("p", { class: "quiet" }, "That seat calls with OK at the table or on its own phone. If the camera can’t see its die, decide here who was first."),
    h("div", { class: "choices" }, ask.wins.map((face) => h("button", { class: "button quiet choice", onclick: ({ currentTarget }) => run(currentTarget, () => done(face)) }, `First, with a ${face}`))));
  return h("p", { class: "quiet" }, "This is secret. Answer on the seat's own phone.");
}

/** The side that a seat plays now. */
const side = ({ sides, plays }, seat) => sides[plays[seat]];

/** The side that a seat plays now, with home or away unless it is named for that or one person plays alone. */
export function whose(board, seat) {
  const { name } = side(board, seat), plays = board.plays[seat];
  return name.toLowerCase() === plays || Object.keys(board.plays).length < 2 ? name : `${name}, ${plays}`;
}

/** The side that a seat plays now: {colour, name}. */
export const seated = (board, seat) => ({ colour: side(board, seat).colour, name: whose(board, seat) });

/** The asked side or seat, in words; a computer's dice are thrown for it. */
const name = (board, mine, { seat }, manager) => manager ? `Roll for ${side(board, seat).name}.` : mine ? "Your move" : whose(board, seat);

/** The decision as a heading, with the sentence below it; a game without titles has its sentence as the heading. */
const headed = ({ title, sentence }, words = sentence) => title ? [h("h2", { class: "explained" }, title), h("p", { class: words === sentence ? "why" : "why hush" }, words)] :
  [h("h2", { class: words.length > LONG && "long" }, words)];

/** An ask, in the words that it needs beside the panel. */
function briefly(ask, board) {
  const { asked } = gameUi(board.game), sentence = asked && asked(ask, board);
  return sentence ? { ...ask, title: "", sentence, brief: true } : ask;
}

/** A throw that people make for a computer: for a reroll exactly the dice that it chose. */
function throwCard(ask, board, manager, onSeat) {
  const again = ask.kind === "reroll", { again: places } = manager;
  const inside = !again ? control(ask, false, {}, board, onSeat) : places && control(limited(ask, places), false, {}, board);
  const leave = h("button", { class: "button quiet leave", onclick: () => run(leave, () => send("/api/table-rolls", { on: true })) }, "Let the table roll for the computer");
  const card = h("article", { class: `ask team-${side(board, ask.seat).colour}` },
    h("p", { class: "whose" }, name(board, false, ask, manager)), again ? h("h2", {}, throwAgain(ask, places)) : headed(ask), onSeat && h("div", { class: "between" }), inside, onSeat && leave);
  card.watch = (watching) => inside && inside.watch && inside.watch(watching);
  return card;
}

function askCard(ask, board, mine, alone) {
  // Asked again: the answer before was taken back.
  if (mine) sessionStorage.removeItem("answer");
  // Doing nothing is not secret and takes one tap: the hand stays covered.
  const ui = gameUi(board.game), pass = ask.secret && ask.options && ask.options.find(({ value }) => value === ui.pass);
  const inside = control(pass ? { ...ask, options: ask.options.filter((one) => one !== pass) } : ask, mine, ui, board);
  // The places of a board are the same for everybody, so one tap chooses; what is read aloud waits for its own gesture.
  const open = inside.matches(".zone") && !byEar();
  const hidden = ask.secret && !open && (!alone || byEar()) && (ask.options || ask.pieces), hand = cards(ui, ask, board.panel), reveal = ui.reveal != null ? ui.reveal : "Show it";
  // The card of batter and pitcher comes between question and choices.
  const slot = mine && h("div", { class: "between" });
  const advice = mine && DECIDED.includes(ask.kind) && coach(ask, hidden || pass || alone);
  const card = h("article", { class: `ask team-${side(board, ask.seat).colour}` },
    h("p", { class: "whose" }, name(board, mine, ask)),
    pass ? [...headed(ask), h("div", { class: "offers" }, alone && !byEar() ? h("div", {}, inside, advice) : veiled(reveal, [inside, advice]), choices({ options: [pass] }, (value) => answer(ask, mine, value))), slot] :
    hidden ? [...headed(ask, "Choose in secret."), slot, veiled(hand.length ? reveal : "Show it", [h("p", { class: "why" }, ask.sentence), ui.readsHand && ui.readsHand(ask.why) && handed(hand), inside, advice].flat())] :
      [...headed(ask), slot, inside, advice]);
  card.watch = (watching) => inside.watch && inside.watch(watching);
  card.coached = (may) => { if (advice) advice.allow(may); };
  return card;
}

/** A call without a die behind it yet: people enter what the die shows. */
function confirmCard({ seat, n, sentence }, wins) {
  const say = (value, words, more = "") => h("button", { class: `button choice${more}`,
    onclick: (event) => { const it = event.currentTarget; run(it, () => send("/api/answer", { seat, n, value })); } }, words);
  return h("article", { class: "ask proposed" },
    h("p", { class: "whose" }, "Confirm the call"),
    h("h2", {}, sentence),
    h("div", { class: "choices" }, wins.map((face) => say(face, `It shows ${face}`)), say("false-call", "False call", " quiet")));
}

/** Move keyboard focus to the heading of a card. */
export function onto(card) {
  const heading = card.querySelector("h2") || card;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Show the asks of `view` in `place`: those of `seat`, or of all seats if it is undefined. */
export function hands(place, seat) {
  const cards = new Map();
  // New controls under a thumb ignore a tap that was meant for what stood there before.
  let down = 0;
  document.addEventListener("pointerdown", () => { down = performance.now(); }, true);
  const fresh = (made) => {
    const born = performance.now();
    made.addEventListener("click", (event) => { if (event.detail && down < born) event.stopPropagation(); }, true);
    rest(made);
    return made;
  };
  // A running button loses the focus, and is gone before it could get it back.
  let within = false, advised = null;
  for (const moved of ["focusin", "pointerdown"]) document.addEventListener(moved, ({ target }) => { within = place.contains(target); });
  let shown = null;
  document.addEventListener("by-ear", () => { if (shown) draw(shown); });
  // What the region below says is left out where the question says it.
  const asked = seat ? `.awaited.of-${seat}, .awaited.thrown, .notice, .plated, .final` : ".awaited, .proposal, .notice", below = document.getElementById("now");
  const trim = () => { below.hidden = [...below.children].every((one) => one.matches(asked)); };
  below.addEventListener("drawn", trim);
  trim();
  return draw;
  function draw(view) {
    shown = view;
    const board = view.table.scoreboard;
    const mine = answerable(view, seat).map((ask) => briefly(ask, board)), { managers } = view;
    const who = (one) => `${side(board, one).name}${one in managers ? `, ${firstName(managers[one])}` : ""}`;
    // Against the computer nobody looks over a shoulder: secrets need no cover.
    const alone = seat && Object.keys(board.plays).every((one) => one === seat || one in managers);
    const wanted = [];
    const keep = (key, facts, make) => {
      const same = JSON.stringify(facts);
      const old = cards.get(key);
      const card = (old && old.same) === same ? old : { same, made: fresh(make()) };
      cards.set(key, card);
      wanted.push([key, card.made]);
    };
    if (seat in managers && !view.table.outcome) keep("managed", [managers[seat].key, (side(board, seat) || {}).name], () => managedCard(seat, managers[seat], side(board, seat)));
    const proposal = view.proposal;
    const rolled = proposal && mine.find((ask) => ask.n === proposal.n && !(ask.kind === "reroll" && (managers[ask.seat] && managers[ask.seat].again) === null));
    if (rolled) {
      // Do not close the open die only because the roll waits now, or because the dice were picked up and their advice ended.
      if (proposal.advice || proposal.sure) advised = proposal.advice;
      const again = managers[rolled.seat] && managers[rolled.seat].again;
      keep("proposal", { ...proposal, seconds: 0, advice: advised, for: again }, () => proposalCard(proposal, again ? limited(rolled, again) : rolled, rolled.seat in managers ? who(rolled.seat) : name(board, seat, rolled)));
      cards.get("proposal").made.update(proposal);
    }
    const byTable = proposal && proposal.source === "manager" && view.table.asks.find(({ n }) => n === proposal.n);
    if (byTable) keep("by table", { ...proposal, seconds: 0 }, () => tableRollCard(proposal, byTable, who(proposal.seat)));
    const confirm = view.race && view.race.confirm;
    if (confirm && !(confirm.seat in managers) && (!seat || confirm.seat === seat)) keep("confirm", confirm, () => confirmCard(confirm, view.race.seats[confirm.seat].wins));
    const { layout } = view;
    if (mine.some(({ n }) => n === (layout && layout.n)) || (cards.has("layout") && mine.some(({ pieces }) => pieces))) keep("layout", layout, () => layoutCard(layout, gameUi(board.game).pieces));
    for (const ask of mine) if (ask !== rolled) {
      const manager = managers[ask.seat];
      keep(`ask ${ask.n}`, [ask, side(board, ask.seat).name, ask.pieces && board.panel, byEar(), alone, manager && [manager.again]], () => manager ? throwCard(ask, board, manager, Boolean(seat)) : askCard(ask, board, seat, alone));
    }
    for (const { made } of cards.values()) {
      if (made.watch) made.watch(view.watching);
      if (made.coached) made.coached(view.coached.includes(seat));
    }
    const given = Object.keys(view.table.given || {}).map(Number);
    if (seat && given.length && !(seat in managers)) keep("given", given, () => h("article", { class: "ask given" },
      h("p", { class: "whose" }, "You have answered"),
      h("h2", {}, "Ready. Waiting for the other side."), h("div", { class: "between" }),
      held("Press and hold to see your answer", () => h("p", {}, given.map(remembered).join(", ")))));
    // A card lies face down: the phone it was chosen on shows it again while a finger is held on it.
    const card = hidden();
    const { faceDown } = gameUi(board.game);
    if (seat && card !== null && faceDown && faceDown(board.panel) && view.table.asks.some(({ n }) => n === card + 1)) keep("laid", card, () => h("article", { class: "ask given" },
      h("p", { class: "whose" }, "You have chosen"), h("h2", {}, "Your card is face down."), h("div", { class: "between" }),
      held("Press and hold to see your card", () => h("p", {}, remembered(card)))));
    const others = view.table.asks.filter((ask) => seat || ask.seat in managers).map(({ seat: at, title, sentence }) => at in managers && managers[at].thinking ? `${side(board, at).name}: ${firstName(managers[at])} ${managers[at].thinking} …` : `${who(at)}: ${title || sentence}`);
    if (!wanted.length) keep("none", [view.table.outcome, others], () => h("div", { class: "calm" },
      h("p", {}, view.table.outcome ? view.table.outcome.sentence : "Nothing to decide right now."),
      others.map((words) => h("p", { class: "quiet" }, words)), seat && h("div", { class: "between" })));
    // Below the ask: a notice that comes and goes must not move an answer under a thumb.
    const notice = ordinaryNotice(view);
    if (notice) keep("notice", notice, () => h("p", { class: "notice", role: "status" }, notice));
    for (const key of cards.keys()) if (!wanted.some(([wantedKey]) => wantedKey === key)) cards.delete(key);
    const now = wanted.map(([, made]) => made);
    if (now.length !== place.children.length || now.some((made, i) => place.children[i] !== made)) {
      const other = now.find((made) => made.parentNode !== place && !made.matches(".notice")) || now[0], focused = document.activeElement;
      place.replaceChildren(...now);
      place.classList.toggle("asked", place.querySelector(".ask") !== null);
      if (within && place.contains(focused)) focused.focus({ preventScroll: true });
      else if (within && document.activeElement === document.body) onto(other);
    }
    mirror(layout, place);
  }
}
