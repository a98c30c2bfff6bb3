"""The rules of RallyBird, in the order of its rulebook. rules.md lists every rule ID."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from engine.asks import Arrange, Choose, Draw, Play, Prompt, choose, roll, rolls, secret
from engine.clock import Clock, Outcome
from engine.diamond import HOME
from engine.dice import D6
from engine.games.rallybird import blank_cards
from engine.games.rallybird.cards import ZONES, AtBat
from engine.games.rallybird.results import COMPARES, NAMES, OUTS, Ran, Result, as_good, holds, phrase, run
from engine.games.rallybird.state import CUBES, REGULATION, Shown, State, value, worn, worths
from engine.games.rallybird.words import AGAINST, board_labels, doing, reads, says, says_here, team
from engine.lazy import Lazy
from engine.seats import SEATS, Seat, put

Step = Generator[Prompt, object, None]

SUMS = range(2, 13)
"""What two dice can show (RB-005)."""

HITS = ("single", "double", "triple", "home-run")
"""The event of a hit, by the base that the batter reaches."""


def next_play(s: State) -> Callable[[State], Play]:
    """Return the next play."""
    if not s.seated:
        return set_up
    if not s.left_out:
        return take_the_field
    return at_bat


# Getting ready -----------------------------------------------------------------------------------------------------


def set_up(s: State) -> Play:
    """Settle who is the visitor: the players agree, or a die decides whether they change chairs (RB-014, A19)."""
    if s.house["visitor"] == "ask" and (yield from choose("away", "visitor", ("agreed", "die"))) == "die":
        face = yield from roll("away", "visitor-die")
        s.dice = (face,)
        s.tell("stay-seated" if face % 2 else "change-chairs", face=face)
    s.seated = True
    s.tell("play-ball")


# Take the field ----------------------------------------------------------------------------------------------------


def take_the_field(s: State) -> Play:
    """Remove a random card of Offense and a Glove of Defense's choice (RB-019 to RB-031, RB-075, RB-076)."""
    s.tell("half-inning", seat=s.offence, inning=s.clock.inning, half=s.clock.half, team=team(s, s.offence))
    if s.house["cards"] == "secret":
        names = tuple(s.box.cards)
        s.removed = yield from secret(Draw(s.offence, "removed", names, {"labels": s.box.card_labels}))
    else:
        yield Choose(s.offence, "set-aside", ("ready",), foregone="ready")
    s.tell("card-removed", seat=s.offence, left=len(s.box.cards) - 1)
    icons = s.box.icons()
    # The table may answer "ready" by itself, so the next question says what is to be done first.
    first = "Offense sets a real card aside, drawn at random. " if s.house["cards"] == "real" else ""
    facts = {"first": first, "labels": doing("Leave out", icons)}
    s.left_out = yield Choose(s.defence, "leave-out", icons, facts, Lazy(alike, s, icons, leave_out))
    s.tell("glove-left-out", seat=s.defence, glove=s.left_out)


def leave_out(s: State, glove: str) -> None:
    """Leave out a Glove."""
    s.left_out = glove


def notes(s: State) -> dict[str, str]:
    """Return what each At Bat card says now, without the blank ones."""
    return {card.name: reads(card, tested(s, card)) for card in s.box.cards.values() if not card.blank}


def tested(s: State, card: AtBat) -> tuple[str, ...]:
    """Return the zones that a card tests now (RB-056)."""
    return card.second if s.bases[1] else card.tests


# At bat ------------------------------------------------------------------------------------------------------------


def at_bat(s: State) -> Play:
    """Play an at-bat: card, Gloves, reveal, roll, result, and the change of a Glove (RB-004)."""
    card = yield from lay(s)
    yield from reveal(s, card)
    ran = yield from swing(s, card)
    clock = s.clock
    settle(s, ran)
    wears = card.wears and (ran.advanced if s.house["gloveChangeOn"] == "anyAdvance" else succeeded(s, card, ran))
    if wears and s.clock == clock and not s.outcome:
        yield from wear(s)


def settle(s: State, ran: Ran) -> None:
    """Apply the result of an at-bat, and end the half or the game if that does (RB-046, RB-080)."""
    batted(s, ran)
    if s.house["walkOff"] == "true" and s.clock.walked_off(*s.score, REGULATION):
        finish(s)
    elif s.outs == 3:
        end_half(s)


