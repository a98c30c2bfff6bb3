"""Content of the screens for any height: names, who must do what, advice, a roll, a race, a secret.

Nothing is drawn here. `screens_64` and `screens_32` place it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from device.display.games import GameScreens, load_game_screens
from device.display.lettering import ascii_text, capped_number, text_width, truncated_text, wrapped_lines
from device.display.pages import text_pages
from engine.ask_views import ArrangeView, AskView, CallView, ChooseView, DieView, NotedOption, RerollView, RollView
from engine.dice import Face
from engine.innings import Outcome
from engine.printed_board import BOARD_AREAS
from engine.scoreboard import Scoreboard, SideScore
from engine.seats import SEATS, Seat
from engine.views import AudienceView, ButtonEntryView, ProposalView, RaceView, SecretButtonEntryView, TableView

DICE_ASK_KINDS = ("roll", "reroll")  # kinds of asks that are answered with dice
MAX_RECENT_DICE = 4  # maximum dice shown next to the title

RACE_STATE_WORDS = {"rolling": "roll", "ready": "OK!", "void": "void", "called": "called", "confirm": "asked"}
"""State of a side in a race, in one word."""

RACE_STATE_HINTS = {"rolling": "then OK", "void": "roll again"}  # what to do in a state whose word does not say it
MOVING_CAMERA_STATES = ("moving", "hand")  # states with a roll under way
IDLE_CAMERA_STATES = ("empty", "settled")  # states of a camera that waits for a throw

# The scoreboard ------------------------------------------------------------------------------------------------------


def game_screens(board: Scoreboard) -> GameScreens:
    """Screen parts that this game draws itself."""
    return load_game_screens(board.game)


def recent_dice(board: Scoreboard, asks: Sequence[AskView]) -> Sequence[Any]:
    """Last dice, if they are few. Empty during a reroll, which shows them larger."""
    dice: Sequence[Any] = board.dice
    if game_screens(board).numerals:
        dice = [str(face) for face in dice]
    return () if len(dice) > MAX_RECENT_DICE or any(ask.kind == "reroll" for ask in asks) else dice


def short_names(sides: Mapping[Seat, SideScore], room: int) -> dict[Seat, str]:
    """Team names in at most `room` pixels of unbolded text. A long name becomes its last word if these differ."""
    whole = {seat: ascii_text(side.name) or seat.title() for seat, side in sides.items()}
    last = {seat: name.split()[-1] for seat, name in whole.items()}
    apart = len(set(last.values())) == len(last)
    return {
        seat: truncated_text(name if text_width(name) <= room or not apart else last[seat], room)
        for seat, name in whole.items()
    }


def side_of_seat(board: Scoreboard, seat: Seat | None) -> Seat | None:
    return None if seat is None else board.plays.get(seat)


def names_by_seat(board: Scoreboard, names: Mapping[Seat, str]) -> dict[Seat, str]:
    """Names of the sides by the seats that play them."""
    return {seat: names[side] for seat in SEATS if (side := side_of_seat(board, seat))}


def score_labels(sides: Mapping[Seat, SideScore], runs: Mapping[Seat, str], room: int) -> dict[Seat, str]:
    """Both teams with their runs, each name in at most `room` pixels."""
    return {seat: f"{short} {runs[seat]}".lstrip() for seat, short in team_abbreviations(sides, room).items()}


def team_abbreviations(sides: Mapping[Seat, SideScore], room: int) -> dict[Seat, str]:
    """First letters of the team names that fit into `room` pixels, or A and H if they are equal.

    They come from the last words of the names, or from the first if the last are equal.
    """
    found = {seat: ascii_text(sides[seat].name).split() for seat in SEATS}
    place = 0 if found["away"][-1:] == found["home"][-1:] else -1
    words = {seat: parts[place] if parts else "" for seat, parts in found.items()}
    for seat, word in words.items():
        while text_width(words[seat]) > room:
            words[seat] = words[seat][:-1]
        if words[seat] != word:
            words[seat] = words[seat].rstrip("-.,:;'")
    return words if len({*words.values(), ""}) == 3 else {"away": "A", "home": "H"}


def score_figures(board: Scoreboard) -> list[str]:
    stake, count, fatigue = board.stake, board.count, board.fatigue
    return [
        *([f"+{capped_number(stake, 2)}"] if stake else []),
        *([f"{capped_number(count[0], 1)}-{capped_number(count[1], 1)}"] if count else []),
        *([f"F{capped_number(fatigue, 2)}"] if fatigue is not None else []),
    ]


# Who must do what ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnContent:
    """Content below the score, apart from a secret."""

    asks: Sequence[AskView]  # asks that are shown: the one selected with the buttons, or all
    waiting: bool
    """True while dice are awaited and no button was pressed. Until then the camera decides."""
    again: RerollView | None  # current dice, while some of them may be rerolled
    entry: ButtonEntryView | None  # entry made with the buttons, if shown

    @classmethod
    def from_view(cls, view: AudienceView) -> TurnContent:
        dial = view.dial
        asks = [ask for ask in view.table.asks if dial and ask.n == dial.n] or view.table.asks
        waiting = bool(asks) and asks[0].kind in DICE_ASK_KINDS and not (dial and dial.touched)
        again = asks[0] if waiting and isinstance(asks[0], RerollView) else None
        return cls(asks, waiting, again, None if waiting else dial)


@dataclass(frozen=True, slots=True)
class DecisionHeading:
    """Decision with its seat and its title, or a part of it. The first line follows the tag."""

    tag: str = ""
    """Team name, or its first letter if there is no space. "" if nobody is asked."""
    lines: Sequence[str] = ()
    whole: bool = True  # True if the title is complete
    named: bool = True  # True if the tag is the complete name


def tag_width(tag: str) -> int:
    """Width of a tag in pixels, including the gap after it. 0 for ""."""
    return text_width(tag) + 5 if tag else 0


def decision_headings(turn: TurnContent, names: Mapping[Seat, str], room: int, lines: int = 1) -> list[DecisionHeading]:
    """Headings of the open decision in at most `lines` lines of `room` pixels, each to be shown in turn.

    A name that does not fit becomes its first letter, if those differ. A title that does not fit is split.
    """
    if not turn.asks:
        return [DecisionHeading()]
    seats = list(dict.fromkeys(ask.seat for ask in turn.asks))
    name = names.get(seats[0], seats[0]) if len(seats) == 1 else "Both"
    tags = [name, *distinct_initials(names, name)]
    return [part for words in decision_titles(turn) for part in _title_headings(words, tags, room, lines)]


def _title_headings(words: str, tags: Sequence[str], room: int, lines: int) -> list[DecisionHeading]:
    """Title after the first of `tags` that leaves enough space, in as few lines as possible."""
    for many in range(1, lines + 1):
        for tag in tags:
            found = wrapped_lines(words, room, len(words) + 2, indent=tag_width(tag))
            if len(found) <= many and all(found):
                return [DecisionHeading(tag, found, True, tag == tags[0])]
    tag = tags[-1]
    return [
        DecisionHeading(tag, part, False, tag == tags[0]) for part in text_pages(words, room - tag_width(tag), lines)
    ]


def distinct_initials(names: Mapping[Seat, str], name: str) -> list[str]:
    """The first letter of a name in a list, if it differs from the other name's. Otherwise []."""
    apart = name in names.values() and len({one[:1] for one in names.values()}) == len(names)
    return [name[:1]] if apart else []


