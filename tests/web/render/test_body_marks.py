"""What a page's body says of its regions to style sheets."""

from __future__ import annotations

import re
from pathlib import Path

from web.render import body_marks

STATIC = Path(body_marks.__file__).parents[1] / "static"


def test_empty_regions_and_what_the_others_show() -> None:
    """One class for each; a longer class with the same beginning is another one."""
    regions = {"diamond": "", "now": '<p class="final tall">Over</p>', "line": '<b class="sides">1</b>'}
    assert body_marks.body_marks(regions) == "no-diamond has-final"


def test_the_script_marks_the_same() -> None:
    """The first view comes from the server, the later ones from the script."""
    listed = re.search(r"SHOWN = \[(.*)\]", (STATIC / "js" / "marks.js").read_text())
    assert listed is not None
    assert tuple(re.findall(r'"(.*?)"', listed[1])) == body_marks.SHOWN
