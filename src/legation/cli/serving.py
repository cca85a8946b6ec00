"""``legation serve``, ``worker``, ``keeper``, ``backup`` and ``restore``: the office as processes."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import signal
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
        fail(error.message, *error.faults)
    except OSError as error:
        fail(f"{error.filename or 'the office'}: {error.strerror or error}")


def serve(
    folder: Path, host: str, port: int, demo: bool, plain_logs: bool, *, works: bool = True, mails: bool = True
) -> None:
    """The office in one process: pages and API, mail, worker; without the last two where other processes have them."""
    logs.configure(plain=plain_logs)
    with refusals_as_lines():
        settings = read_settings(folder)
        if not settings.address:
            name = "localhost" if host == "127.0.0.1" else host  # browsers give passkeys to a name, never to a number
            settings.address = f"http://{name}:{port}"
        games = _demo(folder, settings) if demo else []
        office = open_office(folder, settings)
        sweeping.start_sweeping(office)
    for key in games:
        say(f"  {settings.address}/games/{key}")
    if demo:
        _tell_demo(office)
    stop = threading.Event()
    worker = threading.Thread(target=work.run_forever, args=(office, stop), name="worker", daemon=True)
    with contextlib.ExitStack() as counters:
        counters.callback(office.close)
        if works:
            worker.start()
            counters.callback(worker.join, 30)
        counters.callback(stop.set)
        mail = _counter("legation.mail", "serve") if mails else None
        if mail is not None:
            counters.enter_context(mail(office, folder))
        say(f"The office is open at {settings.address} (folder {folder}; Ctrl-C closes it).")
        _run_web(office, host, port, stop)


def _run_web(office: Office, host: str, port: int, stop: threading.Event) -> None:
    if _counter("legation.web", "create_app") is None:
        _wait_for_signal(stop)
        return
    import uvicorn

    uvicorn.run(
        whole_site(office), host=host, port=port, server_header=False, proxy_headers=True,
        forwarded_allow_ips="127.0.0.1", log_level="warning", timeout_graceful_shutdown=10,
    )  # fmt: skip


def whole_site(office: Office) -> Any:
    """All that is served at the office's address: pages and API, papers, feeds, health."""
    app = importlib.import_module("legation.web").create_app(office, mails=_counter("legation.mail", "preview"))
    papers, who = _counter("legation.print", "routes"), _counter("legation.web", "actor_of")
    if papers is not None:
        app.router.routes[:0] = papers(office, who)
    feeds = _counter("legation.feeds", "routes")
    if feeds is not None:  # before the pages, whose addresses are wider
        app.router.routes[:0] = feeds(office)
    app.router.routes[:0] = health_routes(office)
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


def _counter(module: str, name: str) -> Any:
    """What a counter is called by, if that counter is there."""
    if importlib.util.find_spec(module) is None:
        return None
    return getattr(importlib.import_module(module), name, None)


def _demo(folder: Path, settings: Any) -> list[str]:
    from legation.office import demo

    return demo.fill(folder, settings)


def _tell_demo(office: Office) -> None:
    from legation.office.demo import ADDRESS

    you = people.find(office, Actor.console(), ADDRESS)
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
    stop = threading.Event()
    _on_signal(stop)
    mail = _counter("legation.mail", "serve") if mails else None
    with (
        refusals_as_lines(),
        contextlib.closing(office),
        mail(office, folder, takes=False) if mail is not None else contextlib.nullcontext(),
    ):
        work.run_forever(office, stop)


def send_waiting(office: Office, folder: Path) -> int:
    """Send the mails that wait, once; the answer is how many went."""
    from legation.mail.counter import Counter
    from legation.mail.service import carrier, read_mail_settings

    settings = read_mail_settings(office)
    counter = Counter(office, carrier(office, settings, folder), settings.trusted)
    return counter.send_waiting()


def _on_signal(stop: threading.Event) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())


def _wait_for_signal(stop: threading.Event) -> None:
    _on_signal(stop)
    stop.wait()


def run_keeper(folder: Path, host: str, port: int, *, believes: bool = False) -> None:
    """The keeper, on a machine of its own."""
    import uvicorn

    from legation.office import SystemChance, SystemClock
    from legation.office.keeping import create_app

    token = os.environ.get("LEGATION_KEEPER_TOKEN", "")
    try:
        app = create_app(folder, token, SystemClock(), SystemChance(), believes=believes)
    except ValueError as error:
        fail(f"LEGATION_KEEPER_TOKEN: {error}; the office's settings name the same as keeper_token")
    say(f"The keeper listens at http://{host}:{port} (keys in {folder}).")
    uvicorn.run(app, host=host, port=port, server_header=False, log_level="warning")


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
