"""A pitcher's record in one game, his fatigue, and when he may leave (CL-096 to CL-117, CL-134 to CL-140). `house` is
every house rule with its value, as `Rulebook.resolve_house_rules` returns it. All functions are pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.games.clutch.cards.card_types import ClutchPitcher

QUALITY_OUTS = 15  # A Quality Appearance is judged after these (CL-104).

MAX_QUALITY_RUNS = 2  # Allowed in a Quality Appearance.

WALKS_OR_RUNS_PER_LOST_INNING = 4  # Each kind is counted separately (CL-108, CL-109).

MAX_ADDED_PER_HALF = 1  # Innings added by cards (CL-106).
MAX_ADDED_PER_GAME = 2  # Innings added by cards (CL-107).

MIN_BATTERS_FACED = 3  # For a reliever or opener (CL-134, CL-140).

MIN_STARTER_OUTS = 9  # For a starter or bulk pitcher (CL-138, CL-139).

EXTRA_REST_OUTS = (3, 6, 9, 12)  # Another batter after these means more rest (CL-349 to CL-352).


@dataclass(frozen=True, slots=True)
class PitcherRecord:
    """A pitcher's game so far.

    role, limit: "SP", "RP", "OP" or "BP", and its inning limit.
    owes: games of rest he owed when he came in.
    faced: completed plate appearances against him, intentional walks included.
    now, outs_now: plate appearances and outs of this half-inning.
    walks, runs, earned: charged to him.
    inherited, scored: runners on base when he came in, and those of them who scored.
    added, added_now, taken: innings that cards added, in the game and in this half-inning, and took away. Those
        added count toward `MAX_ADDED_PER_GAME`.
    quality: true after a Quality Appearance.
    pitched, tired: true after any pitch, and after one thrown while tired.
    over_now: true after a pitch past his limit in this half-inning. `overtime` counts the earlier half-innings with
        one.
    beyond, waved: those of `EXTRA_REST_OUTS` after which he pitched to another batter or walked one intentionally.
    """

    name: str
    role: str
    limit: int
    owes: int = 0
    outs: int = 0
    outs_now: int = 0
    faced: int = 0
    now: int = 0
    walks: int = 0
    intentional: int = 0
    hit_batters: int = 0
    runs: int = 0
    earned: int = 0
    hits: int = 0
    homers: int = 0
    strikeouts: int = 0
    inherited: int = 0
    scored: int = 0
    added: int = 0
    added_now: int = 0
    taken: int = 0
    due: bool = False  # True from his 15th out to the end of the play.
    quality: bool = False
    pitched: bool = False
    tired: bool = False
    over_now: bool = False
    overtime: int = 0
    beyond: frozenset[int] = frozenset()
    waved: frozenset[int] = frozenset()
    announced: bool = False  # True if his fatigue has been announced.
    finished: bool = False  # True if he has completed a half-inning (CL-135).


def new_record(card: ClutchPitcher, role: str, owes: int = 0, inherited: int = 0) -> PitcherRecord:
    """Return the record of a pitcher who enters the game (CL-143). Raise KeyError if his card lacks the role."""
    return PitcherRecord(card.name, role, card.innings[role], owes, inherited=inherited)


# The inning limit (3.4) ----------------------------------------------------------------------------------------------


def inning_limit(arm: PitcherRecord, house: Mapping[str, str]) -> int:
    """Return his current inning limit, 0 or more (CL-104 to CL-111, AM-36)."""
    if arm.owes and house["enterTiredStack"] == "zeroIp":
        return 0
    quality = arm.quality and house["qaInCap"] == "false"
    gained = arm.added + quality
    lost = arm.walks // WALKS_OR_RUNS_PER_LOST_INNING + arm.earned // WALKS_OR_RUNS_PER_LOST_INNING + arm.taken
    return max(0, arm.limit + gained - lost)


def outs_left(arm: PitcherRecord, house: Mapping[str, str]) -> int:
    """Return the outs left within his limit, whether or not he came in tired."""
    return max(0, 3 * inning_limit(arm, house) - arm.outs)


def is_over_limit(arm: PitcherRecord, house: Mapping[str, str]) -> bool:
    """True if his next pitch is past his limit (CL-096, AM-30)."""
    return arm.outs >= 3 * inning_limit(arm, house)


def is_tired(arm: PitcherRecord, house: Mapping[str, str]) -> bool:
    """True if his next pitch is tired, either past his limit or because he came in tired (CL-098, CL-117)."""
    return arm.owes > 0 or is_over_limit(arm, house)


def tired_penalty(arm: PitcherRecord, house: Mapping[str, str]) -> int:
    """Return the deduction for fatigue from the Command of his next pitch, 0 or more (CL-100, CL-117, AM-29, AM-32)."""
    entered = int(arm.owes > 0 and house["enterTiredStack"] != "zeroIp")
    if not is_over_limit(arm, house):
        return entered
    more = arm.overtime if house["tiredStep"] == "byInning" else arm.outs // 3 - inning_limit(arm, house)
    steps = 1 + more
    return max(entered, steps) if house["enterTiredStack"] == "max" else entered + steps


def total_command(printed: int, bonus: int, penalty: int, cards: int, house: Mapping[str, str]) -> int:
    """Return Command from the printed number, the handedness bonus, the `tired_penalty`, and the capped sum of `cards`.
    Its minimum is 0 before cards, or by a house rule after them (CL-101, AM-28).
    """
    built = printed + bonus - penalty
    if house["commandFloorAfterCards"] == "true":
        return max(0, built + cards)
    return max(0, built) + cards


def addable_innings(arm: PitcherRecord, house: Mapping[str, str], team: Iterable[PitcherRecord] = ()) -> int:
    """Return the innings that cards may still add in this half-inning (CL-106, CL-107). `team` are the pitchers of his
    side, who count too if a house rule makes the limits a manager's (AM-33).
    """
    many = [arm]
    if house["ipCapScope"] == "manager":
        many += [other for other in team if other.name != arm.name]
    return min(
        MAX_ADDED_PER_HALF - sum(one.added_now for one in many), MAX_ADDED_PER_GAME - sum(one.added for one in many)
    )


def add_innings(
    arm: PitcherRecord, n: int, house: Mapping[str, str], team: Iterable[PitcherRecord] = ()
) -> PitcherRecord:
    """Add up to `addable_innings`, or take `-n`. A house rule may add none past the limit (CL-103, AM-31)."""
    if n < 0:
        return replace(arm, taken=arm.taken - n)
    if house["ipCardUntires"] == "false" and is_over_limit(arm, house):
        return arm
    return _extend_limit(arm, min(n, addable_innings(arm, house, team)))


def _extend_limit(arm: PitcherRecord, n: int) -> PitcherRecord:
    return replace(arm, added=arm.added + n, added_now=arm.added_now + n)


# Events --------------------------------------------------------------------------------------------------------------


def count_pitch(arm: PitcherRecord, house: Mapping[str, str]) -> PitcherRecord:
    """Count a pitch, even one that is bunted. Only a pitch can be thrown tired (CL-102, AM-30, AM-82)."""
    over, beyond = arm.over_now or is_over_limit(arm, house), arm.beyond | _reached_rest_outs(arm)
    tired = arm.tired or is_tired(arm, house)
    if arm.pitched and (tired, over, beyond) == (arm.tired, arm.over_now, arm.beyond):
        return arm
    return replace(arm, pitched=True, tired=tired, over_now=over, beyond=beyond)


def _reached_rest_outs(arm: PitcherRecord) -> frozenset[int]:
    return frozenset([outs for outs in EXTRA_REST_OUTS if arm.outs >= outs])


def count_batter(arm: PitcherRecord) -> PitcherRecord:
    """Count a completed plate appearance, even an intentional walk. One that a caught stealing ended is not (AM-07)."""
    return replace(arm, faced=arm.faced + 1, now=arm.now + 1)


def count_only_outs(
    arm: PitcherRecord, n: int, house: Mapping[str, str], team: Iterable[PitcherRecord] = ()
) -> PitcherRecord:
    """Count `n` outs of a play in which nothing else happens. `team` is as in `judge_quality`."""
    return judge_quality(count_outs(arm, n), house, team)


def count_outs(arm: PitcherRecord, n: int) -> PitcherRecord:
    """Count `n` outs. After the 15th his Quality Appearance is due when the play is over."""
    due = arm.due or arm.outs < QUALITY_OUTS <= arm.outs + n
    return replace(arm, outs=arm.outs + n, outs_now=arm.outs_now + n, due=due)


def judge_quality(arm: PitcherRecord, house: Mapping[str, str], team: Iterable[PitcherRecord] = ()) -> PitcherRecord:
    """Judge his Quality Appearance after the play of his 15th out with all its runs (CL-104, CL-105, AM-34). `team` is
    as in `addable_innings`, for the house rule that counts its inning as an added one.
    """
    cost = arm.earned if house["qaRuns"] == "earned" else arm.runs
    now = replace(arm, due=False)
    if not arm.due or cost > MAX_QUALITY_RUNS:
        return now
    if house["qaInCap"] == "true":
        now = _extend_limit(now, addable_innings(now, house, team))
    return replace(now, quality=True)


def count_walk(arm: PitcherRecord) -> PitcherRecord:
    """Count a walk (CL-108)."""
    return replace(arm, walks=arm.walks + 1)


def count_intentional_walk(arm: PitcherRecord) -> PitcherRecord:
    """Count an intentional walk, which is neither a walk nor a pitch (CL-115, CL-316)."""
    return replace(arm, intentional=arm.intentional + 1, waved=arm.waved | _reached_rest_outs(arm))


def count_hit_batter(arm: PitcherRecord) -> PitcherRecord:
    """Count a hit batter, which is not a walk (CL-116)."""
    return replace(arm, hit_batters=arm.hit_batters + 1)


def charge_run(arm: PitcherRecord, earned: bool = True) -> PitcherRecord:
    """Charge a run to him, even after he has left the game (CL-109, AM-35)."""
    return replace(arm, runs=arm.runs + 1, earned=arm.earned + earned)


def end_half(arm: PitcherRecord) -> PitcherRecord:
    """End the half-inning. Every pitcher of the side needs it, since `added_now` ends even for those who left."""
    return replace(
        arm, now=0, outs_now=0, added_now=0, overtime=arm.overtime + arm.over_now, over_now=False, finished=True
    )


# Leaving the game (3.5, 3.9.A) ---------------------------------------------------------------------------------------


def reason_to_stay(arm: PitcherRecord, inning: int, house: Mapping[str, str]) -> str:
    """Return the reason he may not be replaced at the start of this at-bat, as a sentence, or "" if he may.

    Until substitutions begin (AM-05), only openers and tired pitchers come out (CL-120 to CL-122). After that a tired
    pitcher may always leave (CL-137), and a starter or bulk pitcher after three innings (CL-138, CL-139). Others may
    leave after three batters, or after a completed half-inning if they have not started another (CL-134 to CL-136,
    CL-140). That there is a reliever is not checked.
    """
    tired = is_tired(arm, house)
    exempt = tired and (house["subLockExempt"] == "opAndAnyTired" or arm.role == "SP")
    if inning < int(house["subLockInning"]) and arm.role != "OP" and not exempt:
        until = f"Pitchers stay in until inning {house['subLockInning']}"
        return f"{until}; only openers and {_exempt_pitchers_text(house)} come out."
    if tired:
        return ""
    if arm.role in ("SP", "BP"):
        return (
            ""
            if arm.outs >= MIN_STARTER_OUTS
            else f"{arm.name} has to get {MIN_STARTER_OUTS} outs first: he has {arm.outs}."
        )
    count = arm.faced - (arm.intentional if house["ibbCountsAsFaced"] == "false" else 0)
    if count >= MIN_BATTERS_FACED or (arm.finished and not arm.now):
        return ""
    return f"{arm.name} has to face {MIN_BATTERS_FACED} batters first, or end the half-inning: he has faced {count}."


def _exempt_pitchers_text(house: Mapping[str, str]) -> str:
    return "tired ones" if house["subLockExempt"] == "opAndAnyTired" else "tired starters"


# The box score -------------------------------------------------------------------------------------------------------


def innings_pitched(arm: PitcherRecord) -> str:
    """Return innings and outs as in a box score. "5.2" is five innings and two outs (CL-093, CL-096)."""
    return f"{arm.outs // 3}.{arm.outs % 3}"
