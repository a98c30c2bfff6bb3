"""League files: readable, strictly read, and changed whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.storage import league_files
from device.storage.league_files import LeagueFiles, parse_league
from engine.errors import LeagueError
from engine.league.league import Fixture, League, LeagueTeam
from engine.league.rules import check_league

TEAMS = (
    LeagueTeam("owls", "Owls", "red", "p0f1e2d3c", "rookie", "park", "The Owls"),
    LeagueTeam("lanterns", "Lanterns"),
    LeagueTeam("kiki", "Köln 💚"),
)
LEAGUE = League("summer", "Summer 2026", "small-ball", "round-robin", TEAMS, meetings=2, decks=("park",))
LISTED = replace(
    LEAGUE,
    key="cup",
    format="fixtures",
    listed=(Fixture(1, 1, "owls", "lanterns", "2026-04-01"), Fixture(7, 2, "kiki", "owls", title="Final")),
    house={"awayTeam": "red"},
    tie_breakers=("run-difference",),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "leagues"


def encoded(folder: Path, league: League = LISTED) -> bytes:
    LeagueFiles(folder).save(league)
    return (folder / f"{league.key}.json").read_bytes()


@pytest.mark.parametrize("league", [LEAGUE, LISTED, replace(LEAGUE, format="best-of", teams=TEAMS[:2], best_of=7)])
def test_a_league_comes_back_as_it_was(folder: Path, league: League) -> None:
    files = LeagueFiles(folder)
    files.save(league)
    assert {league.key: league} == files.leagues() == LeagueFiles(folder).leagues()
    assert [] == files.troubles()


def test_a_file_has_a_line_for_each_team_and_fixture(folder: Path) -> None:
    lines = encoded(folder).decode().splitlines()
    for one in (*map(asdict, LISTED.teams), *map(asdict, LISTED.listed)):
        assert one in [json.loads(line.strip().rstrip(",")) for line in lines if line.startswith("    {")]
    assert "Köln 💚" in "".join(lines)


def test_changes_by_hand_are_seen(folder: Path) -> None:
    files = LeagueFiles(folder)
    files.save(LEAGUE)
    assert "Summer 2026" == files.leagues()["summer"].title
    path = folder / "summer.json"
    path.write_text(path.read_text("utf-8").replace("Summer 2026", "Winter"), "utf-8")
    assert "Winter" == files.leagues()["summer"].title
    path.unlink()
    assert {} == files.leagues()


def test_a_league_by_hand_needs_only_what_has_no_default(folder: Path) -> None:
    teams = [{"key": "a", "name": "A"}, {"key": "b", "name": "B"}]
    text = json.dumps({"key": "x", "title": "X", "game": "clutch", "format": "best-of", "teams": teams, "best_of": 3})
    found = parse_league(b"\xef\xbb\xbf" + text.encode(), "x.json")
    assert League("x", "X", "clutch", "best-of", (LeagueTeam("a", "A"), LeagueTeam("b", "B")), best_of=3) == found


BROKEN = [
    ('"title": ', '"title": oops', r"^leagues/cup\.json, line 3: it is no JSON: Expecting value\.$"),
    ('"title": "Summer 2026"', '"title": 3', r"^leagues/cup\.json, title: it needs a visible text"),
    ('"title": "Summer 2026"', '"titel": "x"', r"^leagues/cup\.json, 'titel': this version of Dugout does not know"),
    ('"title": "Summer 2026",', "", r"^leagues/cup\.json, title: it is missing\.$"),
    ('"number": 7', '"number": "7"', r"^leagues/cup\.json, listed\[2\]\.number: it needs a whole number"),
    ('"number": 7', '"number": true', r"^leagues/cup\.json, listed\[2\]\.number: it needs a whole number"),
    ('"number": 7', '"number": 1e999', r"^leagues/cup\.json, listed\[2\]\.number: it needs a whole number"),
    ('"number": 7', '"number": NaN', r"^leagues/cup\.json: it has too many brackets"),
    ('"number": 7', f'"number": {"9" * 5000}', r"^leagues/cup\.json: it has too many brackets"),
    ('"awayTeam": "red"', '"awayTeam": ["red"]', r"^leagues/cup\.json, house: it needs a visible text"),
    ('"awayTeam": "red"', '"awayTeam": "puce"', r"^leagues/cup\.json, house and pace: "),
    ('"name": "Lanterns"', '"name": "Lan\\u202eterns"', r"^leagues/cup\.json, teams\[2\]\.name: it needs a visible"),
    ('"name": "Lanterns"', '"name": "Lan\\ud800terns"', r"^leagues/cup\.json, teams\[2\]\.name: it needs a visible"),
    ('"name": "Lanterns"', '"name": "OWLS"', r"^leagues/cup\.json, teams, name: owls is there twice"),
    ('"manager": "rookie"', '"manager": "genius"', r"^leagues/cup\.json, team 1, manager: "),
    ('"key": "cup"', '"key": "cap"', r"^leagues/cup\.json, key: it differs from the name of the file"),
    ('"game": "small-ball"', '"game": "chess"', r"^leagues/cup\.json, game: "),
    ('"teams": [', '"teams": {}, "x": [', r"^leagues/cup\.json, 'x': "),
    ('"decks": ["park"]', '"decks": {}', r"^leagues/cup\.json, decks: it needs a list in \[\]"),
    ("{", "[" * 100_000, r"^leagues/cup\.json: it has too many brackets"),
    ("Köln", "K\udcf6ln", r"^leagues/cup\.json, line 9: it is not UTF-8 text"),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_a_broken_file_is_left_out_and_says_where_and_why(folder: Path, old: str, new: str, message: str) -> None:
    """The other leagues are there, and the file stays as it is."""
    text = encoded(folder).decode()
    assert old in text
    files = LeagueFiles(folder)
    files.save(LEAGUE)
    broken = text.replace(old, new, 1).encode("utf-8", "surrogateescape")
    (folder / "cup.json").write_bytes(broken)
    assert ["summer"] == list(files.leagues())
    (trouble,) = files.troubles()
    with pytest.raises(LeagueError, match=message):
        raise LeagueError(trouble)
    assert broken == (folder / "cup.json").read_bytes()
    files.save(LISTED)
    assert [] == files.troubles()


@pytest.mark.parametrize("odd", ["notes.txt", ".cup.json.part", "link.json", "folder.json", "pipe.json"])
def test_other_files_are_ignored(folder: Path, odd: str) -> None:
    files = LeagueFiles(folder)
    files.save(LEAGUE)
    path = folder / odd
    match odd:
        case "link.json":
            path.symlink_to("/dev/zero")
        case "folder.json":
            path.mkdir()
        case "pipe.json":
            os.mkfifo(path)
        case _:
            path.write_bytes(b"{")
    assert (["summer"], []) == (list(files.leagues()), files.troubles())


def test_a_file_whose_name_is_no_key_says_so(folder: Path) -> None:
    encoded(folder)
    (folder / "cup.json").rename(folder / "Copy of cup.json")
    assert ["leagues/Copy of cup.json, key: it differs from the name of the file."] == LeagueFiles(folder).troubles()


def test_a_league_that_cannot_be_played_is_not_saved(folder: Path) -> None:
    files = LeagueFiles(folder)
    files.save(LEAGUE)
    for odd in (replace(LEAGUE, title=""), replace(LEAGUE, key="../summer"), replace(LEAGUE, teams=TEAMS[:1])):
        with pytest.raises(LeagueError):
            files.save(odd)
    assert {"summer": LEAGUE} == files.leagues()
    assert ["summer.json"] == [one.name for one in folder.iterdir()]


def test_there_are_at_most_so_many_leagues(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league_files, "MAX_LEAGUES", 2)
    files = LeagueFiles(folder)
    files.save(LEAGUE)
    files.save(LISTED)
    with pytest.raises(LeagueError, match="There are 2 leagues"):
        files.save(replace(LEAGUE, key="third"))
    files.save(replace(LEAGUE, title="Autumn"))
    (folder / "zoo.json").write_bytes((folder / "cup.json").read_bytes())
    assert (["cup", "summer"], ["zoo.json: there are more than 2 leagues."]) == (
        list(files.leagues()),
        files.troubles(),
    )
    files.delete("cup")
    assert ["summer"] == list(files.leagues())


@pytest.mark.parametrize("key", ["gone", "../people", "", "summer.json"])
def test_what_is_not_there_is_not_deleted(folder: Path, key: str) -> None:
    files = LeagueFiles(folder)
    files.save(LEAGUE)
    (folder.parent / "people.json").write_text("{}")
    with pytest.raises(LeagueError, match=r"^That league is gone\.$"):
        files.delete(key)
    assert (folder.parent / "people.json").exists()


def test_the_largest_season_fits(folder: Path) -> None:
    """A season of 162 games for each of 30 teams, and the most fixtures."""
    teams = [LeagueTeam(f"t{n}", f"Team {n}") for n in range(30)]
    for count in (2430, 20_000):
        listed = [
            Fixture(n, n // 15 + 1, f"t{n % 30}", f"t{(n + 1) % 30}", "2026-04-01", "Day") for n in range(1, count)
        ]
        league = replace(LISTED, teams=teams, listed=listed)
        files = LeagueFiles(folder)
        files.save(league)
        assert count - 1 == len(files.leagues()["cup"].listed)


def values() -> st.SearchStrategy[Any]:
    plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("x" * 300)
    return st.recursive(plain, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5)


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value."""
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        yield from paths(one, (*at, key))


