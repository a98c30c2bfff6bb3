"""What a question shows that takes work: worked out when somebody looks, so that rules alone never pay for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")


class CopyableState(Protocol):
    """A state, as `engine.game.GameState` is."""

    def copy(self) -> Any:
        """Return an independent copy."""


class LazyFact(Generic[T]):
    """A fact of an ask: `make(state, *rest)`, once, as the state was when it was asked. `make` changes nothing.

    Before the state goes on, somebody must call `freeze_state`, as the table does; not checked. `drive` need not: there
    nobody looks back.
    """

    __slots__ = ("_made", "_make", "_rest", "_state")

    def __init__(self, make: Callable[..., T], state: CopyableState, *rest: Any) -> None:
        self._make = make
        self._state: CopyableState | None = state
        self._rest = rest
        self._made: T

    @property
    def value(self) -> T:
        """The fact. Once it is made, nothing holds the state any more."""
        if self._state is not None:
            self._made = self._make(self._state, *self._rest)
            self._state, self._rest = None, ()
        return self._made

    def freeze_state(self, copies: dict[int, CopyableState]) -> None:
        """Keep the state as it is now, if nobody has looked yet. `copies` are those made already, by the state's id."""
        if self._state is not None:
            at = id(self._state)
            if at not in copies:
                copies[at] = self._state.copy()
            self._state = copies[at]

    def copy(self) -> LazyFact[T]:
        """Keep the state, and return this fact itself: another may be made of it."""
        self.freeze_state({})
        return self

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, LazyFact) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Lazy({self.value!r})"


class LazyFacts(LazyFact[Mapping[str, Any]], Mapping[str, Any]):
    """All facts of an ask, worked out together. Not checked: that none of them is lazy, which nobody would keep."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        return self.value[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.value)

    def __len__(self) -> int:
        return len(self.value)
