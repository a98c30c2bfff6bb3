"""Decisions about strategy cards: play one or pass, take one back, and what a card asks of its owner."""

from __future__ import annotations

from engine.games.clutch.cards.effects import Effect
from engine.games.clutch.state import State
from managers.games.clutch import changes
from managers.games.clutch.cards import CardPlay
from managers.games.clutch.hand import Prices, spare, use
from managers.games.clutch.turn import QUIET, Rated, Turn, equal, preferred


def offer(turn: Turn, prices: Prices) -> Rated:
    """Rate the cards that can be played in a window, and passing."""
    s, window = turn.s, turn.ask.why.removeprefix("cards-")
    play = CardPlay(turn.judge, prices, window)
    rated: Rated = {"pass": (_passing(turn, play, window), "")}
    if turn.found.panel["cards"] is None or turn.found.panel["hands"][turn.ask.seat]["real"] is not None:
        return rated  # Nobody knows which real cards the seat holds.
    for name in turn.options:
        if name in QUIET or name == "pass":
            continue
        if name == "new-pitcher" and name not in s.box.strategies:
            rated[name] = changes.new_pitcher(turn)
        elif name == "pinch-hitter" and name not in s.box.strategies:
            rated[name] = changes.pinch_hitter(turn)
        else:
            kind = "coach" if name in s.squad(turn.side).coaches else "strategy"
            if name not in (s.box.coaches if kind == "coach" else s.box.strategies):
                continue
            card = s.box.card(kind, name)
            if window == "card":
                rated[name] = (_negating(turn, play, name), "That card would hurt.")
            else:
                rated[name] = (play.card(s, turn.side, card), _reason(s, window, card.play.do))
    return rated


def _passing(turn: Turn, play: CardPlay, window: str) -> float:
    """Return what it is worth to play no card. A card of the other side that waits to be answered takes effect."""
    s = turn.s
    if window == "card" and s.at.played and s.at.played[-1].side != turn.side:
        one = s.at.played[-1]
        card = s.box.card(one.kind, one.name)
        play.window = one.window
        return play.carried(s, one.side, one.name, card.play.do, card.play)
    return play.win(s)


def _negating(turn: Turn, play: CardPlay, name: str) -> float:
    """Return what it is worth to answer a card with one that negates it."""
    s = turn.s
    card = s.box.card("coach" if name in s.squad(turn.side).coaches else "strategy", name)
    price = play.worth_of(s, turn.side, name) + play.costs(s, turn.side, card.play)
    if any(one.verb == "negate" for one in card.play.do):
        return play.win(s) - price
    return _passing(turn, play, "card") - price * 0.5


def _reason(s: State, window: str, effects: tuple[Effect, ...]) -> str:
    verbs = {one.verb for one in effects}
    if verbs and verbs <= {"draw", "recover", "search", "look", "discard"}:
        return "A good moment for new cards."
    if window in ("result", "throw-result"):
        return "We have to change that play."
    if s.clutch:
        return "This is the moment for it."
    return "It helps here."


def take_back(turn: Turn, prices: Prices) -> Rated:
    """Rate whether a card that still applies comes back to the hand."""
    s = turn.s
    names = turn.named(one.name for one in s.at.played if one.side == turn.side)
    if not names:
        return {"leave": (turn.base, ""), "take-back": (turn.base - 0.001, "")}
    without = s.copy()
    without.standing = tuple(one for one in s.standing if (one.source, one.side) != (names[0], turn.side))
    price = CardPlay(turn.judge, prices, "before-pitch").worth_of(s, turn.side, names[0])
    return {
        "leave": (turn.base, "It still helps."),
        "take-back": (turn.judge.win(without) + price, "It is worth more later."),
    }


def either(turn: Turn, prices: Prices) -> Rated:
    """Rate the two effects of a card that leaves a choice."""
    s = turn.s
    play = CardPlay(turn.judge, prices, _window(turn))
    for name in turn.named((*s.box.strategies, *s.box.coaches)):
        card = s.box.strategies.get(name) or s.box.coaches[name]
        for effect in (*card.play.do, *card.play.success, *card.play.failure):
            if effect.verb == "either":
                ways = {"first": effect.then, "second": effect.otherwise}
                return {code: (play.carried(s, turn.side, name, way, card.play), "") for code, way in ways.items()}
    return equal(turn.options, turn.base)


def _window(turn: Turn) -> str:
    """Return the window of the seat's last card in this at-bat; "half" if there is none."""
    mine = [one.window for one in turn.s.at.played if one.side == turn.side]
    return mine[-1] if mine else "half"


def blank(turn: Turn) -> Rated:
    """Rate what a blank card may be said to do: a manager without the printed card keeps to small effects."""
    return preferred(sorted(turn.options, key=lambda one: one != "nothing"), turn.base)


def recover(turn: Turn) -> Rated:
    """Rate which card comes to the hand: the most useful one."""
    return {
        name: (min(1.0, turn.base + use(turn.s.box, name) / 50), "The most useful of them.") for name in turn.options
    }


def runner_for(turn: Turn) -> Rated:
    """Rate the runner whom a card helps: the one who is nearest home, or the fastest to steal."""
    s = turn.s
    on = {one.name: at for at, one in enumerate(s.bases) if one}
    return {name: (turn.base + on.get(name, 0) / 10000, "He is the one who will run.") for name in turn.options}


def give_away(turn: Turn) -> Rated:
    """Rate the card to discard."""
    return spare(turn, turn.options)
