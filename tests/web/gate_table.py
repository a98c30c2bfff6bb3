"""The table of `docs/develop/requests.md` with every reason why a phone is refused.

`python -m tests.web.gate_table` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator

from web.security.admission import GATES_BY_NAME, NO_ANSWER, Gate


def allows(gate: Gate) -> str:
    """Return what a gate lets pass, in words."""
    return f"{gate.limit or ''} {gate.unit.format(span=gate.span_s)}".strip()


def shown(gate: Gate) -> str:
    """Return what the phone reads; `…` stands for what the program fills in."""
    filled = dict.fromkeys(("wait", "seat"), "…") | {"limit": str(gate.limit)}
    return gate.sentence.format(**filled) or "–"


def lines() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| the phone was turned away: | what helps | allowed | status | it reads |\n"
    yield "|---|---|---|---|---|\n"
    for gate in GATES_BY_NAME.values():
        status = "none" if gate.status == NO_ANSWER else gate.status
        yield f"| {gate.name} | {gate.advice} | {allows(gate)} | {status} | {shown(gate)} |\n"


if __name__ == "__main__":
    print("".join(lines()), end="")
