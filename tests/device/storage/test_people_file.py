"""People: their names are in one file only, and gone from it when they are forgotten."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.storage import people_file
from device.storage.people_file import PeopleFile, parse_people
from engine.errors import LeagueError
from engine.league.views import Person
from tests.device.storage.test_league_files import paths, values, with_value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "people.json"


def test_people_come_back_sorted_by_name(path: Path) -> None:
    file = PeopleFile(path)
    assert ([], None, "") == (file.people(), file.find("p1"), file.trouble())
    added = [file.save("", name, "blue") for name in ("zoe", "Ann", "Émile")]
    assert (
        ["Ann", "zoe", "Émile"]
        == [one.name for one in file.people()]
        == [one.name for one in PeopleFile(path).people()]
    )
    assert added[0] == file.find(added[0].key)


def test_keys_say_nothing_of_names_and_stay(path: Path) -> None:
    file = PeopleFile(path)
    keys = {file.save("", f"Ann {n}", "red").key for n in range(50)}
    assert 50 == len(keys)
    assert [] == [key for key in keys if not re.fullmatch("p[0-9a-f]{8}", key)]
    key = sorted(keys)[0]
    assert Person(key, "Bo", "green") == file.save(key, " Bo ", "green") == file.find(key)


@pytest.mark.parametrize("name", ["", " ", "\u2800", "x" * 25, "A\nB", "\ud800", "ANN", "ann "])
def test_a_name_is_visible_short_and_unique(path: Path, name: str) -> None:
    """Also when somebody is renamed. A person keeps the own name in other letters."""
    file = PeopleFile(path)
    ann, bo = file.save("", "Ann", "red"), file.save("", "Bo", "red")
    before = path.read_bytes()
    for key in ("", bo.key):
        with pytest.raises(LeagueError, match=r"^name: "):
            file.save(key, name, "red")
    assert before == path.read_bytes()
    assert "ANN" == file.save(ann.key, "ANN", "red").name


def test_a_color_or_person_that_is_not_there_is_refused(path: Path) -> None:
    file = PeopleFile(path)
    ann = file.save("", "Ann", "red")
    with pytest.raises(LeagueError, match=r"^color: it can be red, "):
        file.save("", "Bo", "puce")
    for change in (
        lambda: file.save("p1", "Bo", "red"),
        lambda: file.merge("p1", ann.key),
        lambda: file.merge(ann.key, "p1"),
        lambda: file.forget("p1"),
    ):
        with pytest.raises(LeagueError, match=r"^That person is gone\.$"):
            change()
    with pytest.raises(LeagueError, match="somebody else"):
        file.merge(ann.key, ann.key)
    assert [ann] == PeopleFile(path).people()


def test_merged_people_are_found_by_all_their_keys(path: Path) -> None:
    file = PeopleFile(path)
    one, two, three = (file.save("", name, "red") for name in ("Ann", "Anne", "Annie"))
    file.merge(one.key, two.key)
    file.merge(two.key, three.key)
    for again in (file, PeopleFile(path)):
        assert [three] * 3 == [again.find(key.key) for key in (one, two, three)]
        assert [three] == again.people()
    assert "Ann" == file.save("", "Ann", "red").name


def test_nothing_of_a_forgotten_name_stays_in_the_folder(path: Path) -> None:
    """Not even in what a power cut left there before. People who were merged into that person are unknown, too."""
    file = PeopleFile(path)
    one, two, other = (file.save("", name, "red") for name in ("Annabel", "Annika", "Bo"))
    file.merge(one.key, two.key)
    path.with_name(".people.json.part").write_bytes(path.read_bytes()[:-20])
    file.forget(two.key)
    assert [None, None, other] == [PeopleFile(path).find(one.key) for one in (one, two, other)]
    assert [] == [one for one in path.parent.rglob("*") if b"Ann" in one.read_bytes()]
    assert one.key not in path.read_text("utf-8")


def test_there_are_at_most_so_many_people(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_file, "MAX_PEOPLE", 2)
    monkeypatch.setattr(people_file, "MAX_MERGED", 1)
    file = PeopleFile(path)
    one, two = file.save("", "A", "red"), file.save("", "B", "red")
    with pytest.raises(LeagueError, match="There are 2 people"):
        file.save("", "C", "red")
    file.save(one.key, "C", "red")
    file.merge(one.key, two.key)
    three = file.save("", "D", "red")
    with pytest.raises(LeagueError, match="There are 1 merged"):
        file.merge(three.key, two.key)


def test_the_most_people_fit(path: Path) -> None:
    people = [{"key": f"p{n:08x}", "name": f"{n:03}" + "\U0001f49a" * 21, "colour": "orange"} for n in range(500)]
    data = {"people": people, "merged": {f"q{n:039}": f"p{n % 500:08x}" for n in range(5000)}}
    path.parent.mkdir()
    path.write_text(json.dumps(data), "utf-8")
    file = PeopleFile(path)
    assert ("", 500) == (file.trouble(), len(file.people()))
    file.save("p00000000", "Ann", "red")
    assert ("", 500) == (PeopleFile(path).trouble(), len(file.people()))


PLAIN: dict[str, Any] = {
    "people": [{"key": "p1", "name": "Ann Lee", "colour": "red"}, {"key": "p2", "name": "Bo Lee", "colour": "blue"}],
    "merged": {"p3": "p1"},
}

BROKEN = [
    ('"p1", "name"', '"p1" "name"', r"^people\.json, line 1: it is no JSON: "),
    ('"red"', '"puce"', r"^people\.json, people\[1\]\.colour: it can be "),
    ('"colour": "red"', '"color": "red"', r"^people\.json, people\[1\]\.'color': this version"),
    ("Bo Lee", "ANN LEE", r"^people\.json, people\[2\]\.name: it needs a name of its own"),
    ("Bo Lee", "Bo Lee ", r"^people\.json, people\[2\]\.name: it needs a name of its own"),
    ("Bo Lee", "x" * 25, r"^people\.json, people\[2\]\.name: it can have at most 24"),
    ('"p2"', '"p1"', r"^people\.json, people\[2\]\.key: it needs a key of its own"),
    ('"p2"', '"P2"', r"^people\.json, people\[2\]\.key: it needs a key of its own"),
    ('"p3": "p1"', '"p3": "p4"', r"^people\.json, merged: "),
    ('"p3": "p1"', '"p1": "p2"', r"^people\.json, merged: "),
    ('"p3": "p1"', '"p3": "p3"', r"^people\.json, merged: "),
    ('"p3": "p1"', '"p3": 1', r"^people\.json, merged: it needs a visible text"),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_a_broken_file_is_never_replaced_and_says_where_and_why(path: Path, old: str, new: str, message: str) -> None:
    """The sentence repeats nobody's name, because logs and bundles may have it."""
    path.parent.mkdir()
    broken = json.dumps(PLAIN).replace(old, new, 1)
    assert broken != json.dumps(PLAIN)
    path.write_text(broken, "utf-8")
    file = PeopleFile(path)
    assert ([], None) == (file.people(), file.find("p1"))
    with pytest.raises(LeagueError, match=message) as error:
        file.save("", "Cy", "red")
    assert str(error.value).startswith(file.trouble())
    assert "Lee" not in file.trouble().title()
    assert broken == path.read_text("utf-8")
    path.write_text(json.dumps(PLAIN), "utf-8")
    assert ("", "Ann Lee") == (file.trouble(), getattr(file.find("p3"), "name", ""))


