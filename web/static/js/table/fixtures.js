// The next fixtures of all leagues: each begins with one tap, here and after a game of its league.

import { follow } from "/static/js/live.js";
import { h, run, send } from "/static/js/parts.js";

/** Return the fixtures that can be begun now, those of the league last played first. */
export const nextFixtures = () => send("/api/fixtures").catch(() => []);

const beside = (team) => team.person ? `${team.name} · ${team.person}` : team.name;
const pair = ({ away, home }) => `${beside(away)} at ${beside(home)}`;
const facts = ({ league, fixture }) => [`${league}, round ${fixture.round}`, fixture.title, fixture.day].filter(Boolean).join(" · ");

/** Begin a fixture, or resume its game. */
export const beginFixture = ({ book, fixture }) => send(`/api/leagues/${book}/fixtures/${fixture.number}/begin`, {}, 30);

/** A row for each fixture; `begun(words)` is called once it is on the table. */
export function fixtureRows(offers, begun) {
  return offers.map((offer) => {
    const start = h("button", { class: "button quiet" }, offer.paused ? "Resume" : "Begin");
    start.append(h("span", { class: "unseen" }, ` ${pair(offer)}`));
    start.onclick = () => run(start, async () => {
      await beginFixture(offer);
      await begun(`${offer.away.name} at ${offer.home.name} ${offer.paused ? "goes on" : "begins"}.`);
    });
    return h("li", {}, h("p", {}, h("b", {}, pair(offer)), h("small", {}, facts(offer))), start);
  });
}

/** Keep a button for the next fixture of the league just played, beside Rematch. */
export function offerAfterGame(button, begun) {
  let offer = null, asked = "";
  button.onclick = () => run(button, async () => {
    await beginFixture(offer);
    await begun(`${offer.away.name} at ${offer.home.name} begins.`);
  });
  follow(async ({ version, league_key: league, table: { outcome } }) => {
    button.hidden = button.hidden || !outcome || !league;
    const now = outcome && league ? `${league} ${version}` : "";
    if (asked === now) return;
    asked = now;
    if (!now) return;
    const found = (await nextFixtures()).find(({ book }) => book === league);
    if (asked !== now) return;
    offer = found;
    button.hidden = !found;
    if (found) button.textContent = `Next fixture: ${found.away.name} at ${found.home.name}`;
  });
}
