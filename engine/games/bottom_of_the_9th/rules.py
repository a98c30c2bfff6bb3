"""Rules of Bottom of the 9th, in the order of its rulebook. rules.md lists every rule ID."""

from __future__ import annotations

from collections.abc import Callable, Generator

from engine.asks import Call, Choose, Play, Prompt, Secret, ask_secretly, ask_together, choose, race, roll, roll_dice
from engine.diamond import HOME_BASE, advance_on_hit, advance_runners, force_runners, runners_on_base
from engine.dice import Die, Face
from engine.events import chart_in_words, faces_in_words, spoken_list
from engine.games.bottom_of_the_9th import pitch_dice, previews
from engine.games.bottom_of_the_9th.abilities import (
    LETTER_DIE,
    RED_DIE,
    WHITE_DIE,
    move_fatigue_tokens,
    state_without_abilities,
    trigger_abilities,
)
from engine.games.bottom_of_the_9th.cards import (
    LINEUP_SIZE,
    PITCH_CODES,
    NinthBatter,
    NinthPitcher,
    NinthPlayer,
    pickable_batters,
    ready_made_lineup,
)
from engine.games.bottom_of_the_9th.effects import PITCH_DIRECTIONS, PITCH_LOCATIONS
from engine.games.bottom_of_the_9th.state import PITCH_PARTS, Pitch, State
from engine.games.bottom_of_the_9th.words import RESULT_NAMES, THING_NAMES
from engine.innings import Outcome
from engine.lazy import LazyFact
from engine.seats import Seat
from engine.secrets import SealedValue
from engine.text.agreement import name_with_verb

Step = Generator[Prompt, object, None]

HIT_BASES = {"1B": (1, "single"), "2B": (2, "double"), "3B": (3, "triple"), "HR": (HOME_BASE, "home-run")}
"""The base that the batter reaches and the event, by hit."""

RACE_ORDER: tuple[Seat, Seat] = ("home", "away")
"""The batter goes first (BN-104)."""

RACE_DICE: dict[Seat, Die] = {"home": RED_DIE, "away": WHITE_DIE}
"""The die with which a seat races (BN-140)."""


def next_play(s: State) -> Callable[[State], Play]:
    if s.pitcher is None:
        return set_up
    if s.cleanup:
        return offer_relief
    return pitch


# Setup -----------------------------------------------------------------------------------------------------------


def set_up(s: State) -> Play:
    """Draft six batters for home, then a starter and a reliever for away (BN-011 to BN-031)."""
    s.emit("half-inning", seat="home", inning=9, half="bottom")
    hidden: list[SealedValue[str]] = []
    lineup = yield from pick_lineup(s, hidden)
    starter = yield from pick_pitcher(s, "starter", None, hidden)
    reliever = yield from pick_pitcher(s, "reliever", starter, hidden)
    for sealed in hidden:
        s.reveal(sealed)
    s.lineup, s.pitcher, s.reliever = lineup, starter, reliever
    home = s.seat_name("home", "")
    up = {"up": name_with_verb(home, "bats/bat")} if home else {}
    s.emit("lineup", seat="home", batters=[batter.name for batter in lineup], **up)
    s.emit("pitchers", seat="away", starter=starter.name, reliever=reliever.name, **s.name_facts)


def pick_lineup(s: State, hidden: list[SealedValue[str]]) -> Generator[Prompt, object, tuple[NinthBatter, ...]]:
    """Ask for six batters who can play six different positions, in batting order (BN-018)."""
    deck, six = s.cards.batters, tuple[NinthBatter, ...]()
    if s.house["draft"] == "open":
        ready = ready_made_lineup(deck, s.house)
        names = [batter.name for batter in ready]
        if (yield from choose("home", "lineup", ("ready-made", "pick"), batters=names)) == "ready-made":
            return ready
    while len(six) < LINEUP_SIZE:
        fitting = {batter.name: batter for batter in pickable_batters(deck, six, s.house)}
        name = yield from make_pick(s, Choose("home", f"bat-{len(six) + 1}", tuple(fitting)), hidden)
        six = (*six, fitting[name])
        if s.house["draft"] == "open":
            s.lineup = six
    return six


