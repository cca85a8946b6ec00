"""The designer's pages: check your own board and variant, see the findings on the map, play it in the sandbox.

Games between bots, from which a board's balance is seen, are played by a child process that leaves the processor to
others, so that two designers take turns; nothing is kept of them. The drawing table asks for one after the other and
puts their figures together; the designer's page asks for a few at once."""

import contextlib
from collections import Counter
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, TypeVar

import msgspec
from fastapi import Depends, File, Form, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from legation.board import province_of
from legation.bots.balance import Balance, PowerBalance, measure, play_one
from legation.children import ChildError, Children
from legation.formats import decode_json
from legation.judge import Resolution, Ruleset
from legation.variants.packages import SUFFIX
from legation.web.designer.table import Body, json_answer, read_json
from legation.web.designer.uploads import (
    MOST_BYTES,
    PREFIX,
    REPORT,
    UploadError,
    VariantUploads,
    build,
    import_files,
    is_variant,
    variants_in,
)
from legation.web.public.maps import known_to
from legation.web.serving.bounds import bound, queue
from legation.web.serving.documents import DocumentTooLargeError
from legation.web.serving.pages import PageError, PageRouter, page, sentence

T = TypeVar("T")

router = PageRouter()

EXAMPLE = files("legation.web.designer").joinpath("example.toml").read_text(encoding="utf-8")
BOT, TURNS = "dumbbot", 120
GAMES, SECONDS = 12, 4.0  # of each bot at most, for the designer's page
GAMES_A_MINUTE = 120
PLAYERS = Children(most=1, seconds=60, megabytes=900, nice=19, patience=3)


@router.get("/designer")
def designer(request: Request) -> Response:
    """Show the form for uploading a variant's files."""
    return _page(request, EXAMPLE)


def _page(request: Request, text: str, fault: str = "", status: int = 200) -> Response:
    values = {"text": text, "fault": fault, "boards": known_to(request).boards(), "most": MOST_BYTES // 1024 // 1024}
    return page(request, "designer/upload.html", status, **values)


@router.post("/designer", dependencies=[Depends(queue)])
def upload(
    request: Request,
    text: Annotated[str, Form(max_length=200_000)] = "",
    files: Annotated[list[UploadFile] | None, File()] = None,
    of: Annotated[str, Form(max_length=80)] = "",
) -> Response:
    """Take a variant as text, files, or both; with the files of the uploaded variant ``of``, if no others come."""
    bound(request, "designer", 20)
    variants: VariantUploads = request.app.state.variant_uploads
    uploads = [(file.filename or "", file.file.read(MOST_BYTES + 1)) for file in files or [] if file.filename]
    brought = list(uploads)
    if text.strip() and not any(is_variant(name.rpartition("/")[2]) for name, _ in uploads):
        uploads.append(("variant.toml", text.encode()))
    if of and not any(name != "variant.toml" for name, _ in uploads):
        uploads += [(file, content.encode()) for file, content in variants.texts(of).items() if not is_variant(file)]
    ours = (".toml", ".csv", ".md", ".zip", SUFFIX)  # by their names, archives aside
    foreign = bool(brought) and not any(file.lower().endswith(ours) for file, _ in brought)
    try:
        name = _import_foreign(request, brought) if foreign else variants.take(uploads)
    except (UploadError, DocumentTooLargeError) as error:
        if any(file.lower().endswith(".zip") for file, _ in brought):  # perhaps another system's
            with contextlib.suppress(UploadError):
                return RedirectResponse(f"/designer/{_import_foreign(request, brought)}", 303)
        return _page(request, text, sentence(str(error)), 422)
    return RedirectResponse(f"/designer/{name}", 303)


def _import_foreign(request: Request, uploads: list[tuple[str, bytes]]) -> str:
    """Import files of another system and keep the variant; return its name (UploadError: none of a known format)."""
    bound(request, "import", 6)
    variants: VariantUploads = request.app.state.variant_uploads
    return variants.take(import_files(uploads))


@router.get("/designer/{name}")
def show(request: Request, name: str) -> Response:
    """Show the problems found in an uploaded variant."""
    uploaded = request.app.state.variant_uploads.uploaded(name)
    files = request.app.state.variant_uploads.texts(name)
    text = next(iter(variants_in(files).values()), "")
    return page(
        request,
        "designer/variant.html",
        uploaded=uploaded,
        text=text,
        files=sorted(files),
        report=files.get(REPORT, ""),
        variant=f"{PREFIX}{name}",
        name=name,
        playable=uploaded.registry is not None,
    )


@router.post("/designer/{name}/balance")
def balance(request: Request, name: str) -> Response:
    """Let bots play the variant for a few seconds and tell how balanced it is."""
    bound(request, "balance", 4)
    uploaded = request.app.state.variant_uploads.uploaded(name)
    if uploaded.rules is None or uploaded.registry is None:
        raise PageError(409, "This variant can’t be played yet, so its balance can’t be measured.")
    reports = ask_player(request, name, list[Balance], "measure_balance")
    return page(request, "designer/balance.html", uploaded=uploaded, name=name, reports=reports)


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


@router.post("/table/balance", dependencies=[Depends(queue)])
def play(request: Request, body: Body) -> Response:
    """Play a game on a board that was kept by ``/table/try``."""
    bound(request, "balance", GAMES_A_MINUTE)
    sent = read_json(body, SentTrial)
    variant_uploads: VariantUploads = request.app.state.variant_uploads
    name = sent.variant.removeprefix(PREFIX)
    if not sent.variant.startswith(PREFIX) or variant_uploads.uploaded(name).rules is None:
        raise PageError(422, "This board can’t be played yet.", mend="Fix what is listed under Problems.")
    return json_answer(ask_player(request, name, TrialGame, "play_game", f"{name}: {sent.number}"))
