// 7th Inning Stretch: the standing of a season.

import { register } from "/static/js/asks/game_ui.js";

// The decisions whose options are players; an option may say more behind the name.
const PLAYERS = ["roster-pitcher", "roster-batter", "draft", "line-up", "batter", "lead-off", "pitcher", "relief", "hand", "pick", "duel-pitcher-drawn"];

register("seventh-inning-stretch", {
  player: (why, { value, label }) => PLAYERS.includes(why) && label.startsWith(value) ? value : null,
  alone: ({ mode }) => mode !== "duel",
  standing: ({ season, stands }) => {
    if (!season) return "";
    const games = season.won.concat(season.series).map((won) => won ? "won" : "lost").join(", ") || "no games finished yet";
    return `; ${games}; ${season.stars} star${season.stars === 1 ? "" : "s"}; ${stands}`;
  },
});
