"""Templates of pages, and of the regions of the game panel that pages and streams share."""

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
from engine.games import GAMES
from engine.innings import Half, Outcome
from engine.scoreboard import Scoreboard, SideScore, seat_label
from engine.seats import SEATS, Seat
from engine.story_views import GameStory
from engine.text.numbers import chance_text
from engine.text.visible_text import printable_text
from engine.views import (
    AudienceView,
    ManagerView,
    OutcomeChanceView,
    PlayView,
    ProposalView,
    TableView,
    WinProbabilityView,
    json_data,
)
from web.render import league_tables
from web.render.between_games import BetweenGames
from web.render.body_marks import body_marks
from web.render.portrait import portrait_address, portrait_svg
from web.render.win_graph import chance_height, draw_win_graph, graph_points

PANEL_REGIONS = (
    "score",
    "lamps",
    "diamond",
    "now",
    "squads",
    "outcome",
    "dice",
    "line",
    "win",
    "box",
    "plays",
    "standing",
    "notes",
    "warning",
)
"""The regions of the game panel. Each is a template, and is replaced alone when it changes."""

OWN_REGIONS = ("own", "asking", "odds", "plate", "dice", "rematch")
"""The regions of a seat's page that differ from everybody's."""

TV_REGIONS = {
    "bug": "Score, inning and outs",
    "line": "Line score",
    "field": "Bases",
    "duel": "At the plate",
    "plays": "Last plays",
    "win": "Chance to win",
    "ask": "Questions",
    "dice": "Dice",
    "between": "Between half-innings",
    "cover": "Before and after the game",
    "league": "League",
    "warning": "Warnings",
}
"""The regions of the television's page, with their names for screen readers."""

REPLAY_REGIONS = ("score", "lamps", "diamond", "dice", "line", "chances")
"""The regions in a moment of a replay."""

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
"""Descriptions of a win by reason. A game's template may add some, and other reasons are shown unchanged."""

PACE_WORDS = {"normal": "Normal", "brisk": "Brisk", "instant": "Instant"}
"""The paces of computer managers for people."""

STATIC_FOLDER = Path(__file__).parents[1] / "static"
"""The folder served as /static."""

ORDINAL_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}
"""Suffixes by last digit. All others have "th"."""


TemplateFacts = dict[str, Any]
"""The variables of a template by name."""


def ordinal_text(number: int) -> str:
    """Return an ordinal such as 1st, 2nd or 11th."""
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ORDINAL_SUFFIXES.get(number % 10, 'th')}"


def count_with_noun(number: int, word: str, many: str = "") -> str:
    """Return a count with its noun, such as "1 run" or "2 dice"."""
    return f"{number} {word if number == 1 else many or word + 's'}"


@dataclass(frozen=True, slots=True)
class ReplayedMoment:
    """A moment of a stored game, with the fields of `TableView` and `AudienceView` that `REPLAY_REGIONS` need."""

    scoreboard: Scoreboard
    outcome: Outcome | None
    plays: Sequence[PlayView]
    before: Sequence[PlayView] = ()
    last: str = ""
    box: Mapping[Seat, SideBoxScore] | None = None
    story: None = None
    race: None = None
    managers: Mapping[Seat, ManagerView] = field(default_factory=dict)
    win: WinProbabilityView | None = None
    people: Mapping[Seat, str] = field(default_factory=dict)
    league: str = ""


def skipped_innings(board: Scoreboard) -> int:
    """Return the number of innings before the first one played, 8 in a game of only the ninth, else 0."""
    played = [i for side in board.sides.values() for i, runs in enumerate(side.line) if runs is not None]
    return min([*played, board.inning - 1])


def win_description(outcome: Outcome, game: TemplateModule | None = None) -> str:
    """Return a description of the win, such as "on a walk-off". `game` is the game's own template."""
    own: Mapping[str, str] = getattr(game, "how", {})
    return own.get(outcome.reason) or WIN_DESCRIPTIONS.get(outcome.reason) or f"in {outcome.reason.replace('-', ' ')}"


