"""Every question of Clutch, in whole games of each level: its title, its sentence, and the number that wins."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from device.storage.decks import house_deck
from engine.asks import Ask, Choose, Draw, Roll, Secret
from engine.games.clutch import GAME
from engine.games.clutch.cards.effects import RESULT_GROUPS
from engine.games.clutch.series import CHAIR_NAMES
from engine.games.clutch.state import State
from engine.games.clutch.words import GAME_WORDS
from engine.seats import SEATS
from engine.table import Table
from tests.engine.games.clutch.field import at, state, until
from tests.engine.games.clutch.manager import Manager
from tests.engine.tables import inside
from tests.engine.tables import pick as any_of

HOUSES = [
    {"level": "basic", "starter": "d20"},
    {"level": "players", "dpAuto": "false"},
    {"level": "full", "weather": "on"},
    {"level": "full", "hands": "real", "windows": "always"},
]

GUESS = re.compile(r"\b(?:he|him|his|she|her|hers|himself|herself)\b", re.IGNORECASE)

NUMBER = re.compile(r": (?:(\d+)\+?|any|none)$")


def games(house: dict[str, str], seed: int) -> Iterator[tuple[Table, int, Ask]]:
    """Play a game, half sensibly and half at random, and yield every open ask before it is answered."""
    table, dice = Table(GAME, [house_deck(GAME)], house), random.Random(seed)
    manager = Manager(lambda: state(table), seed)
    while table.open_asks() and len(table.journal) < 1500:
        ((n, ask), *_) = table.open_asks()
        yield table, n, ask
        sensible = dice.random() < 0.7
        table.answer_ask(ask.seat, n, manager(ask) if sensible else any_of(ask, dice.randrange(1 << 16)))


def names(s: State) -> list[str]:
    """Return everything that a sentence may be about: teams, players, cards, and the chairs before there are teams."""
    box = s.box
    return [*CHAIR_NAMES.values(), *box.rosters, *box.batters, *box.pitchers, *box.strategies, *box.coaches]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "-".join(house.values()))
def test_every_question_names_its_subject_in_a_short_title(house: dict[str, str], seed: int) -> None:
    """With the house's names a title has 32 letters at most; the sentence names a side, a player or a card."""
    asked = set()
    for table, n, ask in games(house, seed):
        asked.add(ask.why)
        view = table.ask_view(n, ask, ask.seat)
        assert 0 < len(view.title) <= 32, view
        assert any(name in view.sentence for name in names(state(table))), view
        assert view.sentence[-1] in ".?", view
        assert not re.search(r"[{}]|  |\.\.|\bNone\b", view.title + view.sentence), view
    assert len(asked) > 15


@pytest.mark.rule("CL-081")
def test_what_others_read_of_a_question_does_not_depend_on_the_hand() -> None:
    """The same game twice with different cards in hand and on the bottom of the deck, and everybody asked each time."""
    pair = [Table(GAME, [house_deck(GAME)], {"windows": "always"}) for _ in SEATS]
    dice, secrets, differs = random.Random(3), set(), 0
    while pair[0].open_asks() and len(pair[0].journal) < 700:
        ((n, ask), *_), ((_, twin), *_) = (table.open_asks() for table in pair)
        read = [table.ask_view(n, one, None) for table, one in zip(pair, (ask, twin), strict=True)]
        assert read[0] == read[1]
        for table, one in zip(pair, (ask, twin), strict=True):
            inner = inside(one)
            if not isinstance(one, Secret):
                dice.seed(n)
                table.answer_ask(one.seat, n, any_of(one, dice.randrange(1 << 16)))
            elif inner.why.startswith("cards-"):
                table.answer_ask(one.seat, n, "pass")
            else:
                assert isinstance(inner, Choose | Draw)
                mulligan = inner.why == "mulligan" and inner.options[not inner.facts["taken"]]
                table.answer_ask(one.seat, n, mulligan or inner.options[-(one is twin)])
        if isinstance(ask, Secret):
            secrets.add(ask.why)
            differs += inside(ask).facts != inside(twin).facts
    assert {"draw", "mulligan", "to-bottom", "over-limit", "cards-before-pitch", "cards-result"} <= secrets
    assert differs


