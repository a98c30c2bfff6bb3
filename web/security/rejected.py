"""The errors that end a request which the web itself refuses: `web.errors` makes responses of them."""

from __future__ import annotations

from web.security.admission import Gate

REJECTION_KINDS = {
    400: ("malformed", "This request cannot be read."),
    404: ("unknown", "There’s nothing here."),
    405: ("method", "That can’t be done at this address."),
    422: ("malformed", "This request has the wrong format."),
}
"""The kind and the sentence of a refusal by status, where no phone is the reason (`web.security.admission`)."""


class RequestRejected(Exception):
    """A request that the web itself refuses; `wait` is the seconds before the next try, 0 for none."""

    def __init__(self, status: int, sentence: str = "", error: str = "", wait: int = 0) -> None:
        kind, words = REJECTION_KINDS.get(status, ("", ""))
        super().__init__(sentence or words)
        self.status, self.error, self.wait = status, error or kind, wait


class PhoneRejected(RequestRejected):
    """A phone that a gate refuses. `facts` fill the gate's sentence; `wait` is its `retry_s` if it is 0."""

    def __init__(self, gate: Gate, wait: int = 0, **facts: str) -> None:
        self.gate, wait = gate, wait or gate.retry_s
        sentence = gate.sentence.format(limit=gate.limit, wait=wait, **facts)
        super().__init__(gate.status, sentence, gate.error, wait)
