"""What a roll can become, against a count by what each game prints: its cards, charts and targets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

import pytest

from engine.ask_views import ChooseView
from engine.asks import Choose, Roll
from engine.chances import MAX_WAYS, _brief_sentence, outcome_chances
from engine.dice import Face, die_sides
from engine.events import Event
from engine.games import GAMES
from engine.secrets import redacted_data
from engine.table import Table
from engine.text.numbers import chance_text
from engine.views import OutcomeChanceView
from tests import golden
from tests.engine.games.contract.games import CONTRACTS

GAME_OF = {game.key: game for game in GAMES.values()}

Faces = tuple[Any, ...]
Label = Callable[[Faces], object]
"""Names what a way of falling brings, by what is printed."""


def _ranges(text: str) -> Mapping[int, str]:
    """What each face brings, from "strike on 1 to 4; foul on 5 or 6" or "1–5 strikeout, 6 walk"."""
    found: dict[int, str] = {}
    for part in text.split("; " if " on " in text else ", "):
        numbers = [int(one) for one in re.findall(r"\d+", part)]
        spans = range(numbers[0], numbers[-1] + 1) if re.search(r"\d( to |–)\d", part) else numbers
        found |= dict.fromkeys(spans, re.sub(r"[\d–]+| on | to | or ", "", part).strip())
    return found


def _by_card(table: Table, ask: Roll) -> Label:
    card = table.scoreboard().panel["card"]
    return lambda faces: card[faces[0] - 1]


def _by_chart(table: Table, ask: Roll) -> Label:
    chart = _ranges(redacted_data(ask.facts, None)["chart"])
    return lambda faces: chart[faces[0]]


def _by_outlook(table: Table, ask: Roll) -> Label:
    chart = _ranges(ask.facts["outlook"])
    return lambda faces: chart[min(faces[0], max(chart))]


def _by_needs(table: Table, ask: Roll) -> Label:
    needs = {int(one) for one in re.findall(r"\d", ask.facts["needs"])}
    return lambda faces: faces[0] in needs


def _from_least(table: Table, ask: Roll) -> Label:
    """True from the number that is needed, such as "13 or more" or ": 11+"."""
    (least,) = re.findall(r"\d+", str(ask.facts["wins"]))
    return lambda faces: faces[0] >= int(least)


def _by_advantage(table: Table, ask: Roll) -> Label:
    """The pitcher has the advantage if die, Command and cards are more than On-Base; the lowest faces are mistakes."""
    at = table.scoreboard().panel["at"]
    mistakes = at.x_zone if "mistake" in ask.facts["outlook"] else 0
    least = next(map(int, re.findall(r"advantage with (\d+) or more", at.need)), at.on_base - at.command + 1)
    return lambda faces: "mistake" if faces[0] <= mistakes else faces[0] >= least


def _by_higher(table: Table, ask: Roll) -> Label:
    """The higher of two d20s names the home team, after the first was thrown."""
    first = table.answers[-1].value[0]
    return lambda faces: (faces[0] > first) - (faces[0] < first)


def _by_sum(table: Table, ask: Roll) -> Label:
    """By the clause of the card: less, equal or more. Those that come to the same are one outcome."""
    facts = redacted_data(ask.facts, None)
    target = facts["target"]
    return lambda faces: facts["less" if sum(faces) < target else "more" if sum(faces) > target else "equal"]


def _by_highest(table: Table, ask: Roll) -> Label:
    """Cards of the test deck: the highest face that is on a line, or a walk from 3 up, or any pair."""
    lines = {line.text: line.outcome for line in table.scoreboard().panel["card"].lines}

    def label(faces: Faces) -> str:
        pair = len(set(faces)) < len(faces) and "a pair: single" in lines
        met = (to for text, to in lines.items() if text.startswith("a pair:" if pair else f"highest {max(faces)}:"))
        walk = "walk" if max(faces) >= 3 and "highest 3+: walk" in lines else "out"
        return next(met, walk)

    return label


ORACLES: Mapping[tuple[str, str], Callable[[Table, Roll], Label]] = {
    ("small-ball", "at-bat"): _by_card,
    ("small-ball", "sacrifice"): _by_card,
    ("small-ball", "steal-second"): _by_card,
    ("small-ball", "steal-third"): _by_card,
    ("small-ball", "double-steal"): _by_card,
    ("bottom-of-the-9th", "swing"): _by_chart,
    ("bottom-of-the-9th", "bonus"): _by_chart,
    ("bottom-of-the-9th", "unopposed"): _by_needs,
    ("rallybird", "visitor-die"): lambda _, __: lambda faces: faces[0] % 2,
    ("rallybird", "hit"): _by_sum,
    ("rallybird", "hit-again"): _by_sum,
    ("seventh-inning-stretch", "swing"): _by_highest,
    ("seventh-inning-stretch", "steal-second"): lambda _, __: lambda faces: max(faces) >= 5,
    ("seventh-inning-stretch", "steal-third"): lambda _, __: lambda faces: max(faces) == 6,
    ("seventh-inning-stretch", "extra-base-roll"): lambda _, ask: lambda faces: str(max(faces)) in ask.facts["face"],
    ("seventh-inning-stretch", "team"): lambda _, __: lambda faces: abs(faces[0] - faces[-1]),
    ("clutch", "home-roll"): _by_higher,
    ("clutch", "pitch"): _by_advantage,
    ("clutch", "swing"): _by_outlook,
    ("clutch", "bunt"): _from_least,
    ("clutch", "throw"): _from_least,
    ("clutch", "check"): _from_least,
    ("clutch", "card-die"): _from_least,
}
"""An independent count for each kind of roll whose chances are shown, by game and `why` of the ask."""

ROLLED_AGAIN = {("bottom-of-the-9th", "reroll"), ("clutch", "again-swing"), ("clutch", "again-pitch")}
"""Rolls that repeat another one and print no chart of their own."""


def _rolls(key: str, seeds: range, most: int = 1000) -> Iterator[tuple[Table, Roll, list[OutcomeChanceView]]]:
    """The rolls of random games that have chances, at most `most` of a kind, each with the table that asks for it."""
    found_of: Counter[str] = Counter()
    contract = CONTRACTS[key]
    for seed in seeds:
        chance = Random(seed)
        table = next(iter(contract.walk.tables(Random(seed))))
        while table.open_asks() and len(table.answers) < 250:
            n, ask = chance.choice(table.open_asks())
            if isinstance(ask, Roll) and found_of[ask.why] < most and (found := outcome_chances(table)):
                found_of[ask.why] += 1
                yield table, ask, found
            table.answer_ask(ask.seat, n, contract.walk.pick(ask, chance.randrange(1 << 16)))


def _ways(table: Table, ask: Roll) -> list[tuple[Face, ...]]:
    return list(product(*(die_sides(die.kind, table.house) for die in ask.dice)))


def _merged(key: str, counted: Counter[object]) -> Iterator[list[int]]:
    """The counts of the outcomes. Clauses of RallyBird's cards can come to the same, when nobody is on base."""
    counts = list(counted.values())
    yield counts
    if key == "rallybird" and len(counts) == 3:
        yield from ([sum(counts) - one, one] for one in counts)


