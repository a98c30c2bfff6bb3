"""The rules of Bottom of the 9th, in the order of its rulebook. rules.md lists every rule ID."""

from __future__ import annotations

from collections.abc import Callable, Generator

from engine.asks import Call, Choose, Play, Prompt, Secret, choose, race, roll, rolls, secret, together
from engine.clock import Outcome
from engine.diamond import HOME, advance, force, hit, runners
from engine.dice import Die, Face
from engine.events import chart, faces, spoken
from engine.games.bottom_of_the_9th import pitch_dice, previews
from engine.games.bottom_of_the_9th.abilities import LETTER, RED, WHITE, act, tire, unaided
from engine.games.bottom_of_the_9th.cards import PITCHES, SIX, Batter, Pitcher, Player, pickable, ready_made
from engine.games.bottom_of_the_9th.effects import DIRECTIONS, LOCATIONS
from engine.games.bottom_of_the_9th.state import PARTS, Pitch, State
from engine.games.bottom_of_the_9th.words import RESULTS, THINGS
from engine.lazy import Lazy
from engine.seats import Seat
from engine.secrets import Sealed

Step = Generator[Prompt, object, None]

HITS = {"1B": (1, "single"), "2B": (2, "double"), "3B": (3, "triple"), "HR": (HOME, "home-run")}
"""The base that the batter reaches with each hit, and its event."""

ORDER: tuple[Seat, Seat] = ("home", "away")
"""The batter first (BN-104)."""

RUNNING: dict[Seat, Die] = {"home": RED, "away": WHITE}
"""The die with which a seat races (BN-140)."""


def next_play(s: State) -> Callable[[State], Play]:
    """Return the next play."""
    if s.pitcher is None:
        return set_up
    if s.cleanup:
        return relieve
    return pitch


# Setting up ------------------------------------------------------------------------------------------------------


def set_up(s: State) -> Play:
    """Let home pick six batters in batting order, and away a starter and a reliever (BN-011 to BN-031).

    With a simultaneous draft (A14) every pick stays hidden until all are made.
    """
    s.tell("half-inning", seat="home", inning=9, half="bottom")
    hidden: list[Sealed[str]] = []
    lineup = yield from line_up(s, hidden)
    starter = yield from pick_pitcher(s, "starter", None, hidden)
    reliever = yield from pick_pitcher(s, "reliever", starter, hidden)
    for sealed in hidden:
        s.reveal(sealed)
    s.lineup, s.pitcher, s.reliever = lineup, starter, reliever
    home = s.called("home", "")
    s.tell("lineup", seat="home", batters=[batter.name for batter in lineup], **({"up": f"{home} bat"} if home else {}))
    s.tell("pitchers", seat="away", starter=starter.name, reliever=reliever.name, **s.named)


def line_up(s: State, hidden: list[Sealed[str]]) -> Generator[Prompt, object, tuple[Batter, ...]]:
    """Return six batters who can play six different positions, in batting order (BN-018)."""
    deck, six = s.cards.batters, tuple[Batter, ...]()
    if s.house["draft"] == "open":
        ready = ready_made(deck, s.house)
        names = [batter.name for batter in ready]
        if (yield from choose("home", "lineup", ("ready-made", "pick"), batters=names)) == "ready-made":
            return ready
    while len(six) < SIX:
        fitting = {batter.name: batter for batter in pickable(deck, six, s.house)}
        name = yield from pick(s, Choose("home", f"bat-{len(six) + 1}", tuple(fitting)), hidden)
        six = (*six, fitting[name])
        if s.house["draft"] == "open":
            s.lineup = six
    return six


def pick_pitcher(
    s: State, role: str, starter: Pitcher | None, hidden: list[Sealed[str]]
) -> Generator[Prompt, object, Pitcher]:
    """Return a pitcher for a role: not the starter twice, nor one who leaves no reliever (BN-022, BN-025)."""
    relievers = s.cards.pitching("reliever", s.house)
    fitting = {
        pitcher.name: pitcher
        for pitcher in s.cards.pitching(role, s.house)
        if pitcher is not starter and (starter or any(other is not pitcher for other in relievers))
    }
    return fitting[(yield from pick(s, Choose("away", role, tuple(fitting)), hidden))]


