"""One test over a list of cases, where a test for each would prove no more: every case that fails is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

Test = Callable[..., None]


def each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with every case, as `pytest.mark.parametrize` would, but as one test. Fixtures are shared.

    All cases run. The test fails with an ExceptionGroup that has the error of each case that failed, and the case.
    """
    called = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    given = list(cases)
    rows = [(case,) if len(called) == 1 else tuple(case) for case in given]
    if not rows:
        raise ValueError("There are no cases.")
    if any(hasattr(case, "marks") for case in given):
        raise TypeError("A case with marks of its own, as of a rule, needs a test of its own.")

    def decorate(test: Test) -> Test:
        @wraps(test)
        def every(**fixtures: Any) -> None:
            failed = []
            for row in rows:
                case = dict(zip(called, row, strict=True))
                try:
                    test(**fixtures, **case)
                except Exception as error:
                    error.add_note(f"with {case}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(rows)} cases failed", failed)

        wanted = signature(test)
        left = [one for name, one in wanted.parameters.items() if name not in called]
        every.__signature__ = wanted.replace(parameters=left)  # type: ignore[attr-defined]
        del every.__wrapped__  # pytest would ask it for the arguments
        return every

    return decorate