def _last_place(sentence: str, text: str) -> int:
    """Where `text` last tells `sentence` with any of the numbers that it names: "1 to 3", "2 or 4". -1 if nowhere."""
    parts = re.split(r"\d+(?: to \d+|(?:, \d+)* or \d+)|, or the like", sentence)
    return max((found.start() for found in re.finditer(".+?".join(map(re.escape, parts)), text)), default=-1)


@pytest.mark.parametrize("key", sorted(CONTRACTS))
def test_chances_are_those_of_what_is_printed(key: str) -> None:
    """Every kind of roll of every game."""
    seen: Counter[str] = Counter()
    for table, ask, found in _rolls(key, range(30), most=40):
        assert 1 == pytest.approx(sum(chance.share for chance in found))
        assert [chance.share for chance in found] == sorted((chance.share for chance in found), reverse=True)
        assert len({chance.sentence for chance in found}) == len(found)
        if (key, ask.why) in ROLLED_AGAIN:
            continue
        if table.scoreboard().panel.get("hit_and_run"):
            continue  # The card shows the play's double plays, and not what they were before.
        seen[ask.why] += 1
        label, ways = ORACLES[key, ask.why](table, ask), _ways(table, ask)
        counted = Counter(map(label, ways))
        shares = sorted(chance.share * len(ways) for chance in found)
        assert any(shares == pytest.approx(sorted(one)) for one in _merged(key, counted)), (ask.why, found, counted)
        if len(ask.dice) == 1:
            assert {frozenset(way[0] for way in ways if label(way) == one) for one in counted} == {
                frozenset(chance.faces) for chance in found
            }
    assert set(seen) == {why for game, why in ORACLES if game == key}


