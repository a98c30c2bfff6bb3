"""The pages of a table of Small Ball whose first game is over, and what must be seen on each."""

from __future__ import annotations

LIVE = "#badge[data-state=live]"

PAGES = {
    "/": "#dice .last",
    "/tv": "#plays .last",
    "/overlay": "#lamps .lamp",
    "/plays": ".told li",
    "/games": "tbody th a[href='/games/1']",
    "/games/1": "#moment",
    "/games/1/scorecard": ".sheetbox",
    "/dice": ".dice-report h2",
    "/people": ".people h1",
    "/decks": "a[href='/decks/small-ball/house']",
    "/decks/small-ball/house": "article h3",
    "/in": "main h1",
    "/nothing": "main a",
    "/seat": "[name=code]",
    "/table": "[name=code]",
}
"""What anybody may open, and what must be seen there."""

TABS = {"game": "#undo", "table": "#open-code", "camera": "#camera-words", "games": "#pause", "help": "#help-title"}
"""The tabs of the operator's page, and what only each of them shows."""