def pick(s: State, ask: Choose, hidden: list[Sealed[str]]) -> Generator[Prompt, object, str]:
    """Make one pick, open or hidden, as the house rules say."""
    if s.house["draft"] == "open":
        return (yield from choose(ask.seat, ask.why, ask.options))
    hidden.append((yield from secret(ask)))
    return hidden[-1].peek()


# A round: one pitch ----------------------------------------------------------------------------------------------


def pitch(s: State) -> Play:
    """Play a pitch: stare-down, pitch, swing, run after contact, cleanup (BN-032, BN-034, BN-035)."""
    yield from stare_down(s)
    yield from throw(s)
    yield from swing(s)
    yield from call(s)
    yield from clean_up(s)


def stare_down(s: State) -> Step:
    """Have both sides decide in secret, and reveal: tokens, fatigue, and what they turn on (BN-036 to BN-058)."""
    facts = {"batter": s.batter.name, "pitcher": s.mound.name, "parts": (DIRECTIONS, LOCATIONS)}
    asks = (Choose("home", "guess", PITCHES, facts), Choose("away", "pitch-call", throwable(s), facts))
    if s.house["tokens"] == "secret":
        sealed = yield from together(*map(Secret, asks))
        guess, thrown = s.reveal(sealed["home"]), s.reveal(sealed["away"])
    else:
        said = yield from together(*asks)
        guess, thrown = said["home"], said["away"]
    s.dice = ()
    s.pitch = Pitch(tuple(thrown.split("-")), tuple(guess.split("-")), (s.balls, s.strikes))
    s.tell(
        ("fooled", "half-guessed", "guessed")[len(s.held("home"))],
        seat="home",
        batter=s.batter.name,
        pitcher=s.mound.name,
        pitch=" ".join(s.pitch.thrown),
        guess=" ".join(s.pitch.guess),
    )
    fatigue(s)
    yield from act(s, "reveal")


def throwable(s: State) -> tuple[str, ...]:
    """Return the pitches without an exhausted part; one always remains (BN-055, BN-057)."""
    exhausted = s.exhausted()
    return tuple([one for one in PITCHES if set(one.split("-")).isdisjoint(exhausted)])


def fatigue(s: State) -> None:
    """Tire each part of the ace pitch that was thrown, guessed or not (BN-051 to BN-054, A23)."""
    tired = [part for part, one, ace in zip(PARTS, s.pitch.thrown, s.mound.ace, strict=True) if one == ace]
    tire(s, tuple(tired), int(s.house["fatigueStep"]))


def throw(s: State) -> Step:
    """Roll the control die and the pitching die (BN-063 to BN-066)."""
    control, letter = yield from rolls("away", "pitch", (WHITE, LETTER), pitcher=s.mound.name, batter=s.batter.name)
    s.dice = (control, letter)
    s.now(control=control, letter=letter)
    yield from act(s, "pitch")


def swing(s: State) -> Step:
    """Roll the swing die (BN-067, BN-068)."""
    facts = {"batter": s.batter.name, "thing": THINGS[pitch_dice.letter(s)], "control": pitch_dice.value(s, "control")}
    face = yield from roll("home", "swing", RED, **facts, **foreseen(s, "swing"))
    s.dice = (face,)
    s.now(swing=face)
    yield from act(s, "swing")
    yield from act(s, "result")


