#!/usr/bin/env python3
"""The wiring manual, from the settings as they are by themselves: `scripts/wiring.py` writes docs/wiring.md, its
drawings beside it, and the README's table; with `--check` it only tells whether they are as they should be."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / ".venv" / "bin" / "python"
if Path(sys.prefix) != ROOT / ".venv" and PYTHON.exists():
    os.execv(PYTHON, [str(PYTHON), *sys.argv])
sys.path.insert(0, str(ROOT))

from device.commands import wiring  # noqa: E402  (the path is set above)
from device.settings import parse  # noqa: E402

PLAIN = parse("", "")
EXTRA = parse('[display]\nwires = "spi"\n[lights]\naway = 16\nhome = 26\n[buzzer]\npin = 12\n', "")
MARK = ("<!-- wires -->\n", "<!-- end of wires -->\n")

HEAD = """\
# Wiring

Drawn by `scripts/wiring.py` from the same settings the program goes by. If yours differ,
`dugout wiring --settings FILE` tells the wires and the parts of your table, and with `--out DIR` draws them.

Switch the Pi off before you wire anything. The header has 40 pins in two columns; pin 1 is at the end of the SD card,
in the column away from the edge of the board. A wire on 5 V, or between 3.3 V and ground, can end a Pi: count twice.
Afterwards `sudo dugout doctor --buttons` shows every press as it is heard ([doctor.md](doctor.md)).

## What to buy

{buys}
## The camera

The Camera Module's flat cable goes into the Pi's own camera connector, contacts to contacts; a Pi 5 and a Zero 2 W want
the narrow cable (22 lines on the Pi's side). A USB camera goes into any USB socket; on a Zero 2 W through an adapter
into the one marked USB, not PWR.
"""

MORE = """
# If you like

The display by SPI instead, a light for each seat and a buzzer. They are off until the settings name them
([settings.md](settings.md)); these pins are free with everything above:

```toml
[display]
wires = "spi"                   # only for a display with seven pins

[lights]
away = 16
home = 26

[buzzer]
pin = 12
```
"""


def pages() -> dict[Path, str]:
    """Each file, and its text as it should be."""
    docs, text = ROOT / "docs", HEAD.format(buys=wiring.buys(PLAIN))
    found: dict[Path, str] = {}
    plain = wiring.parts(PLAIN)
    extra = [part for part in wiring.parts(EXTRA) if part.kind in ("display", "light", "buzzer")]
    for parts, before, kind in ((plain, "", ""), (extra, MORE, "spi-")):
        text += before
        for part in parts:
            name = (kind if part.kind == "display" else "") + wiring.file(part)
            title = part.name.capitalize() + (" by SPI" if name.startswith("spi-") else "")
            text += f"\n## {title}\n\n![The wires of the {part.name}](wiring/{name})\n"
            text += "\n| its terminal | pin of the header | which is |\n| --- | --- | --- |\n"
            text += "".join(f"| {wire.terminal} | {wire.pin} | {wire.name} |\n" for wire in part.wires)
            found[docs / "wiring" / name] = wiring.draw(part)
    readme = (ROOT / "README.md").read_text("utf-8")
    first, last = readme.index(MARK[0]) + len(MARK[0]), readme.index(MARK[1])
    table = "\n" + wiring.table(PLAIN) + "\n"
    return {**found, docs / "wiring.md": text, ROOT / "README.md": readme[:first] + table + readme[last:]}


def main() -> None:
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text("utf-8") != text]
    names = ", ".join(str(path.relative_to(ROOT)) for path in stale)
    if stale and "--check" in sys.argv[1:]:
        raise SystemExit(f"The wiring manual is not what the settings say: {names}. Run scripts/wiring.py.")
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    print(names or "Nothing to change.")


if __name__ == "__main__":
    main()
