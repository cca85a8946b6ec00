"""The page of a game and its tabs: results, powers, letters, proofs.

The own sheet is in :mod:`legation.web.play.sheet_page`."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from fastapi import Form, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from legation.game import position_document
from legation.office.desk import letters
from legation.office.desk.proposed_orders import in_words
from legation.office.errors import ConflictError, InvalidInputError, OfficeError
from legation.office.game import journal, seats
from legation.office.hosting import deadlines, games, proofs, rematches, scores, votes
from legation.office.orders import submissions
from legation.office.records import LetterRecord
from legation.proofs.canonical import encode
from legation.web.play.analysis_page import analysis_values
from legation.web.play.centers_chart import centers_over_time, chart_lines
from legation.web.play.game_frame import TABS, render
from legation.web.play.roster_page import roster_values
from legation.web.play.sheet_page import show_sheet
from legation.web.play.shown_game import PUBLISHED, GamePage
from legation.web.play.table_page import table_values
from legation.web.play.turn_outcome import outcome_of
from legation.web.public.lobby import gathering
from legation.web.public.verdict_rows import told_apart
from legation.web.sandbox import SandboxPosition, keep
from legation.web.serving.bounds import bound, count_journal
from legation.web.serving.forms import Forms, SentForm, add_forms, of, read_shown, whole_number
from legation.web.serving.pages import PageRouter, ReadingRoute, templates
from legation.web.serving.sessions import chosen_language, person_of

router = PageRouter(route_class=ReadingRoute)


@router.get("/games/{game}")
def now(request: Request, game: str) -> Response:
    """Show a game as it stands now: the player's own sheet, else the last results or the powers."""
    shown = GamePage(request, game)
    if not shown.begun:
        return gathering(request, shown.record)
    if shown.has_sheet:
        return show(shown, "table") if shown.settings.one_orders_all else show_sheet(shown)
    return show(shown, "results" if any(t.state in PUBLISHED for t in shown.turns) else "powers")


def show(shown: GamePage, tab: str, status: int = 200, **more: Any) -> Response:
    """Show the page with one of its tabs open."""
    values = VALUES[tab](shown)
    if "svg" not in values:
        values["svg"] = shown.layer()
    values.setdefault("turn", shown.present)
    return render(shown, tab, status, **{**values, **more})


def _results(shown: GamePage) -> dict[str, Any]:
    result = shown.result(shown.asked or "last")
    published = [t for t in shown.turns if t.state in PUBLISHED]
    values: dict[str, Any] = {"result": result, "published": published, "contested": [], "before": None, "next": None}
    values |= {"folded": [], "sheets": {}, "notes": [], "place": 0, "versions": []}
    if result is None:
        if shown.asked:
            games.result(*shown.of, shown.asked)  # says that there is none, or none yet
        return values
    hidden = shown.hidden(shown.position(result.position))
    outcome = outcome_of(shown.rules, shown.live, result, hidden)
    keys = [t.key for t in published]
    place = keys.index(result.key)
    contested, folded = told_apart(outcome.rows, shown.live.atlas.board)
    values |= {
        "contested": contested,
        "folded": sorted(folded, key=lambda fold: (fold[0] not in shown.record.powers, fold[0])),
        "sheets": {sheet.power: sheet for sheet in result.sheets},  # in the fog, an order may be seen without its sheet
        "place": place,
        "before": published[place - 1] if place else None,
        "next": published[place + 1] if place + 1 < len(published) else None,
        "turn": published[place],
        "svg": outcome.svg,
        "head": encode(result.head).decode() if result.head is not None else "",
        "data": {"steps": outcome.steps, "turns": [[t.key, t.name] for t in published], "at": result.key},
    }
    if shown.power:
        values["versions"] = submissions.mine(*shown.of, shown.power, result.key)
    if result.state == "draft" or published[place].published:
        kinds = ("corrected", "draft taken back", "chosen", "alarm")
        lines = journal.entries(*shown.of, kinds=kinds)
        values["notes"] = [line for line in lines if line.turn == result.name]
    return values


def _powers(shown: GamePage) -> dict[str, Any]:
    standing = centers_over_time(shown)
    position = shown.position(shown.record.position)
    told = (
        shown.record.powers if shown.rules.steps["visible_provinces"] else shown.rules.powers
    )  # of others one may not see all
    return {
        "status_notes": {power: shown.rules.status_notes(position, power) for power in told},
        "holders": seats.holders(*shown.of),
        "standing": standing,
        "lines": chart_lines(standing, list(shown.rules.powers)),
        "most": max((n for _, counts in standing for n in counts.values()), default=1),
        "points": scores.points(*shown.of) if shown.may("scores.points") else None,
        "vacant": [s for s in shown.record.seats if s.vacant],
    }