def foreseen(s: State, die: str) -> dict[str, Lazy[str]]:
    """Return what each face of the swing or bonus die leads to, if nobody uses an ability that he may use."""
    phases, worth = (("swing", "result"), previews.judged) if die == "swing" else ((die,), pitch_dice.bonus)
    good = previews.GOOD if die == "swing" else HITS
    found = Lazy(lambda s: {int(face): worth(unaided(s, phases, die, face)) for face in RED.faces}, s)
    said = Lazy(lambda of: chart({face: RESULTS[one] for face, one in of.value.items()}), found)
    wins = Lazy(lambda of: faces((face for face, one in of.value.items() if one in good), "-"), found)
    return {"chart": said, "wins": wins}


def call(s: State) -> Step:
    """Apply the result: ball, strike, foul, contact or crush (BN-069 to BN-094)."""
    result = pitch_dice.result(s)
    s.now(called=result)
    s.tell(
        result,
        seat="home" if result in ("contact", "crush") else "away",
        batter=s.batter.name,
        letter=pitch_dice.letter(s),
        control=pitch_dice.value(s, "control"),
        swing=pitch_dice.value(s, "swing"),
    )
    s.bases, home = advance(s.bases, pitch_dice.total(s, "runners"))
    if home:
        walk_off(s, home, "walk-off-run")
    elif result == "contact":
        yield from run(s)
    elif result == "crush":
        yield from crush(s)
    else:
        count(s, result)


def count(s: State, result: str) -> None:
    """Count a ball or a strike; a foul is a strike, but never the third (BN-078 to BN-086)."""
    s.balls += (result == "ball") + pitch_dice.total(s, "count", "ball")
    s.strikes += (result == "strike") + pitch_dice.total(s, "count", "strike")
    if result == "foul" and s.strikes < 2:
        s.strikes += 1
    if s.strikes >= 3:
        put_out(s, "strikeout")
    elif s.balls >= 4:
        walk(s)


def walk(s: State) -> None:
    """Put the batter on first; runners advance only if forced (BN-079 to BN-081, A24)."""
    s.tell("walk", seat="home", batter=s.batter.name, turn="walk")
    s.bases, home = force(s.bases, s.batter.name)
    reach(s, home, "walk-off-walk")


def put_out(s: State, how: str) -> None:
    """Retire the batter; runners hold (BN-083, BN-084, BN-101, A5)."""
    s.outs += 1
    turn = "strikeout" if how == "strikeout" else "out"
    s.tell(how, seat="away", batter=s.batter.name, outs=s.outs, turn=turn, retired=(s.batter.name,))
    s.cleanup = "at-bat"


def base_hit(s: State, code: str) -> None:
    """Put the batter on a base; runners advance as far, or only if forced (BN-141, A4)."""
    base, event = HITS[code]
    s.tell(event, seat="home", batter=s.batter.name, hit=True)
    if base == HOME or s.house["runnersOnHit"] == "equalBases":
        s.bases, home = hit(s.bases, s.batter.name, base)
    else:
        s.bases, home = force(s.bases, s.batter.name, base)
    reach(s, home, "walk-off-home-run" if base == HOME else "walk-off-hit")


def reach(s: State, home: tuple[str, ...], reason: str) -> None:
    """End the at-bat of a batter who got on base (BN-115, A6), and the game if somebody scored."""
    s.cleanup = "at-bat"
    if home:
        walk_off(s, home, reason)


# Crushing the pitch ----------------------------------------------------------------------------------------------


def crush(s: State) -> Step:
    """Roll the swing die again for a bonus: contact, or a hit without a race (BN-088 to BN-094)."""
    face = yield from roll("home", "bonus", RED, batter=s.batter.name, **foreseen(s, "bonus"))
    s.dice = (face,)
    s.now(bonus=face)
    yield from act(s, "bonus")
    found = pitch_dice.bonus(s)
    if found == "contact":
        s.tell("contact-after-all", seat="home", batter=s.batter.name)
        yield from run(s)
    else:
        base_hit(s, found)


# The run ---------------------------------------------------------------------------------------------------------


