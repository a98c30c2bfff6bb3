"""The manager of 7th Inning Stretch: either seat of a duel, and the coach of a season.

It works out a half-inning backwards over batters, bases, outs, dice and tokens, with exact odds of the dice, and from
the runs of both sides' halves the chance to win the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.ask_views import AnyAskView, ArrangeView, ChooseView, RerollView
from engine.cards import cards_of
from engine.games.seventh_inning_stretch.cards import Box, unpack
from engine.views import TableView
from managers.games.seventh_inning_stretch import squads
from managers.games.seventh_inning_stretch.defence import Defence
from managers.games.seventh_inning_stretch.offence import Offence
from managers.games.seventh_inning_stretch.outlook import Outlook
from managers.games.seventh_inning_stretch.position import Position, read
from managers.games.seventh_inning_stretch.reasons import reason
from managers.manager import Manager, Setup, Strength, Weighed, best, blurred

BLUR: Mapping[Strength, float] = {"rookie": 0.7, "regular": 0.15, "all-star": 0.0}
"""How many runs a strength cannot tell apart; see `blurred`."""

AROUND, LEAST = 0.08, 0.0001
"""What a run counts in decisions around games, and the least that it counts in one."""

DIGITS = 4
"""Digits of a chance: in a game that is all but over, answers come to the same, and the simplest is given."""

READ_ON_THE_TABLE: Mapping[str, str] = {"blank-dice": "2", "blank-outcome": "no-outcome"}
"""Answers for blank cards, which a manager cannot read; the first option for the rest."""

Found = Sequence[tuple[Any, float]]


class Coach:
    """Weighs the answers of one seat.

    In a season `win` is the chance to win the game under way. Between games it only says which answer is better.
    """

    def __init__(self, box: Box, house: Mapping[str, str], strength: Strength) -> None:
        self._box, self._house, self._strength = box, house, strength

    def weigh(self, view: TableView, ask: AnyAskView) -> Sequence[Weighed]:
        """Return the answers that are worth thinking about, at least one."""
        position = read(self._box, self._house, view, ask.seat)
        weighed = [
            Weighed(value, round(min(1.0, max(0.0, win)), DIGITS), reason=reason(position, ask, value))
            for value, win in self._found(position, ask)
        ]
        blur = BLUR[self._strength]
        if not blur:
            return best(weighed)
        run = max(LEAST, self._outlook(position).run()) if position.panel["playing"] else AROUND
        return blurred(weighed, blur * run)

    def _found(self, position: Position, ask: AnyAskView) -> Found:
        if isinstance(ask, RerollView):
            if ask.why == "ability-reroll":
                return Defence(position, self._outlook(position)).reroll(ask)[:8]
            return self._offence(position).reroll(ask)[:8]
        if isinstance(ask, ArrangeView):
            return squads.line_up(position, ask, self._strength == "all-star")
        assert isinstance(ask, ChooseView)
        return self._choice(position, ask)

    def _outlook(self, position: Position) -> Outlook:
        return Outlook(position, self._strength == "all-star")

    def _offence(self, position: Position) -> Offence:
        return Offence(position, self._outlook(position))

    def _choice(self, position: Position, ask: ChooseView) -> Found:
        match ask.why:
            case "at-bat":
                return self._offence(position).at_bat(ask)
            case "steal-second-dice" | "steal-third-dice":
                return self._offence(position).steal(ask)
            case "extra-base":
                return self._offence(position).extra_base(ask)
            case "outcome":
                return self._offence(position).outcomes(ask)
            case "runner-out":
                return self._offence(position).runner_out(ask)
            case "tokens":
                if position.box.batters[position.batter].blank and not ask.sentence.startswith(("Steal", "Extra")):
                    return [("keep", 0.5)]
                return self._offence(position).tokens(ask)
            case "batter":
                return self._offence(position).batter(ask)
            case "relief":
                return Defence(position, self._outlook(position)).relief(ask)
            case "before":
                return Defence(position, self._outlook(position)).before(ask)
            case "ability":
                return Defence(position, self._outlook(position)).ability(ask)
            case "pitcher":
                return Defence(position, self._outlook(position)).pitchers(ask)
            case "draft":
                return squads.draft(position, ask)
            case "pick" | "kept" | "recover" | "duel-pitcher":
                return squads.keep(position, ask)
            case "recover-more":
                return squads.recover_more(position, ask)
            case "opponent":
                return squads.opponent(position, ask)
            case "team-bought":
                return squads.team_bought(position, ask)
            case "spend":
                return squads.spend(ask)
            case "line-up-again":
                return squads.line_up_again(position, ask)
            case "lead-off":
                return squads.lead_off(position, ask)
            case "pitching-coach" | "pitching-coach-again":
                return squads.rest(position, ask)
        value = READ_ON_THE_TABLE.get(ask.why)
        first = ask.options[0].value
        return [(value if any(one.value == value for one in ask.options) else first, 0.5)]


def make(setup: Setup, strength: Strength) -> Manager:
    """Return the manager of this setup."""
    return Coach(unpack(cards_of(setup.decks)), setup.house, strength)
