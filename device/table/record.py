"""What happened in a game so far: play log, rolls and answers that stand, their pictures and clips, and previews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from device.shapes import LISTED, PlaysPage, ThrowCaption, log_part
from device.storage.roll_pictures import comment_of
from device.table import play_log, saved_clip
from device.table.live_game import LiveGame
from device.table.rolls import Rolls
from engine.announcer import Announcer
from engine.views import (
    AnswerView,
    CallView,
    ChanceView,
    CorrectionPreview,
    PlayView,
    StandingReroll,
    StandingRoll,
    UndoPreview,
)


class Record:
    """The record of `game`, with the evidence of its `rolls`.

    What reads a whole game may take long. It reads a copy, so that no answer waits for it.
    """

    def __init__(self, game: LiveGame, rolls: Rolls) -> None:
        self._game, self._rolls = game, rolls
        self._announcer = Announcer()
        self._chances: tuple[object, list[ChanceView]] = (None, [])
        """What the open roll may bring, behind the place in the game that this was worked out for."""
        self._saved: tuple[tuple[str, ThrowCaption], bytes] | None = None
        """The last clip that was drawn to be saved, with its name and caption."""

    # Lists -------------------------------------------------------------------------------------------------------

    def plays(self, page: int = 1) -> PlaysPage:
        """Return a page of the play log; page 1 has the newest lines."""
        with self._game.lock:
            (game, table), typed = self._game.numbered, set(self._rolls.evidence.typed)
        part, pages = log_part(len(table.log), page)
        pictures = self._rolls.evidence.names(game, table, table.log[part.start].n) if part else {}
        clips = self._rolls.evidence.clips(pictures)
        return PlaysPage(play_log.lines(table, pictures, typed, part.start, part.stop, clips), page, pages)

    def rolls(self, most: int = LISTED, before: int | None = None) -> list[StandingRoll | StandingReroll]:
        """Return the current rolls, newest first, at most `most`, of those before answer `before` (None: of all)."""
        with self._game.lock:
            (game, table), sources = self._game.numbered, list(self._game.sources)
            guesses = dict(self._rolls.evidence.guesses)
        return play_log.rolls(table, self._rolls.evidence.names(game, table), guesses, sources, most, before)

    def answers(self, most: int = LISTED, before: int | None = None) -> list[AnswerView]:
        """Return the current answers that people gave, newest first; `most` and `before` as in `rolls`."""
        with self._game.lock:
            table, sources = self._game.table, list(self._game.sources)
        return play_log.answers(table, sources, most, before)

    def chances(self) -> list[ChanceView]:
        """Return what the roll that is asked for may bring, the likeliest first; empty if that cannot be told."""
        number, table = self._game.numbered
        key = number, len(table.journal)
        if self._chances[0] != key:
            self._chances = key, play_log.chances(table)
        return self._chances[1]

    # Previews ----------------------------------------------------------------------------------------------------

    def undo_preview(self, n: int) -> UndoPreview:
        """Return what taking back answer `n` would change. Raises StaleAnswer."""
        with self._game.lock:
            return play_log.undo_preview(self._game.live, n, self._game.sources)

    def preview(self, n: int, value: Any) -> CorrectionPreview:
        """Return what correcting answer `n` would change."""
        with self._game.lock:
            return play_log.correction_preview(self._game.live, n, value)

    # Pictures ----------------------------------------------------------------------------------------------------

    def picture(self, name: str) -> bytes | None:
        """Return the picture that `evidence` names, a JPEG; None if there is none or it is gone."""
        game, evidence = self._game, self._rolls.evidence
        with game.lock:
            shown = self._rolls.shown
            if shown and name == evidence.coming(game.number, game.live, shown):
                return shown.seen.picture
        return evidence.find(name)

    def reading(self, name: str) -> str | None:
        """Return what the reader said of the dice in the picture of that name, the JSON of `dugout read --json` without
        `path`; None if there is no such picture, or an older Dugout took it.
        """
        picture = self.picture(name)
        return None if picture is None else comment_of(picture)

    def clip(self, name: str) -> bytes | None:
        """Return the clip of the throw beside the picture of that name, an animated WebP; None if there is none."""
        return self._rolls.evidence.find_clip(name)

    def caption(self, name: str) -> ThrowCaption | None:
        """Return the score and the play that came of the throw in the clip of that name.

        None if it belongs to another game, was taken back, or nothing came of it.
        """
        game, table = self._game.numbered
        n = next((n for n, one in self._rolls.evidence.names(game, table).items() if one == name), None)
        return None if n is None else saved_clip.caption(table, n)

    def saved_clip(self, name: str) -> bytes | None:
        """Return the clip of the throw as a GIF, with its caption below if it has one; None if there is no clip."""
        clip, words = self.clip(name), self.caption(name) or ThrowCaption("", "")
        if clip is None:
            return None
        asked, kept = (name, words), self._saved
        if kept is None or kept[0] != asked:
            drawn = saved_clip.captioned(clip, words)
            if drawn is None:
                return None
            kept = self._saved = asked, drawn
        return kept[1]

    # Views: the caller holds the lock ----------------------------------------------------------------------------

    def lines(self, start: int) -> Sequence[PlayView]:
        """Return the play log from its event `start` on."""
        table, evidence = self._game.live, self._rolls.evidence
        pictures = evidence.names(self._game.number, table, table.log[start].n if start < len(table.log) else 0)
        return play_log.lines(table, pictures, evidence.typed, start, clips=evidence.clips(pictures))

    def calls(self) -> list[CallView]:
        """Return what the announcer says of the newest answers. Each answer is read once."""
        game = self._game
        calls = self._announcer.follow(game.live, game.tables[None].scoreboard)
        return [CallView(f"{game.number}-{one.place}", one.n, one.text, one.marks, one.now) for one in calls]
