"""The bounds on the shape of the program: each figure rises when what it counts does, and one above its bound fails."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks import structure


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [["a", "b", "c"]]),
    ],
)
def test_a_circle_of_imports_is_found(graph: Mapping[str, set[str]], found: list[list[str]]) -> None:
    assert found == list(structure.import_cycles(graph))


class _First:
    def one(self) -> None: ...

    @property
    def two(self) -> int:
        return 2

    def _own(self) -> None: ...


class _Second(_First):
    def one(self) -> None: ...

    def three(self) -> None: ...


def test_classes_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those of the product count, each name once."""
    assert (1, 0) == (structure.class_depth(_Second), structure.public_member_count(_Second))
    monkeypatch.setattr(structure, "ROOMS", ("tests",))
    assert [(1, 2), (2, 3)] == [
        (structure.class_depth(one), structure.public_member_count(one)) for one in (_First, _Second)
    ]


def test_steps_are_counted() -> None:
    """A press that moves a cursor enters fewer modules than an undo, which asks the rules again."""
    found = structure.traced_costs()
    assert 10 < found["jumps of a press"] < found["jumps of an undo"]
    assert found["modules of a die"] > found["modules of an undo"] > 10


@pytest.mark.parametrize(
    ("bounds", "status", "words"),
    [
        ("lines = 10", 0, ""),
        ("lines = 9", 1, "lines: 10, bound 9: ABOVE"),
        ('lines = 10\n"lines of attic" = 5', 1, "there is no figure 'lines of attic'"),
    ],
)
def test_a_figure_above_its_bound_fails(
    bounds: str,
    status: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/bounds.toml").write_text(bounds)
    monkeypatch.setattr(structure, "ROOT", tmp_path)
    monkeypatch.setattr(structure, "figures", lambda: {"lines": 10, "calls": 3})
    assert status == structure.main()
    assert words in capsys.readouterr().err
