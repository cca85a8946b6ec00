"""Games looked back on: what a strong bot would have ordered, made by the worker when asked for, kept for a while."""

import zlib
from importlib.util import find_spec
from typing import Any

import msgspec

from legation.children import WALL, ChildError, Children
from legation.office.context import GameContext, by_clock, command, query
from legation.office.errors import ConflictError, LimitExceededError
from legation.office.hosting.exports import saved_document
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.pinned_rules import rules_content
from legation.office.records import Document, Retrospect
from legation.office.store.packing import unpack
from legation.office.store.rows import GameRow, WorkRow

KIND, KEPT = "retrospect", 60 * 86400.0  # how long one is kept after the last look, in seconds
ANALYSTS = Children(most=1, seconds=420, megabytes=3000, nice=15, patience=1800.0)
LEASE = WALL * ANALYSTS.seconds
"""Seconds for which one process analyzes a game for all; on a machine that is busy it takes that long."""
MOST_WAITING = 3  # games of one person that wait to be analyzed: each takes minutes, and all take their turn
LONGEST = 2 * LEASE  # one that another process did not finish, and then here


def is_available() -> bool:
    """Return whether this installation has what analysis needs (the extra ``lab``)."""
    return find_spec("numba") is not None


@command("play", "POST /games/{game}/retrospect", guest="ended", person="ended", console="ended")
def ask(scene: GameContext) -> Retrospect:
    """Request the analysis of a finished game, unless it exists or is under way.

    :raises ConflictError: where nothing can be made of it here.
    :raises LimitExceededError: while several games that this person asked for wait."""
    if not is_available():
        raise ConflictError("This site can’t analyze games: it was installed without the lab.")
    if not scene.row.turn:
        raise ConflictError(f"Nothing was played in {scene.row.name}.")
    standing = retrospect.within(scene)
    if standing.state != "none":
        return standing
    person = scene.actor.person
    waiting = [unpack(row.facts).get("person") for row in scene.tx.all(WorkRow, kind="analyze", state="waiting")]
    if person is not None and waiting.count(person) >= MOST_WAITING:
        raise LimitExceededError(f"{MOST_WAITING} games that you asked for wait to be analyzed. Try again when one is.")
    scene.act.schedule_job("analyze", _name(scene.row), scene.at, scene.row, game=scene.row.id, person=person)
    return Retrospect("waiting")


@query("read", "GET /games/{game}/retrospect", visitor="ended")
def retrospect(scene: GameContext) -> Retrospect:
    """Return what was found of a game that is over, or how far that has come."""
    office = scene.office
    packed = office.shared.get(KIND, _name(scene.row), KEPT)
    if packed:
        content = zlib.decompress(seals.unlock(office.master_key, packed))
        return msgspec.msgpack.decode(content, type=Retrospect)
    work = scene.tx.find(WorkRow, name=_name(scene.row))
    if work is None or work.state not in ("waiting", "failed"):  # never asked for, or forgotten
        return Retrospect("none")
    return Retrospect(work.state)


def _name(game: GameRow) -> str:
    return f"analyze {game.ref}"


def analyze_game(office: Office, facts: dict[str, Any]) -> None:
    """Analyze a game, in a child process with limits, before the transaction that notes it."""
    with by_clock(office, write=False) as act:
        scene = GameContext(act, act.tx.get(GameRow, facts["game"]))
        if scene.row.state != "ended":
            return
        saved, rules = saved_document(scene), rules_content(act.tx, office.variants, scene.row)
        name = _name(scene.row)

    def make() -> bytes:
        found = _analyzed(rules, msgspec.json.encode(saved), [str(folder) for folder in office.variants.folders])
        return seals.lock(office.master_key, zlib.compress(msgspec.msgpack.encode(found)))

    office.shared.once(KIND, name, make, KEPT, LEASE)


def _analyzed(rules: bytes, saved: bytes, folders: list[str]) -> Retrospect:
    function = "legation.lab.analysis:analyze_saved"
    try:
        found = ANALYSTS.call(dict[str, list[Document]], function, rules, saved, folders)
    except ChildError as error:
        if error.reason == "away":
            raise
        why = {"time": "it took too long", "memory": "it took too much memory"}.get(error.reason, str(error))
        return Retrospect("failed", why)
    return Retrospect("made", turns=tuple(found["turns"]), points=tuple(found["points"]))
