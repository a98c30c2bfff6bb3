"""The history of the live game: play log, current rolls and answers, pictures and clips, and previews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from device.shapes import MAX_LIST_LENGTH, PlaysPage, ThrowCaption, log_page_range
from device.storage.roll_pictures import jpeg_comment
from device.table import play_log, saved_clip
from device.table.live_game import LiveGame
from device.table.rolls import Rolls
from engine.announcer import Announcer
from engine.chances import outcome_chances
from engine.views import (
    AnnouncementView,
    AnswerView,
    CorrectionPreview,
    CurrentReroll,
    CurrentRoll,
    OutcomeChanceView,
    PlayView,
    UndoPreview,
)


class GameHistory:
    """The history of `game`, with the evidence of its `rolls`. It reads a copy, because a complete game takes long."""

    def __init__(self, game: LiveGame, rolls: Rolls) -> None:
        self._game, self._rolls = game, rolls
        self._announcer = Announcer()
        self._chances: tuple[object, list[OutcomeChanceView]] = (None, [])
        """Chances of the open roll, cached with the game's position."""
        self._saved: tuple[tuple[str, ThrowCaption], bytes] | None = None
        """The last captioned clip, cached with its name and caption."""

    # Lists -------------------------------------------------------------------------------------------------------

    def plays_page(self, page: int = 1) -> PlaysPage:
        """A page of the play log. Page 1 has the newest lines."""
        with self._game.lock:
            (game, table), typed = self._game.number_and_table, set(self._rolls.evidence.typed)
        part, pages = log_page_range(len(table.log), page)
        pictures = self._rolls.evidence.picture_names(game, table, table.log[part.start].n) if part else {}
        clips = self._rolls.evidence.names_with_clip(pictures)
        return PlaysPage(play_log.play_views(table, pictures, typed, part.start, part.stop, clips), page, pages)

    def current_rolls(
        self, most: int = MAX_LIST_LENGTH, before: int | None = None
    ) -> list[CurrentRoll | CurrentReroll]:
        """At most `most` current rolls, newest first. If `before` is a number, only those of earlier answers."""
        with self._game.lock:
            (game, table), sources = self._game.number_and_table, list(self._game.sources)
            guesses = dict(self._rolls.evidence.guesses)
        return play_log.current_rolls(
            table, self._rolls.evidence.picture_names(game, table), guesses, sources, most, before
        )

    def current_answers(self, most: int = MAX_LIST_LENGTH, before: int | None = None) -> list[AnswerView]:
        """The current answers that people gave, newest first. `most` and `before` as in `current_rolls`."""
        with self._game.lock:
            table, sources = self._game.table, list(self._game.sources)
        return play_log.current_answers(table, sources, most, before)

    def outcome_chances(self) -> list[OutcomeChanceView]:
        """Chances of the open roll's outcomes, likeliest first. [] if unknown. Any thread may call it."""
        number, table = self._game.number_and_table
        key = number, len(table.journal)
        known = self._chances
        if known[0] != key:
            self._chances = known = key, outcome_chances(table)
        return known[1]

    # Previews ----------------------------------------------------------------------------------------------------

    def preview_undo(self, n: int) -> UndoPreview:
        """Preview the undo of answer `n` and all after it. Raises StaleAnswer."""
        with self._game.lock:
            return play_log.undo_preview(self._game.live, n, self._game.sources)

    def preview_correction(self, n: int, value: Any) -> CorrectionPreview:
        with self._game.lock:
            return play_log.correction_preview(self._game.live, n, value)

    # Pictures ----------------------------------------------------------------------------------------------------

    def dice_picture(self, name: str) -> bytes | None:
        """The JPEG with this `evidence` name, or None."""
        game, evidence = self._game, self._rolls.evidence
        with game.lock:
            shown = self._rolls.shown
            if shown and name == evidence.next_picture_name(game.number, game.live, shown):
                return shown.seen.picture
        return evidence.find_picture(name)

    def dice_reading_json(self, name: str) -> str | None:
        """JSON of `dugout read --json` without `path`, as stored in this picture. None if the picture lacks it."""
        picture = self.dice_picture(name)
        return None if picture is None else jpeg_comment(picture)

    def throw_clip(self, name: str) -> bytes | None:
        """The clip that belongs to this picture, an animated WebP, or None."""
        return self._rolls.evidence.find_clip(name)

    def clip_caption(self, name: str) -> ThrowCaption | None:
        """Score and result of the throw in this clip. None if it was undone, had no result, or is of another game."""
        game, table = self._game.number_and_table
        n = next((n for n, one in self._rolls.evidence.picture_names(game, table).items() if one == name), None)
        return None if n is None else saved_clip.clip_caption(table, n)

    def captioned_clip(self, name: str) -> bytes | None:
        """The clip as a GIF, with its caption below if it has one. None if there is no clip."""
        clip, words = self.throw_clip(name), self.clip_caption(name) or ThrowCaption("", "")
        if clip is None:
            return None
        asked, kept = (name, words), self._saved
        if kept is None or kept[0] != asked:
            drawn = saved_clip.encode_captioned_gif(clip, words)
            if drawn is None:
                return None
            kept = self._saved = asked, drawn
        return kept[1]

    # Views: the caller holds the lock ----------------------------------------------------------------------------

    def play_views(self, start: int) -> Sequence[PlayView]:
        table, evidence = self._game.live, self._rolls.evidence
        pictures = evidence.picture_names(self._game.number, table, table.log[start].n if start < len(table.log) else 0)
        clips = evidence.names_with_clip(pictures)
        return play_log.play_views(table, pictures, evidence.typed, start, clips=clips, sources=self._game.sources)

    def announcer_calls(self) -> list[AnnouncementView]:
        """The announcer's calls for the newest answers. Each answer is read once."""
        game = self._game
        calls = self._announcer.update_announcements(game.live, game.tables[None].scoreboard)
        return [AnnouncementView(f"{game.number}-{one.place}", one.n, one.text, one.marks, one.now) for one in calls]
