"""The page of a game: its tabs, and what their forms and buttons do.

What each tab shows is in :mod:`legation.web.play.tabs`; the own sheet is in :mod:`legation.web.play.sheet_page`."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Form, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from legation.game import position_document
from legation.office.desk import letters
from legation.office.errors import ConflictError, InvalidInputError, OfficeError
from legation.office.game import seats
from legation.office.hosting import games, proofs, rematches, retrospects, roster, votes
from legation.office.orders import tables
from legation.web.play.sheet_page import own, show_sheet
from legation.web.play.shown_game import PUBLISHED, TABS, GamePage
from legation.web.play.tabs import VALUES
from legation.web.public.lobby import gathering
from legation.web.sandbox import SandboxPosition, keep
from legation.web.serving.bounds import bound
from legation.web.serving.forms import Forms, SentForm, add_forms, of, whole_number
from legation.web.serving.pages import PageRouter, ReadingRoute, templates
from legation.web.serving.sessions import chosen_language, person_of

router = PageRouter(route_class=ReadingRoute)
GONE = (401, 403, 404)  # refusals after which what was typed has no place


@router.get("/games/{game}")
def now(request: Request, game: str) -> Response:
    """Show a game as it stands now: the player's own sheet, else the last results or the powers."""
    shown = GamePage(request, game)
    if not shown.begun:
        return gathering(request, shown.record)
    if shown.has_sheet:
        return show(shown, "table") if shown.settings.one_orders_all else show_sheet(shown)
    return show(shown, "results" if shown.published else "powers")


def show(shown: GamePage, tab: str, status: int = 200, **more: Any) -> Response:
    """Show the page with one of its tabs open."""
    return shown.page(tab, status, **{**VALUES[tab](shown), **more})


@router.post("/games/{game}/letters")
def write_letter(
    request: Request,
    game: str,
    text: Annotated[str, Form()] = "",
    to: Annotated[list[str] | None, Form()] = None,
    anonymous: Annotated[bool, Form()] = False,
    orders: Annotated[str, Form()] = "",
    answers: Annotated[int, Form(ge=0, lt=2**32)] = 0,
) -> Response:
    """Send a letter, perhaps with proposed orders."""
    person_of(request)
    shown = GamePage(request, game)
    text, orders = text.replace("\r\n", "\n"), orders.replace("\r\n", "\n")
    try:
        letters.write(*shown.of, shown.power, to or [], text, anonymous, orders, answers)
    except OfficeError as error:
        if error.status in GONE:
            raise
        written = {"written_so_far": text, "orders_so_far": orders, "addressed": to or []}
        return show(shown, "letters", error.status, fault=error.message, **written)
    there = ["all"] if "all" in (to or []) else sorted(to or [])
    return RedirectResponse(shown.address("letters") + "?" + urlencode([("with", power) for power in there]), 303)


@router.post("/games/{game}/letters/{letter}/take")
def take_proposal(request: Request, game: str, letter: int) -> Response:
    """Show the own sheet with the orders that a letter proposes for it; nothing is stored or sent."""
    shown = own(request, game)
    proposal = shown.proposal(letter)
    if proposal.turn != shown.present.name or not proposal.takes_orders:
        fault = f"That was proposed for {proposal.turn}; this is {shown.present.name}."
        return show_sheet(shown, fault=fault, status=409)
    wanted = [one.order for one in proposal.orders.get(shown.power, ())]
    return show_sheet(shown, "\n".join(wanted), taken=True)


@router.post("/games/{game}/table")
def order_all(
    request: Request,
    game: str,
    text: Annotated[str, Form(max_length=60_000)] = "",
    turn: Annotated[str, Form(max_length=100)] = "",
    do: Annotated[str, Form(max_length=10)] = "judge",
) -> Response:
    """Send the orders of all powers, and have the turn judged or not; or show again what was typed."""
    person_of(request)
    shown = GamePage(request, game)
    text = text.replace("\r\n", "\n")
    if turn and shown.begun and turn != shown.present.name:
        fault = f"{turn} closed while you wrote; this is {shown.present.name}."
        return show(shown, "table", 409, text=text, fault=fault)
    try:
        tables.order_all(*shown.of, text, do != "keep")
    except OfficeError as error:
        if error.status in GONE or not shown.begun or not shown.settings.one_orders_all:
            raise
        return show(shown, "table", error.status, text=text, fault=error.message)
    return RedirectResponse(shown.address("table"), 303)


