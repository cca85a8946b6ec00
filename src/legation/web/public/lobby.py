"""The lobby: lists of games, what a player owes, games that wait for players, demo seats."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import Depends, Query, Request
from fastapi import Form as Field
from starlette.responses import RedirectResponse, Response

from legation.game.report import place_in_words
from legation.office.context import Actor
from legation.office.errors import NotFoundError, OfficeError
from legation.office.game import journal, seats, waiting_lists
from legation.office.hosting import games, roster
from legation.office.office import Office
from legation.office.operation import demo
from legation.office.orders import submissions
from legation.office.records import GameRecord, GameSummary, HowEnded, OwnSeat, SeatRecord
from legation.office.terms.plans import GameSettings, settings_of
from legation.office.terms.schedules import Pace
from legation.scoring import SYSTEMS
from legation.web.public.gallery import cards
from legation.web.public.maps import known_to, map_of, pictures, rules_of
from legation.web.serving.bounds import bound
from legation.web.serving.forms import Form, Forms, SentForm, add_forms, of
from legation.web.serving.pages import PageError, PageRouter, ReadingRoute, page
from legation.web.serving.sessions import actor_of, keep_session, office_of, person_of

router = PageRouter(route_class=ReadingRoute)
STATES: dict[str, Literal["gathering", "alive", "ended"]] = {
    "open": "gathering",
    "running": "alive",
    "finished": "ended",
}
A_PAGE = 50
Which = Literal["", "open", "running", "finished"]
Turns = Annotated[str, Query(pattern=r"^\d{0,6}$")]
ShortText = Annotated[str, Query(max_length=80)]


class Wanted:
    """Which games are looked for; ``how`` and what follows it are of finished ones."""

    def __init__(
        self,
        search: ShortText = "",
        variant: ShortText = "",
        pace: Pace | Literal[""] = "",
        seats_open: bool = False,
        how: HowEnded | Literal[""] = "",
        turns_from: Turns = "",
        turns_to: Turns = "",
        player: ShortText = "",
    ) -> None:
        over: dict[str, Any] = {"how": how, "player": player.strip()}
        over |= {"turns_from": int(turns_from or 0), "turns_to": int(turns_to or 0)}
        asked: dict[str, Any] = {"search": search, "variant": variant, "pace": pace, **over}
        self.over = any(over.values())
        self.facts = asked | {"open_seats": seats_open}
        asked["seats_open"] = seats_open
        self.query = urlencode({name: value for name, value in asked.items() if value})


@router.get("/games")
def list_games(
    request: Request,
    wanted: Annotated[Wanted, Depends()],
    state: Which = "",
    after: ShortText = "",
    waiting: Literal["", "none"] = "",
) -> Response:
    """Show all games that the reader may see, the reader's own first."""
    office, actor = office_of(request), actor_of(request)
    state = state or ("finished" if wanted.over else "")
    apart = actor.person is not None and not state and not any(wanted.facts.values())
    mine = own_games(office, actor) if apart else []
    listed = {
        name: games.list_games(
            office,
            actor,
            kept,
            mine=False if apart and name != "finished" else None,  # the own ones that go on stand apart
            after=after if state else "",
            limit=A_PAGE,
            **wanted.facts,
        )
        for name, kept in STATES.items()
        if state in ("", name)
    }
    more = listed[state][-1].key if state and len(listed[state]) >= A_PAGE else ""
    return page(
        request,
        "games/list.html",
        listed=listed,
        mine=mine,
        not_ready=[
            f"{line.key} {line.turn}"
            for line, *_ in mine
            if line.state == "running" and any(map(waits_for_ready, line.own))
        ],
        nothing_waits=waiting == "none" and not any(owes for _, _, owes in mine),
        state=state,
        search=wanted.facts["search"],
        wanted=wanted.facts,
        query=wanted.query,
        variants=cards(known_to(request)),
        more=more,
        picture_of=pictures(known_to(request)),
    )


def own_games(office: Office, actor: Actor) -> list[tuple[GameSummary, str, bool]]:
    """The reader's games that are not over, with what is owed in each.

    Those come first where anything is owed (True), then the next deadline first."""
    lines = games.list_games(office, actor, "unfinished", mine=True, limit=200)
    forming = ("waiting for players", False)
    rows = [(line, *(forming if line.state == "gathering" else _owed(line, line.own))) for line in lines]
    return sorted(rows, key=lambda row: (not row[2], row[0].deadline is None, row[0].deadline, row[0].key))


@router.get("/me/next")
def next_game(request: Request, after: ShortText = "") -> Response:
    """Go to the next game that waits for the reader's orders, the next deadline first; after a game, to the one that
    follows it, and from the last to the first. Where none waits, to the list of games, which says so."""
    owed = [line.key for line, _, owes in own_games(office_of(request), person_of(request)) if owes]
    place = owed.index(after) + 1 if after in owed else 0
    others = [key for key in owed[place:] + owed[:place] if key != after]
    return RedirectResponse(f"/games/{others[0]}" if others else "/games?waiting=none", 303)


