"""The announcer of every game: a listener who only hears it knows the score, the outs and the bases."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

import pytest
from hypothesis import given

from engine.announcer import Announcer
from engine.announcer.calls import played
from engine.announcer.situation import situation
from engine.journal import Amend, Undo
from engine.scoreboard import Scoreboard
from engine.table import Table
from tests.engine.announcer.fold import Listener, Radio, names, wrong
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import CONTRACTS, every_game
from tests.engine.tables import SEEDS, examples, meddle, numbers

every_story = pytest.mark.parametrize(
    ("contract", "story"),
    [
        pytest.param(contract, story, id=f"{key}-{story}".rstrip("-"))
        for key, contract in CONTRACTS.items()
        for story in contract.stories.houses
    ],
)


def steps(contract: Contract, story: str) -> Iterator[Table]:
    """Yield the table of a stored game at the start and after each entry of its journal."""
    table = contract.stories.new(story)
    yield table
    for entry in contract.stories.entries(story):
        table.write(entry)
        yield table


@every_story
def test_a_whole_game_can_be_followed_by_ear(contract: Contract, story: str) -> None:
    """After every answer, correction and answer taken back, what was said so far gives what the scoreboard shows."""
    radio = Radio()
    for table in steps(contract, story):
        radio.check(table)
    assert radio.said[-1].text.count("Final: ") == 1
    assert "final" in radio.said[-1].marks


@every_story
def test_nothing_is_said_twice(contract: Contract, story: str) -> None:
    """Each place in the journal has at most one call, they come in order, and what was said never changes."""
    announcer, first = Announcer(), dict[int, str]()
    for table in steps(contract, story):
        calls = announcer.follow(table)
        places = [call.place for call in calls]
        assert places == sorted(set(places))
        for call in calls:
            assert first.setdefault(call.place, call.text) == call.text
        assert calls == announcer.follow(table)


@every_story
def test_taking_back_and_correcting_end_what_was_said_before(contract: Contract, story: str) -> None:
    """The call of an answer that counts no longer is gone at once, and one call gives the whole situation."""
    announcer, turned = Announcer(), 0
    for table in steps(contract, story):
        calls, last = announcer.follow(table), table.journal[-1] if table.journal else None
        if isinstance(last, Undo | Amend):
            turned += 1
            (call,) = calls
            assert call.place == len(table.journal) - 1
            assert call.marks == ("back",)
            assert call.text.startswith("Taken back." if isinstance(last, Undo) else "Corrected")
            assert call.text.endswith(call.now)
    assert turned > 0


@every_story
def test_a_restored_table_says_the_same(contract: Contract, story: str) -> None:
    """An announcer that follows only now, as after a restart, has the same newest calls."""
    announcer = Announcer()
    for number, table in enumerate(steps(contract, story)):
        expected = announcer.follow(table)
        if number % 17 == 0 or table.outcome:
            actual = Announcer().follow(table.clone())
            both = min(len(expected), len(actual))
            assert expected[-both:] == actual[-both:]
            assert both > 0 or not actual or not expected


@every_game()
def test_random_games_can_be_followed_by_ear(contract: Contract) -> None:
    """Also with answers taken back and corrected, with several answers at once, and by somebody who joins late."""

    @examples(contract.few)
    @given(contract.any_house, SEEDS)
    def followed(house: dict[str, str], seed: int) -> None:
        table, radio, late = contract.start(house, seed % len(contract.decks)), Radio(), Announcer()
        for number, turn in enumerate(numbers(seed, contract.taken_back)):
            if not meddle(table, turn, contract.pick):
                break
            if turn % 5:
                radio.check(table)
            if number % 23 == 22:
                seldom, now = late.follow(table), radio.announcer.follow(table)
                both = {call.place for call in seldom} & {call.place for call in now}
                assert [one for one in seldom if one.place in both] == [one for one in now if one.place in both]
        radio.check(table)

    followed()


@every_game()
def test_a_missing_run_or_a_wrong_base_is_noticed(contract: Contract) -> None:
    """The listener of these tests is wrong as soon as a score, an out or a base is changed."""
    announcer, said, last = Announcer(), list[tuple[str, Scoreboard, bool]](), -2
    for table in steps(contract, next(iter(contract.stories.houses))):
        calls = [call for call in announcer.follow(table) if call.place > last]
        last = calls[-1].place if calls else last
        said.append((" ".join(call.text for call in calls), table.scoreboard(), table.outcome is not None))
    faults = {
        r"(\d+) to (?=\d)": lambda found: f"{int(found[1]) + 1} to ",
        r"(One|Two) (out|down|away)\.": lambda found: "",
        r"(Runners? (?:on|at)) (\w+)": lambda found: f"{found[1]} {'third' if found[2] == 'first' else 'first'}",
    }
    for pattern, fault in faults.items():
        listener, missed, hit = Listener(), 0, 0
        for text, board, over in said:
            listener.hear(re.sub(pattern, fault, text), names(board))
            hit += bool(re.search(pattern, text))
            missed += bool(wrong(listener, board, over))
        assert bool(missed) == bool(hit), pattern


@every_game()
def test_all_wordings_say_the_same(contract: Contract) -> None:
    """Whatever number an answer has, and so whatever wording is chosen, the listener knows the same."""
    story = next(iter(contract.stories.houses))
    before, length = situation(contract.stories.new(story).scoreboard()), 0
    for number, table in enumerate(steps(contract, story)):
        board, events = table.scoreboard(), [one.event for one in table.log[length:]]
        now, length = situation(board, table.outcome), len(table.log)
        if number % 3 == 0:
            calls = [played(0, n, before, now, events, table.game.words) for n in range(12)]
            heard = [Listener() for _ in calls]
            for call, listener in zip(calls, heard, strict=True):
                listener.hear(call.text if call else "", names(board))
            assert all(one == heard[0] for one in heard)
        before = now


def fields(template: str) -> set[str]:
    """Return the facts that a sentence uses."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@every_game()
def test_announced_codes_exist_and_wordings_have_the_same_facts(contract: Contract) -> None:
    words = contract.game.words
    announced = words.announced
    codes = announced.quiet | announced.alone | announced.tell_runs | announced.endings | set(announced.ways)
    common = {"single", "double", "triple", "home-run", "walk", "strikeout", "fly-out", "ground-out"}
    assert codes - common <= set(words.events)
    for code, ways in announced.ways.items():
        assert len(ways) == len(set(ways))
        assert len({frozenset(fields(way)) for way in ways}) == 1, code
        if code in words.events:
            assert fields(ways[0]) <= fields(words.events[code]), code