def local_time_text(moment: str) -> str:
    """Return an ISO time in the table's time zone, such as "April 1, 2026, 7:05 PM". "" if it is unknown."""
    try:
        began = datetime.fromisoformat(moment).astimezone()
    except (ValueError, TypeError, OverflowError):
        return ""
    half = "AM" if began.hour < 12 else "PM"
    return f"{began:%B} {began.day}, {began.year}, {began.hour % 12 or 12}:{began:%M} {half}"


def player_surname(name: str) -> str:
    return name.split()[-1] if name.split() else name


@dataclass(frozen=True, slots=True)
class TvPlay:
    """A play on the TV page: all events of one answer, and the greatest moment among them."""

    sentence: str
    scored: int
    moment: Moment


@dataclass(frozen=True, slots=True)
class HalfInningPlay:
    """A play of a half-inning, with all events of one answer."""

    sentence: str
    scored: int
    evidence: str | None
    corrected: bool


@dataclass(frozen=True, slots=True)
class HalfInningPlays:
    """The plays of a half-inning, newest first. `several` is True if the log holds more than one game."""

    game: int
    inning: int
    half: Half
    name: str
    several: bool
    plays: Sequence[HalfInningPlay]
    runs: int


def plays_by_half(plays: Sequence[PlayView]) -> list[HalfInningPlays]:
    """Return plays grouped by half-inning, newest first. All events of one answer are one play.

    If the log holds several games, the first play names the batting team, because others may be on the table now.
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
    """Return a page of the play log of a stored game, and the number of pages (`device.shapes.log_page_range`)."""
    part, pages = log_page_range(len(plays), at)
    return plays[part.start : part.stop], pages


def proposal_picture_address(read: ProposalView) -> str:
    """Return the address of the picture of a proposed roll.

    The next picture has the same name after the dice are thrown again, and so has the one that counts. The reading in
    the address keeps pages from showing a cached picture.
    """
    said = " ".join(filter(None, (read.words, read.doubt)))
    return f"/evidence/{read.evidence}.jpg?{quote(said, safe='')}"


def newest_picture_name(lines: Sequence[PlayView]) -> str | None:
    return next((line.evidence for line in lines if line.n == lines[-1].n and line.evidence), None)


def is_corrected(lines: Sequence[PlayView]) -> bool:
    return any(line.corrected for line in lines if line.n == lines[-1].n)


def last_plays(logs: tuple[Sequence[PlayView], Sequence[PlayView]]) -> list[TvPlay]:
    """Return the last plays, newest first, from (those of this half-inning, those just before).

    Without draws and half-innings, so the third out stays until the first play of the next half-inning.
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
    """Return an abbreviation of three letters for each side: the initials of three words, or the first letters."""
    found = {seat: _name_abbreviation(side.name) for seat, side in sides.items()}
    if found["away"] == found["home"]:
        found = {seat: f"{short[:2]}{seat[0].upper()}" for seat, short in found.items()}
    return found


def _name_abbreviation(name: str) -> str:
    words = name.split()
    letters = "".join(word[0] for word in words) if len(words) > 2 else "".join(words)
    return letters[:3].upper()


def label_size(name: str) -> float:
    """Return the font size of a runner's name at a base, so that it fits into 90 units of the drawing."""
    return round(min(13.0, 90 / (0.6 * max(1, len(name)))), 2)


