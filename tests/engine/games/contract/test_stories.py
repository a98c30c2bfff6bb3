"""The stored games of every game, each replayed once: after every entry all records of the game agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator

import pytest

from engine.announcer import Announcement, Announcer
from engine.announcer.calls import answer_announcement
from engine.announcer.situation import scoreboard_situation
from engine.journal import Correction, Undo
from engine.scoreboard import Scoreboard
from engine.seats import SEATS
from engine.table import Table
from tests.engine.announcer.fold import Listener, Radio, names, wrong
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import CONTRACTS
from tests.engine.games.contract.test_names import NAMES
from tests.engine.games.contract.test_words import NAMED
from tests.engine.scorecard import agreement
from tests.engine.tables import inside
from tests.golden import stories

Check = Generator[None, Table | None, None]
"""Looks at the table before the first entry of its journal and after each; gets None at the end."""

Maker = Callable[[Contract, Announcer], Check]


def failures(contract: Contract, story: str, checks: list[Maker]) -> list[Exception]:
    """Replay a stored game with some checks, and return what each that failed says, with its name and the entry."""
    announcer, failed = Announcer(), list[Exception]()
    running = {check.__name__: check(contract, announcer) for check in checks}
    for check in running.values():
        next(check)
    tables = contract.stories.steps(story)
    place = -1
    while running:
        table = next(tables, None)
        for name, check in list(running.items()):
            try:
                check.send(table)
            except StopIteration:
                del running[name]
            except Exception as error:
                error.add_note(f"{name}, entry {place} of {contract.stories.path(story).name}")
                failed.append(error)
                del running[name]
        place += 1
    return failed


# Of every stored game --------------------------------------------------------------------------------------------


def can_be_followed_by_ear(contract: Contract, announcer: Announcer) -> Check:
    """After every answer, correction and answer taken back, what was said so far gives what the scoreboard shows."""
    radio = Radio(announcer)
    while table := (yield):
        radio.check(table)
    assert radio.said[-1].text.count("Final: ") == 1
    assert "final" in radio.said[-1].marks


def nothing_is_said_twice(contract: Contract, announcer: Announcer) -> Check:
    """Each place in the journal has at most one call, they come in order, and what was said never changes."""
    first = dict[int, str]()
    while table := (yield):
        calls = announcer.update_announcements(table)
        places = [call.place for call in calls]
        assert places == sorted(set(places))
        for call in calls:
            assert first.setdefault(call.place, call.text) == call.text
        assert calls == announcer.update_announcements(table)


def taking_back_and_correcting_end_what_was_said_before(contract: Contract, announcer: Announcer) -> Check:
    """The call of an answer that counts no longer is gone at once, and one call gives the whole situation."""
    turned = 0
    while table := (yield):
        calls, last = announcer.update_announcements(table), table.journal[-1] if table.journal else None
        if isinstance(last, Undo | Correction):
            turned += 1
            (call,) = calls
            assert call.place == len(table.journal) - 1
            assert call.marks == ("back",)
            assert call.text.startswith("Taken back." if isinstance(last, Undo) else "Corrected")
            assert call.text.endswith(call.now)
    assert turned > 0


def a_restored_table_says_the_same(contract: Contract, announcer: Announcer) -> Check:
    """An announcer that follows only now, as after a restart, has the same newest calls."""
    while table := (yield):
        if len(table.journal) % 17 == 0 or table.outcome:
            expected, actual = announcer.update_announcements(table), Announcer().update_announcements(table.clone())
            both = min(len(expected), len(actual))
            assert expected[-both:] == actual[-both:]
            assert both > 0 or not actual or not expected


def titles_are_short(contract: Contract, announcer: Announcer) -> Check:
    """With the names of the house deck in them."""
    while table := (yield):
        for _, ask in table.open_asks():
            title = contract.game.words.ask_title(ask.why, inside(ask).facts)
            assert 0 < len(title) <= NAMED, (ask.why, title)


EVERY: list[Maker] = [
    can_be_followed_by_ear,
    nothing_is_said_twice,
    taking_back_and_correcting_end_what_was_said_before,
    a_restored_table_says_the_same,
    titles_are_short,
]


# Of the first stored game of each rulebook -----------------------------------------------------------------------


def a_wrong_call_is_noticed(contract: Contract, announcer: Announcer) -> Check:
    """The listener of these tests is wrong as soon as a score, an out or a base is changed."""
    said, last = list[tuple[str, Scoreboard, bool]](), -2
    while table := (yield):
        calls: list[Announcement] = [call for call in announcer.update_announcements(table) if call.place > last]
        last = calls[-1].place if calls else last
        said.append((" ".join(call.text for call in calls), table.scoreboard(), table.outcome is not None))
    faults: dict[str, Callable[[re.Match[str]], str]] = {
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


def all_wordings_say_the_same(contract: Contract, announcer: Announcer) -> Check:
    """Whatever number an answer has, and so whatever wording is chosen, the listener knows the same."""
    table = yield
    assert table
    before, length = scoreboard_situation(table.scoreboard()), 0
    while table:
        board, events = table.scoreboard(), [one.event for one in table.log[length:]]
        now, length = scoreboard_situation(board, table.outcome), len(table.log)
        if len(table.journal) % 3 == 0:
            heard = [Listener() for _ in range(12)]
            for n, listener in enumerate(heard):
                call = answer_announcement(0, n, before, now, events, table.game.words)
                listener.hear(call.text if call else "", names(board))
            assert all(one == heard[0] for one in heard)
        before = now
        table = yield


def the_next_three_batters_are_named(contract: Contract, announcer: Announcer) -> Check:
    """They begin with the batter and the one on deck, and nobody is named twice."""
    named = followed = 0
    before: Scoreboard | None = None
    while table := (yield):
        board = table.scoreboard()
        assert [one for one in (board.batter, board.on_deck) if one] == list(board.due_up[:2])
        assert len(set(board.due_up)) == len(board.due_up) <= 3
        named += len(board.due_up) == 3
        followed += bool(before and before.half == board.half and before.due_up[1:] == board.due_up[:2] != ())
        before = board
    assert (named > 0, followed > 0) == (contract.game.key != "rallybird",) * 2


def named_sides_play_the_same_game(contract: Contract, announcer: Announcer) -> Check:
    """It gives the same asks and score under other names, and both names are spoken."""
    named: Table | None = None
    usual: Table | None = None
    spoken = set[str]()
    while table := (yield):
        usual = table
        named = named or Table(usual.game, usual.decks, usual.house, names=NAMES)
        for entry in usual.journal[len(named.journal) :]:
            named.apply_entry(entry)
        asks = [[(n, one.why, one.seat) for n, one in each.open_asks()] for each in (usual, named)]
        assert asks[0] == asks[1]
        shown = named.view_for(None)
        said = " ".join([shown.last, *(one.sentence for one in shown.asks)])
        spoken |= {name for name in NAMES.values() if name in said}
    assert usual
    assert named
    boards = usual.scoreboard(), named.scoreboard()
    assert [(side.line, side.runs) for side in boards[0].sides.values()] == [
        (side.line, side.runs) for side in boards[1].sides.values()
    ]
    mine = {boards[1].plays.get(seat) for seat in SEATS} - {None}
    assert len(mine) == len({side.name for side in boards[1].sides.values()} & set(NAMES.values()))
    assert not boards[1].plays.keys() >= set(SEATS) or spoken, "no sentence has a name"


FIRST: list[Maker] = [
    a_wrong_call_is_noticed,
    all_wordings_say_the_same,
    the_next_three_batters_are_named,
    named_sides_play_the_same_game,
]


LONGEST = {"extended", "series"}
"""Stories that the default run leaves out: they are like another one, and longer."""


@pytest.mark.parametrize(
    ("contract", "story"),
    [
        pytest.param(
            contract, story, id=f"{key}-{story}".rstrip("-"), marks=[pytest.mark.slow] if story in LONGEST else []
        )
        for key, contract in CONTRACTS.items()
        for story in contract.stories.houses
    ],
)
def test_a_stored_game(contract: Contract, story: str) -> None:
    """It replays as stored, is complete, and its announcer, titles and scorecards agree with it at every entry."""
    assert contract.stories.path(story).exists(), f"no golden playthrough of {contract.game.title}: see tests/golden"
    first = story == next(iter(contract.stories.houses))
    if failed := failures(contract, story, EVERY + FIRST * first):
        raise ExceptionGroup("the checks of a stored game", failed)
    table = contract.stories.replayed(story).table
    assert table.outcome, "it does not end"
    assert stories.corrected(table), "it has no correction, or nothing was taken back"
    agreement.slashes(table)
    agreement.runners_stand(table)


def test_a_changed_score_and_a_failed_check_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A playthrough that differs by one run does not match; each failed check is named, and the others go on."""
    contract = next(iter(CONTRACTS.values()))
    wrong_lines = contract.stories.stored("")
    next(line for line in wrong_lines[len(wrong_lines) // 2 :] if "score" in line)["score"][0] += 1
    with monkeypatch.context() as patch:
        patch.setattr(stories.Stories, "stored", lambda *_: wrong_lines)
        with pytest.raises(AssertionError, match=r"small-ball\.jsonl, line"):
            contract.stories.replayed("")

    def never_undone(contract: Contract, announcer: Announcer) -> Check:
        while table := (yield):
            assert not any(isinstance(entry, Undo) for entry in table.journal)

    (failed,) = failures(contract, "", [never_undone, nothing_is_said_twice])
    entries = contract.stories.entries("")
    place = next(place for place, entry in enumerate(entries) if isinstance(entry, Undo))
    assert [f"never_undone, entry {place} of small-ball.jsonl"] == failed.__notes__
