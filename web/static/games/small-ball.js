// Small Ball: the results on the cards.

import { register } from "/static/js/asks/game_ui.js";

register("small-ball", {
  asked: ({ why }, { batter, panel }) => why === "at-bat" && panel.card && `Roll for ${batter}.`,
  spoken: { "1B": "single", "2B": "double", "3B": "triple", HR: "home run", BB: "walk", SO: "strikeout", FO: "flyout", GO: "groundout", SAC: "sacrifice" },
});
