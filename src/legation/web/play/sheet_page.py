"""The own sheet: a draft that map and text box edit together, looked over, sealed and sent, with a receipt; versions,
readiness."""

from contextlib import suppress
from secrets import token_urlsafe
from typing import Annotated, Any, cast

import msgspec
from fastapi import Depends, Form, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response

from legation.formats import decode_json
from legation.game.checking import CheckedEntry, Problem, ProblemKind
from legation.game.report import CAN_RETREAT
from legation.notation import OrderTextError
from legation.office.errors import NotFoundError, OfficeError, TooLateError
from legation.office.hosting import proofs
from legation.office.orders import submissions
from legation.office.records import Checked, Receipt, TurnResult
from legation.position import Phase
from legation.web.play.shown_game import GamePage
from legation.web.public.live_turns import lent_choices, line_of, turn_in, usual_order
from legation.web.serving.answers import file_answer
from legation.web.serving.bounds import queue
from legation.web.serving.forms import Forms, add_forms, of, read_upload, submit_files, text
from legation.web.serving.pages import PageRouter, ReadingRoute, page
from legation.web.serving.sessions import chosen_language, note_trace, person_of

router = PageRouter(route_class=ReadingRoute)
LONGEST = 60_000
Text = Annotated[str, Form(max_length=LONGEST)]
Signature = Annotated[str, Form(max_length=128)]
Turn = Annotated[str, Form()]
Flag = Annotated[bool, Form()]


def own(request: Request, game: str) -> GamePage:
    """A game that has begun, with the reader's own seat (SignInNeededError: for visitors; PageError: 403 for who holds
    no seat, 409 for a game that has not begun)."""
    person_of(request)
    shown = GamePage(request, game)
    _ = shown.own_seat, shown.present
    return shown


def show_sheet(
    shown: GamePage, text: str | None = None, fault: str = "", status: int = 200, *, taken: bool = False
) -> Response:
    """The page with the own sheet open. ``text`` is what was being written; drafts are kept by the browser alone.
    ``taken``: it comes to the draft, and doesn't take its place."""
    power, holder = shown.power, (*shown.of, shown.power)
    text = text or ""
    position = shown.position(shown.record.position)
    checked = submissions.check(*holder, text)
    turn = turn_in(chosen_language(shown.request), shown.live_turn(), shown.live)
    standing = turn["dislodged" if turn["phase"] == Phase.RETREATS.value else "units"]
    to_order = {at for _, at, *_ in standing for choice in turn["choices"].get(power, ()) if choice[1] == at}
    versions = submissions.mine(*holder)
    return shown.page(
        "sheet",
        status,
        data={"live": turn, "accepts": shown.accepts},
        text=text,
        taken=taken,
        fault=fault,
        seat=shown.own_seat,
        status_notes=shown.rules.status_notes(position, power),
        accepts=shown.accepts,
        refused=shown.rules.refuses_orders(position, power) or "",
        phase=position.turn.phase.value,
        units=len(to_order),
        missing=len(checked.missing),
        counts=counts_in_words(turn["powers"][power], position.turn.phase),
        checked=marks(shown, checked, text)["lines"] if text.strip() else [],
        versions=versions,
        by_post=shown.record.settings["opening_by_post"]
        and position.turn.phase is Phase.MOVEMENT
        and not any(version.kind == "posted" for version in versions),
        elsewhere=_elsewhere(shown, position.turn.phase.value),
        example=usual_order(turn["choices"].get(power, ())),
        happened=_season_so_far(shown),
        standing=next((v for v in reversed(versions) if v.standing in ("counts", "asks")), None),
        idle=all(verb == "draw" for verb, *_ in turn["choices"].get(power, ())),
        to_sign=_to_sign(shown) if shown.accepts else None,
    )