@router.post("/me/ready")
def ready_everywhere(request: Request, form: Form) -> Response:
    """Mark the reader as ready in each of the games whose turns are named (``KEY SPRING 1901 MOVEMENT``) and still
    open, where the reader's orders are in. A game that refuses it stays as it is, and the list says so."""
    office, actor, turns = office_of(request), person_of(request), form.getlist("turn")
    for line, *_ in own_games(office, actor):
        if f"{line.key} {line.turn}" not in turns:
            continue
        for seat in line.own:
            if waits_for_ready(seat):
                with suppress(OfficeError):  # its turn was closed meanwhile, say
                    submissions.ready(office, actor, line.key, seat.power)
    return RedirectResponse("/games", 303)


def waits_for_ready(seat: OwnSeat) -> bool:
    """Return whether a seat's orders are in and its holder has not said "ready"."""
    return bool(seat.survives and seat.sent and seat.ready is False)


def owed_in(game: GameRecord) -> tuple[str, bool]:
    """Return what the reader owes in a game that has begun, in words, and whether it is anything."""
    if game.state == "ended" and game.ending and game.powers:
        power, ending = game.powers[0], game.ending
        if ending["kind"] == "ranking" and power in ending["powers"]:
            return place_in_words(power, ending["powers"], ending.get("tied", ())), False
        won = "won" if ending["kind"] == "solo" else "shares the draw"
        return won if power in ending["powers"] else "lost", False
    if game.state not in ("running", "paused"):  # cancelled, or it went to another office
        return "", False
    return _owed(game, [seat for seat in game.seats if seat.power in game.powers])


def _owed(game: GameRecord | GameSummary, own: Sequence[SeatRecord | OwnSeat]) -> tuple[str, bool]:
    if game.state == "paused":
        return f"paused: {game.paused}", False
    if not own:
        reads = "you are the second reader" if "deputy" in game.roles else "you have no seat"
        return "you run this game" if {"coordinator", "host"} & set(game.roles) else reads, False
    (seat, *_) = own
    if not seat.survives:
        return "out of the game", False
    if seat.sent is None:
        return "nothing to order this turn", False
    if seat.sent:
        return "orders sent, and ready" if seat.ready else "orders sent", False
    return "orders are due", True


# A game that gathers


def gathering(request: Request, game: GameRecord, invitation: str = "", power: str = "", sign_in: str = "") -> Response:
    """Show a game that has not begun. ``power``: of the invitation; ``sign_in``: signs in a newcomer."""
    office, actor = office_of(request), actor_of(request)
    listed = seats.sign_ups(office, actor, game.key) if {"host", "coordinator"} & set(game.roles) else []
    return page(
        request,
        "games/gathering.html",
        game=game,
        settings_told=settings_in_words(settings_of(game)),
        invitation=invitation,
        power_offered=power,
        sign_in=sign_in,
        signed=game.wishes is not None,
        sign_ups=listed,
        live=request.app.state.variant_uploads.map_of(game.variant).for_reader(request),
        seen=journal.mark(office),
        **_own_address(request, game.key, asked=settings_of(game).shows_addresses()),
    )


def _own_address(request: Request, game: str, *, asked: bool) -> dict[str, Any]:
    """What a form that gives a seat in a game by post asks: the postal address, and whether players see it (W-23)."""
    office, actor = office_of(request), actor_of(request)
    if actor.person is None:
        return {"asks_address": asked}
    return {
        "asks_address": asked,
        "own_address": next((a for a in roster.addresses(office, actor) if a.primary), None),
        "keeps_address": any(s.game == game and not s.shared for s in roster.sharing(office, actor)),
    }


