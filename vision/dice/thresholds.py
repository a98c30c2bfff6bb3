"""What is believed: every threshold by which dice are accepted, questioned or left out.

Probabilities and heats are 0 to 1. Distances are between centers. Unless a comment names another source, a value was
chosen on the licensed pictures, those trained on and those held out together; see `vision/weights/SOURCE.md`. The
measure-only pictures were looked at but set no threshold.
"""

from dataclasses import dataclass

NEVER = 1e-6  # the smallest probability to reckon with: 0 and 1 would make odds infinite
LIKELY = 0.01  # probability from which another value of a die is worth naming


@dataclass(frozen=True, slots=True)
class Limits:
    """The probabilities, 0 to 1, at which a die with pips is believed. A table may tune them (`vision.tuning`). `face`:
    from here on a candidate counts as a die. `maybe`: from here on a candidate that does not count is still a reason to
    ask. `sure`: below it the value of a die is a reason to ask."""

    face: float = 0.5
    maybe: float = 0.28
    sure: float = 0.85


# The limits of a table that has tuned none. Chosen on licensed pictures that shaped no weights; see SOURCE.md.
USUAL = Limits()


def die_probability(nothing: float, heat: float, even: float) -> float:
    """Return the probability, 0 to 1, that a die lies in a place. `nothing`: the classifier's probability that none
    does. `heat`: the detector's, which at `even` says nothing."""
    no, heat = max(nothing, NEVER), min(max(heat, NEVER), 1 - NEVER)
    odds = max(1 - no, NEVER) / no * heat / (1 - heat) * (1 - even) / even
    return odds / (1 + odds)


# Dice with pips ------------------------------------------------------------------------------------------------------

EVEN_HEAT = 0.55  # heat of the detector that speaks neither for nor against a die
DIE_HEAT = 0.5  # heat from which a thing with a symbol counts as a die
COOL_HEAT = 0.5  # heat below which the detector is not sure of a face; see `TWO_FACES_DISTANCE`
CLEAR_DIE = 0.85  # confidence from which a look is clearly a die
ONE_PLACE = 0.62  # two looks closer than this share of their mean width cannot both be dice that lie flat on the table
NESTED = 0.35  # a narrower look closer to a die than this share of its own width shows the same face
PIP_SIZE = 0.35  # a look on a clear die that is narrower than this share of it is a pip, if all such looks resemble one
# A look closer to a die than the first share of its width, and narrower than the second, is usually another face of
# that die.
SIDE_DISTANCE, SIDE_SIZE = 0.75, 0.8
# Such a look is yet a small die that touches a large one when it is farther away than the first share of their mean
# width, a clear die (`CLEAR_DIE`), and not narrower than the second share of the large one.
SMALL_DIE_DISTANCE, SMALL_DIE_SIZE = 0.7, 0.5
# Two dice closer than this share of their mean width may be two faces of one die that leans, unless the detector's heat
# was above `COOL_HEAT` for both.
TWO_FACES_DISTANCE = 0.78
# Two dice closer than this share of their mean width look like a pile to the net: ignore its flag "stacked".
TOUCH_DISTANCE = 1.3
# Confidence from which a second face with another value on one die is a reason to ask which face is on top.
RIVAL_FACE = 0.4
# Least and greatest width of such a second face, in widths of the die: less is a pip, more is a group of dice.
RIVAL_SIZES = (0.5, 1.4)
# A die narrower than this share of the median die is a reason to ask: dice for one table are 12 to 25 mm wide.
TINY_DIE = 0.45
# A thing with a symbol that is wider or narrower than the median die by this factor is not one of the dice in play.
FOREIGN_SIZE = 1.4
# A look was perhaps measured badly, and is measured again, when it is wider or narrower than the median die by a factor
# between the first and the second, and its confidence is below the third.
REMEASURE_LEAST, REMEASURE_MOST, REMEASURE_BELOW = 1.15, 2.0, 0.9
# Dice that the picture's edge cuts off, by the share of their width beyond the edge.
# Beyond the first share a die must be read with confidence `CUT_SURE`. Beyond the second it must show one of
# `CUT_VALUES`, which no other value resembles when cut off, or be read with `CUT_VERY_SURE`. Beyond the third it is a
# reason to ask. In a trial with 448 dice cut off this way 5 were misread, none of them as one of `CUT_VALUES`:
# `benchmarks/cut.py`.
BEYOND_A_LITTLE, BEYOND_MUCH, BEYOND_MOST = 0.12, 0.24, 0.34
CUT_SURE, CUT_VERY_SURE, CUT_VALUES = 0.95, 0.995, (1, 5, 6)
# A look beyond the edge by more than `BEYOND_MUCH` is a reason to ask if it is a face with the first probability, or
# with the second where its heat is at least `DIE_HEAT`. Chosen on a picture of the colour trays.
CUT_FACE, CUT_FACE_WARM = 0.05, 0.004
# Probability from which each flag of `defects.FLAGS` is a reason to ask. Glare only explains why a die is unclear.
FLAG_LIMITS = {"cocked": 0.95, "stacked": 0.85, "symbol": 0.9, "glare": 0.3}


# Dice without pips ---------------------------------------------------------------------------------------------------

# Probability from which a place holds a die without pips, and from which it is a reason to ask.
NUMERAL_DIE, NUMERAL_MAYBE = 0.5, 0.2
# Least probability of a readable die beside dice with pips or where only d6 are looked for, and beside dice with pips
# that are sure. Less is not taken for a die.
NUMERAL_READ, NUMERAL_READ_WELL = 0.4, 0.7
# Probability of the face, given that it is a die, below which to ask; the second for cubes that the table was not
# taught, because there are cubes with all kinds of signs.
NUMERAL_SURE, CUBE_SURE = 0.95, 0.98
# Least probability that it is a die at all, with what can be read on it, and least probability of its top face when
# many cameras are assumed to look at a slant. Below either, ask.
NUMERAL_CERTAIN = 0.9
TOP_FACE_SURE = 0.7  # probability of the top face below which to ask which face is on top
SHAPE_LOOKED_FOR = 0.1  # probability of a shape that is looked for, below which the die is of another kind
# Number of dice with pips up to which a pip may be a numeral. Beside more dice it is taken for a pip: their company
# speaks for that, and a second look would take too long.
FEW_PIPS = 2
ON_DIE = 0.6  # a thing closer to a die than this share of the larger width is on it
# A thing is the ground under a die, not a die, when the die on it has at least the first probability and the thing is
# wider by a factor between the second and the third.
GROUND_CLEAR, GROUND_LEAST, GROUND_MOST = 0.8, 1.4, 6.0
PART_LEAST = 2.2  # a thing narrower by this factor than the die it is on is a part of that die