def test_no_sentence_guesses_whether_a_player_is_a_he_or_a_she() -> None:
    every = {**GAME_WORDS.titles, **GAME_WORDS.asks, **GAME_WORDS.options, **GAME_WORDS.events}
    assert [] == [text for text in every.values() if GUESS.search(text)]


PASSES = {"either": "first", "take-back": "leave", "blank": "nothing"}
"""How other questions are answered until a roll is settled, beside passed cards."""


def won(table: Table, ask: Ask, n: int, face: int) -> bool | None:
    """Return whether this face wins for who rolls, by what the rules do with it if nobody plays a card on it. None if
    something else is asked first, or a card, the stadium or the weather acts of itself.
    """
    twin = table.clone()
    before = len(twin.log)
    twin.answer_ask(ask.seat, n, [face])
    settled = {"pitch": ("pitch",), "swing": ("swing",), "bunt": ("sacrifice", "bunt-missed")}
    settled |= {what: (f"{what}-{one}", f"{what}-{two}") for what, one, two in BOTH}
    while True:
        events = {one.event.code: one.event.facts for one in list(twin.log)[before:]}
        if ACTS & set(events):
            return None
        if found := [code for code in settled[ask.why] if code in events]:
            break
        if not twin.open_asks():
            return None
        ((m, then), *_) = twin.open_asks()
        if not then.why.startswith("cards-"):
            return None
        twin.answer_ask(then.seat, m, "pass")
    match ask.why:
        case "pitch":
            return bool(events["pitch"]["holder"] == inside(ask).facts["pitcher"])
        case "swing":
            return events["swing"]["result"] not in RESULT_GROUPS["out"]
    return found[0] in ("throw-out", "check-made", "sacrifice")


BOTH = (("throw", "out", "safe"), ("check", "made", "failed"))
"""How a throw and a check end."""

ACTS = {"acts", "unchanged", "stays-in"}
"""Events of cards that act of themselves."""


@pytest.mark.rule("CL-175", "CL-184", "CL-238", "CL-241", "CL-325")
@pytest.mark.parametrize(
    ("house", "seeds", "kinds"),
    [
        ({"level": "players"}, (4,), {"pitch", "swing", "throw", "bunt"}),
        ({"level": "full", "weather": "on", "windows": "always"}, (1, 2, 3), {"pitch", "swing", "throw", "check"}),
    ],
    ids=["players", "full"],
)
def test_the_number_in_a_title_is_the_least_that_wins(
    house: dict[str, str], seeds: tuple[int, ...], kinds: set[str]
) -> None:
    """Every pitch, swing, throw, check and bunt is rolled with that number, and with the one below it. Cards count."""
    tried, changed = set(), 0
    for table, n, ask in (one for seed in seeds for one in games(house, seed)):
        title = GAME_WORDS.ask_title(ask.why, inside(ask).facts)
        found = NUMBER.search(title)
        if not isinstance(ask, Roll) or ask.why not in ("pitch", "swing", "throw", "check", "bunt") or not found:
            continue
        most = int(ask.dice[0].faces[-1])
        least = int(found[1]) if found[1] else 1 if "any" in title else most + 1
        tried.add(ask.why)
        changed += bool(state(table).standing)
        if least <= most:
            assert won(table, ask, n, least) in (True, None), title
        if least > 1:
            assert won(table, ask, n, least - 1) in (False, None), title
    assert kinds <= tried
    assert (changed > 100) == (house["level"] == "full")


def test_the_infield_in_makes_the_batters_ground_balls_singles() -> None:
    """The question for the swing counts them, and the card's chart is otherwise read as printed."""
    said = {}
    for infield in ("back", "in"):
        table = at("T5 0o --3", level="players")
        until(table, "pitch", "swing", infield, "P1")
        ((_, ask),) = table.open_asks()
        said[infield] = GAME_WORDS.ask_sentence(ask.why, ask.facts)
    assert "ground ball" in said["back"]
    assert "ground ball" not in said["in"]