def pick_pitcher(
    s: State, role: str, starter: NinthPitcher | None, hidden: list[SealedValue[str]]
) -> Generator[Prompt, object, NinthPitcher]:
    """Ask for a pitcher, neither the starter again nor one who leaves no reliever (BN-022, BN-025)."""
    relievers = s.cards.pitchers_for_role("reliever", s.house)
    fitting = {
        pitcher.name: pitcher
        for pitcher in s.cards.pitchers_for_role(role, s.house)
        if pitcher is not starter and (starter or any(other is not pitcher for other in relievers))
    }
    return fitting[(yield from make_pick(s, Choose("away", role, tuple(fitting)), hidden))]


def make_pick(s: State, ask: Choose, hidden: list[SealedValue[str]]) -> Generator[Prompt, object, str]:
    """Ask for one pick, either open or hidden until all are made (A14)."""
    if s.house["draft"] == "open":
        return (yield from choose(ask.seat, ask.why, ask.options))
    hidden.append((yield from ask_secretly(ask)))
    return hidden[-1].peek()


# A round: one pitch ----------------------------------------------------------------------------------------------


def pitch(s: State) -> Play:
    """Play one pitch from the stare-down to the cleanup (BN-032, BN-034, BN-035)."""
    yield from stare_down(s)
    yield from roll_pitch(s)
    yield from swing(s)
    yield from apply_result(s)
    yield from clean_up(s)


def stare_down(s: State) -> Step:
    """Have both sides choose in secret, then reveal tokens, fatigue and abilities (BN-036 to BN-058)."""
    facts = {"batter": s.batter.name, "pitcher": s.current_pitcher.name, "parts": (PITCH_DIRECTIONS, PITCH_LOCATIONS)}
    asks = (Choose("home", "guess", PITCH_CODES, facts), Choose("away", "pitch-call", throwable_pitches(s), facts))
    if s.house["tokens"] == "secret":
        sealed = yield from ask_together(*map(Secret, asks))
        guess, thrown = s.reveal(sealed["home"]), s.reveal(sealed["away"])
    else:
        said = yield from ask_together(*asks)
        guess, thrown = said["home"], said["away"]
    s.dice = ()
    s.pitch = Pitch(tuple(thrown.split("-")), tuple(guess.split("-")), (s.balls, s.strikes))
    s.emit(
        ("fooled", "half-guessed", "guessed")[len(s.held_tokens("home"))],
        seat="home",
        batter=s.batter.name,
        pitcher=s.current_pitcher.name,
        pitch=" ".join(s.pitch.thrown),
        guess=" ".join(s.pitch.guess),
    )
    tire_ace_parts(s)
    yield from trigger_abilities(s, "reveal")


def throwable_pitches(s: State) -> tuple[str, ...]:
    """Return the pitches without an exhausted part. One always remains (BN-055, BN-057)."""
    exhausted = s.exhausted_parts()
    return tuple([one for one in PITCH_CODES if set(one.split("-")).isdisjoint(exhausted)])


def tire_ace_parts(s: State) -> None:
    """Tire each part of the ace pitch that was thrown, guessed or not (BN-051 to BN-054, A23)."""
    tired = [
        part for part, one, ace in zip(PITCH_PARTS, s.pitch.thrown, s.current_pitcher.ace, strict=True) if one == ace
    ]
    move_fatigue_tokens(s, tuple(tired), int(s.house["fatigueStep"]))


def roll_pitch(s: State) -> Step:
    """Roll the control die and the pitching die (BN-063 to BN-066)."""
    control, letter = yield from roll_dice(
        "away", "pitch", (WHITE_DIE, LETTER_DIE), pitcher=s.current_pitcher.name, batter=s.batter.name
    )
    s.dice = (control, letter)
    s.update_pitch(control=control, letter=letter)
    yield from trigger_abilities(s, "pitch")


def swing(s: State) -> Step:
    """Roll the swing die (BN-067, BN-068)."""
    facts = {
        "batter": s.batter.name,
        "thing": THING_NAMES[pitch_dice.current_letter(s)],
        "control": pitch_dice.die_value(s, "control"),
    }
    face = yield from roll("home", "swing", RED_DIE, **facts, **face_results(s, "swing"))
    s.dice = (face,)
    s.update_pitch(swing=face)
    yield from trigger_abilities(s, "swing")
    yield from trigger_abilities(s, "result")


