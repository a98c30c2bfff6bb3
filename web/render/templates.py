"""Templates: whole pages, and the regions of the game panel that pages and streams share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.environment import TemplateModule

from device.shapes import log_page_range
from engine.box_score import SideBoxScore
from engine.events import RANKED_MOMENTS, Moment
from engine.game import ASK_PREFERENCE_LABELS
from engine.innings import Half, Outcome
from engine.scoreboard import Scoreboard, SideScore, seat_label
from engine.seats import SEATS, Seat
from engine.text.visible_text import printable_text
from engine.views import AudienceView, ManagerView, OutcomeChanceView, PlayView, ProposalView, TableView
from web.render.portrait import portrait_address, portrait_svg

PANEL_REGIONS = (
    "score",
    "lamps",
    "diamond",
    "now",
    "squads",
    "outcome",
    "dice",
    "line",
    "box",
    "plays",
    "standing",
    "notes",
    "warning",
)
"""The regions of the game panel: each is a template, replaced on its own when it changes."""

TV_REGIONS = {
    "bug": "Score, inning and outs",
    "line": "Line score",
    "field": "Bases",
    "duel": "At the plate",
    "plays": "Last plays",
    "ask": "Questions",
    "dice": "Dice",
    "between": "Between half-innings",
    "cover": "Before and after the game",
    "warning": "Warnings",
}
"""The regions of the television's page, and what screen readers call them."""

REPLAY_REGIONS = ("score", "lamps", "diamond", "dice", "line")
"""The regions that a moment of a replay has."""

WIN_DESCRIPTIONS = {
    "regulation": "in nine innings",
    "nine-innings": "in nine innings",
    "bottom-skipped": "without needing the bottom of the last inning",
    "walk-off": "on a walk-off",
    "walk-off-run": "on a walk-off run",
    "walk-off-walk": "on a walk-off walk",
    "walk-off-hit": "on a walk-off hit",
    "walk-off-home-run": "on a walk-off home run",
}
"""How a game was won, by the reason of its outcome. A game's own template may add to it (`win_description`); other
reasons are shown as they are."""

STRENGTH_WORDS = {"rookie": "Rookie", "regular": "Regular", "all-star": "All-star"}
"""The strengths of a computer manager, as people call them."""

PACE_WORDS = {"normal": "Normal", "brisk": "Brisk", "instant": "Instant"}
"""How soon a computer manager answers, as people call it."""

STATIC_FOLDER = Path(__file__).parents[1] / "static"
"""The folder served as /static."""

ORDINAL_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


TemplateFacts = dict[str, Any]
"""What a template is rendered with, by name."""


def ordinal_text(number: int) -> str:
    """Return 1st, 2nd, 11th."""
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ORDINAL_SUFFIXES.get(number % 10, 'th')}"


def count_with_noun(number: int, word: str, many: str = "") -> str:
    """Return 1 run, 2 runs; 1 die, 2 dice."""
    return f"{number} {word if number == 1 else many or word + 's'}"


@dataclass(frozen=True, slots=True)
class ReplayedMoment:
    """A moment of a stored game, with what the regions of `REPLAY_REGIONS` need from a `TableView` and a `View`."""

    scoreboard: Scoreboard
    outcome: Outcome | None
    plays: Sequence[PlayView]
    before: Sequence[PlayView] = ()
    last: str = ""
    box: Mapping[Seat, SideBoxScore] | None = None
    race: None = None
    managers: Mapping[Seat, ManagerView] = field(default_factory=dict)


def skipped_innings(board: Scoreboard) -> int:
    """Return the innings before the first one played: 8 in a game that is only the ninth, else 0."""
    played = [i for side in board.sides.values() for i, runs in enumerate(side.line) if runs is not None]
    return min([*played, board.inning - 1])


def win_description(outcome: Outcome, game: TemplateModule | None = None) -> str:
    """Return how the game was won: on a walk-off, in extra innings. `game` is its own template."""
    own: Mapping[str, str] = getattr(game, "how", {})
    return own.get(outcome.reason) or WIN_DESCRIPTIONS.get(outcome.reason) or f"in {outcome.reason.replace('-', ' ')}"


