"""How old a table is: counted while it is on, whatever the time of day is, and kept."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.app import App
from device.service.access import SAVE_EVERY
from device.settings import Settings, parse
from device.storage.store import Store
from tests.device.process import SETTINGS
from tests.device.stored_games import table

THEN = datetime(1970, 1, 1, 0, 0, 9, tzinfo=UTC)
NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return parse(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path})


def test_the_age_grows_over_the_starts(settings: Settings) -> None:
    """What a table was on for when it ended it was on for at the next start."""
    app = App(settings, demo=False)
    app.access._started -= 5000
    app.stop()
    app = App(settings, demo=False)
    first = app.access.age()
    app.access._started -= 1000
    app.stop()
    app = App(settings, demo=False)
    second = app.access.age()
    app.stop()
    assert first >= 5000
    assert second >= first + 999


def test_the_age_is_kept_now_and_then(settings: Settings) -> None:
    """A power cut takes some minutes of it, not all."""
    app = App(settings, demo=False)
    app._look_after(-1)
    app.access._saved -= SAVE_EVERY + 1
    app.access._started -= 5000
    app._look_after(-1)
    kept = float(app._store.remember("lit", lambda: "0"))
    app.stop()
    assert kept >= 5000


@pytest.mark.parametrize("clocks", [(THEN, NOW), (NOW, THEN)])
def test_a_game_goes_on_whatever_the_time_of_day_is(tmp_path: Path, clocks: tuple[datetime, datetime]) -> None:
    """Entries stamped long before or after what follows them are in the order in which they were given."""
    played, game = table(), 0
    for clock, value in zip(clocks, ("bat", [2]), strict=True):
        store = Store(tmp_path / "journal.db", clock=lambda clock=clock: clock)  # type: ignore[misc]
        saved = store.latest()
        if saved is None:
            game = store.begin(played)
        else:
            assert saved.table is not None
            played = saved.table
        ((n, ask),) = played.asks()
        played.answer(ask.seat, n, value)
        store.append(game, played, "phone")
        store.close()
    store = Store(tmp_path / "journal.db")
    saved = store.latest()
    store.close()
    assert saved is not None
    assert saved.table is not None
    assert (played.journal, 2) == (saved.table.journal, len(saved.table.journal))
