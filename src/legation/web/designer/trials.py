"""Games between bots in an uploaded variant, from which its balance is seen. Nothing is kept of them here: the drawing
table asks for one after the other and puts their figures together; the designer's page asks for a few at once.

They are played by a child process that leaves the processor to others, so that two designers take turns."""

from collections import Counter
from functools import lru_cache
from typing import TypeVar

import msgspec
from fastapi import Depends, Request
from starlette.responses import Response

from legation.board import province_of
from legation.bots.balance import Balance, PowerBalance, measure, play_one
from legation.children import ChildError, Children
from legation.formats import decode_json
from legation.judge import Resolution, Ruleset
from legation.web.designer.table import Body, json_answer, read_json
from legation.web.designer.uploads import PREFIX, VariantUploads, build
from legation.web.serving.bounds import bound, queue
from legation.web.serving.pages import PageError, PageRouter

T = TypeVar("T")

router = PageRouter(prefix="/table")
BOT, TURNS = "dumbbot", 120
GAMES, SECONDS = 12, 4.0  # of each bot at most, for the designer's page
GAMES_A_MINUTE = 120
PLAYERS = Children(most=1, seconds=60, megabytes=900, nice=19, patience=3)


class SentTrial(msgspec.Struct, kw_only=True):
    """A board that is kept under the name of a variant, and which of its games is to be played."""

    variant: str
    number: int


class TrialGame(msgspec.Struct, frozen=True):
    """The figures of a game: how each power fared, how many centers changed hands in each turn, how often each center
    did, and the provinces in which no unit ever stood."""

    powers: tuple[PowerBalance, ...]
    turns: list[int]
    centers: dict[str, int]
    unreached: list[str]


@lru_cache(maxsize=3)
def _rules_of(files: bytes, folders: tuple[str, ...]) -> Ruleset:
    rules = build("trial", decode_json(files), folders).rules
    if rules is None:
        raise ValueError("this cannot be played")
    return rules


def measure_balance(files: dict[str, str], folders: list[str]) -> list[Balance]:
    """Let two bots play for a few seconds each; run in a child."""
    rules = _rules_of(msgspec.json.encode(files), tuple(folders))
    return [measure(rules, bot, GAMES, turns=TURNS, seconds=SECONDS) for bot in (BOT, "random")]


def play_game(files: dict[str, str], folders: list[str], seed: str) -> TrialGame:
    """Play one game between bots, in a child that keeps the last rules; ``folders`` hold the site's own variants."""
    rules = _rules_of(msgspec.json.encode(files), tuple(folders))
    reached = {province_of(unit.at) for unit in rules.start}
    owners = dict(rules.start_owners)
    centers = Counter[str]()
    turns: list[int] = []

    def watch(resolution: Resolution) -> None:
        nonlocal owners
        after = resolution.after
        now = {center: power for power in rules.powers for center in after.centers_of(power)}
        changed = [center for center, power in now.items() if owners.get(center) != power]
        centers.update(changed)
        turns.append(len(changed))
        reached.update(province_of(unit.at) for power in rules.powers for unit in after.units_of(power))
        owners = now

    balance = play_one(rules, BOT, f"{seed}: 0", turns=TURNS, watch=watch)
    unreached = [name for name in rules.board.provinces if name not in reached]
    return TrialGame(balance.powers, turns, centers, unreached)


def ask_player(request: Request, name: str, returns: type[T], function: str, *more: object) -> T:
    """Have a child call a function of this module with an uploaded variant (PageError: 503 busy, 422 unplayable)."""
    variant_uploads: VariantUploads = request.app.state.variant_uploads
    files = variant_uploads.files_of(PREFIX + name)[PREFIX + name]
    try:
        return PLAYERS.call(returns, f"{__name__}:{function}", files, variant_uploads.folders, *more)
    except ChildError as error:
        if error.reason == "away":
            raise PageError(503, "Other boards are being measured right now.", mend="Try again in a minute.") from None
        raise PageError(422, "A game could not be played.") from None


@router.post("/balance", dependencies=[Depends(queue)])
def play(request: Request, body: Body) -> Response:
    """Play a game on a board that was kept by ``/table/try``."""
    bound(request, "balance", GAMES_A_MINUTE)
    sent = read_json(body, SentTrial)
    variant_uploads: VariantUploads = request.app.state.variant_uploads
    name = sent.variant.removeprefix(PREFIX)
    if not sent.variant.startswith(PREFIX) or variant_uploads.uploaded(name).rules is None:
        raise PageError(422, "This board can’t be played yet.", mend="Fix what is listed under Problems.")
    return json_answer(ask_player(request, name, TrialGame, "play_game", f"{name}: {sent.number}"))