def _share(sent: SentForm) -> Response:
    """Share one's postal address with the players, or stop; while a game gathers, as soon as one has a seat."""
    office, actor, game, on = sent.office, sent.actor, sent.game, sent.text("on") == "yes"
    if power := sent.text("power"):
        roster.share_address(office, actor, game, power, on)
    else:
        seats.sign_up(office, actor, game, games.game(office, actor, game).wishes or (), share_address=on)
    return RedirectResponse("/me#addresses" if sent.text("from") == "me" else f"/games/{game}/roster", 303)


def _power(sent: SentForm) -> str:
    return GamePage(sent.request, sent.game).power


def _mute(sent: SentForm) -> Response:
    """Mute a power's letters, anonymous ones or those to everybody, or have them told again."""
    who = sent.text("who")
    letters.mute(sent.office, sent.actor, sent.game, _power(sent), who, sent.text("muted") == "true")
    conversation = "somebody" if who == letters.ANONYMOUS else who
    return RedirectResponse(f"/games/{sent.game}/letters?{urlencode({'with': conversation})}", 303)


def _vote(sent: SentForm) -> object:
    given = sent.office, sent.actor, sent.game, _power(sent), sent.text("kind"), sent.text("whom")
    if sent.text("do") == "take back":
        return votes.take_back(*given)
    return votes.vote(*given, whole_number(sent.form, "hours"), sent.text("reason"))


def _offer_rematch(sent: SentForm) -> Response:
    return RedirectResponse(f"/games/{rematches.offer(sent.office, sent.actor, sent.game).key}", 303)


def _again(request: Request, game: str) -> Response:
    return show(GamePage(request, game), "powers")


BUTTONS: Forms = {
    "letters/mute": ("", _mute),
    "rematch": ("", _offer_rematch),
    "resign": ("", of(seats.resign, _power, "reason")),
    "share": ("", _share),
}
add_forms(router, "/games/{game}", BUTTONS, then="/games/{game}/powers")
add_forms(router, "/games/{game}", {"votes": ("vote", _vote)}, _again, "/games/{game}/powers#votes")


@router.post("/games/{game}/analysis")
def ask_analysis(request: Request, game: str) -> Response:
    """Request the analysis of a game."""
    bound(request, "analysis", 6)
    shown = GamePage(request, game)
    retrospects.ask(*shown.of)
    return RedirectResponse(shown.address("analysis"), 303)


@router.post("/games/{game}/receipt")
def check_receipt(request: Request, game: str, receipt: Annotated[str, Form(max_length=400_000)] = "") -> Response:
    """Check a pasted receipt; store nothing."""
    bound(request, "receipt", 20)
    shown = GamePage(request, game)
    if not shown.begun:
        return RedirectResponse(shown.address(), 303)
    try:
        standing = proofs.standing(*shown.of, receipt)
    except (InvalidInputError, ConflictError) as error:
        return show(shown, "proofs", error.status, fault=error.message, pasted=receipt)
    return show(shown, "proofs", standing=standing, pasted=receipt)


@router.get("/games/{game}/{turn}/shown.json")
def shown_turn(request: Request, game: str, turn: str) -> Response:
    """Return a turn for the time machine: its map state, and its results as HTML."""
    shown = GamePage(request, game, turn)
    values = VALUES["results"](shown)
    part = templates(chosen_language(request)).get_template("games/results_part.html")
    html = part.render(
        request=request, shown=shown, game=shown.record, live=shown.live, times=shown.times, tab="results", **values
    )
    answer = {"svg": values["svg"], "html": html, "name": values["turn"].name, **values["data"]}
    return JSONResponse(answer)


@router.post("/games/{game}/{turn}/what-if")
def what_if(request: Request, game: str, turn: str) -> Response:
    """Open a turn in the sandbox."""
    shown = GamePage(request, game, turn)
    position = shown.position(games.position(*shown.of, turn))
    return keep(
        request,
        SandboxPosition(shown.record.variant, position_document(shown.rules, position), dict(shown.record.options)),
    )


@router.get("/games/{game}/{tab}")
def at(request: Request, game: str, tab: str) -> Response:
    """Show a tab of the page, or a turn by its key."""
    shown = GamePage(request, game, "" if tab in TABS else tab)
    if not shown.begun:
        return RedirectResponse(shown.address(), 303)
    if tab == "sheet" or (tab == "table" and not shown.settings.one_orders_all):
        return RedirectResponse(shown.address(), 303)
    if tab in TABS:
        return show(shown, tab)
    if shown.asked == shown.present.key and shown.present.state not in PUBLISHED:
        return show(shown, "powers")
    return show(shown, "results")
