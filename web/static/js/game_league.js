// The operator's forms on the page of a stored game: its league, and who managed it.

import { h, run, send } from "/static/js/parts.js";

const people = document.getElementById("game-people"), form = document.getElementById("game-league");

/** Send a change with the form's button, and show the page as it is then. */
const save = (made, path, body) => run(made.querySelector("button"), async () => {
  await send(path, body());
  location.reload();
});

if (people) {
  const { game } = people.dataset;
  people.hidden = false;
  people.onsubmit = (event) => {
    event.preventDefault();
    save(people, `/api/games/${game}/people`, () => ({ people: Object.fromEntries([...new FormData(people)].filter(([, key]) => key)) }));
  };
}

if (form) {
  const { league, fixture, away, home, friendly } = form.elements, leagues = JSON.parse(form.dataset.leagues), now = JSON.parse(form.dataset.now);
  const chosen = () => leagues.find(({ key }) => key === league.value);
  const option = (value, words) => h("option", { value }, words);
  const teams = () => {
    const found = chosen(), one = found && found.fixtures.find(({ number }) => String(number) === fixture.value);
    if (one) [away.value, home.value] = [one.away, one.home];
  };
  const draw = () => {
    const found = chosen();
    for (const field of [fixture, away, home]) field.parentElement.hidden = !found;
    friendly.parentElement.hidden = !found;
    if (!found) return;
    const names = new Map(found.teams);
    for (const side of [away, home]) side.replaceChildren(...found.teams.map(([key, name]) => option(key, name)));
    fixture.replaceChildren(option(0, "Beside the schedule"), ...found.fixtures.map((one) => option(one.number, `${one.number}: ${names.get(one.away)} at ${names.get(one.home)}`)));
    home.selectedIndex = 1;
  };
  league.append(...leagues.map(({ key, title }) => option(key, title)));
  league.onchange = draw;
  fixture.onchange = teams;
  if (now) league.value = now.league;
  draw();
  if (now) {
    for (const [field, value] of [[fixture, now.fixture], [away, now.away], [home, now.home]]) field.value = value;
    friendly.checked = now.friendly;
  }
  form.hidden = false;
  form.onsubmit = (event) => {
    event.preventDefault();
    const given = () => ({ league: league.value, fixture: Number(fixture.value), away: away.value, home: home.value, friendly: friendly.checked });
    save(form, `/api/games/${form.dataset.game}/league`, () => chosen() ? given() : { league: null });
  };
}
