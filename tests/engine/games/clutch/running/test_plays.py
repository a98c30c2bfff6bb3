"""Whole plays, from the batter's box to the box score, with the choices on the way (3.11 to 3.14, 4.1 to 4.3)."""

from __future__ import annotations

import pytest

from engine.box_score import box_scores
from engine.games.clutch.squad import BattingLine
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch.field import at, by_rule, event_codes, line, mound, now, run, state, until
from tests.engine.games.clutch.fixture import strategy
from tests.engine.tables import inside

CARDS = {
    "ERR": strategy("ERR", "offense", "on a GB", "batter advances 1 by an error"),
    "ERR2": strategy("ERR2", "offense", "on a GB", "batter advances 2 by an error"),
    "PLUNK": strategy("PLUNK", "offense", "on any result", "change the result to HBP"),
}

PLAYS = [
    # Hits, extra bases and throws: the outfield's 4 plus the die against 15.
    ("CL-245", "T1 0o ---", "1B!", "T1 0o 1--", 0, "pa ab h"),
    ("CL-245 CL-249", "T1 0o 123", "1B!", "T1 0o 123", 1, "pa ab h rbi"),
    ("CL-246", "T1 0o 123", "2B!", "T1 0o -23", 2, "pa ab h doubles rbi2"),
    ("CL-247", "T1 0o 123", "3B!", "T1 0o --3", 3, "pa ab h triples rbi3"),
    ("CL-248", "T1 0o ---", "HR!", "T1 0o ---", 1, "pa ab r h hr rbi"),
    ("CL-248 CL-380", "T1 0o 1--", "HR!", "T1 0o ---", 2, "pa ab r h hr rbi2"),
    ("CL-248", "T1 0o 1-3", "HR!", "T1 0o ---", 3, "pa ab r h hr rbi3"),
    ("CL-249", "T1 0o -2-", "1B!", "T1 0o 1-3", 0, "pa ab h"),
    ("CL-252", "T1 0o 1--", "2B! to-home at-home D14", "T1 0o -2-", 1, "pa ab h doubles rbi"),
    ("CL-253 CL-236 CL-237", "T1 0o 1--", "1B! to-third at-third D11", "T1 0o 1-3", 0, "pa ab h"),
    ("CL-253 CL-238", "T1 0o 1--", "1B! to-third at-third D12", "T1 1o 1--", 0, "pa ab h"),
    ("CL-254", "T1 0o 1--", "1B! to-third no-throw", "T1 0o 1-3", 0, "pa ab h"),
    ("CL-254", "T1 0o -2-", "1B! to-home no-throw", "T1 0o 1--", 1, "pa ab h rbi"),
    ("CL-255", "T1 0o -2-", "1B! to-home at-home D14", "T1 0o 1--", 1, "pa ab h rbi"),
    ("CL-255 CL-383", "T1 0o -2-", "1B! to-home at-home D15", "T1 1o 1--", 0, "pa ab h"),
    ("CL-256", "T1 2o 1--", "1B! to-third at-third D14", "T1 2o 1-3", 0, "pa ab h"),
    ("CL-256", "T1 2o 1--", "1B! to-third at-third D15", "B1 0o ---", 0, "pa ab h"),
    ("CL-257", "T1 2o -2-", "1B! to-home at-home D17", "T1 2o 1--", 1, "pa ab h rbi"),
    ("CL-257", "T1 2o -2-", "1B! to-home at-home D18", "B1 0o ---", 0, "pa ab h"),
    ("CL-258", "T1 1o -2-", "1B! to-home at-home D15", "T1 2o 1--", 0, "pa ab h"),
    ("CL-259", "T1 0o 12-", "1B! to-third-home at-third D12", "T1 1o 1--", 1, "pa ab h rbi"),
    ("CL-259", "T1 0o 12-", "1B! to-third-home at-home D14", "T1 0o 1-3", 1, "pa ab h rbi"),
    ("CL-260", "T1 0o 12-", "1B! to-third-home at-home D15", "T1 1o 1-3", 0, "pa ab h"),
    ("CL-260", "T1 0o 12-", "1B! to-third-home no-throw", "T1 0o 1-3", 1, "pa ab h rbi"),
    ("CL-263", "T1 2o 12-", "1B! to-third-home at-third D15", "B1 0o ---", 1, "pa ab h rbi"),
    # Ground balls: the infield's 6 plus the die against 15; the runner on third always scores (AM-62, AM-67).
    ("CL-264", "T1 0o ---", "GB!", "T1 1o ---", 0, "pa ab"),
    ("CL-265 CL-266", "T1 0o -2-", "GB! stay", "T1 1o -2-", 0, "pa ab"),
    ("CL-269", "T1 0o --3", "GB!", "T1 1o ---", 1, "pa ab rbi"),
    ("CL-269", "T1 1o --3", "GB!", "T1 2o ---", 1, "pa ab rbi"),
    ("CL-270", "T1 2o -2-", "GB!", "B1 0o ---", 0, "pa ab"),
    ("CL-270", "T1 2o --3", "GB!", "B1 0o ---", 0, "pa ab"),
    ("CL-270", "T1 2o 123", "GB!", "B1 0o ---", 0, "pa ab"),
    ("CL-271 CL-272", "T1 0o -2-", "GB! to-third take-batter", "T1 1o --3", 0, "pa ab"),
    ("CL-273 CL-291", "T1 0o -2-", "GB! to-third at-third D10", "T1 1o 1--", 0, "pa ab fc"),
    ("CL-273 CL-237", "T1 1o -2-", "GB! to-third at-third D10", "T1 2o 1--", 0, "pa ab fc"),
    ("CL-274", "T1 0o -2-", "GB! to-third at-third D9", "T1 0o 1-3", 0, "pa ab fc"),
    ("CL-275", "T1 0o -23", "GB! to-third at-third D10", "T1 1o 1--", 1, "pa ab rbi fc"),
    ("CL-275 CL-381", "T1 0o -23", "GB! to-third at-third D9", "T1 0o 1-3", 1, "pa ab rbi fc"),
    ("CL-394 CL-268", "T1 0o -23", "GB! stay", "T1 1o -2-", 1, "pa ab rbi"),
    ("CL-394", "T1 0o -23", "GB! to-third take-batter", "T1 1o --3", 1, "pa ab rbi"),
    # Fly balls, line drives, strikeouts, walks, errors: +3 for the fielders at second, for the runner at home.
    ("CL-278", "T1 0o 1--", "FB! stay", "T1 1o 1--", 0, "pa ab"),
    ("CL-279", "T1 2o --3", "FB!", "B1 0o ---", 0, "pa ab"),
    ("CL-280", "T1 0o -2-", "FB! to-third at-third D11", "T1 1o --3", 0, "pa ab"),
    ("CL-280", "T1 0o -2-", "FB! to-third at-third D12", "T1 2o ---", 0, "pa ab"),
    ("CL-281", "T1 0o 1--", "FB! to-second at-second D8", "T1 1o -2-", 0, "pa ab"),
    ("CL-281", "T1 0o 1--", "FB! to-second at-second D9", "T1 2o ---", 0, "pa ab"),
    ("CL-282 CL-283 CL-382", "T1 0o --3", "FB! to-home at-home D14", "T1 1o ---", 1, "pa rbi sf"),
    ("CL-282", "T1 0o --3", "FB! to-home at-home D15", "T1 2o ---", 0, "pa ab"),
    ("CL-284", "T1 0o 1-3", "FB! to-second-home at-second D9", "T1 2o ---", 1, "pa rbi sf"),
    ("CL-286", "T1 1o --3", "FB! to-home at-home D14", "T1 2o ---", 1, "pa rbi sf"),
    ("CL-286", "T1 1o --3", "FB! to-home at-home D15", "B1 0o ---", 0, "pa ab"),
    ("CL-397 CL-263", "T1 1o 1-3", "FB! to-second-home at-second D9", "B1 0o ---", 1, "pa rbi sf"),
    ("CL-287", "T1 0o 1-3", "LD!", "T1 1o 1-3", 0, "pa ab"),
    ("CL-288", "T1 0o ---", "BB!", "T1 0o 1--", 0, "pa bb"),
    ("CL-288", "T1 0o -2-", "BB!", "T1 0o 12-", 0, "pa bb"),
    ("CL-288", "T1 0o --3", "BB!", "T1 0o 1-3", 0, "pa bb"),
    ("CL-288", "T1 0o 1-3", "BB!", "T1 0o 123", 0, "pa bb"),
    ("CL-288 CL-268", "T1 0o -23", "BB!", "T1 0o 123", 0, "pa bb"),
    ("CL-288 CL-380", "T1 0o 123", "BB!", "T1 0o 123", 1, "pa rbi bb"),
    ("CL-289", "T1 0o -2-", "GB! PLUNK", "T1 0o 12-", 0, "pa hbp"),
    ("CL-289 CL-380", "T1 0o 123", "GB! PLUNK", "T1 0o 123", 1, "pa rbi hbp"),
    ("CL-290", "T1 0o ---", "GB! ERR", "T1 0o 1--", 0, "pa ab e"),
    ("CL-290", "T1 0o 1--", "GB! ERR2", "T1 0o -23", 0, "pa ab e"),
    ("CL-290", "T1 0o 123", "GB! ERR", "T1 0o 123", 1, "pa ab e"),
    ("CL-197", "T2 0o 12-", "SO!", "T2 1o 12-", 0, "pa ab so"),
    ("CL-313 CL-315", "T1 0o ---", "walk", "T1 0o 1--", 0, "pa ibb"),
    ("CL-313 CL-314", "T1 0o -2-", "walk", "T1 0o 12-", 0, "pa ibb"),
    ("CL-313 CL-314", "T1 0o -23", "walk", "T1 0o 123", 0, "pa ibb"),
    ("CL-313 CL-315", "T1 0o 123", "walk", "T1 0o 123", 1, "pa rbi ibb"),
    # Double plays: +3 for the batter.
    ("CL-292 CL-293", "T1 0o 1--", "GB! D1", "T1 1o 1--", 0, "pa ab fc"),
    ("CL-294", "T1 0o 1--", "GB! D12", "T1 1o 1--", 0, "pa ab fc"),
    ("CL-294", "T1 0o 1--", "GB! D13", "T1 2o ---", 0, "pa ab gdp"),
    ("CL-295", "T1 0o 12-", "GB! D13", "T1 2o --3", 0, "pa ab gdp"),
    ("CL-295", "T1 0o 12-", "GB! D12", "T1 1o 1-3", 0, "pa ab fc"),
    ("CL-296 CL-381", "T1 0o 1-3", "GB! D13", "T1 2o ---", 1, "pa ab gdp"),
    ("CL-296 CL-381", "T1 0o 1-3", "GB! D12", "T1 1o 1--", 1, "pa ab rbi fc"),
    ("CL-297", "T1 0o 123", "GB! D13", "T1 2o --3", 1, "pa ab gdp"),
    ("CL-297", "T1 0o 123", "GB! D12", "T1 1o 1-3", 1, "pa ab rbi fc"),
    ("CL-298", "T1 1o 1--", "GB! D13", "B1 0o ---", 0, "pa ab gdp"),
    ("CL-298", "T1 1o 1-3", "GB! D13", "B1 0o ---", 0, "pa ab gdp"),
    ("CL-298", "T1 1o 123", "GB! D13", "B1 0o ---", 0, "pa ab gdp"),
    ("CL-298", "T1 1o 1-3", "GB! D12", "T1 2o 1--", 1, "pa ab rbi fc"),
    ("CL-396", "T1 2o 1-3", "GB!", "B1 0o ---", 0, "pa ab"),
    # Steals, each before a strikeout: the battery's 9, +3 at third.
    ("CL-301", "T1 0o 1--", "steal-second at-second D6 SO!", "T1 1o -2-", 0, "pa ab so"),
    ("CL-304", "T1 0o 1--", "steal-second at-second D7 SO!", "T1 2o ---", 0, "pa ab so"),
    ("CL-305", "T1 0o -2-", "steal-third at-third D3 SO!", "T1 1o --3", 0, "pa ab so"),
    ("CL-305", "T1 0o -2-", "steal-third at-third D4 SO!", "T1 2o ---", 0, "pa ab so"),
    # Bunts: more than 12.
    ("CL-324 CL-330", "T1 0o 12-", "bunt B13", "T1 1o -23", 0, "pa sac"),
    ("CL-330", "T1 0o -2-", "bunt B13", "T1 1o --3", 0, "pa sac"),
    ("CL-325 CL-331", "T1 0o 1--", "bunt B12 B20", "T1 1o -2-", 0, "pa sac"),
    ("CL-331", "T1 0o 1--", "bunt B1 B13", "T1 1o -2-", 0, "pa sac"),
    ("CL-325 CL-331", "T1 0o 1--", "bunt B1 B12 bunt-again B13", "T1 1o -2-", 0, "pa sac"),
    ("CL-329", "T1 0o 1--", "bunt B5 B9 bunt-again B12", "T1 1o 1--", 0, "pa ab so"),
    ("CL-332", "T1 0o 1-3", "bunt B15", "T1 1o -23", 0, "pa sac"),
    # The infield in, asked for each batter after steals and bunts (AM-74): +3 for the runner sent home (AM-63).
    ("CL-336", "T1 0o --3", "in GB! stay", "T1 1o --3", 0, "pa ab"),
    ("CL-340", "T1 0o 1-3", "in GB! stay", "T1 1o -23", 0, "pa ab"),
    ("CL-341", "T1 0o -23", "in GB! stay", "T1 1o -23", 0, "pa ab"),
    ("CL-337 CL-342", "T1 0o 123", "in GB!", "T1 1o 123", 0, "pa ab fc"),
    ("CL-338 CL-276", "T1 0o --3", "in GB! to-home at-home D12", "T1 0o 1--", 1, "pa ab rbi fc"),
    ("CL-338", "T1 0o --3", "in GB! to-home at-home D13", "T1 1o 1--", 0, "pa ab fc"),
    ("CL-339", "T1 0o 1-3", "in GB! to-home at-home D12", "T1 0o 12-", 1, "pa ab rbi fc"),
    ("CL-339", "T1 0o 1-3", "in GB! to-home at-home D13", "T1 1o 12-", 0, "pa ab fc"),
    ("CL-398", "T1 0o -23", "in GB! to-home at-home D12", "T1 0o 12-", 1, "pa ab rbi fc"),
    ("CL-398", "T1 1o -23", "in GB! to-home at-home D13", "T1 2o 12-", 0, "pa ab fc"),
    ("CL-343", "T1 0o --3", "in GBb!", "T1 0o 1--", 1, "pa ab h rbi"),
    ("CL-343", "T1 0o --3", "back GBb!", "T1 1o ---", 1, "pa ab rbi"),
    ("CL-344", "T1 0o --3", "in P2 S5 stay", "T1 1o --3", 0, "pa ab"),
    ("CL-345", "T1 0o --3", "in GB! to-home take-batter", "T1 1o ---", 1, "pa ab rbi"),
    ("CL-345", "T1 0o 1-3", "in GB! to-home take-batter", "T1 1o -2-", 1, "pa ab rbi"),
    ("CL-345", "T1 0o -23", "in GB! to-home take-batter", "T1 1o -2-", 1, "pa ab rbi"),
    ("CL-346", "T1 0o --3", "in FB! to-home at-home D14", "T1 1o ---", 1, "pa rbi sf"),
]
"""Rules, where it stands, what happens, and then: where it stands, the runs, and what is in the batter's line."""

