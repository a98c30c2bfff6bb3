"""Invariants of every game of RallyBird, and its secrets: the card in play and, permanently, the card that is out."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from typing import Any

from device.storage.decks import house_deck
from engine.asks import Arrange, Choose, Play, Secret
from engine.diamond import runners_on_base
from engine.game import Rulebook
from engine.games.rallybird import GAME, rules
from engine.games.rallybird.cards import ZONE_LETTERS
from engine.games.rallybird.state import State
from engine.seats import Seat, opposite_seat
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.engine.games.contract.contract import Contract, Ends, Moment, Walk
from tests.engine.games.contract.secrecy import Case, Leak, Secrets, Show, Story, journal, sentences, views, with_play
from tests.engine.games.rallybird.fixture import bat, deck, dice, lie
from tests.engine.tables import everything, inside, play, score
from tests.golden.stories import Stories

# Invariants --------------------------------------------------------------------------------------------------------


def gloves(moment: Moment) -> None:
    """Check that Gloves in play, removed and left out make seven, with six in play at first and never none."""
    now, codes = moment.now, moment.codes
    assert 7 == len(now.gloves_in_play) + len(now.gone) + bool(now.left_out)
    assert now.gloves_in_play
    assert "glove-left-out" not in codes or 6 == len(now.gloves_in_play)
    lying = [glove for _, glove in now.lying]
    assert len(set(lying)) == len(lying)
    assert set(lying) <= set(now.gloves_in_play)
    assert now.backs.isdisjoint({now.left_out})


def one_glove(moment: Moment) -> None:
    """Check that at most one Glove changes, from front to back to removed, and only by a card that wears."""
    before, now, codes = moment.before, moment.now, moment.codes
    if "third-out" in codes or "half-inning" in codes:
        return
    assert before.backs <= now.backs
    assert before.gone <= now.gone <= now.backs
    changed = (now.backs - before.backs) | (now.gone - before.gone)
    assert len(changed) == codes.count("flipped") + codes.count("removed") <= 1
    if changed:
        card = now.at_bat.card or before.at_bat.card  # The at-bat may be over.
        assert card
        assert card.wears


def cubes(moment: Moment) -> None:
    """Check that batter and runners are different cubes, four at most, and that a half shows at most two outs."""
    now = moment.now
    on = runners_on_base(now.bases)
    if not moment.table.outcome:
        assert len({now.batter, *on}) == len(on) + 1 <= 4
        assert now.outs <= 2
    assert {now.batter, *on} <= {1, 2, 3, 4}


def runs(moment: Moment) -> None:
    """Check that the score is the sum of the line score, and grows for Offense only."""
    before, now, sides = moment.before, moment.now, moment.table.scoreboard().sides
    line = tuple(sum(cell or 0 for cell in sides[seat].line) for seat in ("away", "home"))
    assert score(moment.table) == line == now.score
    side = 0 if before.offense == "away" else 1
    assert before.score[1 - side] == now.score[1 - side]
    assert before.score[side] <= now.score[side]


def cards(moment: Moment) -> None:
    """Check that the hand is the same all half, all cards but the one that is out, and that one is always playable."""
    now, table = moment.now, moment.table
    assert (17 if table.house["beginner"] == "false" else 16) == len(now.box.cards)
    for _, ask in table.open_asks():
        if ask.why in ("at-bat", "shown"):
            inner = inside(ask)
            assert isinstance(inner, Choose)
            assert inner.options
            assert set(inner.options) <= set(now.box.cards) - {now.removed.peek() if now.removed else ""}


def defence(moment: Moment) -> None:
    """Check that Defense gets nothing about either card while Gloves are being placed."""
    table = moment.table
    if len(table.journal) % 8 or table.house["cards"] != "secret":
        return
    for _, ask in table.open_asks():
        if ask.why == "gloves":
            panel = json_data(table.view_for(ask.seat))["scoreboard"]["panel"]
            assert {"card": None, "laid": True, "removed": HIDDEN_TEXT} == {
                key: panel[key] for key in ("card", "laid", "removed")
            }
            assert HIDDEN_TEXT == table.redacted_entries(ask.seat)[-1]["value"]


def out_for_ever(table: Table) -> None:
    """Check that the journal given out hides the card that is out."""
    public = table.redacted_entries(None)
    places = {one.entry for one in table.answers if one.ask.why == "removed"}
    assert [HIDDEN_TEXT] * len(places) == [public[place]["value"] for place in places]


def listed(chance: random.Random) -> Iterator[Table]:
    """Return ninth innings under any house rules."""
    decks = (house_deck(GAME), deck({"F-5": "blank = true\ntwice = true\n"}))
    for game in range(80):
        house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules} | {"startInning": "9"}
        yield Table(GAME, [decks[game % 2]], house)


# Secrets -----------------------------------------------------------------------------------------------------------


DOUBLE = 'tests = ["D"]\nless = "batter out"\nequal = "batter out"\nmore = "batter to third"\n'
OUT = ("F-THIRD", "F-LONG", "F-6")
"""Cards that may be out."""

LAID = ("F-LEFT", "F-DRIVE", "F-PITCH", "F-5")
"""Cards that may lie."""


def half(out: str, laid: str = "F-DRIVE", moments: int = 7) -> Story:
    """Play a half, moment by moment: a card is out, a Glove is left out, a card is placed, and it is played."""

    def story(game: Rulebook, show: Show) -> None:
        table = Table(game, [deck()], {"visitor": "agreed"})
        for moment in range(moments):
            match moment:
                case 0:
                    play(table, out)
                case 1:
                    play(table, "gX")
                case 2:
                    play(table, laid)
                case 3:
                    play(table, lie(table), dice(2))
                case 4 | 5:
                    bat(table, "F-DRIVE", 2)
                case 6:
                    play(table, "F-2", "gX", "F-DRIVE")
            show(table)

    return story


def on_third(out: str) -> Story:
    """Return a game with a runner on third, where Offense could play one more card if it is not the one that is out."""

    def story(game: Rulebook, show: Show) -> None:
        table = Table(game, [deck({"F-2": DOUBLE.replace("third", "second")})], {"visitor": "agreed"})
        show(bat(play(table, out, "gX"), "F-2", 12))

    return story


def cases() -> Iterator[Case]:
    """Return cases by the card that is out, during the half and later, and by the card placed, until the Gloves are."""
    eyes: Seat | None
    for eyes in (None, "home"):
        yield Case(eyes, tuple(half(out) for out in OUT))
        yield Case(eyes, tuple(half("F-6", laid, 3) for laid in LAID))
    yield Case("home", (on_third("F-THIRD"), on_third("F-6")))


UNTIL_LAID = tuple(
    Case(eyes, (half("F-6", "F-DRIVE", 3), other))
    for eyes in (None, "home")
    for other in (half("F-LONG", "F-DRIVE", 3), half("F-6", "F-LEFT", 3))
)


# Planted leaks -----------------------------------------------------------------------------------------------------

MANY = {"down": "Now", "many": "all your Gloves"}


def open_draw(s: State) -> Play:
    """Play a half whose card is taken out openly."""
    yield Choose("away", "removed", tuple(s.box.cards))
    s.left_out = yield Choose("home", "leave-out", s.box.icon_gloves())


def whispering(s: State) -> Play:
    """Play an at-bat whose event names the card before the Gloves are placed."""
    sealed = yield Secret(Choose("away", "at-bat", rules.playable_cards(s)))
    s.laid = True
    s.emit("shown-blank", seat="away", card=sealed.peek())
    s.lying = tuple((yield from lay(s)).items())
    s.outs = 3


def boarding(s: State) -> Play:
    """Play an at-bat that puts the card on the scoreboard too early."""
    sealed = yield Secret(Choose("away", "at-bat", rules.playable_cards(s)))
    s.update_at_bat(card=s.box.cards[sealed.peek()])
    yield from lay(s)


def hinting(s: State) -> Play:
    """Play an at-bat where Gloves are asked for only if the card tests them."""
    sealed = yield Secret(Choose("away", "at-bat", rules.playable_cards(s)))
    yield Arrange("home", "gloves", s.gloves_in_play, s.box.cards[sealed.peek()].tests or ZONE_LETTERS, MANY)


def telling(s: State) -> Play:
    """Play an at-bat whose refusals list the playable cards, which reveals the one that is out."""
    removed = s.removed.peek() if s.removed else ""
    yield Choose("away", "at-bat", rules.playable_cards(s, removed))
    yield from lay(s)


def lay(s: State) -> Generator[Arrange, dict[str, str], dict[str, str]]:
    """Ask for the Gloves."""
    return (yield Arrange("home", "gloves", s.gloves_in_play, ZONE_LETTERS, MANY))


def batting(s: State) -> bool:
    """Return True between leaving out a Glove and the reveal."""
    return bool(s.left_out)


def undone(table: Table, seat: Seat | None) -> Any:
    """Return the other seat's view of what taking back the last answer would leave."""
    twin = table.clone()
    twin.undo(twin.answers[-1].n)
    return json_data(twin.view_for(opposite_seat(seat or "home")))


