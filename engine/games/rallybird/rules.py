"""Rules of RallyBird, in the order of its rulebook. rules.md lists every rule ID."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from engine.asks import Arrange, Choose, Draw, Play, Prompt, ask_secretly, choose, roll, roll_dice
from engine.diamond import HOME_BASE
from engine.dice import D6
from engine.games.rallybird import blank_cards
from engine.games.rallybird.cards import ZONE_LETTERS, AtBatCard
from engine.games.rallybird.results import (
    BASE_NAMES,
    OUT_KINDS,
    ROLL_COMPARISONS,
    AppliedResult,
    CardResult,
    applicable_result,
    apply_result,
    parse_result,
)
from engine.games.rallybird.state import (
    REGULATION_INNINGS,
    RUNNER_CUBES,
    PublicAtBat,
    State,
    glove_value,
    gloves_to_change,
    zone_values,
)
from engine.games.rallybird.words import (
    COMPARISON_VERBS,
    action_labels,
    board_labels,
    describe_card,
    describe_result,
    describe_result_here,
    team_name,
)
from engine.innings import InningClock, Outcome
from engine.lazy import LazyFact
from engine.seats import SEATS, Seat, replace_for_seat
from engine.text.agreement import name_with_verb

Step = Generator[Prompt, object, None]

DICE_SUMS = range(2, 13)
"""Possible sums of two dice (RB-005)."""

HIT_EVENTS = ("single", "double", "triple", "home-run")
"""Events of hits, by the base that the batter reaches, from 1."""


def next_play(s: State) -> Callable[[State], Play]:
    if not s.seated:
        return set_up
    if not s.left_out:
        return take_the_field
    return at_bat


# Getting ready -----------------------------------------------------------------------------------------------------


def set_up(s: State) -> Play:
    """Decide on the visitor. The players agree, or a die says whether they change chairs (RB-014, A19)."""
    if s.house["visitor"] == "ask" and (yield from choose("away", "visitor", ("agreed", "die"))) == "die":
        face = yield from roll("away", "visitor-die")
        s.dice = (face,)
        s.emit("stay-seated" if face % 2 else "change-chairs", face=face)
    s.seated = True
    s.emit("play-ball")


# Take the field ----------------------------------------------------------------------------------------------------


def take_the_field(s: State) -> Play:
    """Remove a random card of Offense and a Glove of Defense's choice (RB-019 to RB-031, RB-075, RB-076)."""
    s.at_bat = PublicAtBat()
    s.emit("half-inning", seat=s.offense, inning=s.clock.inning, half=s.clock.half, team=team_name(s, s.offense))
    if s.house["cards"] == "secret":
        names = tuple(s.box.cards)
        s.removed = yield from ask_secretly(Draw(s.offense, "removed", names, {"labels": s.box.card_labels}))
    else:
        yield Choose(s.offense, "set-aside", ("ready",), foregone="ready")
    s.emit("card-removed", seat=s.offense, left=len(s.box.cards) - 1)
    icons = s.box.icon_gloves()
    # "ready" may be answered automatically, so the next ask says what to do first.
    first = "Offense sets a real card aside, drawn at random. " if s.house["cards"] == "real" else ""
    facts = {"first": first, "labels": action_labels("Leave out", icons)}
    s.left_out = yield Choose(s.defense, "leave-out", icons, facts, LazyFact(moot_glove, s, icons, leave_out))
    s.emit("glove-left-out", seat=s.defense, glove=s.left_out)


def leave_out(s: State, glove: str) -> None:
    s.left_out = glove


def card_notes(s: State) -> dict[str, str]:
    """Return the current text of each At Bat card that is not blank."""
    return {card.name: describe_card(card, tested_zones(s, card)) for card in s.box.cards.values() if not card.blank}


def tested_zones(s: State, card: AtBatCard) -> tuple[str, ...]:
    """Return the zones that a card tests now (RB-056)."""
    return card.second if s.bases[1] else card.tests


# At bat ------------------------------------------------------------------------------------------------------------