def decision_titles(turn: TurnContent) -> list[str]:
    """Titles of the open decision and its dice task, each to be shown in turn."""
    found = [decision_title(ask) for ask in turn.asks]
    if turn.again:
        found.append(dice_task(turn.again))
    return list(dict.fromkeys(found))


def decision_title(ask: AskView) -> str:
    """Short name of a decision, or a general task if its game gives it none."""
    return ask.title or dice_task(ask) or DEFAULT_TITLES.get(ask.kind, "Choose")


DEFAULT_TITLES = {"arrange": "Lay out", "draw": "Draw", "call": "Call"}
"""Titles by the kind of ask, for games that give none."""


def dice_task(ask: AskView) -> str:
    """Task for the dice of an ask: "Roll the d20", "Reroll 1 to 3 dice". "" for another ask."""
    if isinstance(ask, RerollView):
        most = min(ask.most, len(ask.free))
        return "Reroll 1 die" if most == 1 else f"Reroll 1 to {most} dice"
    if not isinstance(ask, RollView):
        return ""
    dice = ask.dice
    kinds = {die.kind for die in dice}
    if len(dice) == 1:
        colour = f"{dice[0].colour} " if dice[0].colour else ""
        return f"Roll the {colour}{'die' if kinds == {'d6'} else dice[0].kind}"
    return f"Roll {len(dice)} {kinds.pop() if len(kinds) == 1 and kinds != {'d6'} else 'dice'}"