CONTRACT = Contract(
    GAME,
    (house_deck(GAME), deck()),
    holds=(gloves, one_glove, cubes, runs, cards, defence),
    whole=(out_for_ever,),
    ends=Ends([{"startInning": "9"}] * 60, frozenset({"away: nine-innings", "home: walk-off", "away: extra-innings"})),
    stories=Stories(GAME, {"": {}}),
    index=Walk(listed, lambda: Table(GAME, [deck()]), 400),
    longest=160,
    examples=60,
    late={"startInning": "9"},
    few=15,
    rules={"secrecy": ("RB-022", "RB-032")},
    secrets=Secrets(
        tuple(cases()),
        owners=(Case("away", (half("F-6", "F-1", 3), half("F-5", "F-1", 3))),),
        undone=5,
        leaks={
            "open draw": Leak(with_play(GAME, open_draw, lambda s: s.seated and not s.left_out), journal, UNTIL_LAID),
            "event": Leak(with_play(GAME, whispering, batting), sentences, UNTIL_LAID),
            "board": Leak(with_play(GAME, boarding, batting), views, UNTIL_LAID),
            "places": Leak(with_play(GAME, hinting, batting), views, UNTIL_LAID),
            "refusal": Leak(with_play(GAME, telling, batting), everything, UNTIL_LAID),
        },
        careless={
            "open options": lambda table, seat: [
                len(getattr(getattr(ask, "ask", ask), "options", ())) for _, ask in table.open_asks()
            ],
            "undone": undone,
        },
        peek=lambda s: s.removed.peek() if s.removed else None,
    ),
)
