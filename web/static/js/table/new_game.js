// A new game, a rematch, and pausing the game on the table.

import { gameUi } from "/static/js/asks/game_ui.js";
import { PACES, ROLLERS, firstName, portrait, traits } from "/static/js/asks/managed.js";
import { follow } from "/static/js/live.js";
import { shelve } from "/static/js/games.js";
import { sitDown } from "/static/js/table/sit_down.js";
import { fixtureRows, nextFixtures, offerAfterGame } from "/static/js/table/fixtures.js";
import { isComputer, newPerson, personOf, personOptions } from "/static/js/table/people.js";
import { opened, show } from "/static/js/table/tabs.js";
import { h, run, send, tell } from "/static/js/parts.js";

const $ = (id) => document.getElementById(id);
const SEATS = ["away", "home"], LONGEST = 24;
const pictures = new Set($("choices").dataset.pictures.split(" "));
let underWay = false, cast = [], people = [], onTable = $("choices").dataset.game, games = [], chosen = null, wish = new URLSearchParams(location.hash.slice(1));

/** Go to the game that begins. */
function begun(words) {
  wish = new URLSearchParams();
  chosen = null;
  $("choices").replaceChildren();
  show("game", true);
  $("main").focus({ preventScroll: true });
  tell(words);
}

/** Go to the fixture that begins, or to the seat of the only person in it. */
const begunFixture = async (words) => { if (!await sitDown()) begun(words); };
offerAfterGame($("next-fixture"), begunFixture);

/** Begin the same game again: game, decks, options and names. */
const again = (button, words) => run(button, async () => {
  await send("/api/game/again", {});
  begun(words);
});

$("pause").onclick = () => again($("pause"), "Game paused. A new one is on the table.");
document.addEventListener("click", ({ target }) => {
  const rematch = target.closest("[data-rematch]");
  if (rematch) again(rematch, "Rematch! A new game begins.");
});

follow(({ game, table }) => {
  const { away, home } = table.scoreboard.sides;
  underWay = table.version > 0 && !table.outcome;
  onTable = game.key;
  $("pause").parentElement.hidden = !underWay;
  $("after").hidden = !table.outcome;
  $("now-playing").textContent = `${game.title}: ${away.name} ${away.runs}, ${home.name} ${home.runs}${table.outcome ? ", final" : table.version ? "" : ", not started"}`;
  const start = $("choices").querySelector(".start");
  if (start) start.rename();
});

// The games ---------------------------------------------------------------------------------------------------------

/** "1 or 2 players · about 30 minutes", as far as it is known. */
const about = ({ players, minutes }) => [players && `${players} ${players === "1" ? "player" : "players"}`, minutes && `about ${minutes} min`].filter(Boolean).join(" · ");

function card(game) {
  const picture = pictures.has(game.key) && h("img", { src: `/static/games/${game.key}.svg`, alt: "", width: 64, height: 64 });
  return h("button", { class: "game-card", "aria-pressed": String(game === chosen), onclick: () => choose(game) }, picture,
    h("span", {}, h("b", {}, game.title), h("small", {}, about(game))));
}

function choose(game, focus = true) {
  chosen = game;
  // Who manages is wished for any game.
  const form = formOf(game, game.key === wish.get("game") ? wish : new URLSearchParams(SEATS.filter((seat) => wish.has(seat)).map((seat) => [seat, wish.get(seat)])));
  $("choices").replaceChildren(h("div", { class: "game-cards", role: "group", "aria-label": "Games" }, games.map(card)), form);
  if (focus) $("choices").querySelector("[aria-pressed=true]").focus({ preventScroll: true });
}

async function list() {
  if (chosen) return;
  [{ games, cast }, people] = await Promise.all([send("/api/catalogue"), send("/api/people")]).catch((error) => { tell(error.message); return [{ games: [], cast: [] }, []]; });
  const first = games.find(({ key }) => key === (wish.get("game") || onTable)) || games[0];
  if (first) choose(first, false);
}

async function fixtures() {
  const offers = await nextFixtures();
  $("fixtures").hidden = !offers.length;
  $("fixtures").querySelector("ul").replaceChildren(...fixtureRows(offers, begunFixture));
}

