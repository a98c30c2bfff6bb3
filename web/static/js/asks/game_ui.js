// What a game's own script, /static/games/<key>.js, adds to the pages. Every part is optional:
//   atOnce         codes of options that need only one tap even among many: they are frequent and harmless
//   playsCard(why) true if an ask with this code plays or gives away a card, which must not happen by a slip of the thumb
//   readsHand(why) true if the whole hand is shown above the options
//   hand(seat, panel)   the cards a seat holds, [{name, reads}], if this phone may see them
//   reveal         the words on the button that uncovers them
//   pieces         the word for the pieces of an arrangement, in the plural
//   piece(value, panel) how a piece looks, {class, text, words}
//   lastPiece(place, panel)   the piece that lay on a place the last time
//   faceDown(panel)     true while a card that was chosen in secret lies face down
//   grid(why)      the codes of the options of an ask in rows, as their places lie on the board
//   standing(panel)     the standing of a series of games, in words that follow a score

const games = {};

/** Add the parts of the game with this key. */
export const register = (key, parts) => { games[key] = parts; };

/** Return the parts of the game with this key. */
export const gameUi = (key) => games[key] ?? {};
