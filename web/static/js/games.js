// The operator's part of the pages of games: name a game, and resume a paused one.

import { run, send, sure, tell } from "/static/js/parts.js";
import { sitDown } from "/static/js/table/sit_down.js";

/** Make the forms of the games within `place` work. */
export function shelve(place) {
  for (const shelf of place.querySelectorAll(".shelf")) {
    const { game } = shelf.dataset, [save, take] = shelf.querySelectorAll("button"), name = shelf.elements.name;
    shelf.hidden = false;
    shelf.onsubmit = (event) => {
      event.preventDefault();
      run(save, async () => {
        await send(`/api/games/${game}/name`, { name: name.value });
        tell(name.value.trim() ? `Renamed to ${name.value.trim()}.` : "Name removed.");
      });
    };
    if (take) take.onclick = () => {
      if (sure(take, "Pause the current game and resume this one?")) run(take, async () => {
        await send(`/api/games/${game}/take`, {}, 30);
        if (!await sitDown()) location.href = "/table";
      });
    };
  }
}

shelve(document);
