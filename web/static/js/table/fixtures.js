// The next fixtures of all leagues: each begins with one tap, here and after a game of its league.

import { follow } from "/static/js/live.js";
import { h, run, send } from "/static/js/parts.js";

/** Return the fixtures that can be begun now, those of the league last played first. */
export const nextFixtures = () => send("/api/fixtures").catch(() => []);

const pair = ({ away, home }) => `${away.name} at ${home.name}`;
const date = (day) => new Date(`${day}T12:00`).toLocaleDateString("en-US", { month: "short", day: "numeric", year: "numeric" });
const facts = ({ away, home, league, fixture: { day, round, title } }) => [[away.person, home.person].filter(Boolean).join(" and "), `${league}, ${day ? date(day) : `round ${round}`}`, title].filter(Boolean).join(" · ");

/** Begin a fixture, or resume its game. */
export const beginFixture = ({ book, fixture }) => send(`/api/leagues/${book}/begin`, { fixture: fixture.number }, 30);

/** A row for each fixture; `begun(words)` is called once it is on the table. */
export function fixtureRows(offers, begun) {
  return offers.map((offer) => {
    const start = h("button", { class: "button quiet" }, offer.paused ? "Resume" : "Begin");
    start.append(h("span", { class: "unseen" }, ` ${pair(offer)}`));
    start.onclick = () => run(start, async () => {
      await beginFixture(offer);
      await begun(`${pair(offer)} ${offer.paused ? "goes on" : "begins"}.`);
    });
    return h("li", {}, h("p", {}, h("b", {}, pair(offer)), h("small", {}, facts(offer))), start);
  });
}

/** Keep a button for the next fixture of the league just played, beside Rematch. */
export function offerAfterGame(button, begun) {
  let offer = null, asked = "";
  button.onclick = () => run(button, async () => {
    await beginFixture(offer);
    await begun(`${pair(offer)} begins.`);
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
    if (found) button.textContent = `Next fixture: ${pair(found)}`;
  });
}