def name_length_class(name: str) -> str:
    """Return "long" or "longer" for a name with a word of more than 9 or 14 letters, so that it need not break."""
    longest = max((len(part) for part in re.split(r"[\s-]+", name)), default=0)
    return "longer" if longest > 14 else "long" if longest > 9 else ""


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The last play that dice decided, with the picture of its dice.

    since: later events, "" for none.
    clip: True if there is a clip of the throw.
    earlier: the plays before it, newest first.
    by_table: True if the table rolled for a computer.
    """

    sentence: str
    evidence: str | None
    corrected: bool
    since: str
    clip: bool = False
    earlier: Sequence[str] = ()
    by_table: bool = False


def last_play(view: AudienceView | ReplayedMoment, last: str) -> LastPlay:
    """Return the last play of a view, which only the next throw replaces. `last` is used while there is no throw."""
    lines = [*view.before, *view.plays]
    newest = next((line.n for line in reversed(lines) if line.thrown), None)
    if newest is None:
        return LastPlay(last, newest_picture_name(view.plays), is_corrected(view.plays), "", has_clip(view.plays))
    told = [line for line in lines if line.n == newest]
    since = [line.sentence for line in lines if newest < line.n == lines[-1].n]
    sentence = " ".join(line.sentence for line in told)
    earlier = tuple(play.sentence for play in last_plays((view.plays, view.before)) if play.sentence != sentence)
    by_table = any(line.by_table for line in told)
    picture, is_wrong, clip = newest_picture_name(told), is_corrected(told), has_clip(told)
    return LastPlay(sentence, picture, is_wrong, " ".join(since), clip, earlier, by_table)


def has_clip(lines: Sequence[PlayView]) -> bool:
    return any(line.clip for line in lines if line.n == lines[-1].n)


def ordinary_notice(view: AudienceView) -> str:
    """Return the notice of a view without its warnings, which are shown elsewhere. "" for none."""
    return (view.notice or "").removeprefix(" ".join(view.warnings)).strip()


def format_signed_numbers(words: str) -> str:
    """Format signed numbers, −1 with a minus and 0 without a sign."""
    return re.sub(r"(?<=\s)[+-]0\b", "0", re.sub(r"(?<=\s)-(?=[1-9])", "−", words))


def has_lesson(key: str) -> bool:
    """True if people can learn this game in cards."""
    return key in GAMES and GAMES[key].lesson is not None


def offers_lesson(view: AudienceView | ReplayedMoment) -> bool:
    """True if a game can be learned in cards, and no dice have been thrown in it yet."""
    if isinstance(view, ReplayedMoment) or any(line.thrown for line in (*view.before, *view.plays)):
        return False
    return has_lesson(view.game.key)


def wpa_text(added: float) -> str:
    """Return win probability added as statistics print it, such as "+.31", "−.05", "+1.02" or ".00"."""
    text = f"{added:+.2f}".replace("-", "−").replace("0.", ".")
    return ".00" if text[1:] == ".00" else text


def wpa_by_player(story: GameStory | None) -> dict[Seat, dict[str, str]]:
    """Return the win probability added by each player of each side, {} if there is none."""
    sides = story.contributions if story else {}
    return {seat: {one.name: wpa_text(one.added) for one in players} for seat, players in sides.items()}


def _game_assets(suffix: str) -> dict[str, str]:
    """Return the addresses of the games' own style sheets or scripts by game, at most one for each."""
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
    "proof_address": proposal_picture_address,
    "picture_of": newest_picture_name,
    "corrected": is_corrected,
    "last_play": last_play,
    "signs": format_signed_numbers,
    "ordinary_notice": ordinary_notice,
    "last_plays": last_plays,
    "abbreviations": side_abbreviations,
    "label_size": label_size,
    "word_size": name_length_class,
    "seat_words": seat_label,
    "chance": chance_text,
    "chance_height": chance_height,
    "graph_points": graph_points,
    "wpa": wpa_text,
    "json_data": json_data,
    "wpa_by_player": wpa_by_player,
}
GAME_TEMPLATES = frozenset(name for name in _templates.list_templates() if name.startswith("panel/games/"))
"""The games' own templates, at most one for each game."""

_templates.globals |= {
    "SEATS": SEATS,
    "ASK_WHEN": ASK_PREFERENCE_LABELS,
    "PACE_WORDS": PACE_WORDS,
    "body_marks": body_marks,
    "has_lesson": has_lesson,
    "offers_lesson": offers_lesson,
    "portrait": portrait_svg,
    "portrait_address": portrait_address,
    "win_graph": draw_win_graph,
    "game_styles": _game_assets("css"),
    "game_scripts": _game_assets("js"),
    "game_pictures": " ".join(path.stem for path in sorted((STATIC_FOLDER / "games").glob("*.svg"))),
}


def game_template(key: str, facts: TemplateFacts) -> TemplateModule | None:
    """Return the macros and values of a game's own template, or None.

    docs/develop/architecture.md lists those that pages use. `facts` are the variables of every region.
    """
    name = f"panel/games/{key}.html"
    return _templates.get_template(name).make_module(facts) if name in GAME_TEMPLATES else None


