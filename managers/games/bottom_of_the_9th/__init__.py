"""The manager of Bottom of the 9th, for either seat.

Every strength knows the same chances, from a model of the whole half-inning, and differs in what it makes of them: an
all-star takes the best, a regular sees them through a blur and minds the pitcher's arm by a rule of thumb, and a rookie
goes by such rules alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.ask_views import AnyAskView, ArrangeView, ChooseView, RerollView
from engine.cards import cards_of
from engine.games.bottom_of_the_9th.cards import deal
from engine.views import TableView
from managers.games.bottom_of_the_9th import best_play, thumb
from managers.games.bottom_of_the_9th.draft import Ratings
from managers.games.bottom_of_the_9th.half_inning import HalfInning
from managers.games.bottom_of_the_9th.reasons import with_reasons
from managers.games.bottom_of_the_9th.seen import Seen, seen
from managers.manager import Manager, Setup, Strength, Weighed, best, blurred

EVEN = 0.5
"""The chance to win where nothing is known."""

BLUR = 0.03
"""How blurred a regular sees chances during the game."""

DRAFT_BLUR = 0.08
"""How blurred a regular sees chances in the draft."""

_studied: dict[object, tuple[HalfInning, Ratings]] = {}
"""The cards that were studied last."""


def make(setup: Setup, strength: Strength) -> Manager:
    """Return a manager for either seat of this game. The first one for a setup studies the cards, for seconds."""
    key = (tuple(deck.digest for deck in setup.decks), tuple(sorted(setup.house.items())))
    if key not in _studied:
        model = HalfInning(deal(cards_of(setup.decks), setup.house), setup.house)
        _studied.clear()
        _studied[key] = model, Ratings(model)
    return BottomManager(*_studied[key], strength)


class BottomManager:
    """Decides for the batters or for the pitcher."""

    def __init__(self, model: HalfInning, ratings: Ratings, strength: Strength) -> None:
        self.model, self.ratings, self.strength = model, ratings, strength

    def weigh(self, view: TableView, ask: AnyAskView) -> Sequence[Weighed]:
        """Return every option of an ask with its chance, its share and its reason."""
        if isinstance(ask, ChooseView):
            here = seen(view) if "fatigue" in view.scoreboard.panel else None
            ace = self.model.pitchers[here.match.pitcher].ace if here else ()
            found = self._draft(view, ask) if here is None else self._play(here, ask)
            return with_reasons(found, ask.why, here, ace)
        if isinstance(ask, RerollView):
            return [Weighed(list(ask.free[:1]), EVEN, 1.0)]
        assert isinstance(ask, ArrangeView), ask
        pieces, places = ([one.value for one in options] for options in (ask.pieces, ask.places))
        return [Weighed(dict(zip(places, pieces, strict=False)), EVEN, 1.0)]

    def _play(self, here: Seen, ask: ChooseView) -> list[Weighed]:
        """Return the answers during the game."""
        options = [option.value for option in ask.options]
        rookie, star = self.strength == "rookie", self.strength == "all-star"
        match ask.why:
            case "guess" | "pitch-call":
                found = best_play.stare_down(self.model, here, options, ask.why == "pitch-call")
                if rookie:
                    ace = self.model.pitchers[here.match.pitcher].ace
                    return thumb.spread(found, thumb.pitch_weights(options, ace))
                return found if star else blurred(found, BLUR)
            case "relief":
                found = best_play.relief(self.model, here, options)
                if star:
                    return best(found)
                if rookie:
                    return thumb.only(found, next(option for option in options if option != "bench"))
                return thumb.only(found, thumb.relief(options, here.rows, self.model.bottom))
            case "ability":
                chances = best_play.ability(self.model, here, ask)
                if chances is not None:
                    return thumb.only(chances, "use") if rookie else best(chances)
                if ask.seat == "home" and " rests " in ask.sentence:  # A batter's card need not rest the pitcher.
                    return thumb.first(options[::-1], EVEN)
        return thumb.first(options, EVEN)

    def _draft(self, view: TableView, ask: ChooseView) -> list[Weighed]:
        """Return the answers before the game."""
        options = [option.value for option in ask.options]
        if ask.why == "lineup":
            ready = self.strength != "all-star"
            return thumb.only([Weighed(option, EVEN) for option in options], options[0 if ready else -1])
        if ask.why in ("starter", "reliever"):
            lineup = view.scoreboard.panel["lineup"]
            return self._drafted(best_play.pitchers(self.ratings, options, lineup))
        if ask.why.startswith("bat-"):
            place = int(ask.why.removeprefix("bat-")) - 1
            found = best_play.batters(self.ratings, options, place)
            wanted = self.ratings.lineup()[place]
            sure = self.strength == "all-star" and wanted in options
            return thumb.only(found, wanted) if sure else self._drafted(found)
        return thumb.first(options, EVEN)

    def _drafted(self, found: list[Weighed]) -> list[Weighed]:
        if self.strength == "rookie":
            return thumb.spread(found, [1.0] * len(found))
        return best(found) if self.strength == "all-star" else blurred(found, DRAFT_BLUR)
