#!/usr/bin/env python3
"""Write docs/wiring.md, its drawings, and the README's wiring table from the default settings.

With `--check`, write nothing and fail if a file is out of date.
"""

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

`scripts/wiring.py` generates this page from the default settings. For your own settings run
`dugout wiring --settings FILE`: it prints the wiring and the shopping list, and `--out DIR` draws each part.

Switch the Pi off before you wire anything. The header has 40 pins in two columns; pin 1 is at the SD card end, in the
column away from the edge of the board. A wire to 5 V, or between 3.3 V and ground, can destroy the Pi: count twice.
Afterwards `sudo dugout doctor --buttons` shows every button press live ([doctor.md](doctor.md)).

## What to buy

{buys}
## The camera

Plug the Camera Module's flat cable into the Pi's camera connector, contacts to contacts; a Pi 5 and a Zero 2 W need the
narrow cable (22 lines on the Pi's side). A USB camera fits any USB socket; on a Zero 2 W use an adapter in the socket
marked USB, not PWR.
"""

MORE = """
# Options

A display on SPI instead, a light for each seat, and a buzzer. They are off until the settings name them
([settings.md](settings.md)). These pins are free with everything above:

```toml
[display]
wires = "spi"                   # for a display with seven pins

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
            text += "\n| terminal | header pin | name |\n| --- | --- | --- |\n"
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
        raise SystemExit(f"Out of date: {names}. Run scripts/wiring.py.")
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    print(names or "Nothing changed.")


if __name__ == "__main__":
    main()