def settings_in_words(settings: GameSettings) -> list[tuple[str, str]]:
    """Return a game's settings in words, as pairs of name and value."""
    missing = {
        "hold": "its units hold",
        "wait": "the game waits for it",
        "disorder": f"its units hold; after {settings.missing_after} turns it is in civil disorder",
        "replace": f"its units hold; after {settings.missing_after} turns "
        + ("a replacement is invited" if settings.coordinated else "the others are asked to vote for a new player"),
    }[settings.missing]
    senders = {
        "all": "everybody can see it, never the orders",
        "coordinator": "the coordinator can see it, never the orders",
        "nobody": "nobody can see it",
    }[settings.shows_senders]
    named = {"public": "letters to all", "private": "private letters", "anonymous": "letters without a name"}
    kinds = [words for kind, words in named.items() if kind in settings.press]
    many = {"none": "", "majority": "more than half", "all": "all"}[settings.voting()]
    decides = "the coordinator decides" if settings.coordinated else "all can cancel it"
    can = f"{many} of the players can pause the game, extend a deadline or replace a player who has gone"
    asked = [
        *([f"sent {settings.reliability}% of turns in time"] if settings.reliability else []),
        *([f"finished {settings.finished} games"] if settings.finished else []),
        *([f"is rated {settings.rating} or isn’t rated yet"] if settings.rating else []),
    ]
    told: list[tuple[object, str, str]] = [
        (True, "Orders are due", settings.plan().title),
        (True, "Letters", ", ".join(kinds) if kinds else "outside Legation"),
        (True, "Who plays which power", "hidden until the game ends" if settings.anonymous else "everybody can see it"),
        (True, "Who has sent orders", senders),
        (True, "If a power sends nothing", missing),
        (settings.stand_in, "If a player leaves", f"a bot ({settings.stand_in}) plays until someone takes over"),
        (settings.machines, "Seats for programs", "programs can hold seats; everyone sees which"),
        (settings.ready_ends, "Early processing", "when everyone is ready"),
        (settings.grace, "Late orders", f"count for {settings.grace} minutes after the deadline"),
        (settings.absence_days, "Absences", f"move a deadline by up to {settings.absence_days} days"),
        (settings.coordinated, "Run by", "a coordinator, who can’t read orders before the deadline"),
        (not settings.coordinated, "Run by", "the office, which processes orders at the deadline"),
        (many, "Votes", f"{can}; {decides}"),
        (settings.drafts, "Results", "drafts until the season’s retreats are done"),
        (settings.opening_by_post, "By post", "the first orders of a season"),
        (settings.photographs_only, "On paper", "all orders: by post or as a photograph, never as text"),
        (settings.scoring, "Scoring", SYSTEMS[settings.scoring].name if settings.scoring else ""),
        (settings.rated, "Rated", "the result changes the players’ ratings"),
        (asked, "Who can join", f"whoever {' and '.join(asked)}, or plays a first game"),
        (settings.reads_letters, "The coordinator", "can read letters"),
    ]
    return [(name, words) for holds, name, words in told if holds]


@router.get("/games/{game}/invitation/{secret}")
def invitation(request: Request, game: str, secret: str, sign_in: ShortText = "") -> Response:
    """The page that an invitation opens: what the game is, and a seat to take. ``sign_in`` signs in a newcomer."""
    office, actor = office_of(request), actor_of(request)
    invited = seats.invitation(office, actor, game, secret)
    record: GameRecord | None = None
    with suppress(NotFoundError):  # a private game, until one has a seat
        record = games.game(office, actor, game)
    if record is not None and record.state == "gathering":
        return gathering(request, record, secret, invited.power, sign_in)
    asked = {"secret": secret, "sign_in": sign_in, **_own_address(request, invited.game, asked=invited.by_post)}
    if record is None:
        return page(request, "games/invited.html", invited=invited, may=actor.person is not None, **asked)
    open_seats = [s for s in record.seats if s.power == invited.power and s.vacant]
    return page(request, "games/take_over.html", game=record, open_seats=open_seats, **asked)


def _wishes(sent: SentForm) -> list[str]:
    return [wish for wish in sent.form.getlist("wish") if isinstance(wish, str) and wish]


def _takes_address(sent: SentForm) -> bool:
    """Keep the postal address that a form brings as the usual one, and return whether it is shared."""
    if lines := sent.text("lines"):
        roster.add_address(sent.office, sent.actor, lines.splitlines(), sent.text("country"), primary=True)
    return sent.text("shares") == "yes"


def _wait(sent: SentForm) -> object:
    say = waiting_lists.stop if "stop" in sent.form else waiting_lists.wait
    return say(sent.office, sent.actor, sent.game)


SEATS: Forms = {
    "sign-up": ("", of(seats.sign_up, _wishes, "secret", _takes_address)),
    "withdraw": ("", of(seats.withdraw_sign_up)),
    "take-over": ("", of(seats.take_over, "power", "secret", _takes_address)),
}
add_forms(router, "/games/{game}", SEATS)
add_forms(router, "/games/{game}", {"waiting": ("", _wait)}, then="/games/{game}/powers")


# A game without an account


@router.get("/demo")
def demo_seat(request: Request, level: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Show what can be tried without an account: each variant with its powers, against bots of a level."""
    levels = demo.guest_levels()
    chosen = level if level in levels else (levels or ("",))[0]
    variants = known_to(request)
    shown = [(card, rules_of(card.name, variants).powers, map_of(card.name, variants)) for card in cards(variants)]
    return page(request, "games/demo.html", shown=shown, levels=levels, level=chosen)


@router.post("/demo")
def take_demo_seat(
    request: Request,
    variant: Annotated[str, Field(max_length=80)],
    power: Annotated[str, Field(max_length=80)] = "",
    level: Annotated[str, Field(max_length=40)] = "",
) -> Response:
    """Seat a visitor for a day against bots."""
    bound(request, "demo", 6)
    if variant not in known_to(request).names():
        raise PageError(404, f"There is no variant called “{variant[:60]}”.", ways=[("All variants", "/variants")])
    session, key = demo.seat_guest(office_of(request), variant, power, level)
    answer = RedirectResponse(f"/games/{key}", 303)
    keep_session(request, answer, session, 1)
    return answer
