"""What the screens say, whatever their height: names, who must do what, advice, a roll, a race, a secret.

Nothing is drawn here; `screens_64` and `screens_32` place it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from device.display.games import GameScreens, load_game_screens
from device.display.lettering import ascii_text, capped_number, text_width, truncated_text, wrapped_lines
from device.display.pages import text_pages
from engine.ask_views import ArrangeView, AskView, CallView, DieView, RerollView, RollView
from engine.dice import Face
from engine.innings import Outcome
from engine.printed_board import BOARD_AREAS
from engine.scoreboard import Scoreboard, SideScore
from engine.seats import SEATS, Seat
from engine.views import AudienceView, ButtonEntryView, ProposalView, RaceView, SecretButtonEntryView, TableView

DICE_ASK_KINDS = ("roll", "reroll")  # the kinds of asks that are answered with dice
MAX_RECENT_DICE = 4  # the most dice to show beside what is asked

RACE_STATE_WORDS = {"rolling": "roll", "ready": "OK!", "void": "void", "called": "called", "confirm": "asked"}
"""How a side stands in a race, in one word."""

RACE_STATE_HINTS = {"rolling": "then OK", "void": "roll again"}
"""What to do in such a state, where the word alone does not say it."""

MOVING_CAMERA_STATES = ("moving", "hand")  # those in which a roll is under way
IDLE_CAMERA_STATES = ("empty", "settled")  # the states of a camera that only waits for a throw

# The scoreboard ------------------------------------------------------------------------------------------------------


def game_screens(board: Scoreboard) -> GameScreens:
    """Return what the game of this scoreboard draws in its own way."""
    return load_game_screens(board.game)


def recent_dice(board: Scoreboard, asks: Sequence[AskView]) -> Sequence[Any]:
    """Return the last dice, if they are few; none while some may be thrown again, since those are shown larger."""
    dice: Sequence[Any] = board.dice
    if game_screens(board).numerals:
        dice = [str(face) for face in dice]
    return () if len(dice) > MAX_RECENT_DICE or any(ask.kind == "reroll" for ask in asks) else dice


def short_names(sides: Mapping[Seat, SideScore], room: int) -> dict[Seat, str]:
    """Return the teams' names in at most `room` pixels of plain letters: whole, or the last word if those differ."""
    whole = {seat: ascii_text(side.name) or seat.title() for seat, side in sides.items()}
    last = {seat: name.split()[-1] for seat, name in whole.items()}
    apart = len(set(last.values())) == len(last)
    return {
        seat: truncated_text(name if text_width(name) <= room or not apart else last[seat], room)
        for seat, name in whole.items()
    }


def side_of_seat(board: Scoreboard, seat: Seat | None) -> Seat | None:
    """Return the side that a seat plays; None if it plays none."""
    return None if seat is None else board.plays.get(seat)


def names_by_seat(board: Scoreboard, names: Mapping[Seat, str]) -> dict[Seat, str]:
    """Return the names of the sides by the seats that play them."""
    return {seat: names[side] for seat in SEATS if (side := side_of_seat(board, seat))}


def score_labels(sides: Mapping[Seat, SideScore], runs: Mapping[Seat, str], room: int) -> dict[Seat, str]:
    """Return both teams with their runs, each name in at most `room` pixels."""
    return {seat: f"{short} {runs[seat]}".lstrip() for seat, short in team_abbreviations(sides, room).items()}


def team_abbreviations(sides: Mapping[Seat, SideScore], room: int) -> dict[Seat, str]:
    """Return the first letters of the teams' names that fit into `room` pixels; A and H if they are the same.

    They are those of the last words, or of the first if the last are the same.
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
    """Return stake, count and fatigue, as far as the game has them."""
    stake, count, fatigue = board.stake, board.count, board.fatigue
    return [
        *([f"+{capped_number(stake, 2)}"] if stake else []),
        *([f"{capped_number(count[0], 1)}-{capped_number(count[1], 1)}"] if count else []),
        *([f"F{capped_number(fatigue, 2)}"] if fatigue is not None else []),
    ]


# Who must do what ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnContent:
    """What is shown below the score, apart from a secret."""

    asks: Sequence[AskView]
    """The asks that are shown: the one that the buttons point at, or all."""
    waiting: bool
    """True while dice are awaited and no button was pressed: until then the camera decides."""
    again: RerollView | None
    """The dice that lie, while some of them may be thrown again."""
    entry: ButtonEntryView | None
    """The choice of the buttons, if it is shown."""

    @classmethod
    def from_view(cls, view: AudienceView) -> TurnContent:
        """Return what is shown of this view."""
        dial = view.dial
        asks = [ask for ask in view.table.asks if dial and ask.n == dial.n] or view.table.asks
        waiting = bool(asks) and asks[0].kind in DICE_ASK_KINDS and not (dial and dial.touched)
        again = asks[0] if waiting and isinstance(asks[0], RerollView) else None
        return cls(asks, waiting, again, None if waiting else dial)


@dataclass(frozen=True, slots=True)
class DecisionHeading:
    """Whose decision it is, and its title in lines, or a part of it; the first line stands behind the tag."""

    tag: str = ""
    """The team's name, or its first letter where the name has no room; "" if nobody is asked."""
    lines: Sequence[str] = ()
    whole: bool = True
    """True if the whole title is here."""
    named: bool = True
    """True if the tag is the whole name."""


