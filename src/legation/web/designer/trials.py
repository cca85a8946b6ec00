"""Trials of a board on the drawing table: games between bots, one after the other, with what has been seen so far at
any moment.

A trial is played by a child process that leaves the processor to others, one game at a time, so that trials of two
designers take turns; it ends when nobody asks for it any more."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import structlog
from fastapi import Request
from starlette.responses import Response

from legation.board import province_of
from legation.bots.balance import Balance, PowerBalance, measuring
from legation.children import WALL, ChildError, Children
from legation.formats import decode_json
from legation.judge import Resolution, Ruleset
from legation.office.errors import OfficeError
from legation.office.monitoring.logs import told_of
from legation.office.store.shared_values import Shared
from legation.web.designer.table import Body, json_answer, read_json
from legation.web.designer.uploads import PREFIX, VariantUploads, build
from legation.web.serving.bounds import bound, network_of
from legation.web.serving.documents import DocumentCache
from legation.web.serving.pages import PageError, PageRouter

router = PageRouter(prefix="/table")
BOT, TURNS = "dumbbot", 120
MOST_GAMES = 200
FORSAKEN = 20.0
"""Seconds after which a trial that nobody asks for is ended."""
MOST_TRIALS = 12
"""Trials that go on at once in a process, and trials that are kept there when they are over."""
KEPT = 3600.0
"""Seconds for which other processes know how a trial stood."""
TRIALS_OF_ONE = 2
"""Trials of one address that go on at once, in all processes of the site together."""
PLAYERS = Children(most=1, seconds=60, megabytes=900, nice=19, patience=300.0)
STOPPED = 300.0 + WALL * PLAYERS.seconds
"""Seconds after which one more game must have been played, also where others' go first."""
log = structlog.get_logger("legation.web")


class SentTrial(msgspec.Struct, kw_only=True):
    """A board that is kept under the name of a variant, and how many games are to be played on it."""

    variant: str
    games: int


class TrialFigures(msgspec.Struct):
    """Figures from a trial's games: how many centers changed hands in each turn of the game (from the first), how often
    each center did, and which provinces a unit ever stood in."""

    turns: Counter[int]
    centers: Counter[str]
    reached: set[str]


class TrialGame(msgspec.Struct, frozen=True):
    """A game that is played for a trial of a variant."""

    balance: Balance
    seen: TrialFigures
    provinces: list[str]


class Trial:
    """Games so far, and whether there will be more."""

    def __init__(self, games: int, caller: str = "") -> None:
        self.games = games
        self.caller = caller
        self.done = 0
        self.fault = ""
        self.asked = time.monotonic()
        self.place = ""
        """Which of its caller's trials it is, for all processes together."""
        self._powers: dict[str, list[float]] = {}
        self._turns = 0.0
        self._figures = TrialFigures(Counter(), Counter(), set())
        self._provinces: list[str] = []

    @property
    def goes_on(self) -> bool:
        """Return whether games are still played."""
        return not self.fault and self.done < self.games and time.monotonic() - self.asked < FORSAKEN

    def progress(self) -> TrialProgress:
        """Return how it stands."""
        return TrialProgress(self.done, self.games, self.fault, self.report(), time.time())

    def add(self, game: TrialGame) -> None:
        """Count one game more."""
        self.done += 1
        self._turns += game.balance.mean_turns
        self._provinces = game.provinces
        for row in game.balance.powers:
            figures = msgspec.structs.astuple(row)[1:]
            sums = self._powers.setdefault(row.power, [0.0] * len(figures))
            self._powers[row.power] = [a + b for a, b in zip(sums, figures, strict=True)]
        self._figures.turns += game.seen.turns
        self._figures.centers += game.seen.centers
        self._figures.reached |= game.seen.reached

    def report(self) -> dict[str, Any] | None:
        """Return the figures of all games so far; None before the first."""
        if not self.done:
            return None
        rows = tuple(PowerBalance(power, *(s / self.done for s in sums)) for power, sums in self._powers.items())
        balance = Balance(BOT, self.done, TURNS, self._turns / self.done, rows)
        facts: dict[str, Any] = msgspec.to_builtins(balance)
        return facts | {
            "unevenness": balance.unevenness if len(rows) > 1 else 0.0,
            "centers": [{"center": c, "changes": n / self.done} for c, n in self._figures.centers.most_common()],
            "turns": [
                self._figures.turns[turn] / self.done for turn in range(max(self._figures.turns, default=-1) + 1)
            ],
            "unreached": [name for name in self._provinces if name not in self._figures.reached],
        }


class TrialProgress(msgspec.Struct, frozen=True):
    """Progress of a trial, as the process that plays it tells the others: how many games are played and will be, and
    since when (seconds since 1970)."""

    done: int
    of: int
    fault: str
    report: dict[str, Any] | None
    at: float


