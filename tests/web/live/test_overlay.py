"""The overlay for broadcasts: its looks by address."""

from __future__ import annotations

import re

import pytest

from tests.web.phones import phone, small_ball, text
from web.app import create_app


@pytest.mark.parametrize(
    ("query", "theme", "size"),
    [
        ("", "dark", "100"),
        ("?theme=light&size=50", "light", "50"),
        ("?theme=plain&size=300", "plain", "300"),
    ],
)
def test_its_address_says_how_it_looks(query: str, theme: str, size: str) -> None:
    """Theme and size are on the page, without inline styles."""
    with phone(create_app(small_ball().port)) as client:
        answer = client.get(f"/overlay{query}")
    (body,) = re.findall(r"<body[^>]*>", answer.text)
    found = dict(re.findall(r'([\w-]+)="([^"]*)"', body))
    assert (["overlay", theme], size) == (found.pop("class").split()[:2], found.pop("data-size"))
    assert {} == found
    assert "style=" not in answer.text
    assert 200 == answer.status_code


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("theme=pink", "theme: input should be 'dark', 'light' or 'plain'."),
        ("theme=", "theme: "),
        ("size=49", "size: input should be greater than or equal to 50."),
        ("size=301", "size: input should be less than or equal to 300."),
        ("size=big", "size: input should be a valid integer"),
        ("size=1e9", "size: "),
        ("size=" + "9" * 5000, "size: "),
        ("size=%ff", "size: "),
        ("theme=dark&theme=pink", "theme: "),
    ],
)
def test_a_wrong_address_is_told(query: str, words: str) -> None:
    """The page of the refusal names the parameter."""
    with phone(create_app(small_ball().port)) as client:
        answer = client.get(f"/overlay?{query}")
    assert 422 == answer.status_code
    assert words in text(answer.text)
    assert "text/html" in answer.headers["content-type"]
