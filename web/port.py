"""What the web needs of the table. The device provides it; tests fake it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine.seats import Seat


class Library(Protocol):
    """The decks that can be played with: what ships, called "house", and the owner's, called as their files are.

    Any thread may call it. Reading opens files. A change is refused by DeckError with every fault, by StaleAnswer where
    a deck or card is not there any more or was changed meanwhile, by OSError; then nothing has changed.
    """

    def decks(self) -> list[dict[str, Any]]:
        """Every game: {game, title, decks: [{name, title, own, cards: how many, playable, lacks, house}]}.

        `lacks` are sentences: why it cannot be played yet. `house` is the house rule that it needs, mostly {}.
        """

    def offered(self, game: str) -> list[dict[str, Any]]:
        """The owner's decks for this game: {name, title, house, lacks}. What one lacks another may have."""

    def deck(self, game: str, name: str) -> dict[str, Any] | None:
        """One deck: {game, of: the game's title, name, title, own, shapes, cards, lacks, notes, house}; None: there is
        none. `notes` are what may be mistyped and is no fault: {card: "player 3", sentence}.

        `shapes` is {kind: {field: `engine.cards.Field.look`}}; each card {kind, place: from 1 in its kind, fields: as
        TOML has them, typed: {field: text} of those that the game reads by itself, mark: what it is known by}.
        """

    def text(self, game: str, name: str) -> str | None:
        """The text of a deck's file, or None."""

    def new(self, game: str, title: str, copy: str | None) -> str:
        """Make a deck, empty or a copy; gives its name."""

    def take(self, text: str, title: str | None) -> tuple[str, str]:
        """Keep a deck's text from elsewhere, all of whose cards must be right; gives its game and name."""

    def write(
        self, game: str, name: str, kind: str, place: int | None, fields: dict[str, Any], seen: str | None
    ) -> int:
        """Write a card where `place` says, or as the last of its kind; gives its place. `seen` is the mark of the card
        that it takes the place of; None: whatever stands there. A field that is null or "" is left out."""

    def remove_card(self, game: str, name: str, kind: str, place: int, seen: str | None) -> None:
        """Take a card out. `seen` as of `write`."""

    def rename(self, game: str, name: str, title: str) -> None:
        """Give a deck another title; its name stays."""

    def remove(self, game: str, name: str) -> None:
        """Delete a deck. Games that were begun with it go on: they have its text."""


class Doctor(Protocol):
    """The doctor of the machine. Any thread may call it; but for `figures` it may take some seconds."""

    def figures(self) -> dict[str, Any]:
        """What only the running table knows of its parts: {demo, health: as of `Port`, display: seconds for a picture,
        or null, camera: null or {fps, locks}, journal: {mode, sync, trouble}, unsafe: why it is in safe mode, or null,
        port, given: whether the service manager handed that over, presses: [{n, event, ago}], the last}. While
        something is chosen in secret no press is noted."""

    def findings(self) -> list[dict[str, str]]:
        """What was looked at, the worst first: {name, verdict: "wrong", "look" or "ok", seen, todo}, in sentences; the
        last is "" where nothing is to be done."""

    def bundle(self) -> bytes:
        """The same as a ZIP to send to whoever helps, with versions and the log, and without what is secret."""


