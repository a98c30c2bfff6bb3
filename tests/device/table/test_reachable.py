"""Whatever stands: every legal choice can still be taken, in every game."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from device.table import preset_answers
from device.table.preset_answers import SeatSettings
from engine.asks import Call, Choose, DiceAsk, Draw
from engine.journal import Source, Undo
from engine.seats import SEATS, Seat
from engine.table import Table
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import SEEDS, examples, inside, numbers


def silent(table: Table) -> SeatSettings:
    """Return settings under which no seat is asked about any topic."""
    settings = SeatSettings()
    for seat in table.scoreboard().plays:
        for topic in preset_answers.game_topics(table):
            settings = settings.with_ask_preference(table, seat, topic.key, "never")
    return settings


def go_on(table: Table, settings: SeatSettings, sources: list[Source]) -> None:
    """Give every answer that the table gives by itself."""
    while found := preset_answers.next_automatic_answer(table, settings, sources):
        table.apply_entry(found.answer)
        sources.append(found.source)


def reopens(table: Table, settings: SeatSettings, sources: list[Source], seat: Seat) -> None:
    """Assert that a seat may take every option of what was answered for it: now, or if it had waited before.

    What is revealed at once cannot be taken back; then the seat had time before, while somebody else decided.
    """
    first = next((one for one in preset_answers.automatic_since_throw(table, sources, seat)), None)
    if first is None:
        return
    if not preset_answers.is_automatic_from(table, sources, first.n):
        earlier = table.answers[next(place for place, one in enumerate(table.answers) if one.n == first.n) - 1]
        assert not isinstance(inside(earlier.ask), DiceAsk | Call | Draw), first.ask
        return
    twin, waits = table.clone(), settings.with_wait(seat, first.n)
    twin.apply_entry(Undo(first.n))
    since = [*sources, Source.PHONE]
    go_on(twin, waits, since)
    before = {one.n: one.value for one in table.answers}
    while first.n not in dict(twin.open_asks()):
        # What was taken back together with it is asked first, as a real card that is laid again.
        n, ask = twin.open_asks()[0]
        assert n < first.n
        twin.answer_ask(ask.seat, n, before[n])
        since.append(Source.PHONE)
        go_on(twin, waits, since)
    inner = inside(dict(twin.open_asks())[first.n])
    for option in inner.options if isinstance(inner, Choose) else ():
        other = twin.clone()
        other.answer_ask(seat, first.n, option)
        assert option in (one.value for one in other.answers if one.n == first.n)


@every_game()
def test_every_choice_can_be_taken_whatever_stands(contract: Contract) -> None:
    """In random games, with every topic set to never, "Wait" brings back all that was answered for a seat."""

    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))))
    def walks(house: dict[str, str], seed: int, which: int) -> None:
        table = contract.start(house, which)
        settings, sources = silent(table), [Source.UNKNOWN] * len(table.journal)
        for number in numbers(seed, contract.taken_back // 4):
            go_on(table, settings, sources)
            for seat in SEATS:
                reopens(table, settings, sources, seat)
            if not contract.step(table, number):
                break
            sources.append(Source.PHONE)

    walks()