HOUSE_PLAYS = [
    ("CL-263", "T1 2o 12-", "1B! to-third-home at-third D15", "B1 0o ---", 0, "pa ab h", "thirdOutRuns=none"),
    ("CL-263", "T1 2o 123", "1B! to-third-home at-third D15", "B1 0o ---", 0, "pa ab h", "thirdOutRuns=none"),
    ("CL-263", "T1 2o 123", "1B! to-third-home at-third D14", "T1 2o 1-3", 2, "pa ab h rbi2", "thirdOutRuns=none"),
    ("CL-263", "T1 1o 123", "1B! to-third-home at-third D12", "T1 2o 1--", 2, "pa ab h rbi2", "thirdOutRuns=none"),
    ("CL-263", "T1 2o 1-3", "1B! stay", "T1 2o 12-", 1, "pa ab h rbi", "thirdOutRuns=none"),
    ("CL-263", "T1 2o -23", "1B! to-home at-home D18", "B1 0o ---", 0, "pa ab h", "thirdOutRuns=none"),
    ("CL-263", "T1 2o -23", "1B! to-home at-home D18", "B1 0o ---", 1, "pa ab h rbi", "thirdOutRuns=timePlay"),
    ("CL-397", "T1 1o 1-3", "FB! to-second-home at-second D9", "B1 0o ---", 0, "pa ab", "thirdOutRuns=none"),
    ("CL-270", "T1 2o --3", "GB!", "B1 0o ---", 1, "pa ab rbi", "gbThirdOutScores=true"),
    ("CL-298", "T1 1o 1-3", "GB! D13", "B1 0o ---", 1, "pa ab gdp", "gbThirdOutScores=true"),
    ("CL-277", "T1 0o 1--", "GB! one-out", "T1 1o -2-", 0, "pa ab", "dpAuto=false"),
    ("CL-267 CL-395", "T1 0o 12-", "GB! one-out", "T1 1o -23", 0, "pa ab", "dpAuto=false"),
    ("CL-395", "T1 0o 1-3", "GB! one-out", "T1 1o -2-", 1, "pa ab rbi", "dpAuto=false"),
    ("CL-395", "T1 0o 123", "GB! one-out", "T1 1o -23", 1, "pa ab rbi", "dpAuto=false"),
    ("CL-294", "T1 0o 1--", "GB! double-play D13", "T1 2o ---", 0, "pa ab gdp", "dpAuto=false"),
    ("CL-276", "T1 0o --3", "in GB! to-home at-home D15", "T1 0o 1--", 1, "pa ab rbi fc", "infieldInHomeBonus=6"),
    ("CL-338", "T1 0o --3", "in GB! to-home at-home D16", "T1 1o 1--", 0, "pa ab fc", "infieldInHomeBonus=6"),
    ("CL-345", "T1 0o --3", "in GB! to-home no-throw", "T1 0o 1--", 1, "pa ab rbi fc", "infieldInConcede=batterSafe"),
    ("CL-345", "T1 0o 1-3", "in GB! to-home no-throw", "T1 0o 12-", 1, "pa ab rbi fc", "infieldInConcede=batterSafe"),
    ("CL-345", "T1 0o -23", "in GB! to-home no-throw", "T1 0o 12-", 1, "pa ab rbi fc", "infieldInConcede=batterSafe"),
    (
        "CL-398",
        "T1 0o -23",
        "in GB! to-third-home at-home D13",
        "T1 1o 1-3",
        0,
        "pa ab fc",
        "infieldInR2MayFollow=true",
    ),
    (
        "CL-398",
        "T1 0o -23",
        "in GB! to-third-home at-home D12",
        "T1 0o 1-3",
        1,
        "pa ab rbi fc",
        "infieldInR2MayFollow=true",
    ),
    ("CL-398", "T1 0o -23", "in GB! to-home at-home D13", "T1 1o 12-", 0, "pa ab fc", "infieldInR2MayFollow=true"),
    ("CL-332", "T1 0o 123", "bunt B15", "T1 1o 123", 0, "pa sac", "buntNeedsAdvance=false"),
    ("CL-332", "T1 0o -23", "bunt B15", "T1 1o -23", 0, "pa sac", "buntNeedsAdvance=false"),
    ("CL-333", "T1 0o ---", "bunt B15", "T1 1o ---", 0, "pa sac", "buntNeedsAdvance=false"),
    ("CL-333", "T1 2o 12-", "bunt B15", "B1 0o ---", 0, "pa sac", "buntNeedsAdvance=false"),
    ("CL-333", "T1 1o --3", "bunt B15", "T1 2o --3", 0, "pa sac", "buntNeedsAdvance=false"),
]
"""The same, with a house rule (AM-59 to AM-61)."""