/** The paused games, as their own page lists them. */
async function shelf() {
  const answer = await fetch("/games").catch(() => null);
  const found = answer && answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#paused");
  $("shelved").hidden = !found;
  if (!found) return;
  $("shelved").replaceChildren(...found.childNodes);
  shelve($("shelved"));
}

opened((key) => { if (key === "games") { list(); shelf(); fixtures(); } });
// A deck's page links here with #game=KEY&deck=NAME and house rules, the first page with #game=KEY&home=STRENGTH.
addEventListener("hashchange", () => {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.has("game")) { wish = asked; chosen = null; list(); }
});

// The form of one game ----------------------------------------------------------------------------------------------

/** A house rule as a question with its answers in words. */
function ruled([rule, select]) {
  if (rule.meaning) select.setAttribute("aria-describedby", `${select.id}-means`);
  return h("p", { class: "rule" }, h("label", { for: select.id }, h("b", {}, rule.title)),
    select, rule.meaning && h("small", { id: `${select.id}-means`, class: "means" }, rule.meaning));
}

/** Options of a select: {value: words}. */
const options = (words) => Object.entries(words).map(([value, label]) => h("option", { value }, label));

/** The key of the manager that an address names, by key or by strength. */
const wished = (name) => (cast.find(({ key, strength, temper }) => key === name || (strength === name && temper === "by the book")) || {}).key;

/** Who manages each side. `given()` is what is sent, `single()` whether one person is left to play; `house(values)` hides the choice where one person plays alone. */
function managing(game, wish) {
  const who = SEATS.map((seat) => h("select", { id: `manager-of-${seat}`, onchange: ({ currentTarget: select }) => { added.ask(select.value === "+" ? select : null); draw(); } }, personOptions(people),
    game.managers && h("optgroup", { label: "Computer" }, options(Object.fromEntries(cast.map((one) => [one.key, `${firstName(one)}: ${traits(one)}`]))))));
  const added = newPerson(who, people, () => draw());
  const faces = SEATS.map(() => h("span", { class: "face" }));
  const pace = h("select", { id: "pace-of-managers" }, options(PACES)), paced = h("p", { class: "whole", hidden: true }, h("label", { for: pace.id }, "Computer pace"), pace);
  const roller = h("select", { id: "roller-of-managers" }, options(ROLLERS)), rolled = h("p", { class: "whole", hidden: true }, h("label", { for: roller.id }, "Who rolls for the computer?"), roller);
  const { alone } = gameUi(game.key);
  const field = h("fieldset", { class: "called" }, h("legend", {}, "Who manages"),
    SEATS.map((seat, i) => h("p", {}, h("label", { for: who[i].id }, seat === "away" ? "Away" : "Home"), who[i], faces[i])), added.box, paced, rolled);
  const draw = () => {
    paced.hidden = rolled.hidden = !who.some(({ value }) => isComputer(value));
    for (const [i, { value }] of who.entries()) faces[i].replaceChildren(...cast.filter(({ key }) => key === value).flatMap((one) => [portrait(one, "", 48), h("span", {}, one.name, h("small", {}, traits(one)))]));
  };
  SEATS.forEach((seat, i) => { if (wished(wish.get(seat))) who[i].value = wished(wish.get(seat)); });
  draw();
  const given = () => {
    if (field.hidden) return {};
    const chosen = SEATS.map((seat, i) => [seat, who[i].value]), managers = Object.fromEntries(chosen.filter(([, value]) => isComputer(value)));
    const named = Object.fromEntries(chosen.map(([seat, value]) => [seat, personOf(value)]).filter(([, person]) => person));
    return { people: named, ...(Object.keys(managers).length ? { managers, pace: pace.value, table_rolls: roller.value === "table" } : {}) };
  };
  const single = () => field.hidden || who.filter(({ value }) => isComputer(value)).length === 1;
  return { field, given, single, house: (values) => { field.hidden = Boolean(alone && alone(values)); } };
}