def tag_width(tag: str) -> int:
    """Return the width of a tag in pixels, with the gap behind it; 0 for ""."""
    return text_width(tag) + 5 if tag else 0


def decision_headings(turn: TurnContent, names: Mapping[Seat, str], room: int, lines: int = 1) -> list[DecisionHeading]:
    """Return whose decision it is and its title, in at most `lines` lines of `room` pixels, each to be shown in turn.

    A name without room gives way to its first letter, if those differ. What still has no room follows in turn.
    """
    if not turn.asks:
        return [DecisionHeading()]
    seats = list(dict.fromkeys(ask.seat for ask in turn.asks))
    name = names.get(seats[0], seats[0]) if len(seats) == 1 else "Both"
    tags = [name, *distinct_initials(names, name)]
    return [part for words in decision_titles(turn) for part in _title_headings(words, tags, room, lines)]


def _title_headings(words: str, tags: Sequence[str], room: int, lines: int) -> list[DecisionHeading]:
    """Return a title behind the first of `tags` that leaves enough room, in as few lines as possible."""
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
    """Return the first letter of a name if it differs from that of the other, in a list; else nothing."""
    apart = name in names.values() and len({one[:1] for one in names.values()}) == len(names)
    return [name[:1]] if apart else []


def decision_titles(turn: TurnContent) -> list[str]:
    """Return what the open decision is called, and what is special about its answer, each to be shown in turn."""
    found = [decision_title(ask) for ask in turn.asks]
    if turn.again:
        found.append(dice_task(turn.again))
    return list(dict.fromkeys(found))


def decision_title(ask: AskView) -> str:
    """Return the short name of a decision, or in general what to do if its game gives it none."""
    return ask.title or dice_task(ask) or DEFAULT_TITLES.get(ask.kind, "Choose")


DEFAULT_TITLES = {"arrange": "Lay out", "draw": "Draw", "call": "Call"}
"""Titles by the kind of ask, for games that give none."""


def dice_task(ask: AskView) -> str:
    """Return what to do with the dice of an ask: "Roll the d20", "Reroll 1 to 3 dice"; "" for another ask."""
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
    """Return the sides that must answer."""
    return {side for ask in asks if (side := side_of_seat(board, ask.seat))}


def question_sentences(view: AudienceView, turn: TurnContent, named: bool) -> list[str]:
    """Return the sentences that take turns with the score: the whole question, and what else helps to answer it; before
    them a correction that a seat proposes.

    A question begins with the name of its side, unless a name beside it says it (`named`). Where there is
    something to decide, the last sentence says what a number of the score means, if the game says so.
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
    if view.correction:
        found.insert(0, view.correction.sentence)
    if turn.again or not turn.waiting:
        found += [*view.missing, *reopen_sentences(view, turn)]
    if not turn.waiting and not any(isinstance(ask, CallView) for ask in asks):
        found.append(game_screens(board).legend(board, asks))
    return list(dict.fromkeys(filter(None, found)))


def _is_addressed_by_name(ask: AskView, board: Scoreboard) -> bool:
    """True if a question begins with the name of the side that is asked, or turns to it by name."""
    side = side_of_seat(board, ask.seat)
    name = "" if side is None else board.sides[side].name
    said = ask.sentence
    return side is None or (bool(name) and (said.startswith(name) or f"{name}: " in said or f"{name}, " in said))


def reopen_sentences(view: AudienceView, turn: TurnContent) -> list[str]:
    """Return for each seat whose OK says "Wait", what it takes back, if anything was answered by itself yet."""
    names = names_by_seat(view.table.scoreboard, short_names(view.table.scoreboard.sides, 60))
    found = []
    for seat in SEATS:
        idle, asked = all(ask.seat != seat for ask in view.table.asks), view.standing.get(seat)
        less = asked is not None and not asked.waiting and any(topic.when != "always" for topic in asked.topics)
        # A seat may wait before a roll too, but then nothing more is asked until the dice are thrown.
        ahead = idle and less and any(ask.kind not in (*DICE_ASK_KINDS, "call") for ask in view.table.asks)
        if ahead or (seat in view.waits and (turn.waiting or idle)):
            given = ", ".join(one.words for one in view.automatic if one.seat == seat)
            found.append(f"{names.get(seat, seat)}: {given}{'. ' if given else ''}OK: wait.")
    return found


def turn_advice(view: AudienceView, turn: TurnContent, with_aim: bool = True) -> str:
    """Return the sentence that helps most now: what is missing for a roll, what the camera sees, or what to roll.

    `with_aim`: after what the roll must beat, which the question says too, unless dice are moving.
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
    return "" if asks else view.table.last


