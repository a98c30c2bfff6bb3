// The operator's page: every ask, a new game, and what the machine sees and shows; corrections are in correct.js.

import { follow } from "/static/js/live.js";
import "/static/js/correct.js";
import { wanted } from "/static/js/asks/dice.js";
import { hands } from "/static/js/asks/asks.js";
import { h, run, send, sure, tell } from "/static/js/parts.js";

const $ = (id) => document.getElementById(id);
const HOLD = 800, CAMERA = 500, PARTS = 5000;

follow(hands($("asks")));

// A game without an answer, or one that is over, can be replaced without asking.
let underWay = false, onTable = "";
follow(({ table }) => { underWay = table.version > 0 && !table.outcome; onTable = table.scoreboard.game; });

// A new game --------------------------------------------------------------------------------------------------------

$("new").addEventListener("toggle", async () => {
  if (!$("new").open) return;
  const wish = new URLSearchParams(location.hash.slice(1));
  const { games } = await send("/api/catalogue").catch((error) => { tell(error.message); return { games: [] }; });
  const body = h("div", {});
  const show = () => { const game = games.find(({ key }) => key === pick.value); if (game) body.replaceChildren(form(game, game.key === wish.get("game") ? wish : new URLSearchParams())); };
  const pick = h("select", { id: "which", onchange: show }, games.map((game) => h("option", { value: game.key, selected: game.key === (wish.get("game") ?? onTable) }, game.title)));
  show();
  $("games").replaceChildren(h("label", { for: "which" }, "Game"), pick, body);
});

// A deck's page links here with #game=KEY&deck=NAME and house rules.
if (location.hash) { $("new").open = true; $("new").scrollIntoView(); }

function form(game, wish) {
  const decks = game.decks.map((deck) => [deck.name, h("input", { type: "checkbox", checked: deck.name === wish.get("deck") }), deck.title, deck.lacks]);
  const rules = game.house_rules.map((rule) => [rule, h("select", { id: `house-${rule.key}` }, rule.values.map((value, i) => h("option", { value }, rule.labels[i])))]);
  for (const [rule, select] of rules) select.value = rule.values.includes(wish.get(rule.key)) ? wish.get(rule.key) : rule.default;
  // Choices about play come first; readings of the rulebook are folded.
  const agreed = rules.filter(([rule]) => !rule.silent);
  const silent = rules.filter(([rule]) => rule.silent), headings = [...new Set(silent.map(([rule]) => rule.under))];
  const row = ([rule, select]) => h("p", { class: "rule" }, h("label", { for: select.id }, rule.title ? h("b", {}, rule.title) : rule.meaning),
    select, rule.title && h("small", { id: `${select.id}-means`, class: "means" }, rule.meaning));
  for (const [rule, select] of rules) if (rule.title) select.setAttribute("aria-describedby", `${select.id}-means`);
  const start = h("button", { class: "button", onclick: () => {
    if (!underWay || sure(start, "Really put the game on the table aside?")) run(start, async () => {
      const house = Object.fromEntries(rules.filter(([rule, select]) => select.value !== rule.default).map(([rule, select]) => [rule.key, select.value]));
      await send("/api/game", { game: game.key, decks: decks.filter(([, box]) => box.checked).map(([name]) => name), house });
      $("new").open = false;
      $("main").focus({ preventScroll: true });
      scrollTo({ top: 0 });
      tell(`${game.title} begins.`);
    });
  } }, `Begin ${game.title}`);
  return h("div", { class: "form" },
    decks.length > 0 && h("fieldset", {}, h("legend", {}, "Decks (none: the house deck)"), decks.map(([, box, title, lacks]) =>
      h("label", { class: "pick" }, box, h("span", {}, title, lacks.length > 0 && h("small", {}, " · not whole by itself"))))),
    agreed.map(row),
    h("details", {}, h("summary", {}, agreed.length ? "Where the rulebook is silent" : "House rules"), headings.flatMap((under) => [
      under !== "" && h("h3", {}, under), ...silent.filter(([rule]) => rule.under === under).map(row)])),
    start);
}

// What the machine sees and shows -----------------------------------------------------------------------------------

