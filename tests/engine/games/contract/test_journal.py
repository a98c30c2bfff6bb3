"""Taking back, correcting and restoring answers in every game."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.asks import Ask, DiceAsk, Secret
from engine.dice import Die
from engine.errors import EngineError
from engine.journal import Undo
from engine.secrets import HIDDEN_TEXT
from engine.table import CurrentAnswer, Table
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import SEEDS, examples, meddle, numbers, replays, shot


def played(contract: Contract, house: dict[str, str], seed: int, which: int) -> Table:
    """Return a table in the middle of a game."""
    table = contract.start(house, which)
    for number in numbers(seed, contract.taken_back):
        if not contract.step(table, number):
            break
    return table


@every_game()
def test_undo_leaves_no_trace(contract: Contract) -> None:
    """Taking back an answer and all revealed with it restores the table; the same answers lead to the same end."""

    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))), st.integers(0, 1 << 16))
    def undone(house: dict[str, str], seed: int, which: int, place: int) -> None:
        table = played(contract, house, seed, which)
        expected, answers = shot(table), list(table.answers)
        table.undo(answers[place % len(answers)].n)
        last = table.journal[-1]
        assert isinstance(last, Undo)
        kept = [each for each in answers if each.n < last.n]
        assert shot(again(contract, table, kept)) == shot(table)
        for each in answers[len(kept) :]:
            table.answer_ask(each.ask.seat, each.n, each.value)
        assert expected == shot(table)

    undone()


@every_game()
def test_amend_keeps_later_answers_that_fit(contract: Contract) -> None:
    """A corrected game equals one played so from the start, up to the first answer that no longer fits.

    The preview says so beforehand and changes nothing.
    """

    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))), st.integers(0, 1 << 16))
    def amended(house: dict[str, str], seed: int, which: int, place: int) -> None:
        table = played(contract, house, seed, which)
        before, hidden = shot(table), table.hidden_numbers()
        one = table.answers[place % len(table.answers)]
        later = [each for each in table.answers if each.n > one.n]
        value = contract.pick(one.ask, seed >> 7)
        preview = table.preview_correction(one.n, value)
        linked = {each.n: table._first_linked_number(each.n, later) for each in later}
        assert before == shot(table)

        heard = table.correct_answer(one.n, value)
        left = {each.n for each in table.answers}
        kept = [each for each in later if each.n in left]
        dropped = [each for each in later if each.n not in left]
        expected = again(contract, table, [each for each in table.answers if each.n < one.n])
        expected.answer_ask(one.ask.seat, one.n, value)
        give(expected, kept)
        assert shot(expected) == shot(table)
        if dropped and not any(isinstance(each.ask, Secret) for each in later):
            for each in dropped:
                if misfits(expected, each):
                    break
                give(expected, [each])
            else:
                raise AssertionError("all later answers fit")
            assert dropped[0].n in (each.n, max(linked[each.n], one.n + 1))  # what was revealed together goes together
        told = tuple(told for told in table.log if told.n >= one.n)
        assert told == heard[1:] == preview.events
        assert table.scoreboard() == preview.after
        assert preview.kept == tuple(each.n for each in kept if each.n not in hidden)
        assert preview.dropped == tuple(each.n for each in dropped if each.n not in hidden)

    amended()


@every_game()
def test_a_journal_replays_to_the_same_table(contract: Contract) -> None:
    """This includes answers taken back and corrected, and a trip through JSON.

    A clone taken anywhere is equal and independent. The journal given out hides what is not revealed.
    """

    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))))
    def restored(house: dict[str, str], seed: int, which: int) -> None:
        table = contract.start(house, which)
        for number in numbers(seed, contract.taken_back):
            if not meddle(table, number, contract.pick):
                break
        stored, public, expected, twin = replays(table), table.redacted_entries(None), shot(table), table.clone()
        assert len(stored) == len(table.journal) == len(public)
        assert all(one.n < two.n for one, two in zip(table.answers, table.answers[1:], strict=False))
        hidden = table.hidden_numbers()
        assert all(public[one.entry]["value"] == HIDDEN_TEXT for one in table.answers if one.n in hidden)
        if contract.step(twin, seed):
            assert (expected, len(stored)) == (shot(table), len(table.journal))
            assert contract.step(table, seed)
            assert shot(twin) == shot(table)

    restored()


def again(contract: Contract, table: Table, answers: list[CurrentAnswer]) -> Table:
    """Return a new table with these answers."""
    return give(Table(contract.game, table.decks, table.house), answers)


def give(table: Table, answers: list[CurrentAnswer]) -> Table:
    """Give the table these answers."""
    for each in answers:
        table.answer_ask(each.ask.seat, each.n, each.value)
    return table


def dice(ask: Ask) -> tuple[Die, ...]:
    """Return the dice to throw. A d20's 3 is not a d24's."""
    return tuple(ask.dice) if isinstance(ask, DiceAsk) else ()


def misfits(table: Table, one: CurrentAnswer) -> bool:
    """Return True if the answer cannot be given here: another question, other dice, or it is refused."""
    ask = dict(table.open_asks()).get(one.n)
    if ask is None or (ask.seat, ask.why, dice(ask)) != (one.ask.seat, one.ask.why, dice(one.ask)):
        return True
    try:
        table.clone().answer_ask(one.ask.seat, one.n, one.value)
    except EngineError:
        return True
    return False
