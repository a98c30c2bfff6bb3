// 7th Inning Stretch: the standing of a season.

import { register } from "/static/js/asks/game_ui.js";

register("seventh-inning-stretch", {
  standing: ({ season, stands }) => {
    if (!season) return "";
    const games = season.won.concat(season.series).map((won) => won ? "won" : "lost").join(", ") || "no game ended yet";
    return `; ${games}; ${season.stars} star${season.stars === 1 ? "" : "s"}; ${stands}`;
  },
});