def _season_so_far(shown: GamePage) -> list[TurnResult]:
    """Return the results of the last turn and of those before it in its season, where they have news: others' retreats
    may be over before anybody has seen the movement that led to them. Where units could go is no news after their
    retreats."""
    out = shown.published
    season = out[-1].name.rpartition(" ")[0] if out else ""
    results = [shown.result(turn.key) for turn in out if turn.name.rpartition(" ")[0] == season]
    told = [result for result in results if result is not None and result.news]
    if any(result.name.endswith(Phase.RETREATS.value) for result in told):
        told = [msgspec.structs.replace(r, news=tuple(n for n in r.news if CAN_RETREAT not in n)) for r in told]
    return told


def _to_sign(shown: GamePage, text: str = "") -> dict[str, Any]:
    """The data that the page signs with the seat's key: the parts of a sheet and its context."""
    facts: dict[str, Any] = msgspec.to_builtins(proofs.to_sign(*shown.of, shown.power, text))
    return facts


CHANNELS = {"api": "program", "mail": "e-mail", "post": "post"}


def _elsewhere(shown: GamePage, phase: str) -> str:
    """By what ways orders of a phase come where they do not come by page; empty where they do."""
    settings = shown.settings
    if settings.takes("web", phase):
        return ""
    return " or ".join(words for channel, words in CHANNELS.items() if settings.takes(channel, phase))


def counts_in_words(counts: dict[str, int], phase: Phase) -> str:
    """Return a power's number of builds, placements or removals, in words."""
    if counts["removals"]:
        return f"{counts['removals']} to remove"
    if counts["builds"]:
        return f"{counts['builds']} to place" if phase is Phase.PLACEMENT else f"{counts['builds']} to build"
    return "nothing to build or remove"


def marks(shown: GamePage, checked: Checked, text: str) -> dict[str, Any]:
    """Return a checked sheet for the map's script, by line, with orders ahead and lines kept as they stand."""
    power, rules, say = shown.power, shown.rules, shown.live.said_in(chosen_language(shown.request))
    phase = shown.position(shown.record.position).turn.phase
    lines: list[dict[str, Any]] = []
    for line in checked.lines:
        given = None
        with suppress(OrderTextError):
            given = rules.reader.order(line.order, phase, power) if line.order else None
        wrong = Problem(cast(ProblemKind, line.problem), line.message, line.suggestions) if line.problem else None
        entry = CheckedEntry(line.line, line.span, line.text, line.order, given, wrong, line.hints)
        lines.append(line_of(rules, power, entry, said=say))
    for ahead in checked.ahead:
        problem = None if ahead.then else {"message": say(ahead.message), "suggestions": list(ahead.suggestions)}
        lines.append(_kept(ahead.line, power, ahead.text, ahead.then or "", problem))
    known = {entry["line"] for entry in lines}
    for number, line_text in enumerate(text.splitlines(), 1):
        if line_text.strip() and number not in known:
            asked = "To the coordinator:"
            said = f"{say(asked)} {line_text.strip()}" if line_text.strip() in checked.instructions else ""
            lines.append(_kept(number, power, line_text, said, None))
    summary = {
        "missing": list(checked.missing),
        "builds": checked.builds_left,
        "removals": checked.removals_due,
        "sheet": list(checked.orders),
    }
    return {"lines": sorted(lines, key=lambda entry: entry["line"]), "powers": {power: summary}}


def _kept(line: int, power: str, text: str, said: str, problem: dict[str, Any] | None) -> dict[str, Any]:
    entry = {"line": line, "power": power, "text": text, "order": said or None, "name": said, "choice": None}
    return {**entry, "problem": problem, "hints": [], "keep": True}


@router.post("/games/{game}/sheet/check")
def check(request: Request, game: str, text: Text = "") -> Response:
    """Return how a sheet is read, as JSON; nothing is stored."""
    shown = own(request, game)
    checked = submissions.check(*shown.of, shown.power, text)
    return JSONResponse(marks(shown, checked, text))


