"""``legation serve``, ``worker``, ``keeper``, ``backup`` and ``restore``: the office as processes."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from legation.cli.terminal import fail, say
from legation.office import Actor, Office, logs, open_office, people, read_settings, sweeping, work
from legation.office.errors import NotFound, OfficeError
from legation.office.office import is_office


@contextlib.contextmanager
def refusals_as_lines() -> Iterator[None]:
    """Refusals of the office end the command with a line for each."""
    try:
        yield
    except OfficeError as error:
        lines = [error.message, *(fault for fault in error.faults if fault not in error.message)]
        if error.suggestions:
            lines.append(f"did you mean {' or '.join(error.suggestions[:12])}?")
        fail(*lines)
    except OSError as error:
        fail(f"{error.filename or 'the office'}: {error.strerror or error}")


def serve(
    folder: Path, host: str, port: int, demo: bool, plain_logs: bool, *, works: bool = True, mails: bool = True
) -> None:
    """The office in one process: pages and API, mail, worker; without the last two where other processes have them."""
    from legation import mail

    logs.configure(plain=plain_logs)
    with contextlib.ExitStack() as counters:
        listening = counters.enter_context(_listen(host, port))
        with refusals_as_lines():
            settings = read_settings(folder)
            if not settings.address:
                # browsers give passkeys to a name, never to a number
                settings.address = f"http://{'localhost' if host == '127.0.0.1' else host}:{port}"
            games = _demo(folder, settings) if demo else []
            office = open_office(folder, settings)
            counters.callback(office.close)
            sweeping.start_sweeping(office)
        if demo:
            _tell_demo(office, games)
        stop = threading.Event()
        if works:
            worker = threading.Thread(target=work.run_forever, args=(office, stop), name="worker", daemon=True)
            worker.start()
            counters.callback(worker.join, 30)
        counters.callback(stop.set)
        if mails:
            with refusals_as_lines():
                counters.enter_context(mail.serve(office, folder))
        opened = f"The office is open at {settings.address} (folder {folder}; Ctrl-C closes it)."
        _run(whole_site(office), listening, opened, proxy_headers=True, forwarded_allow_ips="127.0.0.1")


def _listen(host: str, port: int) -> socket.socket:
    """A place to listen at, taken before anything else is begun: no second office starts at the same address."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # what was closed a moment ago is no reason to wait
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        fail(f"cannot listen at {host}, port {port}: {error.strerror}; choose others with --host and --port")
    return listening


def _run(app: Any, listening: socket.socket, opened: str, **settings: Any) -> None:
    """Serve until a signal says to stop, and finish what was asked for: who called closes the rest."""
    import uvicorn

    config = uvicorn.Config(app, server_header=False, log_level="warning", timeout_graceful_shutdown=10, **settings)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C; the server gives it on when it has closed
    with contextlib.suppress(KeyboardInterrupt):
        say(opened)
        uvicorn.Server(config).run(sockets=[listening])


def whole_site(office: Office) -> Any:
    """All that is served at the office's address: pages and API, papers, feeds, health."""
    from legation import feeds, mail, web
    from legation import print as papers

    app = web.create_app(office, mails=mail.preview)
    # before the pages, whose addresses are wider
    app.router.routes[:0] = [*health_routes(office), *feeds.routes(office), *papers.routes(office, web.actor_of)]
    return app


def health_routes(office: Office) -> list[Any]:
    """``/health`` (503 while something is wrong) and ``/metrics``, for whoever watches the office."""
    import msgspec
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    from legation.office import health

    def answer(_: Any) -> Response:
        state = health.health(office)
        return JSONResponse(msgspec.to_builtins(state), 200 if state.good else 503)

    def metrics(_: Any) -> Response:
        return Response(health.metrics(office), media_type="text/plain; version=0.0.4")

    return [Route("/health", answer), Route("/metrics", metrics)]


def _demo(folder: Path, settings: Any) -> list[str]:
    from legation.office import demo

    return demo.fill(folder, settings)


def _tell_demo(office: Office, games: list[str]) -> None:
    from legation.office.demo import ADDRESS

    for key in games:
        say(f"  {office.settings.address}/games/{key}")
    try:
        you = people.find(office, Actor.console(), ADDRESS)
    except NotFound:
        say("This office has games of its own; no demo games were made.")
        return
    token = people.token_for(office, Actor.console(), you.id, "demo")
    say(f"You are {you.name} <{ADDRESS}>; your token for the API is {token.secret}")


def run_worker(folder: Path, once: bool, plain_logs: bool, *, mails: bool = True) -> None:
    """A worker of its own, beside others; it sends the mails that wait, too, but takes none in."""
    logs.configure(plain=plain_logs)
    with refusals_as_lines():
        office = open_office(folder)
        if once:
            done = work.run_due(office)
            sent = send_waiting(office, folder) if mails else 0
            say(f"{done} done, {sent} mails sent" if mails else f"{done} done")
            office.close()
            return
    from legation import mail

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with contextlib.closing(office), contextlib.ExitStack() as counters:
        if mails:
            with refusals_as_lines():
                counters.enter_context(mail.serve(office, folder, takes=False))
        work.run_forever(office, stop)


def send_waiting(office: Office, folder: Path) -> int:
    """Send the mails that wait, once; the answer is how many went."""
    from legation.mail.counter import Counter
    from legation.mail.service import carrier, read_mail_settings

    settings = read_mail_settings(office)
    counter = Counter(office, carrier(office, settings, folder), settings.trusted)
    return counter.send_waiting()


def run_keeper(folder: Path, host: str, port: int, *, believes: bool = False) -> None:
    """The keeper, on a machine of its own."""
    from legation.office import SystemChance, SystemClock
    from legation.office.keeping import create_app

    token = os.environ.get("LEGATION_KEEPER_TOKEN", "")
    try:
        app = create_app(folder, token, SystemClock(), SystemChance(), believes=believes)
    except ValueError as error:
        fail(f"LEGATION_KEEPER_TOKEN: {error}; the office's settings name the same as keeper_token")
    with _listen(host, port) as listening:
        _run(app, listening, f"The keeper listens at http://{host}:{port} (keys in {folder}).")


def make_backup(folder: Path, to: Path) -> None:
    """A backup while the office runs."""
    from legation.office import archive

    with refusals_as_lines():
        if not is_office(folder):
            raise NotFound(f"There is no office in {folder}.")
        office = open_office(folder)
        rows = archive.backup(office, folder, to)
        office.close()
    say(f"{to}: {rows} rows. The keys are not in it: keep a copy of {folder / 'keys'} elsewhere.")


def restore_backup(source: Path, folder: Path) -> None:
    """An office from a backup."""
    from legation.office import archive

    with refusals_as_lines():
        rows = archive.restore(source, folder)
    say(f"{folder}: {rows} rows. Put the keys back into {folder / 'keys'} before you open it.")
