"""``legation serve``, ``worker``, ``keeper``, ``backup`` and ``restore``: the office as processes."""

import contextlib
import hmac
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from legation.bots import levels
from legation.cli.app import Json, app
from legation.cli.terminal import fail, say, write_json
from legation.game.report import count
from legation.office.context import Actor
from legation.office.errors import ConflictError, NotFoundError
from legation.office.identity import people
from legation.office.monitoring import logs, processes
from legation.office.monitoring.processes import give_back_what_is_freed
from legation.office.office import KEYS, Office, is_office, open_office
from legation.office.operation import work
from legation.office.operation.doctor import name_of_user
from legation.office.settings import FILE as SETTINGS
from legation.office.settings import Settings, read_settings, refuse_unknown_variables

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The office's folder; created if missing.")]
Host = Annotated[str, typer.Option(help="The address to listen on.")]

LOCK = "office.lock"
LOOK_SECONDS = 10  # for which others are told what was seen last: to look writes, and asks the keeper


@app.command(epilog="Example: legation serve myoffice --demo --port 8080")
def serve(
    folder: Folder,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
    host: Host = "127.0.0.1",
    demo: Annotated[bool, typer.Option("--demo", help="First create a demo game of every variant.")] = False,
    plain_logs: Annotated[bool, typer.Option("--plain-logs", help="Write a readable log instead of JSON.")] = False,
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Leave due work to 'legation worker'.")] = False,
    no_mail: Annotated[bool, typer.Option("--no-mail", help="Don't receive or send mail here.")] = False,
) -> None:
    """Run an office.

    Pages, API, mail and worker in one process."""
    from legation import push
    from legation.cli.listening import run
    from legation.mail import service as mail
    from legation.mail.sending import LocalMailbox
    from legation.office.operation.demo import fill
    from legation.print.enclosures import enclosures

    logs.configure(plain=plain_logs)
    give_back_what_is_freed()
    with contextlib.ExitStack() as services:
        listening = services.enter_context(_listen(host, port))
        settings = read_settings(folder)
        refuse_unknown_variables()
        if not settings.address:
            # browsers give passkeys to a name, never to a number
            settings.address = f"http://{'localhost' if host == '127.0.0.1' else host}:{port}"
        refuse_root(folder)
        if not demo:
            tell_new(folder)
        if not settings.database:
            services.enter_context(only_one(folder))
        games = fill(folder, settings) if demo else []
        office = open_with_backup(folder, settings)
        services.callback(office.close)
        work.start_sweeping(office)
        site = whole_site(office)
        if demo:
            _tell_demo(office, games, folder)
        stop = threading.Event()
        if not no_worker:
            for worker in start_workers(office, stop):
                services.callback(worker.join, 3)
            services.enter_context(push.serve(office, stop=stop))
        if not no_mail:
            post = services.enter_context(mail.serve(office, folder, papers=enclosures, stop=stop))
            if isinstance(post.transport, LocalMailbox) and not demo:  # the demo has said so
                mailbox = post.transport.folder / "new"
                say(f"No mail relay is set, so mail (including sign-in links) is written to {mailbox}.")
                say(f"To send mail, set smtp in {folder / SETTINGS}.")
        services.callback(stop.set)  # first of all: what is at work ends at the same time, not one after the other
        opened = f"The office is open at {settings.address} (folder {folder}; Ctrl-C closes it)."
        run(site, listening, opened, settings.trusted_proxies)


def refuse_root(folder: Path) -> None:
    """Keep root out of an office that runs as another user: that user could not read the keys that root makes.

    :raises ConflictError: for root, where the folder of keys is somebody else's."""
    keys = folder / KEYS
    if os.geteuid() == 0 and keys.exists() and (number := keys.stat().st_uid) != 0:
        owner = name_of_user(number)
        raise ConflictError(
            f"The office in {folder} belongs to {owner}, who could not read what root makes there. Give the command as "
            f"that user: runuser -u {owner} -- legation ..."
        )


def tell_new(folder: Path, *, err: bool = False) -> None:
    """Tell that an office is made, since a folder may be named wrongly; ``err``: apart from what a command answers."""
    if not is_office(folder):
        say(f"No office was found in {folder}; creating a new one.", err=err)


