"""Errors of requests that the web rejects. `web.errors` turns them into responses."""

from __future__ import annotations

from web.security.admission import Gate

REJECTION_KINDS = {
    400: ("malformed", "This request cannot be read."),
    404: ("unknown", "There’s nothing here."),
    405: ("method", "This address doesn’t support that."),
    422: ("malformed", "This request has the wrong format."),
}
"""Kind and sentence of a rejection by status, for reasons that are not in `web.security.admission`."""


class RequestRejected(Exception):
    """A request that the web rejects. `wait` is the retry delay in seconds, 0 for none."""

    def __init__(self, status: int, sentence: str = "", error: str = "", wait: int = 0) -> None:
        kind, words = REJECTION_KINDS.get(status, ("", ""))
        super().__init__(sentence or words)
        self.status, self.error, self.wait = status, error or kind, wait


class PhoneRejected(RequestRejected):
    """A phone that a gate rejects. `facts` fill the gate's sentence. `wait` defaults to its `retry_s`."""

    def __init__(self, gate: Gate, wait: int = 0, **facts: str) -> None:
        self.gate, wait = gate, wait or gate.retry_s
        sentence = gate.sentence.format(limit=gate.limit, wait=wait, **facts)
        super().__init__(gate.status, sentence, gate.error, wait)
