"""How requests come in: to which table, from whom, with what body; and data on its way out."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from engine.views import plain
from web.port import Port
from web.security import auth
from web.security.auth import Pass


def _port(request: Request) -> Port:
    port: Port = request.app.state.port
    return port


Table = Annotated[Port, Depends(_port)]
Operator = Annotated[Pass, Depends(auth.operator)]
Holder = Annotated[Pass, Depends(auth.holder)]


class RequestBody(BaseModel):
    """What a changing request says; a field that nobody knows is refused."""

    model_config = ConfigDict(extra="forbid")


def fresh(data: Any) -> JSONResponse:
    """Data that nobody keeps: it may be different the next moment."""
    return JSONResponse(plain(data), headers={"Cache-Control": "no-store"})
