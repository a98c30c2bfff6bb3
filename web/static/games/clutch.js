// Clutch: hands of cards, and the decisions about them.

import { register } from "/static/js/asks/game_ui.js";

/** The names in a squad. */
const members = ({ order, bench, bullpen, pitchers }) => [...order, ...bench, ...bullpen].map(({ name }) => name).concat(pitchers);

register("clutch", {
  asked: ({ why }, { batter, panel: { at, in_force } }) => why === "swing" && at && !at.swing_bonus && !in_force.length && `Roll the ${at.swing_die} for ${batter}.`,
  player: (why, { value, label }, { squads }) => why === "starter" ? label : Object.values(squads || {}).flatMap(members).includes(value) ? value : null,
  atOnce: ["pass", "pitch", "swing"],
  pass: "pass",
  playsCard: (why) => why.startsWith("cards-"),
  readsHand: (why) => why === "mulligan",
  hand: (seat, { hands }) => hands && hands[seat] && hands[seat].cards,
  reveal: "Show my cards",
  spoken: {
    CA: "catcher", "1B": "first base", "2B": "second base", "3B": "third base", SS: "shortstop", LF: "left field", CF: "center field", RF: "right field",
    DH: "designated hitter", SP: "starter", RP: "reliever", OP: "opener",
  },
});