def at_bat(s: State) -> Play:
    """Play an at-bat from the card to the change of a Glove (RB-004)."""
    s.at_bat = PublicAtBat()
    card = yield from play_card_and_gloves(s)
    yield from reveal_card(s, card)
    ran = yield from roll_until_result(s, card)
    clock = s.clock
    resolve_at_bat(s, ran)
    wears = card.wears and (ran.advanced if s.house["gloveChangeOn"] == "anyAdvance" else is_success(s, card, ran))
    if wears and s.clock == clock and not s.outcome:
        yield from change_glove(s)


def resolve_at_bat(s: State, ran: AppliedResult) -> None:
    """Apply the result of an at-bat, and end the half or the game if it does (RB-046, RB-080)."""
    apply_batting_result(s, ran)
    if s.house["walkOff"] == "true" and s.clock.is_walk_off(*s.score, REGULATION_INNINGS):
        end_game(s)
    elif s.outs == 3:
        end_half(s)


def play_card_and_gloves(s: State) -> Generator[Prompt, Any, AtBatCard]:
    """Have Offense play a card face down, then Defense its Gloves. Return the card (RB-032 to RB-038, RB-098)."""
    if s.house["cards"] == "secret":
        options = playable_cards(s, s.removed.peek() if s.removed else "")
        # With the bases in the facts, a correction that changes them asks again, whichever card is out.
        labels, numbers = s.box.card_labels, s.box.card_numbers
        facts = {"labels": labels, "numbers": numbers, "notes": LazyFact(card_notes, s), "bases": s.bases}
        sealed = yield from ask_secretly(Choose(s.offense, "at-bat", options, facts))
        yield from place_gloves(s)
        name = s.reveal(sealed)
    else:
        yield Choose(s.offense, "laid", ("ready",), foregone="ready")
        yield from place_gloves(s)
        # The card is turned over before it is named, so Defense may know it now (RB-038).
        s.uncovered = True
        name = yield from choose(s.offense, "shown", playable_cards(s), labels=s.box.card_labels)
    s.laid = False
    return s.box.cards[name]


def playable_cards(s: State, removed: str = "") -> tuple[str, ...]:
    """Return the cards playable now, without the removed one and those without their runner (RB-021, RB-110)."""
    return tuple([name for name, card in s.box.cards.items() if name != removed and is_playable(s, card)])


def is_playable(s: State, card: AtBatCard) -> bool:
    """True if a card's runner is on base (A6) and the base to steal is free (RB-111, A23)."""
    to = card.stolen_bases
    if to and s.house["stealIntoOccupied"] == "refuse" and any(base < HOME_BASE and s.bases[base - 1] for base in to):
        return False
    if s.house["needsRunner"] == "skip":
        return True
    if card.requires == "any":
        return any(s.bases)
    return not card.requires or s.bases[BASE_NAMES.index(card.requires)] is not None


def place_gloves(s: State) -> Generator[Prompt, Any, None]:
    """Have Defense place all its Gloves, at most one on a zone. House rules may let zones stay empty (A5)."""
    s.laid, s.dice = True, ()
    s.emit("card-laid", seat=s.offense, team=team_name(s, s.offense))
    fewest, many = (None, "all your Gloves") if s.house["glovePlacement"] == "oneEachAll" else (0, "any of your Gloves")
    down = "Wait until the card is face down. Then" if s.house["cards"] == "real" else "The card is face down. Now"
    facts = {"down": down, "many": many, "labels": LazyFact(board_labels, s)}
    lying: Mapping[str, str] = yield Arrange(
        s.defense, "gloves", s.gloves_in_play, ZONE_LETTERS, facts, fewest, dict(s.lying)
    )
    s.lying = tuple(lying.items())


def reveal_card(s: State, card: AtBatCard) -> Step:
    """Reveal the card, its zones, and their total (RB-037 to RB-043, RB-056)."""
    tests = tested_zones(s, card)
    s.update_at_bat(card=card)
    if card.blank:
        s.emit("shown-blank", seat=s.offense, card=card.name)
        while options := blank_cards.zone_options(tests):
            facts = {"card": card.name, "tests": tests, "labels": s.box.zone_labels}
            zone = yield from choose(s.offense, "tests", options, **facts)
            if zone == blank_cards.NO_MORE_ZONES:
                break
            tests = (*tests, zone)
    s.update_at_bat(tests=tests, worths=zone_values(s, tests))
    s.emit("shown", seat=s.offense, card=card.name, tests=tests, target=s.at_bat.target_sum)


