"""Links in documents lead somewhere; those that do not are found."""

from __future__ import annotations

import runpy
from pathlib import Path

LINKS = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "links"))

OTHER = """\
# The other page

## What a [roll](#x) is, and `why`
## Twice
## Twice

```sh
# no heading
```
"""

PAGE = """\
# A page

[there](other.md), [its heading](other.md#what-a-roll-is-and-why), [the second](other.md#twice-1), [here](#a-page),
[gone](gone.md), [no heading](other.md#no-heading), [no third](other.md#twice-2), [nor here](#another-page),
<img src="picture.png"> and <img src="no.png">, [the web](https://example.org/x#y), `[code](nowhere.md)`
"""


def test_each_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text(OTHER)
    (tmp_path / "picture.png").touch()
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    expected = ["4: gone.md", "4: other.md#no-heading", "4: other.md#twice-2", "4: #another-page", "5: no.png"]
    assert expected == list(LINKS["broken"](page))
