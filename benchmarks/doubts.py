"""How often each doubt is raised where it should be, in synthetic scenes: run `python -m benchmarks.doubts`."""

import argparse
from collections import Counter
from collections.abc import Iterator

import cv2

from tests.vision.dice.test_doubts import LOOKS, NEAR, NOT_DICE, NOW, RAISED, STACKS, Scene, odd, scene, values


def scenes() -> Iterator[tuple[str, str, Scene]]:
    """Yield a scene's name, its expected result, and the function that changes the tray."""
    for name, (doubt, _, act) in RAISED.items():
        yield name, doubt, act
    for name, (_, act) in STACKS.items():
        yield name, "stacked", act
    for name, (_, act) in NEAR.items():
        yield name, "read", act
    for kind in NOT_DICE[:3]:
        yield f"a {kind}" if kind != "sugar" else "a sugar cube", "symbol", odd(kind)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=4, help="how many trays of each of the six looks of dice")
    each = parser.parse_args().each
    cv2.setNumThreads(1)
    print("| drawn scene | should be | is | asked, by another name | neither |")
    print("|---|---|---|---|---|")
    for name, wanted, act in scenes():
        count: Counter[str] = Counter()
        for seed in range(each * len(LOOKS)):
            tray, reader = scene(LOOKS[seed % len(LOOKS)], seed, act)
            reading = reader.read_dice(tray.render_frame(NOW))
            right = sorted(reading.dice_values) == values(tray)
            if reading.doubt is not None:
                count["is" if reading.doubt == wanted else "asked"] += 1
            else:
                count["is" if wanted == "read" and right else "neither"] += 1
        print(f"| {name} | {wanted} | {count['is']} | {count['asked']} | {count['neither']} |", flush=True)


if __name__ == "__main__":
    main()