def face_results(s: State, die: str) -> dict[str, LazyFact[str]]:
    """Return facts for an ask with the result of each face of the swing or bonus die, without optional abilities."""
    phases, worth = (
        (("swing", "result"), previews.result_so_far) if die == "swing" else ((die,), pitch_dice.bonus_result)
    )
    good = previews.GOOD_RESULTS if die == "swing" else HIT_BASES
    found = LazyFact(
        lambda s: {int(face): worth(state_without_abilities(s, phases, die, face)) for face in RED_DIE.faces}, s
    )
    said = LazyFact(lambda of: chart_in_words({face: RESULT_NAMES[one] for face, one in of.value.items()}), found)
    wins = LazyFact(lambda of: faces_in_words((face for face, one in of.value.items() if one in good), "-"), found)
    return {"chart": said, "wins": wins}


def apply_result(s: State) -> Step:
    """Apply a ball, strike, foul, contact or crush (BN-069 to BN-094)."""
    result = pitch_dice.pitch_result(s)
    s.update_pitch(called=result)
    s.emit(
        result,
        seat="home" if result in ("contact", "crush") else "away",
        batter=s.batter.name,
        letter=pitch_dice.current_letter(s),
        control=pitch_dice.die_value(s, "control"),
        swing=pitch_dice.die_value(s, "swing"),
    )
    s.bases, home = advance_runners(s.bases, pitch_dice.effect_total(s, "runners"))
    if home:
        walk_off(s, home, "walk-off-run")
    elif result == "contact":
        yield from run_to_first(s)
    elif result == "crush":
        yield from crush(s)
    else:
        count_pitch(s, result)


def count_pitch(s: State, result: str) -> None:
    """Count a ball or a strike. A foul is a strike, but never the third (BN-078 to BN-086)."""
    s.balls += (result == "ball") + pitch_dice.effect_total(s, "count", "ball")
    s.strikes += (result == "strike") + pitch_dice.effect_total(s, "count", "strike")
    if result == "foul" and s.strikes < 2:
        s.strikes += 1
    if s.strikes >= 3:
        put_out(s, "strikeout")
    elif s.balls >= 4:
        walk(s)


def walk(s: State) -> None:
    """Put the batter on first. Only forced runners advance (BN-079 to BN-081, A24)."""
    s.emit("walk", seat="home", batter=s.batter.name, turn="walk")
    s.bases, home = force_runners(s.bases, s.batter.name)
    reach_base(s, home, "walk-off-walk")


def put_out(s: State, how: str) -> None:
    """Retire the batter. Runners hold (BN-083, BN-084, BN-101, A5)."""
    s.outs += 1
    turn = "strikeout" if how == "strikeout" else "out"
    s.emit(how, seat="away", batter=s.batter.name, outs=s.outs, turn=turn, retired=(s.batter.name,))
    s.cleanup = "at-bat"


def base_hit(s: State, code: str) -> None:
    """Put the batter on a base. Runners advance as far, or only if forced (BN-141, A4)."""
    base, event = HIT_BASES[code]
    s.emit(event, seat="home", batter=s.batter.name, hit=True)
    if base == HOME_BASE or s.house["runnersOnHit"] == "equalBases":
        s.bases, home = advance_on_hit(s.bases, s.batter.name, base)
    else:
        s.bases, home = force_runners(s.bases, s.batter.name, base)
    reach_base(s, home, "walk-off-home-run" if base == HOME_BASE else "walk-off-hit")


def reach_base(s: State, home: tuple[str, ...], reason: str) -> None:
    """End the at-bat of a batter on base (BN-115, A6), and the game if a run scored."""
    s.cleanup = "at-bat"
    if home:
        walk_off(s, home, reason)


# Crushing the pitch ----------------------------------------------------------------------------------------------


def crush(s: State) -> Step:
    """Reroll the swing die as a bonus for contact, or for a hit without a race (BN-088 to BN-094)."""
    face = yield from roll("home", "bonus", RED_DIE, batter=s.batter.name, **face_results(s, "bonus"))
    s.dice = (face,)
    s.update_pitch(bonus=face)
    yield from trigger_abilities(s, "bonus")
    found = pitch_dice.bonus_result(s)
    if found == "contact":
        s.emit("contact-after-all", seat="home", batter=s.batter.name)
        yield from run_to_first(s)
    else:
        base_hit(s, found)