@router.get("/games/{game}/sheet/lent.json")
def lent(request: Request, game: str, at: Annotated[str, Query(max_length=40)]) -> Response:
    """Show what the reader may order another's unit, in case its owner places it under the reader's orders."""
    shown = own(request, game)
    position = shown.position(shown.record.position)
    return JSONResponse(lent_choices(shown.rules, position, shown.power, at, shown.live, chosen_language(request)))


@router.post("/games/{game}/sheet/change")
def change(request: Request, game: str, text: Text = "") -> Response:
    """Show the sheet page again with the text under review; store nothing."""
    return show_sheet(own(request, game), text)


@router.post("/games/{game}/sheet")
def look_over(request: Request, game: str, text: Text = "", turn: Turn = "") -> Response:
    """Show how a sheet was read, in full names, for review before it is sealed."""
    return _review(request, game, text, turn)


def _review(request: Request, game: str, text: str, turn: str, *, ready: bool = False) -> Response:
    """The page that tells what was understood; ``ready``: its sender said so before sending it."""
    shown = own(request, game)
    if turn and turn != shown.present.name:
        fault = (
            f"{turn} closed while you wrote. What you wrote is in the box, but nothing was sent; "
            f"this is {shown.present.name}."
        )
        return show_sheet(shown, text, fault, 409)
    text = shown.office.without_reply_addresses(text)  # before it is signed
    checked = submissions.check(*shown.of, shown.power, text)
    lines = marks(shown, checked, text)["lines"]
    return page(
        request,
        "games/review.html",
        shown=shown,
        game=shown.record,
        text=text,
        ready=ready,
        key=token_urlsafe(12),
        lines=[line for line in lines if line["name"] and not line["problem"]],
        wrong=[line for line in lines if line["problem"]],
        checked=checked,
        versions=submissions.mine(*shown.of, shown.power),
        to_sign=_to_sign(shown, text),
        alone=all(seat.bot or not seat.survives for seat in shown.record.seats if seat.power != shown.power),
    )


class PageSignatures:
    """What a page signs with a key of its own: ``page_key`` is its public half where the office does not know it yet,
    ``signatures`` are apart by blanks, one for each turn of the season."""

    def __init__(
        self,
        nonce: Annotated[str, Form(max_length=64)] = "",
        signatures: Annotated[str, Form(max_length=2000)] = "",
        page_key: Annotated[str, Form(max_length=64)] = "",
        ready_signature: Signature = "",
    ) -> None:
        self.nonce, self.signatures = nonce, tuple(signatures.split())
        self.page_key, self.ready_signature = page_key, ready_signature


@router.post("/games/{game}/sheet/send")
def send(
    request: Request,
    game: str,
    signed: Annotated[PageSignatures, Depends()],
    text: Text = "",
    key: Annotated[str, Form(max_length=60)] = "",
    turn: Turn = "",
    ready: Flag = False,
) -> Response:
    """Seal and send a sheet, and say ``ready``; show the receipt. With the same ``key`` it is sent once."""
    shown = own(request, game)
    if turn and turn != shown.present.name:
        return look_over(request, game, text, turn)
    office, power = shown.office, shown.power
    actor = shown.actor.once(f"{game} {key}") if key else shown.actor
    try:
        if signed.page_key:
            submissions.set_key(office, shown.actor, game, power, signed.page_key)
        receipt = submissions.submit(office, actor, game, power, text, signed.nonce, signed.signatures)
    except OfficeError as error:
        fault = f"{error.message} Nothing was sent; what you wrote is in the box."
        return show_sheet(GamePage(request, game), text, fault, error.status)
    note_trace(request, actor)
    over = False
    if ready:
        with suppress(TooLateError):
            over = submissions.ready(office, shown.actor, game, power, signed.ready_signature)
    return _receipt_page(request, GamePage(request, game), receipt, over=over)