def run(s: State) -> Step:
    """Make unopposed rolls, the batter's before the pitcher's (BN-102 to BN-106), then race."""
    yield from act(s, "run")
    rolling = [seat for seat in ORDER if pitch_dice.unopposed(s, seat)]
    if s.house["bothUnopposed"] == "raceAtOnce":
        rolling = rolling[:1]
    for seat in rolling:
        card, needs = s.card(seat).name, spoken(unopposed_wins(s, seat), "or")
        won = f"{s.batter.name} is {'safe at first' if seat == 'home' else 'out'}"
        lost = "the race is on" if seat == rolling[-1] else f"{s.mound.name} rolls alone next"
        face = yield from roll(seat, "unopposed", RUNNING[seat], card=card, needs=needs, won=won, lost=lost)
        s.dice = (face,)
        s.tell("unopposed", seat=seat, card=card, face=face)
        if face in unopposed_wins(s, seat):
            end_race(s, seat)
            return
    s.now(race="open")
    s.tell("race", seat="home", batter=s.batter.name, pitcher=s.mound.name)
    haste = s.house["raceMode"] == "realtime"
    winner = yield from (dash(s) if haste else by_turns(s))
    end_race(s, winner)


def unopposed_wins(s: State, seat: Seat) -> tuple[Face, ...]:
    """Return the faces that win an unopposed roll: as in the race, or 5 and 6 (BN-110, A17)."""
    return pitch_dice.wins(s, seat, traits=s.house["traitsOnUnopposed"] == "true")


def dash(s: State) -> Generator[Prompt, object, Seat]:
    """Race until somebody calls with a winning die: home is safe, away is out (BN-095 to BN-099, BN-140)."""
    safe, out = (pitch_dice.wins(s, seat) for seat in ORDER)
    facts = {"batter": s.batter.name, "pitcher": s.mound.name}
    winner, face = yield from race(
        Call("home", "call-safe", RED, safe, facts | {"needs": spoken(safe, "or")}),
        Call("away", "call-out", WHITE, out, facts | {"needs": spoken(out, "or")}),
    )
    s.dice = (face,)
    return winner


def by_turns(s: State) -> Generator[Prompt, object, Seat]:
    """Roll in turn until exactly one of the two dice wins, which gives both equal odds (A27)."""
    while True:
        won = []
        for seat in ORDER:
            faces = pitch_dice.wins(s, seat)
            face = yield from roll(seat, "race-roll", RUNNING[seat], card=s.card(seat).name, needs=spoken(faces, "or"))
            s.dice = (face,)
            won += [seat] if face in faces else []
        if len(won) == 1:
            return won[0]


def end_race(s: State, winner: Seat) -> None:
    """Put the batter on first, or retire him (BN-100, BN-101)."""
    s.now(race="safe" if winner == "home" else "out")
    if winner == "home":
        base_hit(s, "1B")
    else:
        put_out(s, "thrown-out")


# Cleanup ---------------------------------------------------------------------------------------------------------


def clean_up(s: State) -> Step:
    """Settle a winner first (BN-112), then clean up after the pitch or the at-bat (BN-113 to BN-117)."""
    if s.outs == 3:
        finish(s, "away", "three-outs")
    if s.outcome:
        return
    yield from act(s, "cleanup")
    s.now(over=True)
    if not s.cleanup and s.house["benchTiming"] == "everyPitch":
        s.cleanup = "bench"


def relieve(s: State) -> Play:
    """Offer relief or the bench, and after an at-bat bring up the next batter (BN-117 to BN-133)."""
    options = reliefs(s)
    if options != ("none",):
        direction, location = s.mound.ace
        facts = {"direction": direction, "location": location, "reliever": s.reliever.name if s.reliever else ""}
        about = {"plan": Lazy(previews.plan, s, options), "tired": Lazy(previews.tired, s), "pitcher": s.mound.name}
        choice = yield Choose("away", "relief", options, facts | about, Lazy(full_rest, s, options))
        if choice == "bench":
            bench(s)
        elif choice != "none":
            rest(s, *map(int, choice.split("-")[1:]))
    if s.cleanup == "at-bat":
        next_batter(s)
    s.cleanup = ""


