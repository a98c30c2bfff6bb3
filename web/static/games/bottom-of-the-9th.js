// Bottom of the 9th: the pitch and the guess are places of the strike zone.

import { register } from "/static/js/asks/game_ui.js";

register("bottom-of-the-9th", {
  player: (why, { value, label }, { lineup }) => ["starter", "reliever"].includes(why) || lineup && lineup.includes(value) ? label : null,
  grid: () => [["inside-high", "away-high"], ["inside-low", "away-low"]],
});