def _render_text(name: str, facts: TemplateFacts) -> str:
    """Render a template without hidden characters, which old games and strangers' decks may contain."""
    return printable_text(_templates.get_template(name).render(facts))


def render_panel(view: AudienceView, chances: Sequence[OutcomeChanceView] = ()) -> dict[str, str]:
    """Return everybody's panel as HTML by region. `chances` are those of the open roll."""
    return _render_regions(PANEL_REGIONS, view, view.table, chances)


def render_tv_panel(
    view: AudienceView, chances: Sequence[OutcomeChanceView] = (), between: BetweenGames | None = None
) -> dict[str, str]:
    """Return the panel of the television's page as HTML by region. `chances` are those of the open roll."""
    facts = _template_facts(view, view.table, chances) | {"between": between, "tables": league_tables}
    return {name: _render_text(f"tv/{name}.html", facts).strip() for name in TV_REGIONS}


def render_replay_regions(moment: ReplayedMoment, names: Sequence[str] = REPLAY_REGIONS) -> dict[str, str]:
    shown = replace(moment, last=" ".join(line.sentence for line in moment.plays))
    return _render_regions(names, shown, shown)


def _template_facts(
    view: AudienceView | ReplayedMoment,
    table: TableView | ReplayedMoment,
    chances: Sequence[OutcomeChanceView] = (),
) -> TemplateFacts:
    """Return the variables of every region.

    `idle` is True if no game is in play, as between two games of a season. `managed` has the managers by side played,
    and `people` the names of people. A batter who is on base is no longer at the plate.
    """
    board = table.scoreboard
    board = replace(board, batter=None) if board.batter in board.bases else board
    managed = {board.plays[seat]: manager for seat, manager in view.managers.items() if seat in board.plays}
    people = {board.plays[seat]: name for seat, name in view.people.items() if seat in board.plays}
    facts: TemplateFacts = {"view": view, "table": table, "board": board, "sides": board.sides, "chances": chances}
    facts |= {"managed": managed, "people": people}
    game = game_template(board.game, facts)
    return facts | {"game": game, "idle": bool(getattr(game, "idle", False))}


def _render_regions(
    names: Sequence[str],
    view: AudienceView | ReplayedMoment,
    table: TableView | ReplayedMoment,
    chances: Sequence[OutcomeChanceView] = (),
) -> dict[str, str]:
    facts = _template_facts(view, table, chances)
    return {name: _render_text(f"panel/{name}.html", facts).strip() for name in names}


def render_own_panel(
    mine: AudienceView, public: AudienceView, chances: Sequence[OutcomeChanceView] = ()
) -> dict[str, str]:
    """Return the private regions of a seat's page, its last play, which has a button to correct the roll, and odds."""
    everybodys = public.table.scoreboard.panel
    own = {key: value for key, value in mine.table.scoreboard.panel.items() if everybodys.get(key) != value}
    facts = _template_facts(mine, mine.table, chances) | {"own": own, "seat": mine.table.seat}
    return {name: _render_text(f"panel/{name}.html", facts).strip() for name in OWN_REGIONS}


def render_seat_panel(
    mine: AudienceView, public: AudienceView, chances: Sequence[OutcomeChanceView] = ()
) -> dict[str, str]:
    return render_panel(public, chances) | render_own_panel(mine, public, chances)


def render_seat_page(
    view: AudienceView, regions: Mapping[str, str], seat: Seat, operator: bool = False, demo: bool = False
) -> HTMLResponse:
    """Return a seat's page. `operator` adds the operator's few tools for playing alone, `demo` the virtual dice."""
    game = _template_facts(view, view.table)["game"]
    return render_page("seat.html", view=view, regions=regions, seat=seat, game=game, operator=operator, demo=demo)


def render_page(
    name: str, status: int = 200, headers: Mapping[str, str] | None = None, /, **facts: Any
) -> HTMLResponse:
    """Return a page that is never cached, because it shows the current game."""
    html = _render_text(name, facts)
    return HTMLResponse(html, status, {"Cache-Control": "no-store"} | dict(headers or {}))


def render_drawing(name: str, **facts: Any) -> str:
    return _render_text(name, facts)