def wrote(table: Table, name: str = "Bx") -> str:
    """Return a batting line without its zeros, as "pa ab h rbi2"."""
    counts = ((what, getattr(line(table, name), what)) for what in BattingLine.__slots__)
    return " ".join(
        f"{what}{n if n > 1 else ''}" for what, n in counts if what not in ("name", "spot", "positions") and n
    )


@pytest.mark.rule("CL-243", "CL-310")
@pytest.mark.parametrize(
    ("where", "script", "after", "runs", "written", "house"), by_rule(*((*row, "") for row in PLAYS), *HOUSE_PLAYS)
)
def test_a_play(where: str, script: str, after: str, runs: int, written: str, house: str) -> None:
    """The pitcher's record and the box score match the batter's line; only cards call for checks.

    Without the lock on substitutions, the second ask decides a walk everywhere.
    """
    rules = dict([house.split("=")]) if house else {}
    table = run(at(where, away=[*CARDS], cards=CARDS, house={"subLockInning": "0", **rules}), *script.split())
    assert (after, runs, written) == (now(table), state(table).score[0], wrote(table))
    bx, px = line(table, "Bx"), mound(table)
    assert (bx.h, bx.hr, bx.so, bx.bb) == (px.hits, px.homers, px.strikeouts, px.walks)
    assert (bx.ibb, bx.hbp) == (px.intentional, px.hit_batters)
    assert (3 if after[0] == "B" else int(after[3])) - int(where[3]) == px.outs
    assert (runs, 0 if bx.e else runs, bx.e) == (px.runs, px.earned, state(table).errors[1])
    assert all(one.earned == (not bx.e) for one in state(table).bases if one and one.name == "Bx")
    batting = box_scores(table.log)["away"].batters.get("Bx")
    assert (bx.ab, bx.rbi) == ((batting.at_bats, batting.driven_in) if batting else (0, 0))
    assert not [one for one in event_codes(table) if one.startswith("check")]


