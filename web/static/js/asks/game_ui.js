// What a game's own script, /static/games/<key>.js, adds to the pages. Every part is optional:
//   atOnce         codes of options that take one tap even among many: they are said most often and harm nothing
//   playsCard(why) true if an ask with this code plays or gives away a card, which a slip of the thumb must not do
//   readsHand(why) true if the whole hand is shown above the options
//   hand(seat, panel)   the cards a seat holds, [{name, reads}], where this phone may see them
//   reveal         the words on the button that uncovers them
//   pieces         what the pieces of an arrangement are called, in the plural
//   piece(value, panel) how a piece looks, {class, text, words}
//   lastPiece(place, panel)   the piece that was laid on a place the last time
//   faceDown(panel)     true while a card that was chosen in secret lies face down
//   standing(panel)     where a run of games stands, in words that follow a score

const games = {};

/** Add what the game of this key brings. */
export const register = (key, parts) => { games[key] = parts; };

/** What the game of this key brings. */
export const gameUi = (key) => games[key] ?? {};