def _letters(shown: GamePage) -> dict[str, Any]:
    """Return the letters as conversations, by who takes part in them: the last ones, or those before a number."""
    number = read_shown(shown.request.query_params.get("before", ""))
    correspondence = letters.letters(*shown.of, after=number, limit=letters.MOST_AT_ONCE, newest=True)
    threads: dict[tuple[str, ...], list[LetterRecord]] = {}
    for letter in correspondence:
        who = _thread(letter, shown.power)
        threads[who] = [*threads.pop(who, ()), letter]
    ordered = list(reversed(threads.items()))
    asked = tuple(sorted(set(shown.request.query_params.getlist("with"))))
    known = asked in (("all",), ("somebody",)) or (asked and set(asked) <= {*shown.rules.powers} - {shown.power})
    conversation = threads.get(asked, []) if known else None
    unread = [letter.id for letter in conversation or () if not letter.read]
    if unread and shown.power and shown.may("letters.mark_read"):
        letters.mark_read(*shown.of, shown.power, unread)
        left = max(0, shown.record.unread - len(unread))
        shown.record = msgspec.structs.replace(shown.record, unread=left)
    earlier = correspondence[0].id if len(correspondence) == letters.MOST_AT_ONCE else 0
    muted: list[str] = []
    if shown.power and shown.may("letters.muted"):
        muted = letters.muted(*shown.of, shown.power)
    answered = _answered(shown, correspondence)
    return {
        "threads": ordered,
        "open_with": asked,
        "conversation": conversation,
        "earlier": earlier,
        "muted": muted,
        "answered": answered,
        "orders_so_far": in_words(answered.proposal) if answered and answered.proposal else "",
    }


def _answered(shown: GamePage, correspondence: Sequence[LetterRecord]) -> LetterRecord | None:
    """Return the letter whose proposal is to be changed."""
    asked = shown.request.query_params.get("answer", "")
    return next((letter for letter in correspondence if str(letter.id) == asked and letter.proposal), None)


def _thread(letter: LetterRecord, own: str) -> tuple[str, ...]:
    if letter.recipients == letters.ALL:
        return ("all",)
    there = {*letter.recipients, letter.sender or "somebody"} - {own}
    return tuple(sorted(there))


def _proofs(shown: GamePage) -> dict[str, Any]:
    count_journal(shown.request)
    return {
        "checks": proofs.verify(*shown.of),
        "commitments": submissions.commitments(*shown.of),
        "moves": deadlines.history(*shown.of),
        "record": journal.entries(*shown.of, limit=40, newest=True),
        "office_key": shown.office.public_key,
        "standing": None,
        "fault": "",
        "pasted": "",
    }


VALUES: dict[str, Callable[[GamePage], dict[str, Any]]] = {
    "results": _results,
    "powers": _powers,
    "analysis": analysis_values,
    "letters": _letters,
    "roster": roster_values,
    "table": table_values,
    "proofs": _proofs,
}
"""What each tab shows."""


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
        if error.status in (401, 403, 404):
            raise
        written = {"written_so_far": text, "orders_so_far": orders, "addressed": to or []}
        return show(shown, "letters", error.status, fault=error.message, **written)
    there = ["all"] if "all" in (to or []) else sorted(to or [])
    return RedirectResponse(shown.address("letters") + "?" + urlencode([("with", power) for power in there]), 303)


def _power(sent: SentForm) -> str:
    return GamePage(sent.request, sent.game).power


def _mute(sent: SentForm) -> Response:
    """Mute a power's letters, anonymous ones or those to everybody, or have them told again."""
    who = sent.text("who")
    letters.mute(sent.office, sent.actor, sent.game, _power(sent), who, sent.text("muted") == "true")
    conversation = "somebody" if who == letters.ANONYMOUS else who
    return RedirectResponse(f"/games/{sent.game}/letters?{urlencode({'with': conversation})}", 303)


def _vote(sent: SentForm) -> object:
    """Vote on a question, or take the vote back."""
    given = sent.office, sent.actor, sent.game, _power(sent), sent.text("kind"), sent.text("whom")
    if sent.text("do") == "take back":
        return votes.take_back(*given)
    return votes.vote(*given, whole_number(sent.form, "hours"), sent.text("reason"))


def _offer_rematch(sent: SentForm) -> Response:
    """Offer a rematch of a game that has ended, and show it."""
    return RedirectResponse(f"/games/{rematches.offer(sent.office, sent.actor, sent.game).key}", 303)


def _again(request: Request, game: str) -> Response:
    return show(GamePage(request, game), "powers")


BUTTONS: Forms = {
    "letters/mute": ("", _mute),
    "rematch": ("", _offer_rematch),
    "resign": ("", of(seats.resign, _power, "reason")),
}
add_forms(router, "/games/{game}", BUTTONS, then="/games/{game}/powers")
add_forms(router, "/games/{game}", {"votes": ("vote", _vote)}, _again, "/games/{game}/powers#votes")


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
    values = _results(shown)
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