class Trials:
    """The trials of one site; with ``shared`` every process of it knows how each of them stands, and has it go on."""

    def __init__(self, shared: Shared | None = None) -> None:
        self.shared = shared
        self._lock = threading.Lock()
        self._trials: OrderedDict[str, Trial] = OrderedDict()

    def begin(self, files: Mapping[str, str], games: int, caller: str = "", folders: Sequence[str] = ()) -> str:
        """Begin a trial of an uploaded variant's files for somebody; the answer is its name. ``folders`` hold the
        site's own variants.

        :raises PageError: 429 when they have as many as one may, 503 when all together have."""
        trial, name = Trial(games, caller), secrets.token_urlsafe(12)
        with self._lock:
            going = [one for one in self._trials.values() if one.goes_on]
            if sum(one.caller == caller for one in going) >= TRIALS_OF_ONE:
                raise _has_enough()
            if len(going) >= MOST_TRIALS:
                raise PageError(503, "Other boards are being measured right now.", mend="Try again in a minute.")
            trial.place = self._place_of(caller)
            for old in [key for key, one in self._trials.items() if not one.goes_on][: -MOST_TRIALS or None]:
                del self._trials[old]
            self._trials[name] = trial
        self._tell(name, trial)
        threading.Thread(
            target=self._play, args=(trial, dict(files), name, list(folders)), daemon=True, name="trial"
        ).start()
        return name

    def _place_of(self, caller: str) -> str:
        """Take one of the places that somebody has for trials; each is theirs until the trial ends, or its process has
        told nothing for long.

        :raises PageError: 429 when all are taken, by whichever process."""
        if self.shared is None:
            return ""
        places = (f"{caller} {number}" for number in range(TRIALS_OF_ONE))
        place = next((place for place in places if self.shared.lease("trial of one", place, STOPPED)), None)
        if place is None:
            raise _has_enough()
        return place

    def get(self, name: str) -> TrialProgress:
        """Return how a trial stands, which goes on then.

        :raises PageError: 404 when it is not kept."""
        with self._lock:
            trial = self._trials.get(name)
        if trial is not None:
            trial.asked = time.monotonic()
            return trial.progress()
        content = self.shared.get("trial", name) if self.shared is not None else None
        if self.shared is None or content is None:
            raise PageError(404, "These games have been deleted.", mend="Measure again.")
        told = decode_json(content, type=TrialProgress)
        if told.done < told.of and not told.fault:
            self.shared.put("trial asked", name, b"yes", FORSAKEN)
            if time.time() - told.at > STOPPED:  # the process that played them has ended
                return msgspec.structs.replace(told, fault="The games were stopped.")
        return told

    def _tell(self, name: str, trial: Trial) -> None:
        """Tell other processes how a trial stands, and hear whether one of them was asked for it."""
        if self.shared is not None:
            self.shared.put("trial", name, msgspec.json.encode(trial.progress()), KEPT)
            self.shared.put("trial of one", trial.place, b"", STOPPED)
            if self.shared.get("trial asked", name):
                trial.asked = time.monotonic()

    def _play(self, trial: Trial, files: dict[str, str], name: str, folders: list[str]) -> None:
        try:
            while trial.goes_on:
                trial.add(PLAYERS.call(TrialGame, f"{__name__}:play_game", files, f"{name}: {trial.done}", folders))
                self._tell(name, trial)
            if trial.done < trial.games:
                trial.fault = "The games were stopped because nobody was waiting for them."
        except ChildError as error:
            trial.fault = (
                "Other boards are being measured right now."
                if error.reason == "away"
                else "A game could not be played."
            )
        except Exception as error:  # the database is away, say
            trial.fault = "The games were stopped."
            log.error("a trial ended", **told_of(error))
        with contextlib.suppress(OfficeError):
            self._tell(name, trial)
            if self.shared is not None:
                self.shared.give_back("trial of one", trial.place)


def _has_enough() -> PageError:
    return PageError(429, "You are measuring two boards already.", mend="Stop one of them first.")


@lru_cache(maxsize=3)
def _rules_of(files: bytes, folders: tuple[str, ...]) -> Ruleset:
    rules = build("trial", decode_json(files), folders).rules
    if rules is None:
        raise ValueError("this cannot be played")
    return rules


def play_game(files: dict[str, str], seed: str, folders: list[str]) -> TrialGame:
    """Play one game between bots; run in a child, which keeps the last few rules."""
    rules = _rules_of(msgspec.json.encode(files), tuple(folders))
    seen = TrialFigures(Counter(), Counter(), {province_of(unit.at) for unit in rules.start})
    owners = dict(rules.start_owners)
    turn = 0

    def watch(resolution: Resolution) -> None:
        nonlocal owners, turn
        after = resolution.after
        now = {center: power for power in rules.powers for center in after.centers_of(power)}
        changed = [center for center, power in now.items() if owners.get(center) != power]
        seen.centers.update(changed)
        seen.turns[turn] += len(changed)
        seen.reached.update(province_of(unit.at) for power in rules.powers for unit in after.units_of(power))
        owners, turn = now, turn + 1

    (balance,) = measuring(rules, BOT, 1, turns=TURNS, seed=seed, watch=watch)
    return TrialGame(balance, seen, list(rules.board.provinces))


@router.post("/balance")
def begin(request: Request, body: Body) -> Response:
    """Begin to play a board that was kept by ``/table/try``."""
    bound(request, "balance", 6)
    sent = read_json(body, SentTrial)
    documents: DocumentCache = request.app.state.documents
    variant_uploads: VariantUploads = request.app.state.variant_uploads
    name = sent.variant.removeprefix(PREFIX)
    if not sent.variant.startswith(PREFIX) or variant_uploads.uploaded(name).rules is None:
        raise PageError(422, "This board can’t be played yet.", mend="Fix what is listed under Problems.")
    files: dict[str, str] = (documents.get(name) or {}).get("files", {})
    trials: Trials = request.app.state.trials
    games = max(1, min(MOST_GAMES, sent.games))
    return json_answer({"id": trials.begin(files, games, network_of(request), variant_uploads.folders)})


@router.get("/balance/{name}")
def progress(request: Request, name: str) -> Response:
    """Return the progress of a run."""
    trials: Trials = request.app.state.trials
    told = trials.get(name)
    if told.fault and not told.done:
        raise PageError(503, told.fault, mend="Try again in a minute.")
    return json_answer({"done": told.done, "of": told.done if told.fault else told.of, "report": told.report})