def _receipt_page(request: Request, shown: GamePage, receipt: Receipt, *, over: bool = False) -> Response:
    """The receipt of what was just sent; ``over``: everybody was ready with it."""
    return page(
        request,
        "games/receipt.html",
        shown=shown,
        game=shown.record,
        receipt=receipt,
        proof=decode_json(receipt.proof or "null"),
        to_sign=_to_sign(shown) if not over and shown.present.state == "open" else None,
        over=over,
        has_others=not shown.actor.guest and shown.record.plays_others,
    )


@router.get("/games/{game}/sheet/receipt-{version}.txt")
def receipt(request: Request, game: str, version: int, turn: str = "now") -> Response:
    """The receipt of a version, to be saved."""
    shown = own(request, game)
    for sent in submissions.mine(*shown.of, shown.power, turn):
        if sent.version == version:
            text = (
                f"{shown.record.name}, {sent.turn}\n{sent.power}, version {sent.version}\n"
                f"received {sent.received:%Y-%m-%d %H:%M:%S} UTC by {sent.channel}\ncommitment {sent.commitment}\n"
            )
            name = f"{shown.key}-{sent.power.replace(' ', '-')}-{version}.txt"
            return file_answer(text, "text/plain", name)
    raise NotFoundError("No version has this number.")


@router.post("/games/{game}/sheet/pictures", dependencies=[Depends(queue)])
async def send_pictures(request: Request) -> Response:
    """Send photographs of a sheet in."""
    game = request.path_params["game"]
    shown = await run_in_threadpool(own, request, game)
    files, form = await read_upload(request)
    got = await run_in_threadpool(submit_files, *shown.of, shown.power, files, text(form, "note"))
    return await run_in_threadpool(_receipt_page, request, shown, got)


WORDS: Forms = {
    "withdraw": ("", of(submissions.withdraw, "signature", place="number")),
    "confirm": ("", of(submissions.confirm, "signature", place="number")),  # what somebody else entered
    "refuse": ("", of(submissions.refuse, "signature", place="number")),
}
"""What a holder can say of a version, signed by the seat's key where this browser has it."""
add_forms(router, "/games/{game}/versions/{number:int}", WORDS, then="/games/{game}")


@router.post("/games/{game}/versions/{number}/read")
def read(request: Request, game: str, number: int, reading_key: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Read an own version again; that is on record."""
    shown = own(request, game)
    opened = submissions.read_own(shown.office, shown.actor, number, reading_key.strip())
    lines = (
        marks(shown, opened.checked, opened.text)["lines"]
        if opened.checked and opened.submission.turn == shown.present.name
        else []
    )
    return page(request, "games/version.html", shown=shown, game=shown.record, opened=opened, lines=lines)


def _sent_nothing(shown: GamePage) -> bool:
    """Return whether units have no orders, in a phase in which they suffer by it, and no version of a sheet counts."""
    phase = shown.position(shown.record.position).turn.phase
    versions = submissions.mine(*shown.of, shown.power)
    if phase not in (Phase.MOVEMENT, Phase.RETREATS) or any(v.standing in ("counts", "asks") for v in versions):
        return False
    return bool(submissions.check(*shown.of, shown.power, "").missing)


@router.post("/games/{game}/ready")
def ready(
    request: Request,
    game: str,
    ready: Flag = False,
    sure: Flag = False,
    text: Text = "",
    turn: Turn = "",
    signature: Signature = "",
) -> Response:
    """Say that one is ready, or not any more. Orders that stand on the page and are not sent are looked over first: a
    turn that ends early would be judged without them; whoever has sent none is asked whether all shall hold (unless
    that is ``sure``). What was said of a turn that is over is not said of the next."""
    shown = own(request, game)
    if ready and (text.strip() or (not (sure or turn != shown.present.name) and _sent_nothing(shown))):
        return _review(request, game, text, turn, ready=True)
    if turn and turn != shown.present.name:
        return show_sheet(shown, fault=f"{turn} is closed; this is {shown.present.name}.", status=409)
    if ready:
        submissions.ready(*shown.of, shown.power, signature)
    else:
        submissions.not_ready(*shown.of, shown.power)
    return RedirectResponse(shown.address(), 303)