# The run ---------------------------------------------------------------------------------------------------------


def run_to_first(s: State) -> Step:
    """Make unopposed rolls, the batter's before the pitcher's (BN-102 to BN-106), then race."""
    yield from trigger_abilities(s, "run")
    rolling = [seat for seat in RACE_ORDER if pitch_dice.has_unopposed_roll(s, seat)]
    if s.house["bothUnopposed"] == "raceAtOnce":
        rolling = rolling[:1]
    for seat in rolling:
        card, needs = s.acting_card(seat).name, spoken_list(unopposed_winning_faces(s, seat), "or")
        won = f"{s.batter.name} is {'safe at first' if seat == 'home' else 'out'}"
        lost = "the race is on" if seat == rolling[-1] else f"{s.current_pitcher.name} rolls alone next"
        face = yield from roll(seat, "unopposed", RACE_DICE[seat], card=card, needs=needs, won=won, lost=lost)
        s.dice = (face,)
        s.emit("unopposed", seat=seat, card=card, face=face)
        if face in unopposed_winning_faces(s, seat):
            end_race(s, seat)
            return
    s.update_pitch(race="open")
    s.emit("race", seat="home", batter=s.batter.name, pitcher=s.current_pitcher.name)
    haste = s.house["raceMode"] == "realtime"
    winner = yield from (race_in_real_time(s) if haste else race_by_turns(s))
    end_race(s, winner)


def unopposed_winning_faces(s: State, seat: Seat) -> tuple[Face, ...]:
    """Return the faces that win an unopposed roll, as in the race or only 5 and 6 (BN-110, A17)."""
    return pitch_dice.winning_faces(s, seat, traits=s.house["traitsOnUnopposed"] == "true")


def race_in_real_time(s: State) -> Generator[Prompt, object, Seat]:
    """Race until a seat calls with a winning die. Home is safe, away is out (BN-095 to BN-099, BN-140)."""
    safe, out = (pitch_dice.winning_faces(s, seat) for seat in RACE_ORDER)
    facts = {"batter": s.batter.name, "pitcher": s.current_pitcher.name}
    winner, face = yield from race(
        Call("home", "call-safe", RED_DIE, safe, facts | {"needs": spoken_list(safe, "or")}),
        Call("away", "call-out", WHITE_DIE, out, facts | {"needs": spoken_list(out, "or")}),
    )
    s.dice = (face,)
    return winner


def race_by_turns(s: State) -> Generator[Prompt, object, Seat]:
    """Roll in turn until only one of the two dice wins, which gives both sides equal odds (A27)."""
    while True:
        won = []
        for seat in RACE_ORDER:
            faces = pitch_dice.winning_faces(s, seat)
            face = yield from roll(
                seat, "race-roll", RACE_DICE[seat], card=s.acting_card(seat).name, needs=spoken_list(faces, "or")
            )
            s.dice = (face,)
            won += [seat] if face in faces else []
        if len(won) == 1:
            return won[0]


def end_race(s: State, winner: Seat) -> None:
    """Put the batter on first, or retire him (BN-100, BN-101)."""
    s.update_pitch(race="safe" if winner == "home" else "out")
    if winner == "home":
        base_hit(s, "1B")
    else:
        put_out(s, "thrown-out")


# Cleanup ---------------------------------------------------------------------------------------------------------


def clean_up(s: State) -> Step:
    """Check for a winner first (BN-112), then clean up after the pitch or the at-bat (BN-113 to BN-117)."""
    if s.outs == 3:
        end_game(s, "away", "three-outs")
    if s.outcome:
        return
    yield from trigger_abilities(s, "cleanup")
    s.update_pitch(over=True)
    if not s.cleanup and s.house["benchTiming"] == "everyPitch":
        s.cleanup = "bench"


def offer_relief(s: State) -> Play:
    """Offer relief or the bench, and after an at-bat bring up the next batter (BN-117 to BN-133)."""
    options = relief_options(s)
    if options != ("none",):
        direction, location = s.current_pitcher.ace
        facts = {"direction": direction, "location": location, "reliever": s.reliever.name if s.reliever else ""}
        about = {
            "plan": LazyFact(previews.relief_plan, s, options),
            "tired": LazyFact(previews.fatigue_sentence, s),
            "pitcher": s.current_pitcher.name,
        }
        choice = yield Choose("away", "relief", options, facts | about, LazyFact(moot_relief, s, options))
        if choice == "bench":
            bring_in_reliever(s)
        elif choice != "none":
            rest_pitcher(s, *map(int, choice.split("-")[1:]))
    if s.cleanup == "at-bat":
        bring_up_next_batter(s)
    s.cleanup = ""