def local_time_text(moment: str) -> str:
    """Return an ISO time by the table's own clock, such as April 1, 2026, 7:05 PM; "" if it is not known."""
    try:
        began = datetime.fromisoformat(moment).astimezone()
    except (ValueError, TypeError, OverflowError):
        return ""
    half = "AM" if began.hour < 12 else "PM"
    return f"{began:%B} {began.day}, {began.year}, {began.hour % 12 or 12}:{began:%M} {half}"


def player_surname(name: str) -> str:
    """Return the last word of a name."""
    return name.split()[-1] if name.split() else name


@dataclass(frozen=True, slots=True)
class TvPlay:
    """A play of the television's page: what one answer caused, and its greatest moment."""

    sentence: str
    scored: int
    moment: Moment


@dataclass(frozen=True, slots=True)
class HalfInningPlay:
    """One play of a half-inning: everything that one answer caused."""

    sentence: str
    scored: int
    evidence: str | None
    corrected: bool


@dataclass(frozen=True, slots=True)
class HalfInningPlays:
    """The plays of a half-inning, newest first. `several`: the log holds more than one game."""

    game: int
    inning: int
    half: Half
    name: str
    several: bool
    plays: Sequence[HalfInningPlay]
    runs: int


def plays_by_half(plays: Sequence[PlayView]) -> list[HalfInningPlays]:
    """Return plays grouped by half-inning, newest first; what one answer caused is one play.

    If the log holds several games, a group's `name` says which, and who bats is one of its plays: the teams on the
    table may be others by now.
    """
    groups = []
    several = any(line.game > 1 for line in plays)
    for (game, inning, half), lines in groupby(plays, key=lambda line: (line.game, line.inning, line.half)):
        found = []
        shown = (line for line in lines if several or line.code != "half-inning")
        for _, same in groupby(shown, key=lambda line: line.n):
            answer = list(same)
            sentence, scored = " ".join(line.sentence for line in answer), sum(line.scored for line in answer)
            found.append(HalfInningPlay(sentence, scored, newest_picture_name(answer), is_corrected(answer)))
        name = f"{'Top' if half == 'top' else 'Bottom'} of the {ordinal_text(inning)}"
        name = f"Game {game} · {name}" if several else name
        runs = sum(play.scored for play in found)
        groups.append(HalfInningPlays(game, inning, half, name, several, found[::-1], runs))
    return groups[::-1]


def log_page(plays: Sequence[PlayView], at: int) -> tuple[Sequence[PlayView], int]:
    """Return a page of the play log of a stored game, and how many pages there are (`web.port.log_part`)."""
    part, pages = log_page_range(len(plays), at)
    return plays[part.start : part.stop], pages


def proof_address(read: ProposalView) -> str:
    """Return the address of the picture of a roll that does not count yet.

    If the dice are thrown again, the next picture has the same name, and so has the one that counts. A page shows a
    picture that it has for the same address, so what was read is part of it.
    """
    said = " ".join(filter(None, (read.words, read.doubt)))
    return f"/evidence/{read.evidence}.jpg?{quote(said, safe='')}"


def newest_picture_name(lines: Sequence[PlayView]) -> str | None:
    """Return the name of the picture of the dice in the newest of these plays."""
    return next((line.evidence for line in lines if line.n == lines[-1].n and line.evidence), None)


def is_corrected(lines: Sequence[PlayView]) -> bool:
    """Return True if a person corrected the values read from that picture."""
    return any(line.corrected for line in lines if line.n == lines[-1].n)


def last_plays(logs: tuple[Sequence[PlayView], Sequence[PlayView]]) -> list[TvPlay]:
    """Return the last plays, newest first, from those of this half-inning and those just before.

    Draws of cards and beginnings of half-innings are left out, so the third out stays until
    the next half-inning's first play.
    """
    now, before = logs
    found = []
    for _, same in groupby((*before, *now), key=lambda line: line.n):
        answer = list(same)
        moments = [line.moment for line in answer if line.moment and line.moment != "half-inning"]
        sentence = " ".join(line.sentence for line in answer if line.code != "half-inning")
        if moments:
            moment = min(moments, key=RANKED_MOMENTS.index)
            found.append(TvPlay(sentence, sum(line.scored for line in answer), moment))
    return found[::-1]


