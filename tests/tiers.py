"""Which tests a run has: the default ones, with `--full` the slow ones too, with `--long` one kind of long ones."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import settings


class Kind(NamedTuple):
    """How long a kind of long test takes on two idle cores, and when to run it."""

    minutes: int
    when: str


LONG = {
    "containers": Kind(6, "the units, the installer or the start of the program changed (root, systemd-container)"),
    "root": Kind(1, "the hotspot changed: its gate and its shutting in networks of their own (root, nftables)"),
    "power-cuts": Kind(5, "the store, or what it writes when, changed: every order of writes, kills, a failing card"),
    "evenings": Kind(8, "a page changed: whole games of all five in Chromium, by touch and by ear"),
    "photos": Kind(2, "anything in vision/ changed: whole videos, and every photo that nothing was tuned to"),
    "wheels": Kind(3, "a lock changed: each package for a Pi's Python and processor (network)"),
}
"""The kinds that are tests. `scripts/test --long` knows three more, which are programs of their own."""

TOOLS = {
    "soak": Kind(30, "before a release, and after a change of threads: `scripts/soak`, also with --hostile"),
    "mutants": Kind(60, "rules or their tests changed: `scripts/mutants` plants faults in them"),
    "fuzz": Kind(10, "what is read from files or requests changed: `scripts/fuzz`"),
}

settings.register_profile("default", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("full", settings.get_profile("default"), max_examples=100)


def kind(item: pytest.Item) -> str | None:
    """Which kind of long test this is, or None."""
    mark = item.get_closest_marker("long")
    return str(mark.args[0]) if mark else None


def is_default(item: pytest.Item) -> bool:
    """Whether the default run has this test."""
    return kind(item) is None and not item.get_closest_marker("slow")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--full` and `--long`."""
    group = parser.getgroup("tiers", "which tests to run")
    group.addoption("--full", action="store_true", help="the slow tests too, and four times as many random examples")
    group.addoption(
        "--long",
        nargs="?",
        const="",
        choices=["", *LONG],
        metavar="NAME",
        help="one kind of long test; alone: list them",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Try more examples in all runs but the default one."""
    settings.load_profile("full" if config.option.full or config.option.long else "default")


def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """List the long tests, if none is named."""
    if config.option.long != "":
        return None
    for name, (minutes, when) in (LONG | TOOLS).items():
        print(f"{name:<11}{minutes:>3} min  {when}")
    return 0


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this run does not have. The slow tests come first, so that all processes end together."""
    if strange := [
        f"{item.nodeid}: no such kind of long test: {kind(item)}" for item in items if kind(item) not in {None, *LONG}
    ]:
        raise pytest.UsageError("\n".join(strange))
    if config.option.long:
        kept = [item for item in items if kind(item) == config.option.long]
    elif config.option.full:
        kept = sorted((item for item in items if kind(item) is None), key=is_default)
    else:
        kept = [item for item in items if is_default(item)]
    if left := set(items) - set(kept):
        config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = kept