def _is_board_arrangement(ask: AskView) -> bool:
    """True if pieces are to be laid on the printed board."""
    return isinstance(ask, ArrangeView) and {place.value for place in ask.places} <= set(BOARD_AREAS)


def short_advice(view: AudienceView, turn: TurnContent) -> str:
    """Return the same in fewer words: what a roll must beat if the camera is ready, else what the camera sees."""
    board = view.table.scoreboard
    quiet = (
        turn.waiting
        and view.watching.state in IDLE_CAMERA_STATES
        and not view.missing
        and not reopen_sentences(view, turn)
    )
    return (game_screens(board).aim(board, turn.asks) if quiet else "") or turn_advice(view, turn)


def dice_in_ask(ask: AskView) -> Sequence[DieView]:
    """Return the dice of an ask, all of them for a reroll."""
    return ask.dice if isinstance(ask, RollView | RerollView) else ()


# A secret, a roll to confirm, a race, the end ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SecretSeatStatus:
    """What a seat does while somebody chooses in secret: its titles, to be shown in turn, or a word."""

    seat: Seat
    words: Sequence[str]
    ready: bool


def lone_secret_entry(view: AudienceView) -> SecretButtonEntryView | None:
    """Return how to enter a secret that one seat alone chooses; None if both choose, or the buttons cannot."""
    asked = {ask.seat for ask in view.table.asks}
    lone = len({*asked, *view.table.ready}) == 1 and any(ask.secret for ask in view.table.asks)
    return view.dial if lone and isinstance(view.dial, SecretButtonEntryView) else None


def secret_entry_hint(entry: ButtonEntryView | None) -> str:
    """Return what the buttons do in a secret choice; "" in another one."""
    return f"In secret: {entry.how}" if isinstance(entry, SecretButtonEntryView) else ""


def secret_seat_statuses(table: TableView, entry: ButtonEntryView | None) -> list[SecretSeatStatus]:
    """Return what the seats do while somebody chooses in secret: what they choose, or a word."""
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
    """A roll to confirm."""

    faces: Sequence[Face | None]
    """What the dice show, None for each die that was not seen."""
    left: float | None
    """The part of the time that is left to stop a sure roll, 0 to 1; None if the roll waits for a person."""
    title: str
    """Who rolled, or what to do about a roll that waits."""
    named: str
    """Which die shows what if a sure roll has several colors, else ""."""
    advice: str
    """What to do about a doubt, else ""."""
    entry: ButtonEntryView | None
    """What the buttons would enter."""
    buttons: str
    """What the buttons do without an entry."""

    @classmethod
    def from_view(cls, view: AudienceView, seen: ProposalView, room: int) -> RollContent:
        """Return what to say of a proposed roll; the name of its side has `room` pixels."""
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
            return cls(faces, left, title, named, "", None, "OK: keep | < >: change")
        advice = "" if seen.sure else seen.advice or ""
        entry = dial if dial and dial.n == seen.n else None
        buttons = "OK: yes | < >: change" if known else "< >: enter the dice"
        title = f"{name}: right?" if known else f"{name}: not read"
        return cls(faces, None, title, "", advice, entry, buttons)


@dataclass(frozen=True, slots=True)
class RaceSide:
    """How one side stands in a race: its name, its last face, the faces that win, its state in a word."""

    name: str
    face: Face | None
    wins: str
    state: str
    then: str
    """What to do, where the state does not say it; else ""."""
    lit: bool
    """True if it has called or may call."""


def race_sides(view: AudienceView, run: RaceView) -> dict[Seat, RaceSide]:
    """Return how each side stands in a race."""
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


def pre_race_sentences(view: AudienceView, run: RaceView) -> list[str]:
    """Return what each side has to do in a race, and what its call brings; nothing once a die lies."""
    begun = run.confirm or any(one.face is not None or one.state != "rolling" for one in run.seats.values())
    return [] if begun else question_sentences(view, TurnContent.from_view(view), False)


def call_question(caller: RaceSide) -> str:
    """Return what to ask a side that called."""
    return f"{caller.name} called: what does the die show?"


def game_ending(view: AudienceView, outcome: Outcome) -> tuple[str, dict[Seat, bool]]:
    """Return how the game ended, or in its place the notice or a proposed correction, and whether each side won."""
    board = view.table.scoreboard
    # A single player wins from the one seat, whichever side it played; otherwise a side wins.
    won = side_of_seat(board, outcome.winner) if len(board.plays) < len(SEATS) else outcome.winner
    said = view.notice or (view.correction.sentence if view.correction else outcome.sentence)
    return said, {seat: won == seat for seat in SEATS}
