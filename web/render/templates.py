"""Templates: whole pages, and the regions of the game panel that pages and streams share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from engine.seats import SEATS

REGIONS = ("score", "lamps", "diamond", "now", "dice", "line", "box", "plays", "notes")
"""The parts of the game panel, each a template, each replaced by itself when it changes."""

SCENE = ("score", "lamps", "diamond", "dice", "line")
"""Those of them that a moment long past still has."""

HOW = {
    "regulation": "over nine innings",
    "nine-innings": "over nine innings",
    "bottom-skipped": "after the top of the last inning: the bottom was not needed",
    "walk-off": "on a walk-off",
    "walk-off-run": "on a walk-off run",
    "walk-off-walk": "on a walk-off walk",
    "walk-off-hit": "on a walk-off hit",
    "walk-off-home-run": "on a walk-off home run",
    "three-outs": "with three outs and no run",
    "season-won": "in the finals",
    "series": "in the series",
    "forfeit": "since the other side could not field nine",
}
"""How a game was won, by the reason of its outcome; the others say it themselves."""

ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def ordinal(number: int) -> str:
    """1st, 2nd, 11th."""
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ORDINALS.get(number % 10, 'th')}"


def count(number: int, word: str, many: str = "") -> str:
    """1 run, 2 runs; 1 die, 2 dice."""
    return f"{number} {word if number == 1 else many or word + 's'}"


def idle(table: Mapping[str, Any]) -> bool:
    """Whether no game is under way on the board, as between two games of a season, or while teams are drafted."""
    panel = table["scoreboard"]["panel"]
    return panel.get("playing") is False and not (table["outcome"] and panel["mode"] == "duel")


def begun(board: Mapping[str, Any]) -> int:
    """The innings before the first that is played here: 8 in a game that is the bottom of the 9th alone, else 0."""
    lines = [side["line"] for side in board["sides"].values()]
    played = [i for line in lines for i, runs in enumerate(line) if runs is not None]
    return min([*played, int(board["inning"]) - 1])


def how(outcome: Mapping[str, Any]) -> str:
    """How the game was won: on a walk-off, in extra innings."""
    reason = outcome["reason"]
    return HOW.get(reason) or f"in {reason.replace('-', ' ')}"


def surname(name: str) -> str:
    """The last word of a name, for where there is little room."""
    return name.split()[-1] if name.split() else name


def halves(plays: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Plays grouped by half-inning, newest first; what one answer brought about is one play. Where several games follow
    each other, each group's `name` says which it is of, and who bats is one of its plays: other teams are there now."""
    groups = []
    several = any(line["game"] > 1 for line in plays)
    for (game, inning, half), lines in groupby(plays, key=lambda line: (line["game"], line["inning"], line["half"])):
        told = []
        said = (line for line in lines if several or line["code"] != "half-inning")
        for _, same in groupby(said, key=lambda line: line["n"]):
            answer = list(same)
            words = " ".join(line["sentence"] for line in answer)
            scored = sum(line["scored"] for line in answer)
            told.append({"sentence": words, "scored": scored, "evidence": proof(answer), "corrected": righted(answer)})
        runs = sum(play["scored"] for play in told)
        name = f"{'Top' if half == 'top' else 'Bottom'} of the {ordinal(inning)}"
        name = f"Game {game} · {name}" if several else name
        group = {"game": game, "inning": inning, "half": half, "name": name, "several": several}
        groups.append(group | {"plays": told[::-1], "runs": runs})
    return groups[::-1]


def proof(lines: Sequence[Mapping[str, Any]]) -> str | None:
    """The name of the picture of the dice that the newest of these plays was rolled with."""
    newest = [line for line in lines if line["n"] == lines[-1]["n"]]
    return next((line["evidence"] for line in newest if line.get("evidence")), None)


def righted(lines: Sequence[Mapping[str, Any]]) -> bool:
    """Whether that picture was read otherwise than the dice stand: a person told them."""
    return any(line.get("corrected") for line in lines if line["n"] == lines[-1]["n"])


