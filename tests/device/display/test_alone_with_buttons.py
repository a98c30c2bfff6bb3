"""An evening alone against the computer, with the display and the buttons: from the menu's New game to the last out.

The player knows what the display's view says, throws all dice and types what they show, and never touches a phone.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from device.app import App
from device.display import screens_64
from device.inputs.computer_managers import ComputerManagers
from device.settings import Settings
from engine.games import GAMES
from engine.journal import Source
from engine.seats import Seat
from engine.views import AudienceView, SecretButtonEntryView
from tests.device.display.test_buttons_only import PRESSES, Player
from tests.device.inputs.test_computer_managers import First
from tests.device.stored_games import Clock

WAYS = {"rallybird": "Real cards", "seventh-inning-stretch": "Duel: real cards", "clutch": "Basic: no phones"}
"""How a game is played without a phone, where that must be chosen."""


class Alone(Player):
    """One person, whose seat is home; a computer manages away."""

    def __init__(self, folder: Path, key: str, manager: str) -> None:
        self.chance, self.pressed, self.clock = random.Random(3), 0, Clock()
        other = next(one for one in GAMES if one != key)
        self.app = App(
            Settings.model_validate(
                {
                    "data": folder,
                    "game": {"key": other},
                    "camera": {"source": "none"},
                    "display": {"driver": "none"},
                    "buttons": {"factory": "none"},
                }
            ),
            demo=False,
        )
        self.session, self.menu, self.house = self.app.session, self.app.menu, self.app._automatic_draws
        self.session.game.clock = self.clock
        # What it thinks is proved elsewhere: here it takes its first option.
        self.managers = ComputerManagers(self.session, random.Random(3), lambda setup, strength: First())
        self.push("home-ok")  # puts the join screen away
        way = [WAYS[key]] if key in WAYS else []
        self.choose("Other rulebook", GAMES[key].title, "Classic", *way, "Home v computer", manager)

    def choose(self, *labels: str) -> None:
        """Open the menu and choose these lines, one menu after the other."""
        self.push("menu")
        for label in labels:
            lines = [item.label for item in self.menu._items]
            assert label in lines, (label, lines)
            self.push(*["home-next"] * lines.index(label), "home-ok")

    def push(self, *buttons: str) -> None:
        for button in buttons:
            self.clock.now += 1
            self.menu.handle_press(button)
            self.pressed += 1
        self.clock.now += 1
        self.session.tick()
        self.house.make_open_draws(True)

    def answer(self) -> None:
        """Do what the display asks of this person; where the computer is to act, wait for it."""
        view, dial = self.view, self.view.dial
        mine = {ask.seat for ask in view.table.asks} - view.managers.keys()
        if view.race is not None:
            self._run(view)
        elif isinstance(dial, SecretButtonEntryView) and "home" in mine:
            self.push(*(f"home-{step}" for step in self._secret(dial.how)), "home-ok")
        elif dial is not None and (dial.seat in mine or self._throws(view, dial.n)):
            # Any of the two sets of buttons serves a person who plays alone.
            buttons: Seat = self.chance.choice(["away", "home"])
            kind = next(ask.kind for ask in view.table.asks if ask.n == dial.n)
            if kind == "reroll" and dial.seat in view.managers:
                self._throw_again(view, buttons)
            else:
                most = dial.count or 1
                steps = self.chance.choice([0, 0, 1]) if kind == "choose" else self.chance.randint(1, most)
                self.push(*[f"{buttons}-next"] * steps, f"{buttons}-ok")
        self.clock.now += 0.5
        self.managers.answer_due_asks()
        self.push()

    def _throws(self, view: AudienceView, n: int) -> bool:
        return any(ask.n == n and ask.kind in ("roll", "reroll") for ask in view.table.asks)

    def _throw_again(self, view: AudienceView, buttons: Seat) -> None:
        """Type what the dice show that the computer has thrown again: it is asked for no others."""
        for _ in view.managers["away"].again or ():
            self.push(*[f"{buttons}-next"] * self.chance.randint(1, 6), f"{buttons}-ok")

    def _run(self, view: AudienceView) -> None:
        """Throw for a second and a half, then call; if the table asks, turn to a face that wins."""
        assert view.race is not None
        if view.race.confirm is not None:
            self._race(view)
            return
        for _ in range(15):
            self.clock.now += 0.1
            self.managers.answer_due_asks()
            self.session.tick()
        if self.session.race.wanted_dice:
            self.push("home-ok")


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=pytest.mark.long("evenings") if key == "clutch" else ()) for key in GAMES]
)
def test_a_whole_game_against_the_computer(key: str, tmp_path: Path) -> None:
    """It ends; the computer decided for its side, and nothing else."""
    player = Alone(tmp_path, key, "Viola, regular")
    try:
        assert (key, {"away"}) == (player.session.game.table.game.key, set(player.view.managers))
        while player.view.table.outcome is None:
            assert player.pressed < PRESSES, player.view.table.asks
            screens_64.draw_game(player.view)
            player.answer()
        table, sources = player.session.game.table, player.session.game.sources
        gave = {(one.ask.seat, sources[one.entry]) for one in table.answers}
        assert ("away", Source.MANAGER) in gave
        assert ("home", Source.MANAGER) not in gave
        assert ("home", "buttons") in gave
    finally:
        player.app.stop()