def side_abbreviations(sides: Mapping[Seat, SideScore]) -> dict[Seat, str]:
    """Return a different abbreviation of three letters for each side: the initials of three words, or first letters."""
    found = {seat: _name_abbreviation(side.name) for seat, side in sides.items()}
    if found["away"] == found["home"]:
        found = {seat: f"{short[:2]}{seat[0].upper()}" for seat, short in found.items()}
    return found


def _name_abbreviation(name: str) -> str:
    words = name.split()
    letters = "".join(word[0] for word in words) if len(words) > 2 else "".join(words)
    return letters[:3].upper()


def label_size(name: str) -> float:
    """Return the size of a runner's name beside a base, in units of the drawing, so that it fits into 90 of them."""
    return round(min(13.0, 90 / (0.6 * max(1, len(name)))), 2)


def name_length_class(name: str) -> str:
    """Return "long" or "longer" for a name with a word of more than 9 or 14 letters, so that it need not break."""
    longest = max((len(part) for part in re.split(r"[\s-]+", name)), default=0)
    return "longer" if longest > 14 else "long" if longest > 9 else ""


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The last play that dice decided, with the picture of its dice, what has happened `since`, "" for nothing, and the
    plays before it, newest first. `clip` is True if there is a clip of the throw beside the picture."""

    sentence: str
    evidence: str | None
    corrected: bool
    since: str
    clip: bool = False
    earlier: Sequence[str] = ()


def last_play(view: AudienceView | ReplayedMoment, last: str) -> LastPlay:
    """Return the last play of a view. Choices and draws do not replace it, only the next throw does.

    `last` is the last sentence of the table: it stands alone while no throw is among the lines of the view.
    """
    lines = [*view.before, *view.plays]
    newest = next((line.n for line in reversed(lines) if line.thrown), None)
    if newest is None:
        return LastPlay(last, newest_picture_name(view.plays), is_corrected(view.plays), "", has_clip(view.plays))
    told = [line for line in lines if line.n == newest]
    since = [line.sentence for line in lines if newest < line.n == lines[-1].n]
    sentence = " ".join(line.sentence for line in told)
    earlier = tuple(play.sentence for play in last_plays((view.plays, view.before)) if play.sentence != sentence)
    return LastPlay(sentence, newest_picture_name(told), is_corrected(told), " ".join(since), has_clip(told), earlier)


def has_clip(lines: Sequence[PlayView]) -> bool:
    """Return True if there is a clip of the throw beside that picture."""
    return any(line.clip for line in lines if line.n == lines[-1].n)


def ordinary_notice(view: AudienceView) -> str:
    """Return what a view's notice says beside its warnings, which have a place of their own; "" for nothing."""
    return (view.notice or "").removeprefix(" ".join(view.warnings)).strip()


def typographic_signs(words: str) -> str:
    """Print the signs of numbers: −1 with a minus, 0 without a sign."""
    return re.sub(r"(?<=\s)[+-]0\b", "0", re.sub(r"(?<=\s)-(?=[1-9])", "−", words))


def _game_assets(suffix: str) -> dict[str, str]:
    """Return the addresses of the games' own style sheets or scripts, at most one for each game, by its key."""
    return {path.stem: f"/static/games/{path.name}" for path in sorted((STATIC_FOLDER / "games").glob(f"*.{suffix}"))}