def zoned(zone: Mapping[str, Any]) -> str:
    """What lies on a zone of the field, in words."""
    glove, tested = zone["glove"], ", tested" if zone["tested"] else ""
    if not glove:
        return f"no Glove, {zone['printed']} is printed{tested}"
    ball = " with the ball" if glove["icon"] else ""
    return f"Glove {glove['name']}{ball} shows {glove['value']}, its {'back' if glove['back'] else 'front'}{tested}"


MOMENTS = {
    "game": "before the game",
    "half": "as the half-inning began",
    "at-bat": "as the at-bat began",
    "before-pitch": "before the pitch",
    "pitch-roll": "on the pitch roll",
    "advantage": "before the swing",
    "swing-roll": "on the swing roll",
    "end": "as the half-inning ended",
    "after": "after the play",
    "card": "on a card",
    "enter": "as somebody came in",
    "bunt-roll": "on the bunt roll",
    "try": "as runners tried for a base",
    "throw-roll": "on the roll of a throw",
    "throw-result": "once a throw was settled",
    "check-roll": "on the roll of a check",
    "check-result": "once a check was settled",
}
"""When cards can be played in Clutch, where it is not "on the …"."""


def moment(window: str) -> str:
    """When it was: before the pitch, on the throw."""
    return MOMENTS.get(window, f"on the {window}")


def signs(words: str) -> str:
    """Numbers with their signs as they are printed: −1 has a minus, and 0 no sign."""
    return re.sub(r"(?<=\s)[+-]0\b", "0", re.sub(r"(?<=\s)-(?=[1-9])", "−", words))


_looks = Environment(
    loader=PackageLoader("web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_looks.filters |= {"ordinal": ordinal, "count": count, "begun": begun, "surname": surname, "how": how}
_looks.filters |= {
    "halves": halves,
    "proof": proof,
    "righted": righted,
    "zoned": zoned,
    "moment": moment,
    "signs": signs,
}
_looks.globals |= {"SEATS": SEATS}


def panel(view: Mapping[str, Any]) -> dict[str, str]:
    """The game panel of one audience as HTML, by region."""
    table = view["table"]
    return _regions(REGIONS, {"view": view, "table": table, "board": table["scoreboard"]})


def scene(table: Mapping[str, Any], lines: list[dict[str, Any]], names: Sequence[str] = SCENE) -> dict[str, str]:
    """The same of a moment of a game that was played, where `lines` were told; `table` has scoreboard and outcome."""
    told = {**table, "last": " ".join(line["sentence"] for line in lines)}
    return _regions(names, {"view": {"plays": lines}, "table": told, "board": table["scoreboard"]})


def _regions(names: Sequence[str], facts: dict[str, Any]) -> dict[str, str]:
    facts |= {"sides": facts["board"]["sides"], "idle": idle(facts["table"])}
    return {name: _looks.get_template(f"panel/{name}.html").render(facts).strip() for name in names}


def seat_panel(mine: Mapping[str, Any], public: Mapping[str, Any]) -> dict[str, str]:
    """The panel of a seat's page: what all may see, and apart from it, to be uncovered, what only this seat may."""
    open_to_all = public["table"]["scoreboard"]["panel"]
    own = {key: value for key, value in mine["table"]["scoreboard"]["panel"].items() if open_to_all.get(key) != value}
    return panel(public) | {
        "own": _looks.get_template("panel/own.html").render(own=own, game=mine["game"]["key"]).strip()
    }


def page(name: str, status: int = 200, headers: Mapping[str, str] | None = None, /, **facts: Any) -> HTMLResponse:
    """A whole page. Never cached: it shows the game of this moment."""
    html = _looks.get_template(name).render(facts)
    return HTMLResponse(html, status, {"Cache-Control": "no-store"} | dict(headers or {}))


def drawing(name: str, **facts: Any) -> str:
    """A template that is no page."""
    return _looks.get_template(name).render(facts)
