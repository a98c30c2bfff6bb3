"""Manager of Bottom of the 9th, for either seat.

All strengths use the same win probabilities, from a model of the half-inning. An all-star plays optimally. A regular
sees the probabilities with noise and rests the pitcher by a rule of thumb. A rookie follows only rules of thumb.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.ask_views import AnyAskView, ArrangeView, ChooseView, RerollView
from engine.cards import cards_in_decks
from engine.games.bottom_of_the_9th.cards import build_draft_pool
from engine.views import TableView
from managers.games.bottom_of_the_9th import best_play, rules_of_thumb
from managers.games.bottom_of_the_9th.draft import DraftRatings
from managers.games.bottom_of_the_9th.evaluation import build_game_evaluator
from managers.games.bottom_of_the_9th.half_inning import HalfInningModel
from managers.games.bottom_of_the_9th.reasons import with_reasons
from managers.games.bottom_of_the_9th.visible_position import NinthPosition, position_from_view
from managers.manager import GameSetup, Manager, Strength, WeighedAnswer, greedy_policy, softmax_policy

__all__ = ["NinthManager", "build_game_evaluator", "build_game_manager"]

EVEN_CHANCE = 0.5  # Win probability where nothing is known.
GAME_TEMPERATURE = 0.03  # Softmax temperature of a regular during the game.
DRAFT_TEMPERATURE = 0.08  # Softmax temperature of a regular in the draft.

_model_cache: dict[object, tuple[HalfInningModel, DraftRatings]] = {}
"""The model of the last deck and house rules; it holds at most one."""


def build_game_manager(setup: GameSetup, strength: Strength) -> Manager:
    """Build a manager for either seat."""
    key = (tuple(deck.digest for deck in setup.decks), tuple(sorted(setup.house.items())))
    if key not in _model_cache:
        model = HalfInningModel(build_draft_pool(cards_in_decks(setup.decks), setup.house), setup.house)
        _model_cache.clear()
        _model_cache[key] = model, DraftRatings(model)
    return NinthManager(*_model_cache[key], strength)


class NinthManager:
    """Manager of either seat, batters or pitcher."""

    def __init__(self, model: HalfInningModel, ratings: DraftRatings, strength: Strength) -> None:
        self.model, self.ratings, self.strength = model, ratings, strength

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        if isinstance(ask, ChooseView):
            here = position_from_view(view) if "fatigue" in view.scoreboard.panel else None
            ace = self.model.pitchers[here.match.pitcher].ace if here else ()
            found = self._weigh_draft(view, ask) if here is None else self._weigh_in_game(here, ask)
            return with_reasons(found, ask.why, here, ace)
        if isinstance(ask, RerollView):
            return [WeighedAnswer(list(ask.free[:1]), EVEN_CHANCE, 1.0)]
        assert isinstance(ask, ArrangeView), ask
        pieces, places = ([one.value for one in options] for options in (ask.pieces, ask.places))
        return [WeighedAnswer(dict(zip(places, pieces, strict=False)), EVEN_CHANCE, 1.0)]

    def study_cards(self, view: TableView | None = None) -> bool:
        """Rate pairs for a draft. Only an all-star drafts a lineup of its own."""
        drafts = view is None or "fatigue" not in view.scoreboard.panel
        return drafts and self.strength == "all-star" and self.ratings.rate_one_pair()

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[str]:
        """See `Manager`. An ability that no model knows is not estimated, and a reliever is used up."""
        here = position_from_view(view) if "fatigue" in view.scoreboard.panel else None
        if here is None or not isinstance(ask, ChooseView) or ask.why not in ("relief", "ability"):
            return ()
        if ask.why == "ability":
            return ("use", "keep") if best_play.weigh_ability(self.model, here, ask) else ()
        return [one.value for one in ask.options if one.value != "bench"]

    def _weigh_in_game(self, here: NinthPosition, ask: ChooseView) -> list[WeighedAnswer]:
        options = [option.value for option in ask.options]
        rookie, star = self.strength == "rookie", self.strength == "all-star"
        match ask.why:
            case "guess" | "pitch-call":
                weights = rules_of_thumb.pitch_weights(options, self.model.pitchers[here.match.pitcher].ace)
                found = [
                    replace(one, risk=weight)  # To trust the ace pitch is daring.
                    for one, weight in zip(
                        best_play.weigh_stare_down(self.model, here, options, ask.why == "pitch-call"),
                        weights,
                        strict=True,
                    )
                ]
                if rookie:
                    return rules_of_thumb.weighted_policy(found, weights)
                return found if star else softmax_policy(found, GAME_TEMPERATURE)
            case "relief":
                found = best_play.weigh_relief(self.model, here, options)
                if star:
                    return greedy_policy(found)
                if rookie:
                    return rules_of_thumb.pure_policy(found, next(option for option in options if option != "bench"))
                return rules_of_thumb.pure_policy(
                    found, rules_of_thumb.choose_relief(options, here.rows, self.model.bottom)
                )
            case "ability":
                chances = best_play.weigh_ability(self.model, here, ask)
                if chances is not None:
                    return rules_of_thumb.pure_policy(chances, "use") if rookie else greedy_policy(chances)
                if ask.seat == "home" and " rests " in ask.sentence:  # Do not rest the pitcher.
                    return rules_of_thumb.first_option_policy(options[::-1], EVEN_CHANCE)
        return rules_of_thumb.first_option_policy(options, EVEN_CHANCE)

    def _weigh_draft(self, view: TableView, ask: ChooseView) -> list[WeighedAnswer]:
        options = [option.value for option in ask.options]
        if ask.why == "lineup":
            ready = self.strength != "all-star"
            return rules_of_thumb.pure_policy(
                [WeighedAnswer(option, EVEN_CHANCE) for option in options], options[0 if ready else -1]
            )
        if ask.why in ("starter", "reliever"):
            lineup = view.scoreboard.panel["lineup"]
            return self._with_draft_shares(best_play.weigh_pitchers(self.ratings, options, lineup))
        if ask.why.startswith("bat-"):
            place = int(ask.why.removeprefix("bat-")) - 1
            found = best_play.weigh_batters(self.ratings, options, place)
            wanted = self.ratings.best_lineup()[place]
            sure = self.strength == "all-star" and wanted in options
            return rules_of_thumb.pure_policy(found, wanted) if sure else self._with_draft_shares(found)
        return rules_of_thumb.first_option_policy(options, EVEN_CHANCE)

    def _with_draft_shares(self, found: list[WeighedAnswer]) -> list[WeighedAnswer]:
        if self.strength == "rookie":
            return rules_of_thumb.weighted_policy(found, [1.0] * len(found))
        return greedy_policy(found) if self.strength == "all-star" else softmax_policy(found, DRAFT_TEMPERATURE)
