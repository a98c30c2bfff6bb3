"""The doctor's page: for the operator alone, the worst first, as text, with a file to take away."""

from __future__ import annotations

from tests.web.phones import phone, small_ball, text
from web.app import create_app


def test_what_was_found_is_told_with_what_to_do() -> None:
    """Each with its verdict in words, and escaped."""
    with phone(create_app(small_ball().port), "operator") as client:
        page = client.get("/doctor").text
    words = text(page)
    assert "2 things to look at, the worst first." in words
    assert "Power wrong The voltage is <b>too low</b>. Take its supply. Network worth a look" in words
    assert "Disk in order 12.4 GiB are free." in words
    assert "<b>too low</b>" not in page
    assert 'href="/doctor">Look again' in page


def test_all_is_well() -> None:
    port = small_ball()
    port.doctor.findings = list  # type: ignore[method-assign]
    with phone(create_app(port.port), "operator") as client:
        assert "All is well." in client.get("/doctor").text


def test_the_file_to_send() -> None:
    """Not cached, and with a name."""
    with phone(create_app(small_ball().port), "operator") as client:
        answer = client.get("/doctor.zip")
    assert (b"a bundle", "application/zip", "no-store") == (
        answer.content,
        answer.headers["content-type"],
        answer.headers["cache-control"],
    )
    assert "attachment; filename=dugout-doctor.zip" == answer.headers["content-disposition"]


def test_the_table_leads_there() -> None:
    with phone(create_app(small_ball().port), "operator") as client:
        assert 'href="/doctor"' in client.get("/table").text