def roll_until_result(s: State, card: AtBatCard) -> Generator[Prompt, Any, AppliedResult]:
    """Roll until the card has its result, twice for a long ball (RB-053, RB-054) and again for the RallyBird."""
    done, rerolled = 0, False
    while True:
        yield from roll_against_gloves(s, card, again=done > 0)
        # After the first of two rolls of a blank card, the players say only whether it was good (RB-053).
        halfway = card.blank and card.twice and not done
        success = halfway and (yield from ask_if_first_roll_good(s, card))
        if not success:
            ran = yield from read_result(s, card)
            success = not halfway and is_success(s, card, ran)
        second = success and done < card.twice
        if not rerolled and (yield from offer_rallybird(s, success, None if second else ran)):
            rerolled = True
            done = 0 if s.house["rallyHomeRun"] == "bothRolls" else done
            continue
        done += success
        if not success or done == 1 + card.twice:
            break
    if rerolled and not success:
        s.rally = replace_for_seat(s.rally, s.offense, False)
        s.emit("rallybird-lost", seat=s.offense, team=team_name(s, s.offense))
    return ran


def roll_against_gloves(s: State, card: AtBatCard, again: bool) -> Step:
    """Roll two dice against the tested Gloves (RB-005, RB-006, RB-040, RB-097)."""
    first = ", the first of two rolls that must both succeed" if card.twice and not again else ""
    facts = {"card": card.name, "target": s.at_bat.target_sum, "first": first}
    leads_to = {
        one: LazyFact(lambda s, of: describe_result_here(result_in_play(s, of), s.bases), s, of)
        for one, of in card.results.items()
    }
    why = ("hit-blank" if card.blank else "hit") + ("-again" if again else "")
    s.dice = yield from roll_dice(s.offense, why, (D6, D6), **facts, **leads_to)
    total = sum(s.dice)
    compare = roll_comparison(total, s.at_bat.target_sum)
    s.update_at_bat(compare=compare)
    s.emit(
        "roll",
        seat=s.offense,
        sum=total,
        target=s.at_bat.target_sum,
        compare=compare,
        against=COMPARISON_VERBS[compare],
    )


def roll_comparison(total: int, target: int) -> str:
    """Compare a roll with the target, and return one of `ROLL_COMPARISONS` (RB-006)."""
    return ROLL_COMPARISONS[(total > target) - (total < target) + 1]


def ask_if_first_roll_good(s: State, card: AtBatCard) -> Generator[Prompt, Any, bool]:
    """Ask if the first of two rolls is good enough for the second by the text of a blank card (A12)."""
    said = yield from choose(s.offense, "first-roll", ("good", "bad"), card=card.name, compare=s.at_bat.compare)
    return said == "good"


def read_result(s: State, card: AtBatCard) -> Generator[Prompt, Any, AppliedResult]:
    """Return the card's result for this roll. On a blank card, ask for it."""
    compare = s.at_bat.compare
    if not card.blank:
        return result_effect(s, card.results[compare])
    possible = {result.text: describe_result(result) for result in blank_cards.possible_results(s)}
    text = yield from choose(s.offense, "result", tuple(possible), card=card.name, compare=compare, labels=possible)
    return result_effect(s, parse_result(text))


def result_in_play(s: State, result: CardResult) -> CardResult:
    """Return a result, or its alternative without the named runner (RB-103, A6)."""
    return applicable_result(result, s.bases) if s.house["needsRunner"] == "refuse" else result


def result_effect(s: State, result: CardResult) -> AppliedResult:
    return apply_result(result_in_play(s, result), s.bases, s.batter, s.outs, s.house["runOnThirdOut"] == "true")


