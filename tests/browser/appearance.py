"""Visible faults of a page: what axe finds, and what does not fit."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.vision.typefaces import UNSEEN

LAWS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
"""Axe's names for WCAG 2.0 to 2.2 at A and AA, and for its best practices."""

ALL = {
    "runOnly": {"type": "tag", "values": LAWS},
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}

AXE = Axe().axe_script

TOO_WIDE = """() => {
    const wide = document.documentElement.clientWidth, whole = document.documentElement.scrollWidth;
    const found = whole > wide ? [`the page is ${whole} wide`] : [];
    const named = (one) => `${one.tagName.toLowerCase()}#${one.id}.${[...one.classList].join(".")}`;
    const slides = (one) => one &&
        (["auto", "scroll"].includes(getComputedStyle(one).overflowX) || slides(one.parentElement));
    const cuts = (how) => how === "hidden" || how === "clip";
    for (const one of document.body.querySelectorAll("*")) {
        const { left, right, width, height } = one.getBoundingClientRect();
        if (width <= 1 || height <= 1 || one.closest("svg, .skip, .unseen")) continue;
        if (!one.checkVisibility({ visibilityProperty: true })) continue;
        const words = [...one.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
        if (words && (right > wide + 1 || left < -1) && !slides(one.parentElement))
            found.push(`${named(one)} lies ${Math.round(left)} to ${Math.round(right)}`);
        const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(one);
        // What ends in an ellipsis stands in full elsewhere.
        if (webkitLineClamp !== "none") continue;
        // A board does not clip, but nothing on it may stick out either.
        if ((cuts(overflowX) || one.matches(".board")) && one.scrollWidth > one.clientWidth + 1)
            found.push(`${named(one)} is cut off beside`);
        if (cuts(overflowY) && one.scrollHeight > one.clientHeight + 1) found.push(`${named(one)} is cut off below`);
    }
    return found;
}"""


def breaches(page: Page, options: Any = ALL, within: str = "html") -> list[str]:
    """Return each violation that axe finds `within` a part of the page as a line: rule, element, and fault."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(
        "([within, options]) => axe.run(within, options).then(results => results.violations)", [within, options]
    )
    return [
        f"{page.url}: {one['id']} ({one['impact']}): {' '.join(map(str, node['target']))}: {_words(node)}"
        for one in found
        for node in one["nodes"]
    ]


def _words(node: dict[str, Any]) -> str:
    return "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])


def flaws(page: Page, within: str = "html") -> list[str]:
    """Return the violations `within` a part of the page in light, and those of colour in dark."""
    page.emulate_media(color_scheme="light")
    found = breaches(page, within=within)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {one}" for one in breaches(page, COLOURS, within)]
    page.emulate_media(color_scheme=None)
    return found


TALL = """
@font-face { font-family: Tall; src: url(data:font/ttf;base64,%s); ascent-override: 130%%; descent-override: 60%%; }
* { font-family: Tall !important; }
"""
"""Set every letter in a typeface with lines nearly twice its size, as some have."""


def tall(page: Page) -> None:
    """Give this page, in a context with `bypass_csp`, tall letters."""
    page.add_style_tag(content=TALL % b64encode(Path(UNSEEN[0]).read_bytes()).decode())
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.fonts.size && [...document.fonts].every((one) => one.status === 'loaded')")


def misfits(page: Page, *widths: int) -> list[str]:
    """Return what does not fit at these widths in CSS pixels."""
    size = page.viewport_size
    assert size is not None
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": size["height"]})
        found += [f"{page.url} at {width}: {one}" for one in page.evaluate(TOO_WIDE)]
    page.set_viewport_size(size)
    return found
