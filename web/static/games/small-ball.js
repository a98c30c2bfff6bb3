// Small Ball: the results on the cards.

import { register } from "/static/js/asks/game_ui.js";

/** The pinch hitters who help at the plate, by name. */
const helped = ({ called, pinch }, batting) => called.map((which) => pinch[batting][which.slice(-1) - 1].name).join(" and ");

register("small-ball", {
  asked: ({ why }, { batter, batting, panel }) => why === "at-bat" && panel.card && `Roll for ${batter}${panel.called.length ? `, helped by ${helped(panel, batting)}` : ""}.`,
  spoken: { "1B": "single", "2B": "double", "3B": "triple", HR: "home run", BB: "walk", SO: "strikeout", FO: "flyout", GO: "groundout", SAC: "sacrifice" },
});
