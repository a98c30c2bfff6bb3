// What a game's own script, /static/games/<key>.js, adds to the pages. Every part is optional:
//   atOnce         codes of options that need only one tap even among many: they are frequent and harmless
//   pass           the code of an option of a secret choice that does nothing: one tap gives it, and the rest stays covered
//   playsCard(why) true if an ask with this code plays or gives away a card, which must not happen by a slip of the thumb
//   readsHand(why) true if the whole hand is shown above the options
//   hand(seat, panel)   the cards a seat holds, [{name, reads}], if this phone may see them
//   reveal         the words on the button that uncovers them
//   asked(ask, board)   what the ask says beside the panel, if that needs fewer words than its sentence
//   pieces         the word for the pieces of an arrangement, in the plural
//   piece(value, panel) how a piece looks, {class, text, words}
//   lastPiece(place, panel)   the piece that lay on a place the last time
//   faceDown(panel)     true while a card that was chosen in secret lies face down
//   grid(why)      the codes of the options of an ask in rows, as their places lie on the board
//   player(why, option, panel)   the name of the player that an option or piece stands for; null for any other option
//   spoken         abbreviations, with what a voice that reads aloud says instead
//   alone(house)   true if one person plays alone under these house rules: then no computer manages a side
//   standing(panel)     the standing of a series of games, in words that follow a score

import { h } from "/static/js/parts.js";

const games = {};

/** Add the parts of the game with this key. */
export const register = (key, parts) => { games[key] = parts; };

/** The address of a player's portrait. */
const portraitAddress = (name, colour) => `/portrait.svg?name=${encodeURIComponent([...name].slice(0, 80).join(""))}&colour=${colour}`;

/** Return what makes the portrait of the player of an option of `ask` in the color of a team; it makes null for others. */
export const portraits = (key, { why }, panel, colour) => (option) => {
  const { player } = gameUi(key), name = player && player(why, option, panel);
  return name ? h("img", { class: "mug", src: portraitAddress(name, colour), alt: "", width: 40, height: 40, loading: "lazy" }) : null;
};

/** Return the parts of the game with this key. */
export const gameUi = (key) => games[key] || {};