@pytest.mark.parametrize("key", sorted(CONTRACTS))
def test_each_sentence_is_told_as_often_as_its_chance_says(key: str) -> None:
    """Every side of the dice is answered on a copy of the table, which tells one of the sentences."""
    for count, (table, ask, found) in enumerate(_rolls(key, range(3))):
        if count % 5:
            continue
        told: Counter[str] = Counter()
        ways, (n, _) = _ways(table, ask), table.open_asks()[0]
        for way in ways:
            copy = table.clone()
            copy.state.decline_hidden_offers()
            events = [one.event for one in copy.answer_ask(ask.seat, n, list(way))]
            text = " ".join(map(table.game.words.event_sentence, events))
            told[max(found, key=lambda one: _last_place(one.sentence, text)).sentence] += 1
        assert {one.sentence: pytest.approx(one.share) for one in found} == {
            sentence: times / len(ways) for sentence, times in told.items()
        }


def test_the_advantage_of_the_pitcher_is_not_that_of_the_batter() -> None:
    """One kind of event has both, and says who has it."""
    for _, ask, found in _rolls("clutch", range(3)):
        if ask.why == "pitch":
            for holder in (ask.facts["pitcher"], ask.facts["batter"]):
                assert 1 == sum(one.sentence.endswith(f": {holder} has the advantage.") for one in found)


@pytest.mark.parametrize("key", sorted(CONTRACTS))
def test_no_game_changes_by_being_asked(key: str) -> None:
    contract, chance = CONTRACTS[key], Random(3)
    table = next(iter(contract.walk.tables(Random(3))))
    while table.open_asks() and len(table.answers) < 60:
        before = len(table.journal), len(table.log), table.scoreboard()
        outcome_chances(table)
        assert before == (len(table.journal), len(table.log), table.scoreboard())
        n, ask = chance.choice(table.open_asks())
        table.answer_ask(ask.seat, n, contract.walk.pick(ask, chance.randrange(1 << 16)))


def test_too_many_dice_are_not_tried() -> None:
    """Six dice may fall in 46,656 ways."""
    table = golden.new(GAME_OF["seventh-inning-stretch"])
    for entry in golden.entries_of(GAME_OF["seventh-inning-stretch"]):
        table.apply_entry(entry)
        asks = [ask for _, ask in table.open_asks() if isinstance(ask, Roll)]
        if len(asks) == 1 and len(_ways(table, asks[0])) > MAX_WAYS:
            assert [] == outcome_chances(table)
            return
    pytest.fail("This game never asks for more than three dice.")


def _brief(sentence: str, **facts: str) -> str:
    return _brief_sentence(sentence, Event("single", facts))


def test_an_outcome_in_few_words() -> None:
    """Without its subject, the numbers of the dice, and the outs; points in a name end no sentence."""
    assert "strikes out" == _brief("J. R. Smith Jr. strikes out. Outs: 1.", batter="J. R. Smith Jr.")
    assert "caught stealing second" == _brief("Ann is caught stealing second.", runner="Ann")
    assert "Mr. X: Ace has the advantage" == _brief(
        "Mr. X: Ace pitches 5: Mr. X: Ace has the advantage.", holder="Mr. X: Ace"
    )
    assert "misses the bunt" == _brief("Ann misses the bunt: 1 to 12, and it takes 13 or more.", batter="Ann")
    assert "thrown out at first" == _brief("The batter is thrown out at first.")