def lay(s: State) -> Generator[Prompt, Any, AtBat]:
    """Have Offense lay a card face down, then Defense its Gloves; return the card (RB-032 to RB-038, RB-098)."""
    if s.house["cards"] == "secret":
        options = playable(s, s.removed.peek() if s.removed else "")
        # Because the bases are among the facts, a correction that changes them asks again, whichever card is out.
        labels, numbers = s.box.card_labels, s.box.numbers
        facts = {"labels": labels, "numbers": numbers, "notes": Lazy(notes, s), "bases": s.bases}
        sealed = yield from secret(Choose(s.offence, "at-bat", options, facts))
        yield from lay_gloves(s)
        name = s.reveal(sealed)
    else:
        yield Choose(s.offence, "laid", ("ready",), foregone="ready")
        yield from lay_gloves(s)
        # The card is turned over before it is named: from here on Defense may know it (RB-038).
        s.uncovered = True
        name = yield from choose(s.offence, "shown", playable(s), labels=s.box.card_labels)
    s.laid = False
    return s.box.cards[name]


def playable(s: State, removed: str = "") -> tuple[str, ...]:
    """Return the cards that may be played now: not the removed one, none without its runner (RB-021, RB-110)."""
    return tuple([name for name, card in s.box.cards.items() if name != removed and fits(s, card)])


def fits(s: State, card: AtBat) -> bool:
    """True if a card's runner is on base (A6) and the base to steal is free (RB-111, A23)."""
    to = card.steals
    if to and s.house["stealIntoOccupied"] == "refuse" and any(base < HOME and s.bases[base - 1] for base in to):
        return False
    if s.house["needsRunner"] == "skip":
        return True
    if card.requires == "any":
        return any(s.bases)
    return not card.requires or s.bases[NAMES.index(card.requires)] is not None


def lay_gloves(s: State) -> Generator[Prompt, Any, None]:
    """Have Defense lay all Gloves in play, at most one on a zone; house rules may let zones stay empty (A5)."""
    s.laid, s.at_bat, s.dice = True, Shown(), ()
    s.tell("card-laid", seat=s.offence, team=team(s, s.offence))
    fewest, many = (None, "all your Gloves") if s.house["glovePlacement"] == "oneEachAll" else (0, "any of your Gloves")
    down = "Wait until the card is face down. Then" if s.house["cards"] == "real" else "The card is face down. Now"
    facts = {"down": down, "many": many, "labels": Lazy(board_labels, s)}
    lying: Mapping[str, str] = yield Arrange(s.defence, "gloves", s.gloves, ZONES, facts, fewest, dict(s.lying))
    s.lying = tuple(lying.items())


def reveal(s: State, card: AtBat) -> Step:
    """Reveal the card, the zones it tests, and their total (RB-037 to RB-043, RB-056)."""
    tests = tested(s, card)
    s.now(card=card)
    if card.blank:
        s.tell("shown-blank", seat=s.offence, card=card.name)
        while options := blank_cards.zones(tests):
            facts = {"card": card.name, "tests": tests, "labels": s.box.zone_labels}
            zone = yield from choose(s.offence, "tests", options, **facts)
            if zone == blank_cards.ENOUGH:
                break
            tests = (*tests, zone)
    s.now(tests=tests, worths=worths(s, tests))
    s.tell("shown", seat=s.offence, card=card.name, tests=tests, target=s.at_bat.target)


def swing(s: State, card: AtBat) -> Generator[Prompt, Any, Ran]:
    """Roll until the card has its result: twice for a long ball (RB-053, RB-054), again with the RallyBird."""
    done, rerolled = 0, False
    while True:
        yield from throw(s, card, again=done > 0)
        # Of two rolls of a blank card the table says only whether the first was good (RB-053).
        halfway = card.blank and card.twice and not done
        success = halfway and (yield from good(s, card))
        if not success:
            ran = yield from read(s, card)
            success = not halfway and succeeded(s, card, ran)
        second = success and done < card.twice
        if not rerolled and (yield from rally(s, success, None if second else ran)):
            rerolled = True
            done = 0 if s.house["rallyHomeRun"] == "bothRolls" else done
            continue
        done += success
        if not success or done == 1 + card.twice:
            break
    if rerolled and not success:
        s.rally = put(s.rally, s.offence, False)
        s.tell("rallybird-lost", seat=s.offence, team=team(s, s.offence))
    return ran


def throw(s: State, card: AtBat, again: bool) -> Step:
    """Roll two dice against the tested Gloves (RB-005, RB-006, RB-040, RB-097)."""
    first = ", the first of two rolls that must both succeed" if card.twice and not again else ""
    facts = {"card": card.name, "target": s.at_bat.target, "first": first}
    leads_to = {one: Lazy(lambda s, of: says_here(held(s, of), s.bases), s, of) for one, of in card.results.items()}
    why = ("hit-blank" if card.blank else "hit") + ("-again" if again else "")
    s.dice = yield from rolls(s.offence, why, (D6, D6), **facts, **leads_to)
    total = sum(s.dice)
    compare = compared(total, s.at_bat.target)
    s.now(compare=compare)
    s.tell("roll", seat=s.offence, sum=total, target=s.at_bat.target, compare=compare, against=AGAINST[compare])


