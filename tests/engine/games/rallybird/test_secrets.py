"""Nobody can tell the card that lies, nor ever the one that is out: games that differ only in it look alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import pytest

from engine.asks import Arrange, Choose, Play, Secret
from engine.game import Game
from engine.games.rallybird import GAME, rules, scoreboard
from engine.games.rallybird.cards import ZONES
from engine.games.rallybird.state import State
from engine.journal import Undo, entry_json
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat, other
from engine.secrets import HIDDEN
from engine.table import Table
from tests.engine.games.rallybird.fixture import at, bat, deck, dice, lie
from tests.engine.tables import Look, asked, everything, offered, play

EYES: tuple[Seat | None, ...] = (None, "home")
"""Who must not know, in the top of an inning."""

OUT = ("F-THIRD", "F-LONG", "F-6")
"""Cards that may be out."""

LAID = ("F-LEFT", "F-DRIVE", "F-PITCH", "F-5")
"""Cards that may lie."""


def tried(table: Table, seat: Seat | None) -> Any:
    """All that may leave the engine, and what would be left after taking back what was answered, or correcting what
    was answered in the open."""
    seen = [everything(table, seat)]
    for one in table.answers[-5:]:
        twin = table.clone()
        twin.undo(one.n)
        seen.append(twin.view(seat))
        if not isinstance(one.ask, Secret):
            twin = table.clone()
            twin.amend(one.n, one.value)
            seen.append([twin.view(seat), twin.entries(seat)])
    return seen


def views(table: Table, seat: Seat | None) -> Any:
    """The view as JSON."""
    return table.view(seat)


def journal(table: Table, seat: Seat | None) -> Any:
    """The journal as it is given out."""
    return table.entries(seat)


def told(table: Table, seat: Seat | None) -> Any:
    """What happened, in words."""
    return [line.sentence for line in table.lines()]


def story(game: Game, out: str, laid: str, look: Look, eyes: Seat | None, moments: int) -> list[bytes]:
    """What is seen of a half, moment by moment: a card is out, Gloves are chosen, a card lies; and it is played."""
    table = Table(game, [deck()], {"visitor": "agreed"})
    seen = []
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
        seen.append(json.dumps(look(table, eyes)).encode())
    return seen


def leaks(game: Game, look: Look) -> int:
    """How many stories somebody other than Offence can tell apart: by the card that is out, through the half and after
    it; by the card that lies, until the Gloves do."""
    found = 0
    for eyes in EYES:
        halves = {tuple(story(game, out, "F-DRIVE", look, eyes, 7)) for out in OUT}
        at_bats = {tuple(story(game, "F-6", laid, look, eyes, 3)) for laid in LAID}
        found += len(halves) + len(at_bats) - 2
    return found


@pytest.mark.rule("RB-022", "RB-032")
@pytest.mark.parametrize("look", [tried, journal, views, told])
def test_nobody_can_tell_what_is_hidden(look: Look) -> None:
    """For Defence and spectators: view, asks, log, journal, refusals, what undo and a correction would leave."""
    assert 0 == leaks(GAME, look)


def test_its_owner_sees_it() -> None:
    """The views are not alike because there is nothing in them: Offence sees the card that is out."""
    assert story(GAME, "F-6", "F-1", views, "away", 3) != story(GAME, "F-5", "F-1", views, "away", 3)
    assert b'"removed": "F-6"' in story(GAME, "F-6", "F-1", views, "away", 3)[-1]


def test_it_is_hidden_for_ever() -> None:
    """When the half is over, and when the game is: the journal given out never has it, for anybody else."""
    table = at("", 2, inning=9, half="bottom", score=(1, 0), house={"rallyBird": "off"})
    bat(table, "F-DRIVE", 2)
    assert table.outcome is not None
    assert HIDDEN == table.view(None)["scoreboard"]["panel"]["removed"]
    table = Table(GAME, [deck()], {"visitor": "agreed"})
    play(table, "F-LONG", "gX")
    for _ in range(3):
        bat(table, "F-DRIVE", 2)
    assert "F-LONG" not in json.dumps([table.entries("home"), table.entries(None), told(table, None)])
    assert "F-LONG" == table.entries("away")[0]["value"]


def test_a_card_taken_back_before_the_reveal_stays_hidden() -> None:
    """The journal does not show it, though another was played."""
    table = play(at(), "F-LONG")
    table.undo(table.answers[-1].n)
    bat(table, "F-DRIVE", 2)
    assert "F-LONG" not in json.dumps(table.entries("home"))
    assert "F-DRIVE" in json.dumps(table.entries("home"))


@pytest.mark.rule("RB-038")
def test_gloves_taken_back_take_the_card_back() -> None:
    """Once it was shown, nobody lays Gloves again knowing it."""
    table = bat(at(), "F-DRIVE")
    table.undo(table.answers[-1].n)
    assert ("at-bat",) == asked(table)


@pytest.mark.parametrize("out", ["F-THIRD", "F-6"])
def test_a_correction_does_not_tell_what_is_out(out: str) -> None:
    """A roll is corrected and the bases change by what only one card minds: the waiting card is asked anew, whether
    that card is out or not."""
    card = 'tests = ["E"]\nless = "batter to second"\nequal = "batter out"\nmore = "batter to second, runners +1"\n'
    table = Table(GAME, [deck({"F-1": card, "F-2": DOUBLE})], {"visitor": "agreed"})
    bat(play(table, out, "gX"), "F-2", 12)
    roll = bat(table, "F-1", 12).answers[-1].n
    assert ("F-THIRD" in offered(table)) == (out != "F-THIRD")
    play(table, "F-3")
    preview = table.preview(roll, dice(2))
    assert (True, False) == (preview.before.panel["laid"], preview.after.panel["laid"])


DOUBLE = 'tests = ["D"]\nless = "batter out"\nequal = "batter out"\nmore = "batter to third"\n'


# Planted leaks -----------------------------------------------------------------------------------------------------


MANY = {"many": "all your Gloves"}


def planted(play: Callable[[State], Play], whenever: Callable[[State], bool]) -> Game:
    """The game, with this instead of one of its plays."""

    def next_play(s: State) -> Callable[[State], Play] | None:
        return play if whenever(s) else rules.next_play(s)

    return replace(GAME, next_play=next_play)


def open_draw(s: State) -> Play:
    """A half whose card is taken out for all to see."""
    yield Choose("away", "removed", tuple(s.box.cards))
    s.left_out = yield Choose("home", "leave-out", s.box.icons())


def whispering(s: State) -> Play:
    """An at-bat that tells of the card before the Gloves lie."""
    sealed = yield Secret(Choose("away", "at-bat", rules.playable(s)))
    s.laid = True
    s.tell("shown-blank", seat="away", card=sealed.peek())
    s.lying = tuple((yield from lay(s)).items())
    s.outs = 3


def boarding(s: State) -> Play:
    """An at-bat that puts the card on the board too early."""
    sealed = yield Secret(Choose("away", "at-bat", rules.playable(s)))
    s.now(card=s.box.cards[sealed.peek()])
    yield from lay(s)


def hinting(s: State) -> Play:
    """An at-bat where Gloves are asked for only where the card tests."""
    sealed = yield Secret(Choose("away", "at-bat", rules.playable(s)))
    yield Arrange("home", "gloves", s.gloves, s.box.cards[sealed.peek()].tests or ZONES, MANY)


def telling(s: State) -> Play:
    """An at-bat whose refusals say what could be played: the card that is out is not among them."""
    removed = s.removed.peek() if s.removed else ""
    yield Choose("away", "at-bat", rules.playable(s, removed))
    yield from lay(s)


def lay(s: State) -> Generator[Arrange, dict[str, str], dict[str, str]]:
    """Gloves."""
    return (yield Arrange("home", "gloves", s.gloves, ZONES, MANY))


def batting(s: State) -> bool:
    """Between the Gloves that are left out and the reveal."""
    return bool(s.left_out)


@pytest.mark.parametrize(
    ("game", "look"),
    [
        (planted(open_draw, lambda s: s.seated and not s.left_out), journal),
        (planted(whispering, batting), told),
        (planted(boarding, batting), views),
        (planted(hinting, batting), views),
        (planted(telling, batting), everything),
    ],
    ids=["open draw", "event", "board", "places", "refusal"],
)
def test_a_leak_in_the_rules_is_caught(game: Game, look: Look) -> None:
    """Each way for the rules to tell makes some pair differ before the Gloves lie."""
    found = 0
    for eyes in EYES:
        seen = story(game, "F-6", "F-DRIVE", look, eyes, 3)
        found += seen != story(game, "F-LONG", "F-DRIVE", look, eyes, 3)
        found += seen != story(game, "F-6", "F-LEFT", look, eyes, 3)
    assert 0 < found


@pytest.mark.parametrize(
    "look",
    [
        lambda table, seat: [entry_json(entry) for entry in table.journal],
        lambda table, seat: [table.view(eyes) for eyes in SEATS],
        lambda table, seat: [str(one.value) for one in table.answers],
        lambda table, seat: [len(getattr(getattr(ask, "ask", ask), "options", ())) for _, ask in table.asks()],
        lambda table, seat: undone(table).view(other(seat or "home")),
    ],
    ids=["stored journal", "wrong eyes", "answers", "open options", "undone"],
)
def test_a_leak_in_what_is_given_out_is_caught(look: Look) -> None:
    """Handing out the stored journal, the other seat's view, the answers, the size of a hand, or what undo leaves."""
    assert 0 < leaks(GAME, look) + story_of_hands(look)


def story_of_hands(look: Look) -> int:
    """Whether the hand of Offence is told apart with a runner there: one card more can be played."""
    seen = []
    for out in ("F-THIRD", "F-6"):
        table = Table(GAME, [deck({"F-2": DOUBLE.replace("third", "second")})], {"visitor": "agreed"})
        bat(play(table, out, "gX"), "F-2", 12)
        seen.append(json.dumps(look(table, "home")))
    return int(seen[0] != seen[1])


def undone(table: Table) -> Table:
    """Its last answer taken back."""
    twin = table.clone()
    twin.write(Undo(twin.answers[-1].n))
    return twin


def test_a_board_that_peeks_is_caught() -> None:
    """A scoreboard that opens the seal of the card that is out."""

    def peeking(s: State, log: Any) -> Scoreboard:
        shown = scoreboard.scoreboard(s, log)
        return replace(shown, panel={**shown.panel, "removed": s.removed.peek() if s.removed else None})

    assert 0 < leaks(replace(GAME, scoreboard=peeking), views)
