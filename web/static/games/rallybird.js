// RallyBird: Gloves on the zones of the field, and a card that lies face down.

import { register } from "/static/js/asks/game_ui.js";

register("rallybird", {
  pieces: "Gloves",
  piece: (value, { gloves }) => {
    const glove = gloves && gloves.find(({ name }) => name === value);
    return glove && {
      class: `glove${glove.back ? " back" : ""}${glove.icon ? " icon" : ""}`,
      text: String(glove.value),
      words: `Glove ${value} shows ${glove.value}, its ${glove.back ? "back" : "front"}${glove.icon ? ", with the ball" : ""}`,
    };
  },
  lastPiece: (place, { zones }) => zones && zones[place] && zones[place].glove && zones[place].glove.name,
  // Gloves are called by both their numbers.
  spoken: { "(\\d)/(\\d)": "$1 over $2" },
  faceDown: ({ laid }) => Boolean(laid),
});
