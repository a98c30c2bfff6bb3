"""What axe finds wrong with a page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LAWS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
"""Axe's names for WCAG 2.0 to 2.2 at A and AA, and for what it thinks good besides."""

OPTIONS = {
    "runOnly": {"type": "tag", "values": LAWS},
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}


def breaches(page: Page) -> list[str]:
    """Each violation in a line: its rule, the element, and what is wrong."""
    found: list[dict[str, Any]] = Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{page.url}: {one['id']} ({one['impact']}): {' '.join(map(str, node['target']))}: {words(node)}"
        for one in found
        for node in one["nodes"]
    ]


def words(node: dict[str, Any]) -> str:
    """What is wrong with an element, in a line."""
    return "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])
