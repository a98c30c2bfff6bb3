"""Checks of a whole game's scorecard against the other records of the game."""

from __future__ import annotations

from engine.box_score import box_scores
from engine.scoreboard import last_game_events
from engine.scorecard.fold import answer_results, build_scorecards, scorecards
from engine.scorecard.sheet import Scorecard
from engine.seats import SEATS, Seat
from engine.table import Table


def outs_of(table: Table) -> dict[tuple[Seat, int], int]:
    """Return the outs of each half-inning of the last game, as its events count them."""
    found: dict[tuple[Seat, int], int] = {}
    half: tuple[Seat, int] | None = None
    for logged in last_game_events(table.log):
        facts = logged.event.facts
        if logged.event.code == "half-inning":
            half = facts["seat"], facts["inning"]
            found[half] = 0
        if half:
            found[half] += len(facts.get("retired", ()))
    return found


def agrees(table: Table) -> dict[Seat, Scorecard]:
    """Check the scorecards of a table against its other records, and return them."""
    found, boxes = scorecards(table), box_scores(table.log)
    for seat in SEATS:
        sheet = found[seat]
        assert boxes[seat].total == sheet.total
        assert boxes[seat].batters == sheet.batters
        filled = [one for one in sheet.all_boxes if one.scored]
        assert boxes[seat].total.runs == sum(runs or 0 for runs in boxes[seat].line) == len(filled) + sheet.loose
        assert all(one.base == 4 for one in filled)
        assert boxes[seat].total.hits == sum("hits" in one.statistics for one in sheet.all_boxes)
        turns = [one for one in sheet.all_boxes if one.number]
        assert list(range(1, len(turns) + 1)) == sorted(one.number for one in turns)
        for at, inning in enumerate(sheet.columns):
            assert all(row.boxes[at].inning == inning for row in sheet.rows if at in row.boxes)
    for (seat, inning), count in outs_of(table).items():
        numbered = sorted(one.out for one in found[seat].all_boxes if one.inning == inning and one.out)
        assert list(range(1, count + 1)) == numbered
    return found


def slashes(table: Table) -> None:
    """Totals, runs and outs are those of the box score and the log; the last box of each half has its slash."""
    found = agrees(table)
    for seat in SEATS:
        for inning in {one.inning for one in found[seat].all_boxes}:
            last = max((one for one in found[seat].all_boxes if one.inning == inning), key=lambda one: one.number)
            assert [last] == [one for one in found[seat].all_boxes if one.inning == inning and one.ends]


def runners_stand(table: Table) -> None:
    """After each answer the boxes of the half-inning show runners on exactly the bases of the scoreboard; a runner may
    be missing there who is out or home by an event of the same play that is yet to come.
    """
    played = list(answer_results(table))
    end = {seat: {one.number: one for one in sheet.all_boxes} for seat, sheet in build_scorecards(played, True).items()}
    for count in range(1, len(played) + 1, max(1, len(played) // 40)):
        board = played[count - 1].board
        if board is None or board.batting is None or not any(board.bases):
            continue
        boxes = build_scorecards(played[:count], False)[board.batting].all_boxes
        on = {one.base: one for one in boxes if one.inning == board.inning and 0 < one.base < 4 and not one.out}
        taken = {base for base, name in enumerate(board.bases, 1) if name}
        assert taken <= set(on)
        gone = [end[board.batting][on[base].number] for base in set(on) - taken]
        assert all(one.out or one.base == 4 for one in gone)
