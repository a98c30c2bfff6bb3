"""The table behind a real nginx, set up as docs/build/proxy.md says, and otherwise."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from device.shapes import TABLE_ID_HEADER
from tests.device.process import PATIENCE, Program, free_port

DOCUMENT = Path(__file__).parents[3] / "docs/build/proxy.md"
NAME = "dugout.example.org"

FRAME = """\
daemon off; pid {folder}/pid; error_log {folder}/errors; {user}
events {{}}
http {{
    access_log off; client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
    uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
    {servers}
}}
"""


def documented_server(table: int, proxy: int, folder: Path) -> str:
    """The first server of the document, at a port of our own and with a certificate of our own."""
    (servers,) = re.findall(r"```nginx\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    server: str = servers.partition("server {\n    listen 80;")[0]
    for old, new in (
        ("listen 443", f"listen 127.0.0.1:{proxy}"),
        ("127.0.0.1:8000", f"127.0.0.1:{table}"),
        ("/etc/ssl/dugout.pem", f"{folder}/pem"),
        ("/etc/ssl/dugout.key", f"{folder}/key"),
    ):
        assert old in server
        server = server.replace(old, new)
    return server


@contextmanager
def behind_nginx(folder: Path, change: Callable[[str], str] = lambda server: server) -> Iterator[tuple[Program, str]]:
    """A table behind nginx, whose server may be changed. Yields the program and the proxy's URL."""
    if shutil.which("nginx") is None or shutil.which("openssl") is None:
        pytest.skip("nginx is not installed here (Debian's package nginx-light has it).")
    certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}"]
    keys = ["-keyout", str(folder / "key"), "-out", str(folder / "pem")]
    subprocess.run([*certificate, *keys], check=True, capture_output=True)
    proxy = free_port()
    (folder / "data").mkdir()
    more = f'name = "{NAME}"\nproxies = ["127.0.0.1"]\n'
    with Program(folder / "data", more=more) as table:
        server = change(documented_server(table.port, proxy, folder))
        user = "user root;" if folder.owner() == "root" else ""
        (folder / "conf").write_text(FRAME.format(folder=folder, user=user, servers=server), "utf-8")
        with subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "conf")]) as nginx:
            try:
                yield table, f"https://127.0.0.1:{proxy}"
            finally:
                nginx.terminate()


def phone(url: str) -> httpx.Client:
    """A browser that knows the proxy by its name."""
    name = f"{NAME}:{url.rpartition(':')[2]}"
    headers = {"Host": name, "Origin": f"https://{name}"}
    client = httpx.Client(base_url=url, headers=headers, verify=False, timeout=PATIENCE)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:  # nginx takes a moment to listen
        try:
            client.get("/api/health")
        except httpx.ConnectError:
            continue
        break
    return client


@pytest.mark.slow
def test_the_documented_proxy_serves_phones(tmp_path: Path) -> None:
    """Pages, sign-in, the table's ID and a live stream, whose parts arrive at once and past its silence."""
    with behind_nginx(tmp_path) as (table, url), closing(phone(url)) as client:
        assert 200 == client.get("/").status_code
        assert (
            table.client.get("/api/health").headers[TABLE_ID_HEADER]
            == (client.get("/api/health").headers[TABLE_ID_HEADER])
        )
        assert 303 == client.post("/table", data={"code": table.code}).status_code
        with client.stream("GET", "/stream") as stream:
            seen = ""
            for part in stream.iter_text():
                seen += part
                if "event: beat" in seen:
                    break
        assert "event: view" in seen
        assert 421 == client.get("/", headers={"Host": "other.example.org"}).status_code


@pytest.mark.slow
@pytest.mark.parametrize("host", ["$host", "$proxy_host"])
def test_a_proxy_that_changes_the_host_is_refused(tmp_path: Path, host: str) -> None:
    """As the document says: pages load, and nobody can answer."""
    with (
        behind_nginx(tmp_path, lambda server: server.replace("$http_host", host)) as (table, url),
        closing(phone(url)) as client,
    ):
        assert 200 == client.get("/").status_code
        assert 403 == client.post("/table", data={"code": table.code}).status_code
