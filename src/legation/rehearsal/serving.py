"""Rehearsals that are begun from the desk's page, and their own pages: each is played in a child process and kept for a
week as a folder beside the office, on the machine where it was begun."""

import contextlib
import logging
import mimetypes
import shutil
import threading
import time
from datetime import datetime
from pathlib import Path

import msgspec
from fastapi import Depends, FastAPI, Request
from starlette.responses import FileResponse, Response

from legation.children import ChildError, Children
from legation.office.clock import moment
from legation.office.context import Actor
from legation.office.errors import ConflictError, NotFoundError
from legation.office.identity import people
from legation.office.monitoring import logs
from legation.office.office import Office, open_office
from legation.office.settings import read_settings
from legation.rehearsal.copying import rehearsable
from legation.rehearsal.pages import PAGE, write_folder
from legation.rehearsal.playing import COPY, rehearse
from legation.web.coordinator.desk import game_run
from legation.web.serving.bounds import count_page
from legation.web.serving.forms import Forms, SentForm, add_forms, keepable
from legation.web.serving.pages import PageRouter, ReadingRoute, page
from legation.web.serving.sessions import person_of

router = PageRouter(route_class=ReadingRoute)
FOLDER = "rehearsals"
KEPT = 7 * 24 * 3600  # seconds
MOST_KEPT = 30  # rehearsals of all games; each has some megabytes
LONGEST = 600  # seconds from one turn to the next; then its process has ended
PLAYERS = Children(most=1, seconds=300, megabytes=2000, nice=10, patience=1.0)
LOOK_AGAIN = "4"  # seconds
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self'; font-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
    "x-frame-options": "SAMEORIGIN",
    "cache-control": "private, no-store",
}
"""Of pages that show mails within them, each in a frame of its own."""


class RehearsalState(msgspec.Struct, frozen=True):
    """Where the rehearsal of a game stands: whether it is being played, with the turns that have begun; why it failed;
    when the one was made that can be looked at."""

    playing: bool = False
    turns: tuple[str, ...] = ()
    failed: str = ""
    made: datetime | None = None