@pytest.mark.parametrize("key", sorted(CONTRACTS))
def test_few_words_tell_outcomes_apart(key: str) -> None:
    """And the odds are those of the share: of one six-sided die in sixths, else in percent."""
    for _, ask, found in _rolls(key, range(3), most=9):
        assert len({one.brief for one in found}) == len(found)
        for one in found:
            assert one.brief == one.sentence or (one.brief and "Outs:" not in one.brief), one
            sixths = [die.kind for die in ask.dice] == ["d6"]
            assert one.odds == (f"{round(6 * one.share)} in 6" if sixths else chance_text(one.share))


TRIES = re.compile(r"^(safe|down|works|out at \w+) (?:(\d) in 6|(\d+)\D?%|with .*\((\d+)%\))$")
"""The note of an option that tries something, when the next roll decides it."""

SUCCESS = {
    "safe": r"steals|Double steal|: safe",
    "down": r"sacrifice",
    "works": r"sacrifice",
    "out": r"\bout at\b|double play",
}
"""What a sentence says of a success, by the first word of the note."""


@pytest.mark.parametrize("key", ["small-ball", "seventh-inning-stretch", "clutch"])
def test_odds_of_a_try_before_it_is_declared(key: str) -> None:
    """Every way the dice can fall is answered on a copy, for each noted option that a roll follows."""
    seen: Counter[str] = Counter()
    for table, n, ask in _choices(key, range(14)):
        view = table.ask_view(n, ask, ask.seat)
        assert isinstance(view, ChooseView)
        for option in view.options:
            note = TRIES.match(getattr(option, "note", ""))
            if note is None or seen[option.value] > 3:
                continue
            twin = table.clone()
            twin.answer_ask(ask.seat, n, option.value)
            match twin.open_asks():
                case [(_, Roll() as thrown)] if len(ways := _ways(twin, thrown)) <= MAX_WAYS:
                    good = sum(_succeeds(twin, way, SUCCESS[note[1].split()[0]]) for way in ways)
                    told = int(note[2]) / 6 if note[2] else int(note[3] or note[4]) / 100
                    assert told == pytest.approx(good / len(ways), abs=0.0051), (option, good, len(ways))
                    seen[option.value] += 1
    assert (
        seen.keys()
        >= {
            "small-ball": {"sacrifice", "steal-second", "steal-third", "double-steal"},
            "seventh-inning-stretch": {"1", "2"},
            "clutch": {"bunt", "at-third", "at-home"},
        }[key]
    )


def test_a_steal_says_its_odds_before_the_dice_are_chosen() -> None:
    """With one die and with all of them, as the question for the dice says then."""
    for table, n, ask in _choices("seventh-inning-stretch", range(30)):
        view = table.ask_view(n, ask, ask.seat)
        assert isinstance(view, ChooseView)
        for option in view.options:
            if option.value.startswith("steal-") and len(view.options) > 3:
                twin = table.clone()
                twin.answer_ask(ask.seat, n, option.value)
                view_of_dice = twin.ask_view(*twin.open_asks()[0], ask.seat)
                assert isinstance(view_of_dice, ChooseView)
                some = [one for one in view_of_dice.options if one.value.isdigit() and one.value != "0"]
                first, *_, last = (getattr(one, "note", "") for one in some)
                assert f"{first} with 1 die, {last.removeprefix('safe ')} with {len(some)}" == getattr(
                    option, "note", ""
                )
                return
    pytest.fail("Nobody could steal.")


def _succeeds(table: Table, way: tuple[Face, ...], success: str) -> bool:
    twin, (n, ask) = table.clone(), table.open_asks()[0]
    told = [table.game.words.event_sentence(one.event) for one in twin.answer_ask(ask.seat, n, list(way))]
    return any(re.search(success, one) for one in told)


def _choices(key: str, seeds: range) -> Iterator[tuple[Table, int, Choose]]:
    for seed in seeds:
        chance, contract = Random(seed), CONTRACTS[key]
        table = next(iter(contract.walk.tables(Random(seed))))
        while table.open_asks() and len(table.answers) < 150:
            n, ask = chance.choice(table.open_asks())
            if isinstance(ask, Choose):
                yield table, n, ask
            table.answer_ask(ask.seat, n, contract.walk.pick(ask, chance.randrange(1 << 16)))
