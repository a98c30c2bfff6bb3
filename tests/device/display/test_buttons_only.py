"""A whole game of each rulebook with the display and seven buttons: no phone, no page, no look at the rules.

The player knows what the public view says and what the display shows, and presses buttons.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.display import lettering, screens_32, screens_64
from device.display.pages import PAGE_TIME_S, PageRotation
from device.inputs.chance_draws import AutomaticDraws
from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.session import GameSession
from engine.game import Rulebook
from engine.games import GAMES
from engine.table import Table
from engine.views import AudienceView, SecretButtonEntryView
from tests.device.display.menus import menu
from tests.device.display.views import read

BOTH = (screens_64, screens_32)
PRESSES = 40_000  # more than any of these games takes
JOIN = ("http://dugout.local/", "10.0.0.7", "123456")
PLAIN = 0.7  # how often the first option is taken, the game's plain one


class Player:
    """Two people with one display: each answers with the buttons of the seat that the display names."""

    def __init__(self, game: Rulebook, folder: Path, seed: int) -> None:
        self.now, self.chance = 1000.0, random.Random(seed)
        self.store = Store(folder / "journal.db")
        house = next(
            (dict(way.house) for way in game.ways(game.resolve_house_rules({})) if "a phone each" not in way.label), {}
        )
        begin = lambda: Table(game, [house_deck(game)], house)  # noqa: E731 - used once, below
        self.session = GameSession(self.store, begin, clock=lambda: self.now)
        self.menu = menu(self.session)
        self.house = AutomaticDraws(self.session, "key")
        self.pressed = 0

    def push(self, *buttons: str) -> None:
        """Press buttons, a second apart: more than an impatient press."""
        for button in buttons:
            self.now += 1
            self.menu.handle_press(button)
            self.pressed += 1
        self.now += 1
        self.session.tick()
        self.house.make_open_draws(True)

    @property
    def view(self) -> AudienceView:
        """What anybody may see."""
        return self.session.game.view_for(None)

    def answer(self) -> None:
        """Answer what the display asks."""
        view, dial = self.view, self.view.dial
        if view.race is not None:
            self._race(view)
        elif isinstance(dial, SecretButtonEntryView):
            for ask in view.table.asks:
                self.push(*(f"{ask.seat}-{step}" for step in self._secret(dial.how)), f"{ask.seat}-ok")
        elif dial is not None:
            rolls = any(ask.n == dial.n and ask.kind in ("roll", "reroll") for ask in view.table.asks)
            plain = not rolls and self.chance.random() < PLAIN
            steps = 0 if plain else self.chance.randint(int(rolls), (dial.count or 1) + 1)
            self.push(*[f"{dial.seat}-next"] * steps, f"{dial.seat}-ok")
        else:
            self.push()  # the house draws

    def _secret(self, how: str) -> Iterator[str]:
        """Yield the buttons that the display names for a secret."""
        if "< +5" in how:
            number = self.chance.randint(1, 20)
            yield from ["previous"] * (number // 5) + ["next"] * (number % 5)
        for _ in re.findall(r"< \w+ or > \w+", how):
            yield self.chance.choice(["previous", "next"])

    def _race(self, view: AudienceView) -> None:
        """Call with OK; if the table asks, turn to a face that wins."""
        assert view.race is not None
        asked, dial = view.race.confirm, view.dial
        if asked is None:
            self.push(f"{self.chance.choice(list(view.race.seats))}-ok")
            return
        wins = {str(face) for face in view.race.seats[asked.seat].wins}
        for _ in range(dial.count or 0 if dial else 0):
            self.push(f"{asked.seat}-next")
            turned = self.view.dial
            if turned and wins & set(re.findall(r"\d+", turned.label)):
                break
        self.push(f"{asked.seat}-ok")


@pytest.mark.slow
@pytest.mark.parametrize("key", list(GAMES))
def test_a_whole_game(key: str, tmp_path: Path) -> None:
    """It ends; on the way the display always says who decides what, and what OK would give."""
    player, seen = Player(GAMES[key], tmp_path, 4), -1
    player.push("away-ok")  # puts the join screen away
    with read() as texts:
        while player.view.table.outcome is None:
            assert player.pressed < PRESSES, player.view.table.scoreboard
            view = player.view
            if view.table.version != seen:
                seen = view.table.version
                for size in BOTH:
                    proves(size, view, texts)
            player.answer()
        for size in BOTH:
            texts.clear()
            size.draw_game(player.view)
            assert texts
    player.store.close()


def proves(size: object, view: AudienceView, texts: list[tuple[str, int, int, lettering.Font, int]]) -> None:
    """Prove that the pages of a view show the title of the decision, and the option that OK would take."""
    pages: list[list[str]] = []
    for turn in range(8):
        texts.clear()
        size.draw_game(view, PageRotation(turn * PAGE_TIME_S))  # type: ignore[attr-defined]
        page = [part for part, *_ in texts]
        if page in pages[:1]:
            break  # the first one comes again
        pages.append(page)
    if view.race is not None or view.notice:
        return
    words = {word for page in pages for part in page for word in part.split()}
    dial = view.dial
    for ask in view.table.asks:
        if dial is None or ask.n == dial.n:
            assert set(lettering.ascii_text(ask.title).split()) <= words, (ask.title, words)
            if dial and ask.kind == "choose" and not ask.secret:
                assert set(lettering.ascii_text(dial.label).split()) <= words, (dial.label, words)