def awaited_sides(board: Scoreboard, asks: Sequence[AskView]) -> set[Seat]:
    return {side for ask in asks if (side := side_of_seat(board, ask.seat))}


def thinking_sentences(view: AudienceView) -> list[str]:
    """What each computer manager is thinking about, if that takes long."""
    return [f"{one.name.split()[0]} {one.thinking}." for one in view.managers.values() if one.thinking]


def question_sentences(view: AudienceView, turn: TurnContent, named: bool) -> list[str]:
    """Sentences that take turns with the score: a proposed correction, the full question, option notes, and help.

    A question begins with the name of its side, unless a heading shows it (`named`). For a decision, the last sentence
    explains a number of the score, if the game has an explanation.
    """
    board = view.table.scoreboard
    names = names_by_seat(board, short_names(board.sides, 60))
    secret_ = any(ask.secret for ask in view.table.asks)
    asks = view.table.asks if secret_ else turn.asks
    found = [
        ask.sentence
        if named or _is_addressed_by_name(ask, board)
        else f"{names.get(ask.seat, ask.seat)}: {ask.sentence}"
        for ask in asks
        if ask.sentence
    ]
    if turn.entry:
        found.insert(0 if turn.entry.touched else len(found), option_note(asks, turn.entry))
    if secret_ or turn.waiting or turn.entry:
        found = [*thinking_sentences(view), *found]
    if view.correction:
        found.insert(0, view.correction.sentence)
    if turn.again or not turn.waiting:
        found += [*view.missing, *reopen_sentences(view, turn)]
    if not turn.waiting and not any(isinstance(ask, CallView) for ask in asks):
        found.append(game_screens(board).legend(board, asks))
    return list(dict.fromkeys(filter(None, found)))


def option_note(asks: Sequence[AskView], entry: ButtonEntryView) -> str:
    """The option under the cursor with its note, such as the odds of a steal. "" if it has none or is secret."""
    for ask in asks:
        if ask.n == entry.n and isinstance(ask, ChooseView) and entry.index is not None:
            options = ask.options[entry.index : entry.index + 1]
            return "".join(f"{one.label}: {one.note}" for one in options if isinstance(one, NotedOption) and one.note)
    return ""


def _is_addressed_by_name(ask: AskView, board: Scoreboard) -> bool:
    """True if a question begins with the name of the asked side, or addresses it by name."""
    side = side_of_seat(board, ask.seat)
    name = "" if side is None else board.sides[side].name
    said = ask.sentence
    return side is None or (bool(name) and (said.startswith(name) or f"{name}: " in said or f"{name}, " in said))


def reopen_sentences(view: AudienceView, turn: TurnContent) -> list[str]:
    """For each seat whose OK means "Wait", a sentence about the automatic answers that it would reopen."""
    names = names_by_seat(view.table.scoreboard, short_names(view.table.scoreboard.sides, 60))
    found = []
    for seat in SEATS:
        idle, asked = all(ask.seat != seat for ask in view.table.asks), view.standing.get(seat)
        less = asked is not None and not asked.waiting and any(topic.when != "always" for topic in asked.topics)
        # A seat may wait before a roll, too, but then nothing is asked until the dice are thrown.
        ahead = idle and less and any(ask.kind not in (*DICE_ASK_KINDS, "call") for ask in view.table.asks)
        if ahead or (seat in view.waits and (turn.waiting or idle)):
            given = ", ".join(one.words for one in view.automatic if one.seat == seat)
            found.append(f"{names.get(seat, seat)}: {given}{'. ' if given else ''}OK: wait.")
    return found


