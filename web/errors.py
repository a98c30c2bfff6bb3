"""Rejections of requests, as JSON for programs and as a page for people. Both have the reason in a sentence."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.types import Scope

from engine.errors import DeckError, DeckFault, EngineError
from engine.text.paths import text_without_paths
from engine.text.visible_text import printable_text
from web.render.templates import render_page
from web.security.addresses import client_key
from web.security.rejected import REJECTION_KINDS, PhoneRejected, RequestRejected
from web.security.rejection_log import RejectionLog, request_label

log = logging.getLogger("dugout")

MAX_SENTENCE_LENGTH = 400
"""Characters of a sentence. A rejection never echoes a complete body."""

MAX_SCANNED_LENGTH = 4 * MAX_SENTENCE_LENGTH
"""Characters of a sentence in which paths are searched and removed, before it is cut to its final length."""

MAX_LISTED_FAULTS = 200
"""Faults of a deck that are listed."""

STATUS_BY_KIND = {"stale": 409, "seat": 403}
"""The status of an EngineError by its kind. All other kinds have 422."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With no-referrer, browsers would send "Origin: null" with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every response. `rejection_response` adds them too, as an internal error bypasses the guard."""


class DeckFaultReply(BaseModel):
    """One fault of a deck."""

    card: str = Field(description="Such as player 3; may be empty.")
    field: str = Field(description="Empty if it is the whole card.")
    reason: str


class RejectionReply(BaseModel):
    """The reason why a request was rejected. Nothing has changed."""

    error: str = Field(description="A stable code for programs.", examples=["stale"])
    sentence: str = Field(description="A message for people.", examples=["That was answered already."])
    faults: list[DeckFaultReply] = Field(default=[], description="For the error `deck`: what is wrong with it.")


def rejection_response(
    path: str, status: int, error: str, sentence: str, wait: int = 0, faults: Sequence[DeckFault] = ()
) -> Response:
    """Return a rejection, as JSON for the paths of programs and as a page for others."""
    sentence = _short_sentence(sentence)
    headers = SECURITY_HEADERS | {"Cache-Control": "no-store"} | ({"Retry-After": str(wait)} if wait else {})
    if not path.startswith(("/api", "/stream", "/openapi")):
        return render_page("refused.html", status, headers, sentence=sentence)
    listed = [
        DeckFaultReply(
            card=_short_sentence(fault.card), field=_short_sentence(fault.field), reason=_short_sentence(fault.reason)
        )
        for fault in faults[:MAX_LISTED_FAULTS]
    ]
    body = RejectionReply(error=error, sentence=sentence, faults=listed)
    return JSONResponse(body.model_dump(exclude_defaults=True), status, headers)


def record_rejection(scope: Scope, why: RequestRejected, refusals: RejectionLog) -> None:
    """Count and log the rejection of a request, if a gate rejected it."""
    if isinstance(why, PhoneRejected):
        refusals.record_rejection(why.gate, client_key(scope), request_label(scope))


def reject_request(scope: Scope, why: RequestRejected, refusals: RejectionLog) -> Response:
    record_rejection(scope, why, refusals)
    return rejection_response(scope["path"], why.status, why.error, str(why), why.wait)


def _short_sentence(words: str) -> str:
    words = text_without_paths(printable_text(words[:MAX_SCANNED_LENGTH]))
    return words if len(words) <= MAX_SENTENCE_LENGTH else words[: MAX_SENTENCE_LENGTH - 1] + "…"


def validation_sentence(fault: Mapping[str, Any]) -> str:
    """Return a fault found by pydantic as a sentence that names the field. It never repeats what was sent."""
    where = [str(part) for part in fault["loc"] if part not in ("body", "query", "path")]
    if fault["type"] == "json_invalid" or not where:
        return "The request body must be a JSON object."
    reason = "is missing" if fault["type"] == "missing" else str(fault["msg"])
    return f"{'.'.join(where)}: {reason[:1].lower()}{reason[1:]}."


async def handle_error(request: Request, error: Exception) -> Response:
    path = request.url.path
    match error:
        case RequestRejected():
            return reject_request(request.scope, error, request.app.state.port.refusals)
        case DeckError():
            return rejection_response(path, 422, error.kind, str(error), faults=error.faults)
        case EngineError():
            return rejection_response(path, STATUS_BY_KIND.get(error.kind, 422), error.kind, str(error))
        case RequestValidationError():
            return rejection_response(
                path, 422, "malformed", " ".join(dict.fromkeys(map(validation_sentence, error.errors())))
            )
        case HTTPException():
            kind, sentence = REJECTION_KINDS.get(error.status_code, ("refused", "That was refused."))
            return rejection_response(path, error.status_code, kind, sentence)
        case OSError():
            log.warning("A request failed: %s", error)
            return rejection_response(path, 503, "disk", f"Not saved. Try again. {error}")
    return rejection_response(path, 500, "fault", "Something went wrong. The game is safe. Try again.")


HANDLED_ERRORS = (RequestRejected, EngineError, RequestValidationError, HTTPException, OSError, Exception)
"""The errors that `handle_error` handles."""