def start_workers(office: Office, stop: threading.Event) -> list[threading.Thread]:
    """Start the threads that do due work; the first is the one that deadlines wait for. What bots need is compiled
    beside them, on a machine where it was not."""

    def begin(lane: str) -> threading.Thread:
        return processes.start(office.pulses, lane, lambda beat: work.run_forever(office, stop, beat, lane=lane), stop)

    levels.compile_ahead()
    return [begin(lane) for lane in work.LANES]


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold a folder while the block runs, so that no second office is opened on it.

    :raises ConflictError: when another process holds it."""
    import fcntl

    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(folder / LOCK, os.O_WRONLY | os.O_CREAT, 0o600), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConflictError(f"Another process serves the office in {folder}; stop it first.") from None
        yield


def open_with_backup(folder: Path, settings: Settings) -> Office:
    """The office in a folder; before its tables are brought to this version, it is backed up beside them."""
    from legation.office.operation import archive

    saved = archive.backup_before_upgrade(folder, settings)
    if saved is not None:
        say(f"The database is of an earlier version; it was saved as {saved} before it is brought to this one.")
    return open_office(folder, settings)


def _listen(host: str, port: int) -> socket.socket:
    """Bind the address before anything else is begun, so that no second office starts there."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # what was closed a moment ago is no reason to wait
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        fail(f"cannot listen at {host}, port {port}: {error.strerror}; choose others with --host and --port")
    return listening


def whole_site(office: Office) -> Any:
    """All that is served at the office's address: pages and API, papers, feeds, health."""
    from legation import feeds, web
    from legation.mail.results import preview
    from legation.print.serving import routes
    from legation.rehearsal.serving import add_rehearsals

    app = web.create_app(office, mails=preview)
    add_rehearsals(app, office)
    bounded = contextlib.contextmanager(web.painting)
    # before the pages, whose addresses are wider
    app.router.routes[:0] = [*health_routes(office), *feeds.routes(office), *routes(office, web.actor_of, bounded)]
    return app


FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
"""Headers that a reverse proxy adds: a request with one of them came from another machine."""


def watches(office: Office, request: Any) -> bool:
    """Whether a request is from who watches the office: by the token of the settings, or from this machine itself."""
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    token = office.settings.watch_token
    if token and kind.lower() == "bearer":
        return hmac.compare_digest(given.strip().encode(), token.encode())
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    with contextlib.suppress(ValueError):
        return ip_address(request.client.host).is_loopback
    return False


def health_routes(office: Office) -> list[Any]:
    """``/health`` (whether this process lives: its threads), ``/ready`` (whether games go on: each thing that it takes,
    by name) and ``/metrics``, for whoever watches the office. What is counted there tells when somebody sent something:
    others are told whether all is well, and no more."""
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    from legation.office.operation import health

    looked: dict[str, Any] = {"at": -LOOK_SECONDS - 1}  # when, and how the office was

    def live(request: Request) -> Response:
        checks = health.live(office)
        return told(request, all(check.good for check in checks), {"checks": checks})

    def ready(request: Request) -> Response:
        now = time.monotonic()
        if watches(office, request) or now > looked["at"] + LOOK_SECONDS:
            looked.update(at=now, state=health.health(office))
        state: health.Health = looked["state"]
        return told(request, state.good, msgspec.structs.asdict(state))

    def told(request: Request, good: bool, facts: dict[str, Any]) -> Response:
        shown = msgspec.to_builtins(facts) if watches(office, request) else {}
        return JSONResponse({"good": good, **shown}, 200 if good else 503)

    def metrics(request: Request) -> Response:
        if not watches(office, request):
            return JSONResponse({"message": "Figures are for whoever watches the office (watch_token)."}, 403)
        return Response(health.metrics(office), media_type="text/plain; version=0.0.4")

    return [Route("/health", live), Route("/ready", ready), Route("/metrics", metrics)]


def _tell_demo(office: Office, games: list[str], folder: Path) -> None:
    from legation.office.operation.demo import ADDRESS

    for key in games:
        say(f"  {office.settings.address}/games/{key}")
    try:
        you = people.find(office, Actor.console(), ADDRESS)
    except NotFoundError:
        say("This office has games of its own; no demo games were made.")
        return
    token = people.token_for(office, Actor.console(), you.id, "demo")
    say(f"You are {you.name} <{ADDRESS}>; your token for the API is {token.secret}")
    say(f"On the pages, sign in as {ADDRESS}; without a mail relay, the link comes as a file in {folder / 'mail'}.")


@app.command("worker", epilog="Example: legation worker myoffice")
def run_worker(
    folder: Folder,
    once: Annotated[bool, typer.Option("--once", help="Do what is due, then stop.")] = False,
    plain_logs: Annotated[bool, typer.Option("--plain-logs", help="Write a readable log instead of JSON.")] = False,
    no_mail: Annotated[bool, typer.Option("--no-mail", help="Don't send mail; another process does.")] = False,
) -> None:
    """Do due work and send mails, alongside other workers."""
    mails = not no_mail
    logs.configure(plain=plain_logs)
    give_back_what_is_freed()
    refuse_root(folder)
    tell_new(folder)
    office = open_office(folder)
    if once:
        done = work.run_due(office)
        sent = send_waiting(office, folder) if mails else 0
        say(f"{done} done, {sent} mails sent" if mails else f"{done} done")
        office.close()
        return
    from legation import push
    from legation.cli.listening import ENDING, end_within
    from legation.mail import service as mail
    from legation.print.enclosures import enclosures

    stop = threading.Event()

    def end(*_: object) -> None:
        end_within(ENDING)
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    with contextlib.closing(office), contextlib.ExitStack() as services:
        if mails:
            services.enter_context(mail.serve(office, folder, takes=False, papers=enclosures, stop=stop))
        services.enter_context(push.serve(office, stop=stop))
        workers = start_workers(office, stop)
        say(f"This worker does what is due in the office in {folder} (Ctrl-C ends it).")
        while any(worker.is_alive() for worker in workers):
            workers[0].join(0.5)  # signals are heard in this thread