def turn_advice(view: AudienceView, turn: TurnContent, with_aim: bool = True) -> str:
    """Most helpful sentence: what is missing for a roll, what the camera sees, or what to roll.

    With `with_aim`, it follows the number that the roll must beat, unless dice are moving. The question says that, too.
    """
    asks, missing, watching = turn.asks, view.missing, view.watching
    rolling = any(ask.kind in DICE_ASK_KINDS for ask in asks)
    with_aim = with_aim and watching.state not in MOVING_CAMERA_STATES
    aim = game_screens(view.table.scoreboard).aim(view.table.scoreboard, asks) if rolling and with_aim else ""
    if missing and (rolling or not asks):
        return " ".join(filter(None, [aim, *missing]))
    if rolling:
        off = watching.state == "off"
        one = sum(len(dice_in_ask(ask)) for ask in asks) == 1
        enter = f"Turn < > to enter {'it' if one else 'the dice'}." if off else ""
        sees = "" if watching.state in (*IDLE_CAMERA_STATES, "off") else watching.words
        return " ".join(filter(None, [aim, sees or f"{dice_task(asks[0])}.", enter, *reopen_sentences(view, turn)]))
    if any(isinstance(ask, CallView) for ask in asks):
        return "Roll, and press OK to call."
    if view.dial is None and any(_is_board_arrangement(ask) for ask in asks):
        return "Looking at the board."
    return " ".join(thinking_sentences(view)) or ("" if asks else view.table.last)


def _is_board_arrangement(ask: AskView) -> bool:
    return isinstance(ask, ArrangeView) and {place.value for place in ask.places} <= set(BOARD_AREAS)


def short_advice(view: AudienceView, turn: TurnContent) -> str:
    """Shorter advice: what a roll must beat if the camera is ready, else as `turn_advice`."""
    board = view.table.scoreboard
    quiet = (
        turn.waiting
        and view.watching.state in IDLE_CAMERA_STATES
        and not view.missing
        and not reopen_sentences(view, turn)
    )
    return (game_screens(board).aim(board, turn.asks) if quiet else "") or turn_advice(view, turn)


def dice_in_ask(ask: AskView) -> Sequence[DieView]:
    """Dice of an ask, all of them for a reroll."""
    return ask.dice if isinstance(ask, RollView | RerollView) else ()


# A secret, a roll to confirm, a race, the end ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SecretSeatStatus:
    """Status of a seat during a secret choice: its titles, to be shown in turn, or a word."""

    seat: Seat
    words: Sequence[str]
    ready: bool


def lone_secret_entry(view: AudienceView) -> SecretButtonEntryView | None:
    """Entry of a secret that only one seat chooses. None if both choose, or if the buttons cannot enter it."""
    asked = {ask.seat for ask in view.table.asks}
    lone = len({*asked, *view.table.ready}) == 1 and any(ask.secret for ask in view.table.asks)
    return view.dial if lone and isinstance(view.dial, SecretButtonEntryView) else None


def secret_entry_hint(entry: ButtonEntryView | None) -> str:
    """Button hint for a secret choice, "" for any other."""
    return f"In secret: {entry.how}" if isinstance(entry, SecretButtonEntryView) else ""


def secret_seat_statuses(table: TableView, entry: ButtonEntryView | None) -> list[SecretSeatStatus]:
    asked = {ask.seat: ask for ask in table.asks}
    more = [entry.brief] if isinstance(entry, SecretButtonEntryView) and entry.brief else []
    found = []
    for seat in SEATS:
        ready = seat in table.ready
        words = [decision_title(asked[seat]), *more] if seat in asked else ["ready" if ready else "waits"]
        found.append(SecretSeatStatus(seat, words, seat not in asked and ready))
    return found


