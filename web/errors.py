"""Refusals: JSON for programs, a page for people, and the reason in a sentence in both."""

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

from engine.errors import DeckError, EngineError, Fault
from engine.text.paths import without_paths
from engine.text.visible_text import cleaned
from web.render.templates import page
from web.security.addresses import client
from web.security.refusals import Refusals, asked_for
from web.security.refused import KINDS, Refused, TurnedAway

log = logging.getLogger("dugout")

LONGEST = 400
"""Most characters of a sentence; a refusal never echoes a whole body."""

LONGEST_READ = 4 * LONGEST
"""Most characters of a sentence that are looked at; paths are removed from these, and then it is cut."""

MOST = 200
"""Most faults of a deck that are listed."""

STATUS = {"stale": 409, "seat": 403}
"""The status of an EngineError by its kind; 422 for all others."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: browsers would then send "Origin: null" with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of every response. The guard adds them, and `respond` too: an internal error bypasses the guard."""


class DeckFault(BaseModel):
    """One thing wrong in a deck."""

    card: str = Field(description="Such as player 3; may be empty.")
    field: str = Field(description="Empty if it is the whole card.")
    reason: str


class Refusal(BaseModel):
    """Why a request was refused. Nothing has changed."""

    error: str = Field(description="A stable word for programs.", examples=["stale"])
    sentence: str = Field(description="A sentence for people.", examples=["That was answered already."])
    faults: list[DeckFault] = Field(default=[], description="With the error deck: its faults.")


def respond(path: str, status: int, error: str, sentence: str, wait: int = 0, faults: Sequence[Fault] = ()) -> Response:
    """Return a refusal: JSON for the addresses of programs, else a page."""
    sentence = _short(sentence)
    headers = HEADERS | {"Cache-Control": "no-store"} | ({"Retry-After": str(wait)} if wait else {})
    if not path.startswith(("/api", "/stream", "/openapi")):
        return page("refused.html", status, headers, sentence=sentence)
    listed = [
        DeckFault(card=_short(fault.card), field=_short(fault.field), reason=_short(fault.reason))
        for fault in faults[:MOST]
    ]
    body = Refusal(error=error, sentence=sentence, faults=listed)
    return JSONResponse(body.model_dump(exclude_defaults=True), status, headers)


def note(scope: Scope, why: Refused, refusals: Refusals) -> None:
    """Count and log the refusal of a request, if a gate refused it."""
    if isinstance(why, TurnedAway):
        refusals.note(why.gate, client(scope), asked_for(scope))


def turn_away(scope: Scope, why: Refused, refusals: Refusals) -> Response:
    """Note the refusal of a request, and return the response."""
    note(scope, why, refusals)
    return respond(scope["path"], why.status, why.error, str(why), why.wait)


def _short(words: str) -> str:
    words = without_paths(cleaned(words[:LONGEST_READ]))
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def malformed(fault: Mapping[str, Any]) -> str:
    """Return a fault of pydantic as a sentence that names the field; it never repeats what was sent."""
    where = [str(part) for part in fault["loc"] if part not in ("body", "query", "path")]
    if fault["type"] == "json_invalid" or not where:
        return "The request body must be a JSON object."
    reason = "is missing" if fault["type"] == "missing" else str(fault["msg"])
    return f"{'.'.join(where)}: {reason[:1].lower()}{reason[1:]}."


async def refused(request: Request, error: Exception) -> Response:
    """Handle every refusal, and every internal error."""
    path = request.url.path
    match error:
        case Refused():
            return turn_away(request.scope, error, request.app.state.port.refusals)
        case DeckError():
            return respond(path, 422, error.kind, str(error), faults=error.faults)
        case EngineError():
            return respond(path, STATUS.get(error.kind, 422), error.kind, str(error))
        case RequestValidationError():
            return respond(path, 422, "malformed", " ".join(dict.fromkeys(map(malformed, error.errors()))))
        case HTTPException():
            kind, sentence = KINDS.get(error.status_code, ("refused", "That was refused."))
            return respond(path, error.status_code, kind, sentence)
        case OSError():
            log.warning("A request failed: %s", error)
            return respond(path, 503, "disk", f"Not saved. Try again. {error}")
    return respond(path, 500, "fault", "Something broke inside. The game is safe. Try again.")


HANDLED = (Refused, EngineError, RequestValidationError, HTTPException, OSError, Exception)