def test_a_folder_is_no_list_of_people(path: Path) -> None:
    path.mkdir(parents=True)
    file = PeopleFile(path)
    assert file.trouble() == "people.json: it cannot be read: Is a directory."
    with pytest.raises(LeagueError):
        file.save("", "Ann", "red")


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(list(paths(PLAIN))), values())
def test_no_value_anywhere_ends_in_another_error(path: tuple[Any, ...], value: Any) -> None:
    with suppress(LeagueError):
        parse_people(json.dumps(with_value(PLAIN, path, value)).encode(), "people.json")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_bytes_end_in_another_error(data: st.DataObject) -> None:
    text = json.dumps(PLAIN).encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    with suppress(LeagueError):
        parse_people(text[:start] + data.draw(st.binary(max_size=20)) + text[end:], "people.json")


def test_people_are_found_by_name_or_added_all_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that cannot be stored, or one too many, adds nobody."""
    people = PeopleFile(path)
    ann = people.save("", "Ann", "red")
    keys = people.find_or_add({"ANN": "blue", "Bo": "teal", "bo": "red"})
    assert keys == {"ANN": ann.key, "Bo": keys["bo"], "bo": keys["bo"]}
    assert [(one.name, one.colour) for one in people.people()] == [("Ann", "red"), ("Bo", "teal")]
    with pytest.raises(LeagueError, match="at most 24"):
        people.find_or_add({"Cy": "red", "x" * 25: "red"})
    monkeypatch.setattr(people_file, "MAX_PEOPLE", 3)
    with pytest.raises(LeagueError, match="There are 3 people"):
        people.find_or_add({"Cy": "red", "Dee": "red"})
    assert [one.name for one in people.people()] == ["Ann", "Bo"]