@dataclass(frozen=True, slots=True)
class RollContent:
    """Roll to confirm."""

    faces: Sequence[Face | None]  # faces of the dice, None for each die that was not seen
    left: float | None
    """Fraction of time left to stop a sure roll, 0 to 1. None if it waits for a person."""
    title: str  # who rolled, or what to do about a roll that waits
    named: str  # faces by die if a sure roll has several colors, else ""
    advice: str  # what to do about a doubt, or what has changed, else ""
    entry: ButtonEntryView | None  # entry made with the buttons
    buttons: str  # functions of the buttons without an entry

    @classmethod
    def from_view(cls, view: AudienceView, seen: ProposalView, room: int) -> RollContent:
        """Build the content for a proposed roll. The name of its side has `room` pixels."""
        board, dial = view.table.scoreboard, view.dial
        dice = [dice_in_ask(ask) for ask in view.table.asks if ask.n == seen.n]
        faces = [*seen.faces, *[None] * (max(map(len, dice), default=0) - len(seen.faces))]
        known = bool(faces) and None not in faces
        # Only a d6 has pips.
        kinds = chain((die.kind for one in dice for die in one), repeat("d6"))
        faces = [str(face) if face and kind != "d6" else face for face, kind in zip(faces, kinds, strict=False)]
        name = names_by_seat(board, short_names(board.sides, room)).get(seen.seat, "")
        if seen.sure and seen.seconds is not None:
            left = min(1.0, max(0.0, seen.seconds / seen.total)) if seen.total > 0 else 0.0
            title = f"{name} rolled"
            named = "" if seen.words == ", ".join(map(str, seen.faces)) else seen.words[:1].upper() + seen.words[1:]
            return cls(faces, left, title, named, seen.advice or "", None, "OK: keep | < >: change")
        advice = seen.advice or ""
        entry = dial if dial and dial.n == seen.n else None
        buttons = "OK: yes | < >: change" if known else "< >: enter the dice"
        title = f"{name}: right?" if known else f"{name}: not read"
        return cls(faces, None, title, "", advice, entry, buttons)


@dataclass(frozen=True, slots=True)
class RaceSide:
    """State of one side in a race.

    face: its last face.
    wins: faces that win.
    state: its state in one word.
    """

    name: str
    face: Face | None
    wins: str
    state: str
    then: str  # what to do if the state does not say it, else ""
    lit: bool  # True if it has called or may call


def race_sides(view: AudienceView, run: RaceView) -> dict[Seat, RaceSide]:
    names = short_names(view.table.scoreboard.sides, 43)
    found = {}
    for seat, one in run.seats.items():
        wins = (" or " if len(one.wins) < 3 else ", ").join(map(str, one.wins))
        lit = one.state in ("ready", "called", "confirm")
        found[seat] = RaceSide(
            names[seat],
            one.face,
            wins,
            RACE_STATE_WORDS.get(one.state, one.state),
            RACE_STATE_HINTS.get(one.state, ""),
            lit,
        )
    return found


def race_task_sentences(view: AudienceView, run: RaceView) -> list[str]:
    """Task of each side in a race, and the effect of its call. [] after the first die was seen."""
    begun = run.confirm or any(one.face is not None or one.state != "rolling" for one in run.seats.values())
    return [] if begun else question_sentences(view, TurnContent.from_view(view), False)


def call_question(caller: RaceSide) -> str:
    return f"{caller.name} called: what does the die show?"


def game_ending(view: AudienceView, outcome: Outcome) -> tuple[str, dict[Seat, bool]]:
    """Sentence about the end of the game, and whether each side won. A notice or a correction replaces the sentence."""
    board = view.table.scoreboard
    # A single player wins as a seat, whichever side that seat played. Otherwise a side wins.
    won = side_of_seat(board, outcome.winner) if len(board.plays) < len(SEATS) else outcome.winner
    said = view.notice or (view.correction.sentence if view.correction else outcome.sentence)
    return said, {seat: won == seat for seat in SEATS}
