"""Classes of a page's body for its style sheets: which regions are empty, and what the others show.

Browsers before 2023 have no `:has`, with which a sheet could find out by itself. `web/static/js/marks.js` sets the same
classes after each change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

SHOWN = ("before", "crop", "final", "reasons", "shown", "side", "with-count", "with-tally", "zoned")
"""Classes in the regions that change what is around their region."""


def body_marks(regions: Mapping[str, str]) -> str:
    """Return `no-NAME` for each region without content, and `has-CLASS` for each of `SHOWN` in any region."""
    classes = set(" ".join(re.findall(r'class="([^"]*)"', "".join(regions.values()))).split())
    empty = [f"no-{name}" for name, html in regions.items() if not html]
    return " ".join(empty + [f"has-{name}" for name in SHOWN if name in classes])