class Port(Protocol):
    """One table as the web sees it.

    Every method may be called from any thread and may block for a few milliseconds. Everything returned is plain
    data, already shown through `engine.secrets.view`: the web hides nothing more than what a seat has `given`
    (`web.security.auth.seen`), and never hands one audience's view to another. Refusals are
    `engine.errors.EngineError`.
    """

    @property
    def demo(self) -> bool:
        """Whether virtual buttons and dice are offered."""

    @property
    def library(self) -> Library:
        """The decks."""

    @property
    def doctor(self) -> Doctor:
        """The doctor."""

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """The whole small view of one audience (None: spectators and the operator).

        `version` rises with each change of anything. `game` is {key, title}; `table` is `Table.view(seat)`; `undone`
        how often something was taken back; `plays` are the lines of the half-inning under way;
        `proposal` is null or {n, seat, faces, words, likely, clear, sure,
        doubt, advice, source, seconds, total, evidence}, `likely` for each die of the ask what else it may show,
        likeliest first, `clear` whether it was read for sure even where the roll is in doubt, `seconds` null where it
        waits for a person, `evidence` as of `plays`; `notice` a sentence shown for a moment, or
        null; `watching` is {state, words}; `missing` are sentences; `dial` is null or {seat, n, label,
        index, count, touched}; of a secret ask the label is "secret", index and count are null. `race` is null or
        {n: {seat: n}, seats: {seat: {wins, face, state, words}}, confirm}, `face` null while the rolled die's is not
        known, `state` "rolling", "ready", "void", "called" or "confirm" and `words` what that means for the seat;
        `confirm` is null or {seat, n, sentence}: the table is to say what that seat's die showed as it called.
        `layout` is null or {n, seat, value, sure, words, line}: what a camera sees lie at rest on the board for an ask
        to arrange, `value` the answer as far as it is certain, `words` the doubts with what to do; where it is sure
        the seat may answer just so. `line` is for a small display, null where the buttons enter something else by now.
        """

    def plays(self) -> list[dict[str, Any]]:
        """The whole play log, oldest first: {n, code, game, inning, half, seat, sentence, scored,
        evidence: the name of the picture of its dice, or null}."""

    def rolls(self, most: int | None = None) -> list[dict[str, Any]]:
        """The rolls that stand and may be corrected, newest first, at most `most` of them: {n, seat, why, sentence,
        dice: [{kind, colour, owner, faces}], value, likely: for each die what else it may have shown, likeliest first;
        after: how many answers of people stand after it, evidence}. Only these may be amended from a phone."""

    def answers(self) -> list[dict[str, Any]]:
        """What people answered and stands, newest first: {n, seat, sentence: what was asked, words: what was answered,
        null while the rulebook has not opened it}. What the house drew or chose is not among them."""

    def answer(self, seat: Seat, n: int, value: Any, source: str) -> None:
        """Answer ask `n`. `source` says by what hand: "phone", the seat's own, or "operator". Whether the caller may is
        checked by the web."""

    def call(self, seat: Seat, n: int, source: str) -> None:
        """A seat calls out, now, in the race that ask `n` is open for. Whether the caller may is checked by the web.

        What backs it is found later: `view`'s `race` tells. A call that the table is to confirm is confirmed by
        `answer`, with a face or "false-call"; no other answer to a call is taken.
        """

    def reject(self, n: int) -> None:
        """Drop the roll that is shown for ask `n` before it counts."""

    def hold(self, n: int) -> None:
        """Let the roll that is shown for ask `n` wait for a person's word: somebody is putting it right."""

    def tell(self, words: str) -> None:
        """Show a sentence to all for a moment."""

    def undo(self, n: int | None, version: int | None = None) -> None:
        """Take back answer `n` and all after it; None: the last that a person gave. `version` is the table's that was
        looked at: raises StaleAnswer where it is another by now."""

    def undoing(self, n: int) -> dict[str, Any]:
        """What `undo` would change: {version: the table's, dropped: [n], given: how many of them people gave, games:
        how many fall with them, before, after: scoreboards}, as a spectator may see it."""

    def amend(self, n: int, value: Any, version: int | None = None) -> None:
        """Correct roll `n`. `version` as of `undo`."""

    def preview(self, n: int, value: Any) -> dict[str, Any]:
        """What `amend` would change: {version: the table's, kept: [n], dropped: [n], games: how many fall with them,
        before, after: scoreboards, sentences: [..]}, as a spectator may see it."""

    def catalogue(self) -> dict[str, Any]:
        """What can be played: {games: [{key, title, house_rules: [{key, values, default, meaning}], decks: those of
        `library.offered`}]}."""

    def new_game(self, game: str, decks: list[str], house: dict[str, str]) -> None:
        """Put this game on the table; `decks` by name, [] for the house deck; `house` only what differs."""

    def games(self, page: int) -> dict[str, Any]:
        """A page, from 1, of the games that were played, the last on the table first: {games: [..], page, pages}.

        Each is {id, game: {key, title}, name: "" where it has none, started, played: ISO 8601, when it was begun and
        when somebody answered last, now: whether it is on the table, aside: whether it can be played on, note: what is
        odd about it in a sentence, or null; sides: {seat: {name, colour, runs}}, outcome: {winner, reason, sentence},
        null while there is none, plays: a number, stands: where it stands in words}; the last four as they were shown
        last, null where that is not known; alone: whether one person plays a season, of whose last game the sides are.
        """

    def aside(self) -> list[dict[str, Any]]:
        """The games that somebody played in and that were put aside, as `games` has them, the last played first; some
        twenty at most."""

    def take(self, number: int) -> bool:
        """Put the game on the table aside and play on in this one; False where there is none of that number. Raises
        IllegalAnswer where it is over or cannot be read, StaleAnswer where somebody else played on in it just now."""

    def name(self, number: int, name: str) -> bool:
        """Give a game a name of at most 40 characters, or with "" none; False where there is none of that number."""

    def past(self, number: int) -> dict[str, Any] | None:
        """One game: as in the list, and {trouble: why its journal cannot be read, or null, table: `Table.view(None)`,
        null then, log: as `plays`}. None where there is no game of that number. It reads a whole journal."""

    def replay(self, number: int) -> list[dict[str, Any]] | None:
        """What spectators saw of one game, step by step: {scoreboard, outcome, lines: those it added to the log}.

        At most some thousand steps, the newest. None where there is no game of that number, or it cannot be read."""

    def journal(self, number: int) -> dict[str, Any] | None:
        """One game as {header, entries}, what the rulebook never opened "hidden". None as of `replay`."""

    def role(self, code: str) -> str | None:
        """ "operator" for the code shown on the display, else None. Compares in constant time."""

    @property
    def code(self) -> str:
        """The code on the display. It changes with each new game, and whenever a seat is freed."""

    def epoch(self, seat: Seat) -> int:
        """How often that seat was freed: a pass holds the epoch it was given in, and is good in no other."""

    def free(self, seat: Seat) -> None:
        """Take back every pass of that seat for good, and change the code."""

    def shutdown(self) -> None:
        """Switch the table off. It ends in order some moments after this has returned."""

    def secret_key(self) -> bytes:
        """What cookies are signed with. A new key turns every phone away."""

    def age(self) -> float:
        """Seconds for which this table was on, ever; after a power cut some minutes of them may be forgotten."""

    def join(self) -> dict[str, Any]:
        """How a phone finds the table: {url, name}."""

    def camera_jpeg(self) -> bytes | None:
        """The latest camera picture with the reading drawn on; None while there is none."""

    def board_jpeg(self) -> bytes | None:
        """The latest picture of the camera over the board, with what lies there drawn on; None while there is none."""

    def evidence(self, name: str) -> bytes | None:
        """The picture that a play, roll or proposal names under `evidence`, a JPEG; None when there is none."""

    def glass_png(self) -> bytes | None:
        """The very bitmap the display got, the code included; None while there is none."""

    def press(self, button: str, action: str) -> None:
        """A virtual button moves, in a demo only. `button` is "away-previous", "away-next", "away-ok", the same of
        home, or "undo"; `action` "press" (goes down), "hold" (has been down for long) or "release" (comes up)."""

    def simulate(self, what: str) -> None:
        """Virtual dice, in a demo only: "throw", "pick-up", "cock", "stack", "hand", "unplug" or "plug".

        In a race "throw" throws the dice of both seats, "throw-home" and "throw-away" that of one. "lay" lays the
        Gloves that are asked for on the board, "cover" puts a cup there until the next "lay".
        """

    def calibrate(self, step: str) -> dict[str, Any]:
        """A step of the camera's calibration: "empty" (take the empty tray), "die" (one die lies in it) or "forget".

        What came of it: {step, ok, checks: [{name, ok, words}]}. May take some seconds; refuses nothing.
        """

    def health(self) -> list[dict[str, Any]]:
        """How each part is: {part, ok, words}."""

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have `changed` called after every change, from any thread; returns what ends it."""
