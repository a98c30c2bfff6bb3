"""What goes wrong in a page, kept by the page itself: WebKit's driver tells nobody what its console says."""

from __future__ import annotations

from functools import partial

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.app import create_app
from web.port import TablePorts

PATH = "/complaints.js"

PLANTED_PATH = "/planted.js"

PLANTED = """
console.error("planted");
setTimeout(() => { throw new Error("planted"); });
Promise.reject(new Error("rejected"));
document.body.setAttribute("style", "color: red");
document.body.append(Object.assign(new Image(), { src: "/nothing" }));
"""
"""Everything that may go wrong in a page, as a script that a test adds to one."""

SCRIPT = """
(() => {
  const keep = (words) => {
    const kept = JSON.parse(sessionStorage.getItem("complaints") || "[]");
    sessionStorage.setItem("complaints", JSON.stringify(kept.concat(words)));
  };
  let leaving = false;
  addEventListener("beforeunload", () => { leaving = true; });
  addEventListener("error", ({ target, message, filename, lineno }) => {
    if (target === window) keep("script: " + message + " (" + filename + ":" + lineno + ")");
    // WebKit stops what the page loads as soon as the next page is asked for.
    else if (!leaving) keep("lost: " + (target.src || target.href));
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => keep("script: " + reason));
  document.addEventListener("securitypolicyviolation", (event) =>
    keep("policy: " + event.violatedDirective + " " + event.blockedURI));
  for (const kind of ["error", "warn"]) {
    const write = console[kind];
    console[kind] = (...words) => { keep("console: " + words.join(" ")); write.apply(console, words); };
  }
})();
"""
"""Comes before all others, and outlives the page: until somebody takes the complaints from the tab's storage."""

TAKE = """
const kept = JSON.parse(sessionStorage.getItem("complaints") || "[]");
sessionStorage.removeItem("complaints");
return kept;
"""


class ScriptedPages:
    """Middleware around the routes that begins each page with the script."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message | None = None

        async def send_scripted(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and is_page(message):
                start = message
                return
            if start is not None:
                body = message["body"].replace(b"<head>", f'<head><script src="{PATH}"></script>'.encode(), 1)
                headers = [(name, value) for name, value in start["headers"] if name != b"content-length"]
                await send({**start, "headers": [*headers, (b"content-length", b"%d" % len(body))]})
                message, start = {**message, "body": body}, None
            await send(message)

        await self._app(scope, receive, send_scripted)


def is_page(start: Message) -> bool:
    """Whether a response that starts so is a page."""
    return any(name == b"content-type" and value.startswith(b"text/html") for name, value in start["headers"])


def reply_with(script: str, _: Request) -> Response:
    return Response(script, media_type="text/javascript")


def create_scripted_app(port: TablePorts) -> FastAPI:
    """Return the table's application, whose pages keep their complaints."""
    app = create_app(port)
    for path, script in ((PATH, SCRIPT), (PLANTED_PATH, PLANTED)):
        app.add_route(path, partial(reply_with, script))
    app.user_middleware.append(Middleware(ScriptedPages))  # the innermost: pages are compressed after it
    return app