def reliefs(s: State) -> tuple[str, ...]:
    """Return the choices for the pitcher, most relief first (BN-118 to BN-126).

    There is a step for each empty base, and no token goes above its top row. House rules may require all relief (A11).
    """
    empty = 3 - len(runners(s.bases)) if s.cleanup == "at-bat" else 0
    direction, location = (max(0, row - s.floor) for row in s.rows)
    steps = [(i, j) for i in range(direction + 1) for j in range(location + 1) if i + j <= empty]
    if s.house["relief"] == "compulsory":
        steps = [step for step in steps if sum(step) == max(map(sum, steps))]
    steps.sort(key=sum, reverse=True)
    given = [f"relief-{i}-{j}" if i + j else "none" for i, j in steps]
    return (*given, *(["bench"] if s.reliever else []))


def full_rest(s: State, options: tuple[str, ...]) -> str | None:
    """Return the relief that leaves no token lower than any other choice would; None if there is a choice.

    There is one while a reliever can come in, and if a card looks at the rows of the tokens.
    """
    if "bench" in options or any(reads_rows(card) for card in (*s.lineup, s.mound)):
        return None
    left = {}
    for option in options:
        twin = s.copy()
        if option != "none":
            rest(twin, *map(int, option.split("-")[1:]))
        left[option] = twin.rows
    best = tuple(min(rows[part] for rows in left.values()) for part in range(len(PARTS)))
    return next((option for option, rows in left.items() if rows == best), None)


def reads_rows(card: Player) -> bool:
    """True if an ability of the card depends on how tired the pitcher is, or may for all that is known."""
    abilities = [ability for found in card.abilities.values() for ability in found]
    needs = {name for one in abilities for table in (*one.when, *one.unless) for name, _ in table}
    return card.blank or bool(needs & {f"{part}_row" for part in PARTS})


def rest(s: State, direction: int, location: int) -> None:
    """Move the fatigue tokens back up (BN-121)."""
    tire(s, PARTS[:1], -direction)
    tire(s, PARTS[1:], -location)
    s.tell("relief", seat="away", pitcher=s.mound.name, steps=direction + location)


def bench(s: State) -> None:
    """Replace the pitcher with the reliever, whose tokens begin one row down (BN-124 to BN-129, A3)."""
    assert s.reliever is not None
    benched, s.pitcher, s.reliever = s.mound, s.reliever, None
    s.floor = int(s.house["reliefRow"])
    s.rows = (s.floor, s.floor)
    s.tell("bench", seat="away", benched=benched.name, pitcher=s.mound.name)


def next_batter(s: State) -> None:
    """Remove the batter's card, clear the count, and bring up the next batter (BN-130 to BN-133)."""
    s.lineup = s.lineup[1:]
    s.balls = s.strikes = 0
    s.spent = frozenset(one for one in s.spent if one[0] == "game")
    s.tell("next-batter", seat="home", batter=s.batter.name)


# The end ---------------------------------------------------------------------------------------------------------


def walk_off(s: State, home: tuple[str, ...], reason: str) -> None:
    """End the game with its first run; nothing else counts (BN-001, BN-135)."""
    by = "" if reason == "walk-off-run" else s.batter.name
    s.tell("run-scores", seat="home", runners=home[:1], by=by, scored=1)
    finish(s, "home", reason)


def finish(s: State, winner: Seat, reason: str) -> None:
    """End the game, after a run or after three outs (BN-135, BN-136)."""
    home, away = s.called("home", ""), s.called("away", "the visitors")
    wins = f"{home} win" if home else "Home wins"
    sentence = f"{wins} with a run in the ninth." if winner == "home" else f"Three outs, no run: {away} win."
    s.outcome = Outcome(winner, reason, sentence)
    s.tell("game-over", seat=winner, ending=sentence)