def compared(total: int, target: int) -> str:
    """Return how a roll compares with the Gloves (RB-006)."""
    return COMPARES[(total > target) - (total < target) + 1]


def good(s: State, card: AtBat) -> Generator[Prompt, Any, bool]:
    """Ask whether the first of two rolls is good enough for the second, as a blank card says (A12)."""
    said = yield from choose(s.offence, "first-roll", ("good", "bad"), card=card.name, compare=s.at_bat.compare)
    return said == "good"


def read(s: State, card: AtBat) -> Generator[Prompt, Any, Ran]:
    """Return the card's result for this roll; ask for it if the card is blank."""
    compare = s.at_bat.compare
    if not card.blank:
        return ran_with(s, card.results[compare])
    possible = {result.text: says(result) for result in blank_cards.results(s)}
    text = yield from choose(s.offence, "result", tuple(possible), card=card.name, compare=compare, labels=possible)
    return ran_with(s, phrase(text))


def held(s: State, result: Result) -> Result:
    """Return a result, or its alternative without the runner it names (RB-103, A6)."""
    return holds(result, s.bases) if s.house["needsRunner"] == "refuse" else result


def ran_with(s: State, result: Result) -> Ran:
    """Return what a result does here."""
    return run(held(s, result), s.bases, s.batter, s.outs, s.house["runOnThirdOut"] == "true")


def succeeded(s: State, card: AtBat, ran: Ran) -> bool:
    """True if the at-bat succeeded: the result itself moves somebody, or the card says so (RB-107, RB-108)."""
    if card.succeeds is None:
        return ran.moved
    return ran.outs < 3 and s.at_bat.compare in card.succeeds


# The result --------------------------------------------------------------------------------------------------------


def batted(s: State, ran: Ran) -> None:
    """Announce the result and apply it: outs, runners, runs, next batter (RB-044 to RB-049, RB-109)."""
    result, seat, before = ran.result, s.offence, len(s.news)
    lost = [NAMES[base - 1] for base in ran.lost]
    match result.batter:
        case "hit" if ran.lost:
            s.tell("fielders-choice", seat=seat, base=NAMES[result.reach - 1], turn="out")
        case "hit":
            s.tell(HITS[result.reach - 1], seat=seat, hit=True)
        case "walk":
            s.tell("walk", seat=seat, turn="walk")
        case "ground" if ran.lost and s.outs < 2:
            s.tell("double-play", seat=seat, turn="out", retired=(*lost, "batter"))
        case "ground":
            s.tell("ground-out", seat=seat, turn="out", retired=("batter",))
        case "air":
            s.tell("fly-out", seat=seat, turn="out", retired=("batter",))
        case "other":
            s.tell("batter-out", seat=seat, turn="out", retired=("batter",))
    outs = s.outs + (result.batter in OUTS)
    if result.batter != "ground" and outs < 3:
        for number, base in enumerate(lost, outs):
            s.tell("runner-out", seat=seat, base=base, retired=(base,) if number < 3 else ())
    if ran.moves and (ran.outs < 3 or ran.home):
        s.tell("runners-go", seat=seat, moves=[f"{NAMES[at - 1]} to {NAMES[to - 1]}" for at, to in ran.moves])
    if len(s.news) == before:
        s.tell("nothing-moves", seat=seat)
    s.outs, s.bases = ran.outs, ran.bases
    if ran.home:
        s.score = put(s.score, seat, s.score[SEATS.index(seat)] + len(ran.home))
        s.tell("scores", seat=seat, scored=len(ran.home), away=s.score[0], home=s.score[1], **s.named)
    if result.batter != "stays":
        s.batter = next(cube for cube in CUBES if cube not in s.bases)


def wear(s: State) -> Step:
    """Have Defense flip or remove one Glove in the tested zones (RB-058 to RB-074)."""
    options = worn(s, s.at_bat.tests)
    if not options:
        return
    glove = options[0]
    if len(options) > 1:
        why, do = ("remove", "Remove") if glove in s.backs else ("flip", "Turn over")
        card = s.at_bat.card.name if s.at_bat.card else ""
        facts = {"card": card, "labels": doing(do, options)}
        glove = str((yield Choose(s.defence, why, options, facts, Lazy(alike, s, options, change))))
    change(s, glove)


