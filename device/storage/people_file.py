"""The people who play here, in one JSON file. Nothing else on disk has their names, only their keys."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from device import named_file
from device.storage import atomic_file, json_fields
from device.storage.seat_settings import KEY_PATTERN
from engine.errors import LeagueError
from engine.events import spoken_list
from engine.league.league import TEAM_COLORS
from engine.league.rules import MAX_NAME_LENGTH
from engine.league.views import Person
from engine.text import visible_text

MAX_PEOPLE = 500
MAX_MERGED = 5000  # maximum number of keys that stand for another person
MAX_PEOPLE_BYTES = 512 << 10  # maximum bytes of the file


@dataclass(frozen=True, slots=True)
class PeopleList:
    """The content of the file.

    merged: for each key of somebody who was merged into another person, that person's key.
    """

    people: Sequence[Person] = ()
    merged: Mapping[str, str] = field(default_factory=dict)


def parse_people(data: bytes, name: str) -> PeopleList:
    """Parse the file of people. Raises LeagueError with `name`, field or line, and reason. It quotes no name."""
    try:
        if len(data) > MAX_PEOPLE_BYTES:
            raise LeagueError(f"it is larger than {MAX_PEOPLE_BYTES >> 10} KiB.")
        found = json_fields.parse_fields(PeopleList, json_fields.parse_json(data))
        _check_people(found)
    except LeagueError as error:
        raise json_fields.file_error(name, error) from None
    return found


def _check_people(found: PeopleList) -> None:
    keys, names = set[str](), set[str]()
    if len(found.people) > MAX_PEOPLE or len(found.merged) > MAX_MERGED:
        raise LeagueError(f"there can be at most {MAX_PEOPLE} people and {MAX_MERGED} merged ones.")
    for number, one in enumerate(found.people, 1):
        place = f"people[{number}]"
        if KEY_PATTERN.fullmatch(one.key) is None or one.key in keys:
            raise LeagueError(f"{place}.key: it needs a key of its own, such as p0f1e2d3c.")
        if _checked_name(one.name, f"{place}.name") != one.name or one.name.casefold() in names:
            raise LeagueError(f"{place}.name: it needs a name of its own, without spaces at its ends.")
        _check_color(one.colour, f"{place}.colour")
        keys.add(one.key)
        names.add(one.name.casefold())
    for key, into in found.merged.items():
        if KEY_PATTERN.fullmatch(key) is None or key in keys or into not in keys:
            raise LeagueError("merged: it needs keys of former people, each with the key of a person.")


def _checked_name(name: str, place: str) -> str:
    try:
        return visible_text.visible_line(name, MAX_NAME_LENGTH)
    except ValueError as error:
        raise LeagueError(f"{place}: it {error}") from None


def _check_color(color: str, place: str) -> None:
    if color not in TEAM_COLORS:
        raise LeagueError(f"{place}: it can be {spoken_list(list(TEAM_COLORS), 'or')}.")


class PeopleFile:
    """The people in the file `path`. Any thread may call. People may edit the file at any time.

    Changes raise LeagueError and OSError, and then nothing changed. They are durable on return.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._stamp: named_file.FileStamp | None = None
        self._content, self._trouble = PeopleList(), ""

    def people(self) -> list[Person]:
        """Everybody, sorted by name."""
        return sorted(self._read().people, key=lambda one: (one.name.casefold(), one.key))

    def find(self, key: str) -> Person | None:
        """The person of this key, or whom that person was merged into. None if nobody is known, or was forgotten."""
        found = self._read()
        key = found.merged.get(key, key)
        return next((one for one in found.people if one.key == key), None)

    def trouble(self) -> str:
        """What is wrong with the file, with line or field. Nobody is known then. "" if nothing is."""
        self._read()
        return self._trouble

    def save(self, key: str, name: str, colour: str) -> Person:
        """Change a person, or add one (key "")."""
        with self._lock:
            found = self._read_for_change()
            found, person = _with_person(found, _require(found, key).key if key else "", name, colour)
            self._write(found)
        return person

    def find_or_add(self, colors: Mapping[str, str]) -> dict[str, str]:
        """Return the keys of people by name. Those who are not known are added, each in a color: all of them or none.

        colors: by name, in any case.
        """
        with self._lock:
            before = found = self._read_for_change()
            keys = dict[str, str]()
            for name, color in colors.items():
                label = _checked_name(name, "person").casefold()
                person = next((one for one in found.people if one.name.casefold() == label), None)
                if person is None:
                    found, person = _with_person(found, "", name, color)
                keys[name] = person.key
            if found != before:
                self._write(found)
        return keys

    def merge(self, key: str, into: str) -> None:
        """Make a person's games those of another one. The first name is gone."""
        with self._lock:
            found = self._read_for_change()
            if _require(found, key) == _require(found, into):
                raise LeagueError("A person can only be merged into somebody else.")
            if len(found.merged) >= MAX_MERGED:
                raise LeagueError(f"There are {MAX_MERGED} merged people, and cannot be more.")
            merged = {one: into if other == key else other for one, other in found.merged.items()}
            people = [one for one in found.people if one.key != key]
            self._write(PeopleList(people, merged | {key: into}))

    def forget(self, key: str) -> None:
        """Delete a person's name. Games keep only the key, which then says nothing."""
        with self._lock:
            found = self._read_for_change()
            _require(found, key)
            merged = {one: other for one, other in found.merged.items() if other != key}
            self._write(PeopleList([one for one in found.people if one.key != key], merged))

    def _read(self) -> PeopleList:
        with self._lock:
            return self._read_changes()

    def _read_changes(self) -> PeopleList:
        """Content of the file, which is read again if it changed. Nobody if it cannot be used."""
        stamp = named_file.file_stamp(self._path)
        if stamp != self._stamp:
            self._content, self._trouble = PeopleList(), ""
            if stamp is not None:
                try:
                    data = json_fields.read_file(self._path, self._path.name, MAX_PEOPLE_BYTES)
                    self._content = parse_people(data, self._path.name)
                except LeagueError as error:
                    self._trouble = str(error)
            self._stamp = stamp
        return self._content

    def _read_for_change(self) -> PeopleList:
        """Content of the file. Raises LeagueError if it cannot be used, because a change would replace it."""
        found = self._read_changes()
        if self._trouble:
            raise LeagueError(f"{self._trouble} Correct or delete this file.")
        return found

    def _write(self, content: PeopleList) -> None:
        atomic_file.make_folder(self._path.parent)
        atomic_file.write_file(self._path, json_fields.encode_fields(asdict(content)))
        self._content, self._stamp = content, named_file.file_stamp(self._path)


def _require(found: PeopleList, key: str) -> Person:
    person = next((one for one in found.people if one.key == key), None)
    if person is None:
        raise LeagueError("That person is gone.")
    return person


def _with_person(found: PeopleList, key: str, name: str, color: str) -> tuple[PeopleList, Person]:
    """The list with a person changed, or added (key ""), and that person. Raises LeagueError."""
    others = [one for one in found.people if one.key != key]
    taken = {one.key for one in found.people} | found.merged.keys()
    # No slug of the name, because games keep the key when the name is forgotten.
    key = key or next(new for new in iter(lambda: f"p{secrets.token_hex(4)}", "") if new not in taken)
    person = Person(key, _checked_name(name, "name"), color)
    _check_color(color, "color")
    if any(one.name.casefold() == person.name.casefold() for one in others):
        raise LeagueError("name: somebody here has this name. Choose another one.")
    if len(others) >= MAX_PEOPLE:
        raise LeagueError(f"There are {MAX_PEOPLE} people. Forget one before you add another.")
    return replace(found, people=[*others, person]), person
