// The operator's part of the pages of games: name a game, and resume one that was put aside.

import { run, send, sure, tell } from "/static/js/parts.js";

/** Make the forms of the games within `place` work. */
export function shelve(place) {
  for (const shelf of place.querySelectorAll(".shelf")) {
    const { game } = shelf.dataset, [save, take] = shelf.querySelectorAll("button"), name = shelf.elements.name;
    shelf.hidden = false;
    shelf.onsubmit = (event) => {
      event.preventDefault();
      run(save, async () => {
        await send(`/api/games/${game}/name`, { name: name.value });
        tell(name.value.trim() ? `It is called ${name.value.trim()} now.` : "It has no name now.");
      });
    };
    if (take) take.onclick = () => {
      if (sure(take, "Really put the game on the table aside and play on here?")) run(take, async () => {
        await send(`/api/games/${game}/take`, {}, 30);
        location.href = "/table";
      });
    };
  }
}

shelve(document);
