"""Facts of an ask that take work, computed when somebody asks for them, so that rules alone never pay for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")


class CopyableState(Protocol):
    """A state such as `engine.game.GameState`."""

    def copy(self) -> Any:
        """Return an independent copy."""


class LazyFact(Generic[T]):
    """A fact of an ask, computed at most once as `make(state, *rest)`. `make` must change nothing.

    Not checked: before the state changes, the caller must freeze it with `freeze_state`, as the table does.
    `play_to_end` need not, because nobody reads earlier facts there.
    """

    __slots__ = ("_made", "_make", "_rest", "_state")

    def __init__(self, make: Callable[..., T], state: CopyableState, *rest: Any) -> None:
        self._make = make
        self._state: CopyableState | None = state
        self._rest = rest
        self._made: T

    @property
    def value(self) -> T:
        """The fact. Computing it releases the state."""
        if self._state is not None:
            self._made = self._make(self._state, *self._rest)
            self._state, self._rest = None, ()
        return self._made

    def freeze_state(self, copies: dict[int, CopyableState]) -> None:
        """Replace the state by a copy, unless the fact has been computed. `copies` are those made so far, by id."""
        if self._state is not None:
            at = id(self._state)
            if at not in copies:
                copies[at] = self._state.copy()
            self._state = copies[at]

    def copy(self) -> LazyFact[T]:
        """Freeze the state and return this fact, which others may be built from."""
        self.freeze_state({})
        return self

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, LazyFact) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Lazy({self.value!r})"


class LazyFacts(LazyFact[Mapping[str, Any]], Mapping[str, Any]):
    """All facts of an ask, computed together. None may be lazy, because nobody would freeze it. This is not checked."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        return self.value[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.value)

    def __len__(self) -> int:
        return len(self.value)
