// Clutch: hands of cards, and the decisions about them.

import { register } from "/static/js/asks/game_ui.js";

register("clutch", {
  atOnce: ["pitch", "swing"],
  playsCard: (why) => why.startsWith("cards-"),
  readsHand: (why) => why === "mulligan",
  hand: (seat, { hands }) => hands?.[seat]?.cards,
  reveal: "Show my cards",
});
