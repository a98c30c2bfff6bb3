// Bottom of the 9th: the pitch and the guess are places of the strike zone.

import { register } from "/static/js/asks/game_ui.js";

register("bottom-of-the-9th", {
  grid: () => [["inside-high", "away-high"], ["inside-low", "away-low"]],
});