_templates = Environment(
    loader=PackageLoader("web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters |= {
    "ordinal": ordinal_text,
    "count": count_with_noun,
    "begun": skipped_innings,
    "day": local_time_text,
    "surname": player_surname,
    "how": win_description,
    "halves": plays_by_half,
    "proof_address": proof_address,
    "picture_of": newest_picture_name,
    "corrected": is_corrected,
    "last_play": last_play,
    "signs": typographic_signs,
    "ordinary_notice": ordinary_notice,
    "last_plays": last_plays,
    "abbreviations": side_abbreviations,
    "label_size": label_size,
    "word_size": name_length_class,
    "seat_words": seat_label,
}
GAME_TEMPLATES = frozenset(name for name in _templates.list_templates() if name.startswith("panel/games/"))
"""The games' own templates, at most one for each game."""

_templates.globals |= {
    "SEATS": SEATS,
    "ASK_WHEN": ASK_PREFERENCE_LABELS,
    "STRENGTH_WORDS": STRENGTH_WORDS,
    "PACE_WORDS": PACE_WORDS,
    "portrait": portrait_svg,
    "portrait_address": portrait_address,
    "game_styles": _game_assets("css"),
    "game_scripts": _game_assets("js"),
    "game_pictures": " ".join(path.stem for path in sorted((STATIC_FOLDER / "games").glob("*.svg"))),
}


def game_template(key: str, facts: TemplateFacts) -> TemplateModule | None:
    """Return the macros and values of a game's own template; None if it has none.

    docs/develop/architecture.md lists what pages use from it. `facts` are what every region is rendered with.
    """
    name = f"panel/games/{key}.html"
    return _templates.get_template(name).make_module(facts) if name in GAME_TEMPLATES else None


def _render_text(name: str, facts: TemplateFacts) -> str:
    """Return a template as text without hidden characters: old games and strangers' decks may have any."""
    return printable_text(_templates.get_template(name).render(facts))


def render_panel(view: AudienceView) -> dict[str, str]:
    """Return the game panel of one audience as HTML, by region."""
    return _render_regions(PANEL_REGIONS, view, view.table)


def render_tv_panel(view: AudienceView, chances: Sequence[OutcomeChanceView] = ()) -> dict[str, str]:
    """Return the regions of the television's page as HTML by name, for spectators.

    `chances` are those of the roll that is asked for.
    """
    facts = _template_facts(view, view.table) | {"chances": chances}
    return {name: _render_text(f"tv/{name}.html", facts).strip() for name in TV_REGIONS}


def render_replay_regions(moment: ReplayedMoment, names: Sequence[str] = REPLAY_REGIONS) -> dict[str, str]:
    """Return regions for a moment of a stored game, as HTML by name."""
    shown = replace(moment, last=" ".join(line.sentence for line in moment.plays))
    return _render_regions(names, shown, shown)


def _template_facts(view: AudienceView | ReplayedMoment, table: TableView | ReplayedMoment) -> TemplateFacts:
    """Return what every region is rendered with. `idle`: no game is in play, as between two games of a season.
    `managed`: the computer managers by the side that their seat plays now.
    """
    board = table.scoreboard
    managed = {board.plays[seat]: manager for seat, manager in view.managers.items() if seat in board.plays}
    facts = {"view": view, "table": table, "board": board, "sides": board.sides, "managed": managed}
    game = game_template(board.game, facts)
    return facts | {"game": game, "idle": bool(getattr(game, "idle", False))}


def _render_regions(
    names: Sequence[str], view: AudienceView | ReplayedMoment, table: TableView | ReplayedMoment
) -> dict[str, str]:
    facts = _template_facts(view, table)
    return {name: _render_text(f"panel/{name}.html", facts).strip() for name in names}


def render_own_panel(mine: AudienceView, public: AudienceView) -> dict[str, str]:
    """Return the regions of a seat's page alone: its secrets, what it is asked, who is at the plate, and the last play
    with a button to correct its roll.
    """
    everybodys = public.table.scoreboard.panel
    own = {key: value for key, value in mine.table.scoreboard.panel.items() if everybodys.get(key) != value}
    facts = _template_facts(mine, mine.table) | {"own": own, "seat": mine.table.seat}
    return {name: _render_text(f"panel/{name}.html", facts).strip() for name in ("own", "asking", "plate", "dice")}


def render_seat_panel(mine: AudienceView, public: AudienceView) -> dict[str, str]:
    """Return the panel of a seat's page: the public regions, and the seat's own ones."""
    return render_panel(public) | render_own_panel(mine, public)


def render_seat_page(view: AudienceView, regions: Mapping[str, str], seat: Seat) -> HTMLResponse:
    """Return the page of a seat."""
    return render_page(
        "seat.html", view=view, regions=regions, seat=seat, game=_template_facts(view, view.table)["game"]
    )


def render_page(
    name: str, status: int = 200, headers: Mapping[str, str] | None = None, /, **facts: Any
) -> HTMLResponse:
    """Return a whole page. It is never cached: it shows the game of this moment."""
    html = _render_text(name, facts)
    return HTMLResponse(html, status, {"Cache-Control": "no-store"} | dict(headers or {}))


def render_drawing(name: str, **facts: Any) -> str:
    """Return a template that is not a page."""
    return _render_text(name, facts)