def is_success(s: State, card: AtBatCard, ran: AppliedResult) -> bool:
    """True if the result itself advances somebody, or the card counts it as a success (RB-107, RB-108)."""
    if card.succeeds is None:
        return ran.moved
    return ran.outs < 3 and s.at_bat.compare in card.succeeds


# The result --------------------------------------------------------------------------------------------------------


def apply_batting_result(s: State, ran: AppliedResult) -> None:
    """Announce the result and apply it to outs, runners, runs and batter (RB-044 to RB-049, RB-109)."""
    result, seat, before = ran.result, s.offense, len(s.news)
    lost = [BASE_NAMES[base - 1] for base in ran.lost]
    match result.batter:
        case "hit" if ran.lost:
            s.emit("fielders-choice", seat=seat, base=BASE_NAMES[result.reach - 1], turn="out")
        case "hit":
            s.emit(HIT_EVENTS[result.reach - 1], seat=seat, hit=True)
        case "walk":
            s.emit("walk", seat=seat, turn="walk")
        case "ground" if ran.lost and s.outs < 2:
            s.emit("double-play", seat=seat, turn="out", retired=(*lost, "batter"))
        case "ground":
            s.emit("ground-out", seat=seat, turn="out", retired=("batter",))
        case "air":
            s.emit("fly-out", seat=seat, turn="out", retired=("batter",))
        case "other":
            s.emit("batter-out", seat=seat, turn="out", retired=("batter",))
    outs = s.outs + (result.batter in OUT_KINDS)
    if result.batter != "ground" and outs < 3:
        for number, base in enumerate(lost, outs):
            s.emit("runner-out", seat=seat, base=base, retired=(base,) if number < 3 else ())
    if ran.moves and (ran.outs < 3 or ran.home):
        s.emit("runners-go", seat=seat, moves=[f"{BASE_NAMES[at - 1]} to {BASE_NAMES[to - 1]}" for at, to in ran.moves])
    if len(s.news) == before:
        s.emit("nothing-moves", seat=seat)
    s.outs, s.bases = ran.outs, ran.bases
    if ran.home:
        s.score = replace_for_seat(s.score, seat, s.score[SEATS.index(seat)] + len(ran.home))
        s.emit("scores", seat=seat, scored=len(ran.home), away=s.score[0], home=s.score[1], **s.name_facts)
    if result.batter != "stays":
        s.batter = next(cube for cube in RUNNER_CUBES if cube not in s.bases)


def change_glove(s: State) -> Step:
    """Have Defense flip or remove one Glove in the tested zones (RB-058 to RB-074)."""
    options = gloves_to_change(s, s.at_bat.tests)
    if not options:
        return
    glove = options[0]
    if len(options) > 1:
        why, do = ("remove", "Remove") if glove in s.backs else ("flip", "Turn over")
        card = s.at_bat.card.name if s.at_bat.card else ""
        facts = {"card": card, "labels": action_labels(do, options)}
        glove = str(
            (yield Choose(s.defense, why, options, facts, LazyFact(moot_glove, s, options, flip_or_remove_glove)))
        )
    flip_or_remove_glove(s, glove)


def flip_or_remove_glove(s: State, glove: str) -> None:
    """Flip a Glove, or remove it if its back is up (RB-063, RB-069)."""
    if glove in s.backs:
        s.gone |= {glove}
        s.lying = tuple(pair for pair in s.lying if pair[1] != glove)
        s.emit("removed", seat=s.defense, glove=glove)
    else:
        s.backs |= {glove}
        s.emit("flipped", seat=s.defense, glove=glove, value=glove_value(s, glove))


def moot_glove(s: State, options: tuple[str, ...], do: Callable[[State, str], None]) -> str | None:
    """Return the first Glove if every choice leaves an equivalent set of Gloves, else None."""
    left = set()
    for glove in options:
        twin = s.copy()
        do(twin, glove)
        values = [
            (twin.box.gloves[name].front, twin.box.gloves[name].back, name in twin.backs)
            for name in twin.gloves_in_play
        ]
        left.add(tuple(sorted(values)))
    return options[0] if len(left) == 1 else None