/** The ways to play, Classic first chosen. `house()` has the rules that the chosen one sets; `change(house)` is called. */
function pacing(game, change) {
  const picks = game.paces.map((pace) => [pace, h("input", { type: "radio", name: "game-pace", value: pace.key, checked: pace.key === "classic", onchange: () => change(pace.house) })]);
  const chosen = () => (picks.find(([, pick]) => pick.checked) || [{ key: "", house: {} }])[0];
  const field = picks.length > 0 && h("fieldset", { class: "ways" }, h("legend", {}, "How do you want to play?"), picks.map(([{ title, sentence }, pick]) =>
    h("label", { class: "pick" }, pick, h("span", {}, h("b", {}, title), h("small", {}, sentence)))));
  return { field, house: () => chosen().house, given: () => (chosen().key ? { game_pace: chosen().key } : {}) };
}

function formOf(game, wish) {
  const decks = game.decks.map((deck) => [deck.name, h("input", { type: "checkbox", checked: deck.name === wish.get("deck") }), deck.title, deck.lacks]);
  const rules = game.house_rules.map((rule) => [rule, h("select", { id: `house-${rule.key}` }, rule.values.map((value, i) => h("option", { value }, rule.labels[i])))]);
  const managers = managing(game, wish), alone = () => managers.house(Object.fromEntries(rules.map(([rule, select]) => [rule.key, select.value])));
  const adopt = (house) => {
    for (const [rule, select] of rules) if (rule.key in house) select.value = house[rule.key];
    alone();
  };
  const paces = pacing(game, adopt);
  for (const [rule, select] of rules) select.value = rule.default;
  adopt(paces.house());
  for (const [rule, select] of rules) if (rule.values.includes(wish.get(rule.key))) select.value = wish.get(rule.key);
  for (const [, select] of rules) select.addEventListener("change", alone);
  alone();
  // Who holds the cards and the like comes first; other rules are folded.
  const agreed = rules.filter(([rule]) => !rule.silent);
  const silent = rules.filter(([rule]) => rule.silent), headings = [...new Set(silent.map(([rule]) => rule.under))];
  const names = SEATS.map((seat) => h("input", { id: `name-of-${seat}`, maxlength: LONGEST, autocomplete: "off", placeholder: "default name" }));
  const start = h("button", { class: "button start", onclick: () => run(start, async () => {
    const usual = { ...Object.fromEntries(rules.map(([rule]) => [rule.key, rule.default])), ...paces.house() };
    const house = Object.fromEntries(rules.filter(([{ key }, select]) => select.value !== usual[key]).map(([{ key }, select]) => [key, select.value]));
    const called = Object.fromEntries(SEATS.map((seat, i) => [seat, names[i].value.trim()]).filter(([, name]) => name));
    await send("/api/game", { game: game.key, decks: decks.filter(([, box]) => box.checked).map(([name]) => name), house, names: called, ...paces.given(), ...managers.given() });
    if (!managers.single() || !await sitDown()) begun(`${game.title} begins.`);
  }) });
  start.rename = () => { start.textContent = underWay ? `Pause this game and start ${game.title}` : `Start ${game.title}`; };
  start.rename();
  return h("div", { class: "form" },
    game.lesson && h("p", {}, h("a", { href: `/learn/${game.key}` }, `First time? ${game.title} in three cards`)),
    managers.field,
    paces.field,
    agreed.map(ruled),
    h("details", { open: wish.has("deck") }, h("summary", {}, decks.length ? "Team names and decks" : "Team names"),
      h("fieldset", { class: "called" }, h("legend", {}, "Team names (optional)"),
        SEATS.map((seat, i) => h("p", {}, h("label", { for: names[i].id }, seat === "away" ? "Away" : "Home"), names[i]))),
      decks.length > 0 && h("fieldset", {}, h("legend", {}, "Decks (optional)"), decks.map(([, box, title, lacks]) =>
        h("label", { class: "pick" }, box, h("span", {}, title, lacks.length > 0 && h("small", {}, " · needs a second deck")))))),
    silent.length > 0 && h("details", {}, h("summary", {}, "Where the rulebook is silent"), headings.flatMap((under) => [
      under !== "" && h("h3", {}, under), ...silent.filter(([rule]) => rule.under === under).map(ruled)])),
    start);
}