def send_waiting(office: Office, folder: Path) -> int:
    """Send the mails that wait, once; the answer is how many went."""
    from legation.mail.mail_service import MailService
    from legation.mail.service import mail_transport, read_mail_settings
    from legation.print.enclosures import enclosures

    settings = read_mail_settings(office.settings)
    service = MailService(office, mail_transport(office, settings, folder), settings.trusted, enclosures)
    return service.send_waiting()


@app.command(epilog="Example: LEGATION_KEEPER_TOKEN=... legation keeper keys/ --host 10.0.0.2")
def keeper(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of keys.")],
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8010,
    host: Host = "127.0.0.1",
    believes: Annotated[
        bool, typer.Option("--believes-ready", help="Believe the office when it says that all are ready.")
    ] = False,
) -> None:
    """Keep the keys of turns on a separate machine.

    Releases each key after its deadline."""
    from legation.cli.listening import run
    from legation.office.clock import SystemClock, SystemRandomSource
    from legation.office.keys.remote_keeper import create_app

    token = os.environ.get("LEGATION_KEEPER_TOKEN", "")
    try:
        app = create_app(folder, token, SystemClock(), SystemRandomSource(), believes=believes)
    except ValueError as error:
        fail(f"LEGATION_KEEPER_TOKEN: {error}; the office's settings name the same as keeper_token")
    with _listen(host, port) as listening:
        run(app, listening, f"The keeper listens at http://{host}:{port} (keys in {folder}).")


@app.command(epilog="Example: legation backup myoffice office-2027-01-15.tar.gz")
def backup(folder: Folder, to: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")]) -> None:
    """Back up an office while it runs (without its keys)."""
    from legation.office.operation import archive

    if not is_office(folder):
        raise NotFoundError(f"There is no office in {folder}.")
    rows = archive.backup(folder, to)
    say(f"{to}: {rows} rows. The keys are not in it: keep a copy of {folder / 'keys'} elsewhere.")


@app.command(epilog="Example: legation restore office-2027-01-15.tar.gz myoffice --keys /mnt/safe/keys --paused")
def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    folder: Folder,
    keys: Annotated[Path | None, typer.Option(help="A copy of the office's folder of keys.")] = None,
    without_keys: Annotated[
        bool, typer.Option("--without-keys", help="Restore without the keys; sealed orders and letters stay sealed.")
    ] = False,
    paused: Annotated[
        bool, typer.Option("--paused", help="Pause all running games, until 'legation office resume-all'.")
    ] = False,
) -> None:
    """Restore an office from a backup and its keys."""
    from legation.office.operation import archive

    done = archive.restore(source, folder, keys=keys, without_keys=without_keys, paused=paused)
    say(f"{folder}: {done.rows} rows.")
    if (folder / SETTINGS).exists() and archive.NOT_KEPT in (folder / SETTINGS).read_text(encoding="utf-8"):
        say(f"Keys and passwords of the settings are not in a backup: write them into {folder / SETTINGS} again.")
    if done.unreadable:
        say(f"It has new keys. Nobody can read these any more: {done.unreadable}.")
        say(f"'legation office -C {folder} reopen-all REASON' reopens such turns, if there are any.")
    for name in done.left:
        say(f"{name} moved to another office after this backup was made, and doesn't continue here.")
    if done.paused:
        resume = f"'legation office -C {folder} resume-all REASON' resumes all that are"
        say(f"{count(done.paused, 'running game')} paused. {resume}.")


@app.command(epilog="Example: legation doctor myoffice")
def doctor(folder: Folder, as_json: Json = False) -> None:
    """Check an office and say how to fix problems.

    Checks keys, permissions, settings, database, relay, mailbox, keeper, clock, files and games."""

    from legation.mail.service import examine as examine_mail
    from legation.office.operation.doctor import examine

    if not ((folder / SETTINGS).exists() or is_office(folder)):
        raise NotFoundError(f"There is no office in {folder}.")
    findings = examine(folder)
    if findings[0].good:
        findings += examine_mail(read_settings(folder))
    if as_json:
        write_json(findings)
    else:
        for finding in findings:
            say(f"{'ok   ' if finding.good else 'WRONG'} {finding.name}: {finding.text}")
    if not all(finding.good for finding in findings):
        raise SystemExit(1)