@pytest.mark.parametrize(
    ("where", "script", "asks", "options", "house"),
    by_rule(
        ("CL-250", "T1 0o ---", "1B!", "home defence", "", ""),
        ("CL-250", "T1 0o ---", "2B!", "home defence", "", ""),
        ("CL-249 CL-262 CL-370", "T1 0o 1--", "1B!", "away extra-base", "stay to-third", ""),
        ("CL-249", "T1 0o -2-", "1B!", "away extra-base", "stay to-home", ""),
        ("CL-252", "T1 0o 1--", "2B!", "away extra-base", "stay to-home", ""),
        ("CL-261", "T1 0o 12-", "1B!", "away extra-base", "stay to-home to-third-home", ""),
        ("CL-259", "T1 0o 12-", "1B! to-third-home", "home throw-at", "at-home at-third no-throw", ""),
        ("CL-251", "T1 0o 12-", "3B!", "home defence", "", ""),
        ("CL-251", "T1 0o 12-", "BB!", "home defence", "", ""),
        ("CL-251", "T1 0o 1--", "SO!", "home defence", "", ""),
        ("CL-251 CL-287", "T1 0o 1-3", "LD!", "home defence", "", ""),
        ("CL-279", "T1 2o --3", "FB!", "away defence", "", ""),
        ("CL-285", "T1 0o 12-", "FB!", "away tag-up", "stay to-third to-second-third", ""),
        ("CL-266", "T1 0o -2-", "GB!", "away ground", "stay to-third", ""),
        ("CL-266 CL-268", "T1 0o -23", "GB!", "away ground", "stay to-third", ""),
        ("CL-271 CL-273", "T1 0o -2-", "GB! to-third", "home throw-or-batter", "at-third take-batter", ""),
        ("CL-267 CL-292", "T1 0o 1--", "GB!", "home throw", "", ""),
        ("CL-267", "T1 0o 12-", "GB!", "home throw", "", ""),
        ("CL-267", "T1 0o 1-3", "GB!", "home throw", "", ""),
        ("CL-267 CL-268", "T1 0o 123", "GB!", "home throw", "", ""),
        ("CL-292", "T1 0o 1--", "GB!", "home double-play", "double-play one-out", "dpAuto=false"),
        ("CL-292", "T1 0o -2-", "GB!", "away ground", "stay to-third", "dpAuto=false"),
        ("CL-299 CL-342", "T1 0o 1-3", "in GB!", "away send-home", "stay to-home", "dpAuto=false"),
        ("CL-396", "T1 2o 1-3", "GB!", "away defence", "", "dpAuto=false"),
        ("CL-306 CL-307", "T1 0o 12-", "steal-both", "home throw-at", "at-third at-second no-throw", ""),
        ("CL-326", "T1 0o 1--", "bunt B5", "away bunt", "", ""),
        ("CL-327", "T1 0o 1--", "bunt B5 B9", "away bunt-again", "bunt-again swing", ""),
        ("CL-335", "T1 0o --3", "pitch", "home infield", "back in back-on", ""),
        ("CL-335", "T1 1o 123", "pitch", "home infield", "back in back-on", ""),
        ("CL-335", "T1 2o --3", "pitch", "home pitch", "", ""),
        ("CL-335", "T1 1o 12-", "swing", "home pitch", "", ""),
        ("CL-335", "T1 0o -2-", "steal-third at-third D3", "home infield", "back in back-on", ""),
        ("CL-335", "T1 0o --3", "in BB! pitch swing", "home infield", "back in back-on", ""),
        ("CL-345", "T1 0o --3", "in GB! to-home", "home throw-or-batter", "at-home take-batter", ""),
        ("CL-345", "T1 0o 1-3", "in GB! to-home", "home throw-or-batter", "at-home take-batter", ""),
        ("CL-345", "T1 0o -23", "in GB! to-home", "home throw-or-batter", "at-home take-batter", ""),
        ("CL-398", "T1 0o -23", "in GB!", "away send-home", "stay to-home", ""),
        ("CL-398", "T1 0o -23", "in GB!", "away send-home", "stay to-home to-third-home", "infieldInR2MayFollow=true"),
    ),
)
def test_what_is_asked_next(where: str, script: str, asks: str, options: str, house: str) -> None:
    """With no options, a die or the next at-bat follows, and this one has no more questions."""
    table = at(where, house=dict([house.split("=")]) if house else {}, level="players")
    ask = until(table, *script.split())
    found = "" if ask.why == "defence" else " ".join(getattr(inside(ask), "options", ()))
    assert (asks, options) == (f"{ask.seat} {ask.why}", found)