def change(s: State, glove: str) -> None:
    """Turn a Glove over, or take it away if its back is up (RB-063, RB-069)."""
    if glove in s.backs:
        s.gone |= {glove}
        s.lying = tuple(pair for pair in s.lying if pair[1] != glove)
        s.tell("removed", seat=s.defence, glove=glove)
    else:
        s.backs |= {glove}
        s.tell("flipped", seat=s.defence, glove=glove, value=value(s, glove))


def alike(s: State, options: tuple[str, ...], do: Callable[[State, str], None]) -> str | None:
    """Return the first of these Gloves if it does not matter which one it is done to: the same Gloves are left."""
    left = set()
    for glove in options:
        twin = s.copy()
        do(twin, glove)
        values = [(twin.box.gloves[name].front, twin.box.gloves[name].back, name in twin.backs) for name in twin.gloves]
        left.add(tuple(sorted(values)))
    return options[0] if len(left) == 1 else None


# The third out -----------------------------------------------------------------------------------------------------


def end_half(s: State) -> None:
    """Swap sides, or end the game (RB-075 to RB-082, A1, A2)."""
    s.tell("third-out", seat=s.offence, away=s.score[0], home=s.score[1], **s.named)
    ahead = s.score[0] != s.score[1] and s.clock == Clock(REGULATION, "top")
    if s.clock.decided(*s.score, REGULATION) or (ahead and s.house["bottomNinth"] == "anyLead"):
        finish(s)
        return
    s.clock = s.clock.next()
    s.removed, s.left_out, s.lying, s.laid = None, "", (), False
    s.backs = s.gone = frozenset()
    s.outs, s.batter = 0, CUBES[0]


def finish(s: State) -> None:
    """End the game; the side that is ahead wins."""
    away, home = s.score
    winner: Seat = "home" if home > away else "away"
    reason = "nine-innings" if s.clock.inning == REGULATION else "extra-innings"
    if s.outs < 3:
        reason = "walk-off"
    best, least = max(s.score), min(s.score)
    sentence = f"{team(s, winner)} win {best} to {least}."
    s.outcome = Outcome(winner, reason, sentence)
    s.tell("game-over", seat=winner, ending=sentence)


# RallyBird ---------------------------------------------------------------------------------------------------------


def rally(s: State, success: bool, ran: Ran | None) -> Generator[Prompt, Any, bool]:
    """Return True if Offense may use the RallyBird after this roll, and does (RB-092, A17).

    `ran` is what the roll does; None after the first of two rolls, if it was good.
    """
    if not may_rally(s, s.offence) or (success and s.house["rallyOn"] == "failedOnly"):
        return False
    why = "rallybird-anyway" if success else "rallybird"
    kept = ran and Lazy(lambda s, result: says_here(result, s.bases), s, ran.result)
    facts = {"sum": sum(s.dice), "target": s.at_bat.target, "result": kept or "the second roll is next"}
    if (yield Choose(s.offence, why, ("keep", "reroll"), facts, Lazy(nothing_lost, s, success, ran))) == "keep":
        return False
    s.tell("rallybird", seat=s.offence, team=team(s, s.offence))
    return True


def nothing_lost(s: State, success: bool, ran: Ran | None) -> str | None:
    """Return the answer about the RallyBird that has no drawback; None if it is a choice.

    A roll that wins the game is kept, and so is one that no other roll can better. When this roll loses the game, the
    dice are thrown again.
    """
    if ran is None:
        return "keep"
    twin = s.copy()
    settle(twin, ran)
    if twin.outcome and twin.outcome.winner == s.offence:
        return "keep"
    card = s.at_bat.card
    others = rerolled(s, card) if card is not None and not card.blank else ()
    if others and all(as_good(ran, other, s.bases, s.batter) and success >= good for other, good in others):
        return "keep"
    return "reroll" if twin.outcome else None


def rerolled(s: State, card: AtBat) -> list[tuple[Ran, bool]]:
    """Return what two dice can do, and whether that is a success."""
    found = []
    for compare in {compared(total, s.at_bat.target) for total in SUMS}:
        twin = s.copy()
        twin.now(compare=compare)
        ran = ran_with(twin, card.results[compare])
        found.append((ran, succeeded(twin, card, ran)))
    return found


def may_rally(s: State, seat: Seat) -> bool:
    """True only in the ninth, on offense, behind, and with the RallyBird not yet lost (RB-089 to RB-096, A13)."""
    late = s.clock.inning == REGULATION or (s.clock.inning > REGULATION and s.house["rallyExtraInnings"] == "true")
    held = s.rally[SEATS.index(seat)] and s.house["rallyBird"] == "on"
    return held and late and s.seated and not s.outcome and seat == s.offence and s.behind(seat)