def relief_options(s: State) -> tuple[str, ...]:
    """Return the relief options, most relief first. Each empty base allows one step (BN-118 to BN-126, A11)."""
    empty = 3 - len(runners_on_base(s.bases)) if s.cleanup == "at-bat" else 0
    direction, location = (max(0, row - s.floor) for row in s.rows)
    steps = [(i, j) for i in range(direction + 1) for j in range(location + 1) if i + j <= empty]
    if s.house["relief"] == "compulsory":
        steps = [step for step in steps if sum(step) == max(map(sum, steps))]
    steps.sort(key=sum, reverse=True)
    given = [f"relief-{i}-{j}" if i + j else "none" for i, j in steps]
    return (*given, *(["bench"] if s.reliever else []))


def moot_relief(s: State, options: tuple[str, ...]) -> str | None:
    """Return the relief that leaves every token at least as high as any other option would, or None for a real choice.

    It is a real choice while a reliever can come in, or if a card depends on the rows of the tokens.
    """
    if "bench" in options or any(depends_on_fatigue(card) for card in (*s.lineup, s.current_pitcher)):
        return None
    left = {}
    for option in options:
        twin = s.copy()
        if option != "none":
            rest_pitcher(twin, *map(int, option.split("-")[1:]))
        left[option] = twin.rows
    best = tuple(min(rows[part] for rows in left.values()) for part in range(len(PITCH_PARTS)))
    return next((option for option, rows in left.items() if rows == best), None)


def depends_on_fatigue(card: NinthPlayer) -> bool:
    """True if the card is blank or has an ability that depends on the pitcher's fatigue."""
    abilities = [ability for found in card.abilities.values() for ability in found]
    needs = {name for one in abilities for table in (*one.when, *one.unless) for name, _ in table}
    return card.blank or bool(needs & {f"{part}_row" for part in PITCH_PARTS})


def rest_pitcher(s: State, direction: int, location: int) -> None:
    """Move the fatigue tokens up by these steps (BN-121)."""
    move_fatigue_tokens(s, PITCH_PARTS[:1], -direction)
    move_fatigue_tokens(s, PITCH_PARTS[1:], -location)
    s.emit("relief", seat="away", pitcher=s.current_pitcher.name, steps=direction + location)


def bring_in_reliever(s: State) -> None:
    """Replace the pitcher with the reliever, whose tokens begin one row down (BN-124 to BN-129, A3)."""
    assert s.reliever is not None
    benched, s.pitcher, s.reliever = s.current_pitcher, s.reliever, None
    s.floor = int(s.house["reliefRow"])
    s.rows = (s.floor, s.floor)
    s.emit("bench", seat="away", benched=benched.name, pitcher=s.current_pitcher.name)


def bring_up_next_batter(s: State) -> None:
    """Remove the batter's card, clear the count, and bring up the next batter (BN-130 to BN-133)."""
    s.lineup = s.lineup[1:]
    s.balls = s.strikes = 0
    s.spent = frozenset(one for one in s.spent if one[0] == "game")
    s.emit("next-batter", seat="home", batter=s.batter.name)


# The end ---------------------------------------------------------------------------------------------------------


def walk_off(s: State, home: tuple[str, ...], reason: str) -> None:
    """End the game on its first run. Nothing else counts (BN-001, BN-135)."""
    by = "" if reason == "walk-off-run" else s.batter.name
    s.emit("run-scores", seat="home", runners=home[:1], by=by, scored=1)
    end_game(s, "home", reason)


def end_game(s: State, winner: Seat, reason: str) -> None:
    """End the game after a run or three outs (BN-135, BN-136)."""
    wins = name_with_verb(s.seat_name(winner, "Home" if winner == "home" else "the visitors"), "wins/win")
    sentence = f"{wins} with a run in the ninth." if winner == "home" else f"Three outs, no run: {wins}."
    s.outcome = Outcome(winner, reason, sentence)
    s.emit("game-over", seat=winner, ending=sentence)
