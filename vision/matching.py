"""Match detected dice to the dice wanted, and distinguish them by color.

Doesn't import OpenCV, because the table uses this module before the camera is loaded.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from vision.dice.color_names import COLOR_LOOKS_RGB, LampGains, color_distance
from vision.reading import READABLE_KINDS, DieReading

# Illuminants to try: three white balances (RGB gains) at full and half brightness.
LAMP_GAINS: tuple[LampGains, ...] = tuple(
    (red * bright, green * bright, blue * bright)
    for (red, green, blue), bright in product(((1.0, 1.0, 1.0), (0.75, 0.95, 1.4), (1.0, 0.82, 0.5)), (1.0, 0.5))
)

MAX_COLOR_DISTANCE = 25.0  # maximum `color_distance` between a die and its color
# Minimum extra cost of swapping two dice, in the same units. This and `MAX_COLOR_DISTANCE` were chosen on published
# photographs of dice in ten colors.
MIN_SWAP_PENALTY = 16.0
Assignment = tuple[int, ...]  # for each detected die, the index of its group of identical wanted dice


@dataclass(frozen=True, slots=True)
class WantedDie:
    """A die that is wanted. `colour` is a key of `COLOR_LOOKS_RGB`, and any other value matches every color. `owner` is
    not visible and only makes two dice different."""

    kind: str = "d6"
    colour: str | None = None
    owner: str | None = None

    @property
    def die_name(self) -> str:
        """The die as text, such as "the red die", "home's white d20", or "the plain die" without color and owner."""
        whose = f"{self.owner}'s" if self.owner else "the"
        colour = self.colour or ("" if self.owner else "plain")
        return " ".join(word for word in (whose, colour, "die" if self.kind == "d6" else kind_name(self.kind)) if word)


@dataclass(frozen=True, slots=True)
class DiceMatch:
    """Detected dice in the order wanted.

    dice: empty if kind or number differ from those wanted. With a doubt, the most likely order.
    doubt: the doubt about the order, a key of `reading.DOUBT_ADVICE`, or None.
    advice: what to do about the doubt, as a sentence.
    """

    dice: tuple[DieReading, ...]
    doubt: str | None = None
    advice: str | None = None


def match_dice(seen: Sequence[DieReading], wanted: Sequence[WantedDie]) -> DiceMatch:
    """Assign the `seen` dice, up to a dozen, to the `wanted` ones.

    Dice are distinguished by kind, then by color. Identical wanted dice stay in the order seen, whatever their color.
    Others get the cheapest assignment under any one illuminant, so only relative color counts: of a red and a white
    die, the redder one is red. The match is sure if each die is near its color and every other assignment costs clearly
    more or gives the same values. Doubts about the values are not checked.
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
    """Compare the kinds of dice, in any order. Return doubt and advice, or None if they agree."""
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
    """Format kinds of dice as text, such as "2 d6, a d20 and a pitching die", or "no dice"."""
    many = Counter(kinds)
    # Sort by length first, so that d6 precedes d10.
    order = sorted(many, key=lambda kind: (len(kind), kind))
    each = [f"a {kind_name(kind)}" if many[kind] == 1 else f"{many[kind]} {kind_name(kind, 'dice')}" for kind in order]
    return " and ".join(filter(None, [", ".join(each[:-1]), *each[-1:]])) or "no dice"


def kind_name(kind: str, die: str = "die") -> str:
    """Name a kind of die. For several dice pass "dice" as `die`."""
    return f"pitching {die}" if kind == "pitch" else kind


def _match_one_kind(seen: Sequence[DieReading], wanted: Sequence[WantedDie]) -> DiceMatch:
    """Match dice of one kind. There must be as many as are wanted."""
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
    """Solve the assignment problem: group `g` takes `counts[g]` dice, and die `i` costs `costs[g][i]` there."""
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
    """Yield the assignments that swap two dice of different groups."""
    for i, j in combinations(range(len(lay)), 2):
        if lay[i] != lay[j]:
            yield (*lay[:i], lay[j], *lay[i + 1 : j], lay[i], *lay[j + 1 :])


def _assignment_cost(
    lay: Assignment, lamps: Sequence[Sequence[Sequence[float]]]
) -> tuple[float, Sequence[Sequence[float]]]:
    """Return the cost of an assignment under its best illuminant, and that illuminant's cost matrix."""
    return min(((sum(costs[g][i] for i, g in enumerate(lay)), costs) for costs in lamps), key=lambda pair: pair[0])


def _values_by_group(seen: Sequence[DieReading], lay: Assignment) -> list[tuple[int, str]]:
    """Return the sorted values by group, which is all that the rules use. An unknown value equals no other."""
    return sorted(
        (g, f"unknown {i}" if die.value is None else str(die.value))
        for i, (g, die) in enumerate(zip(lay, seen, strict=True))
    )


def _dice_in_wanted_order(
    seen: Sequence[DieReading], lay: Assignment, groups: Sequence[WantedDie], wanted: Sequence[WantedDie]
) -> tuple[DieReading, ...]:
    """Sort the dice as wanted. Dice of one group stay in the order seen."""
    piles = {want: [die for die, at in zip(seen, lay, strict=True) if at == g] for g, want in enumerate(groups)}
    return tuple(piles[want].pop(0) for want in wanted)


def _color_cost(die: DieReading, want: WantedDie, lamp: LampGains) -> float:
    """Return the color distance between a die and the wanted one under this illuminant."""
    return color_distance(die.tint, want.colour, lamp) if die.tint and want.colour in COLOR_LOOKS_RGB else 0.0