def with_value(root: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    twin = json.loads(json.dumps(root))
    at = twin
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return twin


PLAIN = json.loads(json.dumps(asdict(LISTED)))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(list(paths(PLAIN))), values())
def test_no_value_anywhere_ends_in_another_error(path: tuple[Any, ...], value: Any) -> None:
    """Whatever is accepted can be saved and read again."""
    data = json.dumps(with_value(PLAIN, path, value)).encode()
    with suppress(LeagueError):
        found = parse_league(data, "cup.json")
        check_league(found)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_bytes_end_in_another_error(data: st.DataObject) -> None:
    text = json.dumps(PLAIN).encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    with suppress(LeagueError):
        parse_league(text[:start] + data.draw(st.binary(max_size=20)) + text[end:], "cup.json")


def test_no_reader_waits_or_sees_half_a_league(folder: Path) -> None:
    """While one thread saves, others read the old or the new one."""
    files = LeagueFiles(folder)
    files.save(LISTED)
    titles = [f"Cup {n}" for n in range(20)]
    with ThreadPoolExecutor(4) as pool:
        saved = [pool.submit(partial(files.save, replace(LISTED, title=title))) for title in titles]
        seen = [pool.submit(lambda: files.leagues()["cup"].title) for _ in range(40)]
        assert {one.result() for one in seen} <= {LISTED.title, *titles}
        assert [None] * 20 == [one.result() for one in saved]