@pytest.mark.parametrize(
    ("where", "steals"),
    by_rule(
        ("CL-169 CL-302", "T1 0o ---", ""),
        ("CL-302", "T1 0o 1--", "steal-second"),
        ("CL-302", "T1 0o -2-", "steal-third"),
        ("CL-303", "T1 0o --3", ""),
        ("CL-306 CL-308", "T1 0o 12-", "steal-third steal-both"),
        ("CL-303", "T1 0o 1-3", "steal-second"),
        ("CL-308", "T1 0o -23", ""),
        ("CL-308 CL-309", "T1 0o 123", ""),
    ),
)
def test_which_steals_can_be_declared(where: str, steals: str) -> None:
    table = at(where, house={"buntNeedsAdvance": "false"}, level="players")
    options = getattr(until(table, "pitch"), "options", ())
    assert steals.split() == [one for one in options if one.startswith("steal")]


@pytest.mark.rule("CL-306", "CL-307", "CL-310")
@each(
    ("answers", "after", "first", "second"),
    [
        ("at-second D7", "T1 1o --3", "cs", "sb"),
        ("at-third D4", "T1 1o -2-", "sb", "cs"),
        ("at-third D3", "T1 0o -23", "sb", "sb"),
        ("no-throw", "T1 0o -23", "sb", "sb"),
    ],
)
def test_a_double_steal(answers: str, after: str, first: str, second: str) -> None:
    """The other runner steals his base without a throw."""
    table = at("T1 0o 12-", level="players")
    until(table, "steal-both", *answers.split())
    assert (after, first, second) == (now(table), wrote(table, "A-RF"), wrote(table, "A-CF"))
