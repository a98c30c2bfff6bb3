"""Match the dice seen to the dice wanted, and distinguish them by color.

Imports no OpenCV: the table uses it before the camera is loaded.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from vision.dice.color_names import COLOR_LOOKS_RGB, LampGains, color_distance
from vision.reading import READABLE_KINDS, DieReading

# A die whose `colour_distance` from a color is more than this is not of that color.
LAMP_GAINS: tuple[LampGains, ...] = tuple(
    (red * bright, green * bright, blue * bright)
    for (red, green, blue), bright in product(((1.0, 1.0, 1.0), (0.75, 0.95, 1.4), (1.0, 0.82, 0.5)), (1.0, 0.5))
)

MAX_COLOR_DISTANCE = 25.0  # a die at this `colour_distance` or more from a color is not of that color
# Two dice are distinguished if exchanging them fits worse by at least this much, in the same units. This and
# `MAX_COLOR_DISTANCE` were chosen on published pictures of dice of ten colors.
MIN_SWAP_PENALTY = 16.0
Assignment = tuple[int, ...]  # for each die seen, the index of its group among the groups of dice wanted alike


@dataclass(frozen=True, slots=True)
class WantedDie:
    """A die that is wanted: its kind, its color, and its owner. `colour` is a word of `LOOKS`; with any other value
    any color fits. An owner cannot be seen: it only makes two dice different."""

    kind: str = "d6"
    colour: str | None = None
    owner: str | None = None

    @property
    def die_name(self) -> str:
        """The die in words: "the red die", "home's white d20", or "the plain die" without either."""
        whose = f"{self.owner}'s" if self.owner else "the"
        colour = self.colour or ("" if self.owner else "plain")
        return " ".join(word for word in (whose, colour, "die" if self.kind == "d6" else kind_name(self.kind)) if word)


@dataclass(frozen=True, slots=True)
class DiceMatch:
    """The dice seen in the order wanted, and the doubt about that order, a key of `reading.DOUBT_ADVICE`, or None. With
    a doubt it is the likeliest order. There are no dice if kind or number differ from those wanted. `advice` tells a
    person what to do about the doubt."""

    dice: tuple[DieReading, ...]
    doubt: str | None = None
    advice: str | None = None


def match_dice(seen: Sequence[DieReading], wanted: Sequence[WantedDie]) -> DiceMatch:
    """Return which of the dice `seen`, up to a dozen, is which of those `wanted`.

    Dice are distinguished by kind, and those of a kind by color. Dice of a kind that are all wanted alike stay in the
    order seen, whatever their color. Others are assigned as they fit best under any one lamp, so that only their
    differences count: of a red and a white die the redder is the red one. The result is sure when each die is near its
    color and every other assignment either fits clearly worse or gives the same values. Whether the values themselves
    are sure is not checked.
    """
    if odd := dice_count_doubt([die.kind for die in seen], [want.kind for want in wanted]):
        return DiceMatch((), *odd)
    kinds = dict.fromkeys(want.kind for want in wanted)
    found = {
        kind: _match_one_kind([die for die in seen if die.kind == kind], [want for want in wanted if want.kind == kind])
        for kind in kinds
    }
    piles = {kind: list(one.dice) for kind, one in found.items()}
    dice = tuple(piles[want.kind].pop(0) for want in wanted)
    return next((replace(one, dice=dice) for one in found.values() if one.doubt), DiceMatch(dice))


def dice_count_doubt(seen: Sequence[str], wanted: Sequence[str]) -> tuple[str, str] | None:
    """Return the doubt and advice if the kinds of dice seen are not those wanted, in any order; None if they are."""
    if beyond := [kind for kind in wanted if kind not in READABLE_KINDS]:
        return "kind", f"I can't read a {kind_name(beyond[0])}: enter it."
    have, want = Counter(seen), Counter(wanted)
    if have == want:
        return None
    if have.keys() | want.keys() == {"d6"}:
        dice = "1 die" if len(seen) == 1 else f"{len(seen) or 'no'} dice"
        words = f"I see {dice} but expected {len(wanted)}."
    elif have <= want or have >= want:
        words = f"I see {dice_text(seen)} but expected {dice_text(wanted)}."
    else:
        return "kind", f"I see {dice_text(seen)}, not {dice_text(wanted)}: roll that, or enter it."
    return "too-few" if have < want else "too-many", words


def dice_text(kinds: Iterable[str]) -> str:
    """Return dice of these kinds in words: "2 d6, a d20 and a pitching die"; "no dice" for none."""
    many = Counter(kinds)
    # Shorter names first, so that d6 comes before d10.
    order = sorted(many, key=lambda kind: (len(kind), kind))
    each = [f"a {kind_name(kind)}" if many[kind] == 1 else f"{many[kind]} {kind_name(kind, 'dice')}" for kind in order]
    return " and ".join(filter(None, [", ".join(each[:-1]), *each[-1:]])) or "no dice"


def kind_name(kind: str, die: str = "die") -> str:
    """Return a kind of die in words; for several dice pass "dice" as `die`."""
    return f"pitching {die}" if kind == "pitch" else kind


def _match_one_kind(seen: Sequence[DieReading], wanted: Sequence[WantedDie]) -> DiceMatch:
    """Match dice of one kind, as many as are wanted."""
    if len(set(wanted)) <= 1:
        return DiceMatch(tuple(seen))
    groups = list(dict.fromkeys(wanted))
    lamps = [[[_color_cost(die, want, lamp) for die in seen] for want in groups] for lamp in LAMP_GAINS]
    counts = [wanted.count(want) for want in groups]
    lays = {_cheapest_assignment(costs, counts) for costs in lamps}
    best = min(lays, key=lambda lay: _assignment_cost(lay, lamps)[0])
    total, costs = _assignment_cost(best, lamps)
    dice = _dice_in_wanted_order(seen, best, groups, wanted)
    missing = [groups[g] for i, g in enumerate(best) if costs[g][i] > MAX_COLOR_DISTANCE]
    if missing:
        words = f"{missing[0].die_name} is missing: roll the dice asked for, or enter what they show."
        return DiceMatch(dice, "colour", words[0].upper() + words[1:])
    others = [
        lay
        for lay in lays | set(_swapped_assignments(best))
        if _values_by_group(seen, lay) != _values_by_group(seen, best)
    ]
    rival = min(others, key=lambda lay: _assignment_cost(lay, lamps)[0], default=best)
    if others and _assignment_cost(rival, lamps)[0] - total < MIN_SWAP_PENALTY:
        g, h = next(sorted(pair) for pair in zip(best, rival, strict=True) if len(set(pair)) > 1)
        words = f"{groups[g].die_name} and {groups[h].die_name} look alike: check which one shows what."
        return DiceMatch(dice, "alike", words[0].upper() + words[1:])
    return DiceMatch(dice)


def _cheapest_assignment(costs: Sequence[Sequence[float]], counts: Sequence[int]) -> Assignment:
    """Return the cheapest assignment if group `g` takes `counts[g]` dice, and die `i` costs `costs[g][i]` there."""
    ways: dict[tuple[int, ...], tuple[float, Assignment]] = {tuple(counts): (0.0, ())}
    for i in range(sum(counts)):
        longer: dict[tuple[int, ...], tuple[float, Assignment]] = {}
        for left, (cost, lay) in ways.items():
            for g, room in enumerate(left):
                if room:
                    way = cost + costs[g][i], (*lay, g)
                    then = (*left[:g], room - 1, *left[g + 1 :])
                    longer[then] = min(way, longer.get(then, way))
        ways = longer
    return next(iter(ways.values()))[1]


def _swapped_assignments(lay: Assignment) -> Iterator[Assignment]:
    """Yield the assignments that exchange two dice of different groups."""
    for i, j in combinations(range(len(lay)), 2):
        if lay[i] != lay[j]:
            yield (*lay[:i], lay[j], *lay[i + 1 : j], lay[i], *lay[j + 1 :])


def _assignment_cost(
    lay: Assignment, lamps: Sequence[Sequence[Sequence[float]]]
) -> tuple[float, Sequence[Sequence[float]]]:
    """Return the cost of an assignment under the lamp that suits it best, and the costs under that lamp."""
    return min(((sum(costs[g][i] for i, g in enumerate(lay)), costs) for costs in lamps), key=lambda pair: pair[0])


def _values_by_group(seen: Sequence[DieReading], lay: Assignment) -> list[tuple[int, str]]:
    """Return the values in each group, all that the rules see of an assignment. An unknown value equals no other."""
    return sorted(
        (g, f"unknown {i}" if die.value is None else str(die.value))
        for i, (g, die) in enumerate(zip(lay, seen, strict=True))
    )


def _dice_in_wanted_order(
    seen: Sequence[DieReading], lay: Assignment, groups: Sequence[WantedDie], wanted: Sequence[WantedDie]
) -> tuple[DieReading, ...]:
    """Return the dice in the order wanted; those of one group stay in the order seen."""
    piles = {want: [die for die, at in zip(seen, lay, strict=True) if at == g] for g, want in enumerate(groups)}
    return tuple(piles[want].pop(0) for want in wanted)


def _color_cost(die: DieReading, want: WantedDie, lamp: LampGains) -> float:
    """Return how far a die's color is from the one wanted, assuming this lamp."""
    return color_distance(die.tint, want.colour, lamp) if die.tint and want.colour in COLOR_LOOKS_RGB else 0.0