const GLASS = 1250; // ms between two looks at the display, whose pages turn every 2.5 s
const glass = $("glass");
let glassAgain = false;

/** Refresh the picture of a camera while it is on screen; ask less often if there is none. */
function watch(name, words) {
  const picture = $(name), caption = $(`${name}-words`);
  let onScreen = true, waiting = false, asked = 0, pause = CAMERA;
  const came = (there) => { pause = there ? CAMERA : 10 * CAMERA; waiting = false; picture.hidden = !there; caption.textContent = there ? words : "No camera picture."; };
  new IntersectionObserver(([entry]) => { onScreen = entry.isIntersecting; }).observe(picture.parentElement);
  picture.onload = () => came(true);
  picture.onerror = () => came(false);
  setInterval(() => {
    if (document.hidden || !onScreen || waiting || Date.now() - asked < pause - 50) return;
    waiting = true;
    asked = Date.now();
    picture.src = `/${name}.jpg?t=${Date.now()}`;
  }, CAMERA);
}
watch("camera", "Camera");
watch("board", "Board");

function lookAtGlass() {
  if (glassAgain) return;
  glassAgain = true;
  setTimeout(() => { glassAgain = false; glass.src = `/glass.png?t=${Date.now()}`; }, 150);
}
glass.onload = () => { glass.hidden = false; };
glass.onerror = () => { glass.hidden = true; };

const part = (one) => h("li", { class: one.ok ? "well" : "ill" }, h("b", {}, one.name ?? one.part), ` ${one.ok ? "" : "not well: "}${one.words}`);

for (const step of document.querySelectorAll("[data-calibrate]")) step.onclick = () => run(step, async () => {
  $("checks").replaceChildren(h("li", {}, "Looking …"));
  const seen = await send("/api/calibrate", { step: step.dataset.calibrate }, 20).catch((error) => { $("checks").replaceChildren(); throw error; });
  $("checks").replaceChildren(...seen.checks.map(part));
});

async function parts() {
  if (document.hidden) return;
  const all = await send("/api/health").catch(() => null);
  if (all) $("health").replaceChildren(...all.map(part));
}
setInterval(parts, PARTS);
parts();

setInterval(() => { if (!document.hidden) lookAtGlass(); }, GLASS);
follow(lookAtGlass);

// Virtual devices ---------------------------------------------------------------------------------------------------

let line = Promise.resolve();
const move = (button, action) => { line = line.then(() => send("/api/press", { button, action })).catch((error) => tell(error.message)); };
for (const pad of document.querySelectorAll(".pad")) {
  const { button } = pad.dataset;
  let timer = 0, down = false;
  const press = () => { if (down) return; down = true; move(button, "press"); timer = setTimeout(() => move(button, "hold"), HOLD); pad.classList.add("down"); };
  const release = () => { if (!down) return; down = false; clearTimeout(timer); move(button, "release"); pad.classList.remove("down"); };
  pad.onpointerdown = (event) => { pad.setPointerCapture(event.pointerId); press(); };
  pad.onpointerup = pad.onpointercancel = release;
  pad.onkeydown = (event) => { if ((event.key === " " || event.key === "Enter") && !event.repeat) press(); };
  pad.onkeyup = pad.onblur = release;
  pad.oncontextmenu = (event) => event.preventDefault();
}
const lays = ({ kind, places }) => kind === "arrange" && places?.every(({ value }) => "ABCDEF".includes(value));
let overlooked = false;
follow((view) => {
  const laying = view.table.asks.some(lays);
  for (const act of document.querySelectorAll("[data-race]")) act.hidden = !view.race;
  for (const act of document.querySelectorAll("[data-laying]")) act.hidden = !laying;
  const roll = view.table.asks.find(({ kind }) => kind === "roll");
  for (const act of document.querySelectorAll("[data-simulate=throw]")) act.textContent = `Throw ${roll ? wanted(roll.dice) : "the dice"}`;
  overlooked ||= Boolean(view.layout);
  $("board").parentElement.hidden = !(laying && overlooked);
});
for (const act of document.querySelectorAll("[data-simulate]")) act.onclick = () => run(act, () => send("/api/simulate", { what: act.dataset.simulate }));