class Rehearsals:
    """The rehearsals of an office's games. What is known of them lies in their folder, for all processes that serve the
    office from it: while one is played, the turns that have begun (``KEY.turns``); why it failed (``KEY.failed``)."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.folder = office.keys.parent
        self.place = self.folder / FOLDER
        self._forget_old()

    def begin(self, actor: Actor, game: str) -> None:
        """Begin to rehearse a game that the actor coordinates; an earlier rehearsal of it is gone then. Raises
        ConflictError while one is played, of any game."""
        key = rehearsable(self.office, actor, game).key
        self.place.mkdir(mode=0o700, exist_ok=True)
        self._forget_old()
        if any(time.time() - file.stat().st_mtime < LONGEST for file in self.place.glob("*.turns")):
            raise ConflictError("A rehearsal is being played. Try again in a minute or two.")
        self._turns(key).write_text("", encoding="utf-8")
        self._failed(key).unlink(missing_ok=True)
        threading.Thread(target=self._play, args=(actor.person or 0, key), daemon=True).start()

    def _play(self, person: int, key: str) -> None:
        folder = self.place / key
        try:
            shutil.rmtree(folder, ignore_errors=True)
            given = (str(self.folder), self.office.settings.address, person, key, str(folder), str(self._turns(key)))
            PLAYERS.call(bool, f"{__name__}:rehearse_into", *given)
        except ChildError as error:
            refused = error.reason == "failed" and error.kind == "ConflictError"
            self.office.log.error("rehearsal failed", reason=error.reason, kind=error.kind)
            why = str(error) if refused else "The rehearsal failed. The office's log may say why."
            self._failed(key).write_text(why, encoding="utf-8")
        finally:
            for copy in self.place.glob(f"{COPY}*"):  # of a child that was ended
                shutil.rmtree(copy, ignore_errors=True)
            self._turns(key).unlink(missing_ok=True)
            week = threading.Timer(KEPT + 1.0, self._forget_old)
            week.daemon = True
            week.start()

    def state(self, actor: Actor, game: str) -> RehearsalState:
        """Return where the rehearsal of a game stands."""
        self._forget_old()
        key = rehearsable(self.office, actor, game).key
        with contextlib.suppress(FileNotFoundError):
            turns = self._turns(key)
            if time.time() - turns.stat().st_mtime < LONGEST:
                return RehearsalState(playing=True, turns=tuple(turns.read_text(encoding="utf-8").splitlines()))
        index, failed = self.place / key / PAGE, self._failed(key)
        made = moment(int(index.stat().st_mtime * 1_000_000)) if index.exists() else None
        return RehearsalState(failed=failed.read_text(encoding="utf-8") if failed.exists() else "", made=made)

    def file(self, actor: Actor, game: str, path: str) -> Path:
        """Return a file of a game's rehearsal. Raises NotFoundError where there is none of this name."""
        folder = self.place / rehearsable(self.office, actor, game).key
        try:
            file = (folder / path).resolve()
            found = file.is_relative_to(folder.resolve()) and file.is_file()
        except (OSError, ValueError):  # no name of a file at all
            found = False
        if not found:
            raise NotFoundError("The rehearsal has no such page.")
        return file

    def _turns(self, key: str) -> Path:
        return self.place / f"{key}.turns"

    def _failed(self, key: str) -> Path:
        return self.place / f"{key}.failed"

    def _forget_old(self) -> None:
        """Remove what was made more than a week ago, for it has the names and addresses of players, and the oldest of
        many."""
        made: list[tuple[float, Path]] = []
        for index in self.place.glob(f"*/{PAGE}"):
            with contextlib.suppress(FileNotFoundError):
                made.append((index.stat().st_mtime, index.parent))
        for place, (at, folder) in enumerate(sorted(made, reverse=True)):
            if at < time.time() - KEPT or place >= MOST_KEPT:
                shutil.rmtree(folder, ignore_errors=True)


def rehearse_into(office: str, address: str, person: int, game: str, folder: str, progress: str) -> bool:
    """Rehearse a game of the office in a folder, whose pages are at an address, for a person, and write it into another
    folder; run in a child."""
    logs.configure(level=logging.WARNING)

    def told(turn: str) -> None:
        with Path(progress).open("a", encoding="utf-8") as file:
            file.write(f"{turn}\n")

    opened = open_office(office, read_settings(Path(office)).model_copy(update={"address": address}))
    try:
        actor = people.as_person(opened, person)
        write_folder(rehearse(opened, actor, game, told, Path(progress).parent), Path(folder))
    finally:
        opened.close()
    return True


def add_rehearsals(app: FastAPI, office: Office) -> None:
    """Add the pages of rehearsals to a site."""
    app.state.rehearsals = Rehearsals(office)
    app.include_router(router, dependencies=[Depends(keepable), Depends(count_page)])


@router.get("/desk/{game}/rehearsal")
def rehearsal(request: Request, game: str) -> Response:
    """Show where the rehearsal of a game stands."""
    record = game_run(request, game)
    state = request.app.state.rehearsals.state(person_of(request), record.key)
    shown = page(request, "desk/rehearsal.html", game=record, state=state)
    if state.playing:
        shown.headers["refresh"] = LOOK_AGAIN
    return shown


@router.get("/desk/{game}/rehearsal/pages/{path:path}")
def file(request: Request, game: str, path: str) -> Response:
    """Give out a file of a rehearsal."""
    found = request.app.state.rehearsals.file(person_of(request), game_run(request, game).key, path)
    kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
    return FileResponse(found, media_type=kind, headers=HEADERS)


def _begin(sent: SentForm) -> object:
    return sent.request.app.state.rehearsals.begin(sent.actor, sent.game)


COMMANDS: Forms = {"begin": ("begin", _begin)}
add_forms(router, "/desk/{game}/rehearsal", COMMANDS, rehearsal)