# The third out -----------------------------------------------------------------------------------------------------


def end_half(s: State) -> None:
    """Swap sides, or end the game (RB-075 to RB-082, A1, A2)."""
    s.emit("third-out", seat=s.offense, away=s.score[0], home=s.score[1], **s.name_facts)
    ahead = s.score[0] != s.score[1] and s.clock == InningClock(REGULATION_INNINGS, "top")
    if s.clock.is_decided(*s.score, REGULATION_INNINGS) or (ahead and s.house["bottomNinth"] == "anyLead"):
        end_game(s)
        return
    s.clock = s.clock.next_half()
    s.removed, s.left_out, s.lying, s.laid = None, "", (), False
    s.backs = s.gone = frozenset()
    s.outs, s.batter = 0, RUNNER_CUBES[0]


def end_game(s: State) -> None:
    away, home = s.score
    winner: Seat = "home" if home > away else "away"
    reason = "nine-innings" if s.clock.inning == REGULATION_INNINGS else "extra-innings"
    if s.outs < 3:
        reason = "walk-off"
    best, least = max(s.score), min(s.score)
    sentence = f"{name_with_verb(team_name(s, winner), 'wins/win')} {best} to {least}."
    s.outcome = Outcome(winner, reason, sentence)
    s.emit("game-over", seat=winner, ending=sentence)


# RallyBird ---------------------------------------------------------------------------------------------------------


def offer_rallybird(s: State, success: bool, ran: AppliedResult | None) -> Generator[Prompt, Any, bool]:
    """Offer the RallyBird after this roll, and return True if it is used (RB-092, A17). `ran` is the effect of the
    roll, or None after a good first roll of two.
    """
    if not may_rally(s, s.offense) or (success and s.house["rallyOn"] == "failedOnly"):
        return False
    why = "rallybird-anyway" if success else "rallybird"
    kept = ran and LazyFact(lambda s, result: describe_result_here(result, s.bases), s, ran.result)
    facts = {"sum": sum(s.dice), "target": s.at_bat.target_sum, "result": kept or "the second roll is next"}
    if (yield Choose(s.offense, why, ("keep", "reroll"), facts, LazyFact(moot_rallybird, s, success, ran))) == "keep":
        return False
    s.emit("rallybird", seat=s.offense, team=team_name(s, s.offense))
    return True


def moot_rallybird(s: State, success: bool, ran: AppliedResult | None) -> str | None:
    """Return "keep" if the roll wins or every roll does the same, "reroll" if it loses the game, or None for a real
    choice. That a result is better isn't enough: the next card may do more with fewer runners, or with another Glove.
    """
    if ran is None:
        return None
    twin = s.copy()
    resolve_at_bat(twin, ran)
    if twin.outcome and twin.outcome.winner == s.offense:
        return "keep"
    card = s.at_bat.card
    others = reroll_results(s, card) if card is not None and not card.blank else ()
    if others and all(other == (ran.position, success) for other in others):
        return "keep"
    return "reroll" if twin.outcome else None


def reroll_results(s: State, card: AtBatCard) -> list[tuple[object, bool]]:
    """Return the position after each possible result of two dice, and whether it is a success."""
    found = list[tuple[object, bool]]()
    for compare in {roll_comparison(total, s.at_bat.target_sum) for total in DICE_SUMS}:
        twin = s.copy()
        twin.update_at_bat(compare=compare)
        ran = result_effect(twin, card.results[compare])
        found.append((ran.position, is_success(twin, card, ran)))
    return found


def may_rally(s: State, seat: Seat) -> bool:
    """True only in the ninth for Offense, if behind and still with the RallyBird (RB-089 to RB-096, A13)."""
    late = s.clock.inning == REGULATION_INNINGS or (
        s.clock.inning > REGULATION_INNINGS and s.house["rallyExtraInnings"] == "true"
    )
    held = s.rally[SEATS.index(seat)] and s.house["rallyBird"] == "on"
    return held and late and s.seated and not s.outcome and seat == s.offense and s.is_behind(seat)
