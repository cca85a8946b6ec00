"""Tournaments: made, entered, left and ended; their rounds are in :mod:`.rounds`."""

import itertools
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from legation.formats import read_csv
from legation.office.context import CommandContext, called, command, given_reason, query
from legation.office.errors import ConflictError, LimitExceededError, NotAllowedError, refuse_faults
from legation.office.game.seats import refuse_blocked
from legation.office.hosting.tournament_records import TournamentContext, events, summaries, tournament_record
from legation.office.identity.people import fold_name
from legation.office.permissions import Call
from legation.office.records import EntrantState, Tournament, TournamentEvent, TournamentState, TournamentSummary
from legation.office.store.packing import pack
from legation.office.store.rows import BoardRow, BoardSeatRow, EntrantRow, PersonRow, TournamentRow
from legation.office.terms.plans import TournamentPlan, read_tournament_plan, refuse_other_terms, unpacked_plan

MOST_PEOPLE = 350
MOST_TOURNAMENTS = 20  # that one person organizes at once
LONGEST_PERSON = 80
FIXED = ("name", "variant", "options", "online")  # what of a plan can't be changed
ENTRIES: dict[EntrantState, str] = {"in": "entered", "substitute": "substitute", "out": "left"}  # lines of the record


class NewEntrant(msgspec.Struct, frozen=True):
    """Somebody to be entered who needs no account: a name, and whether they only substitute."""

    name: str
    substitute: bool = False


@command("coordinate", "POST /tournaments", Call(body="plan", creates=True), person="any", console="any")
def create(act: CommandContext, plan: TournamentPlan | dict[str, Any]) -> Tournament:
    """Make a tournament from its plan; who makes it organizes it.

    :raises InvalidInputError: with all that is wrong with the plan.
    :raises ConflictError: when the name is taken."""
    return tournament_record(make_tournament(act, read_tournament_plan(plan), act.person))


def make_tournament(act: CommandContext, plan: TournamentPlan, person: int, **of_league: int) -> TournamentContext:
    """Make a tournament that ``person`` organizes (0: nobody), for a command whose permission was asked."""
    running = act.tx.count(TournamentRow, coordinator=person, state=["gathering", "running"]) if person else 0
    if running >= MOST_TOURNAMENTS:
        raise LimitExceededError(f"You already organize {MOST_TOURNAMENTS} tournaments, the most allowed.")
    if not act.makes_games:
        raise NotAllowedError("Only administrators can make tournaments here.")
    if plan.listed:
        _refuse_taken_name(act, plan.name)
    key, packed = act.free_key(TournamentRow, plan.name, listed=plan.listed), pack(plan)
    row = TournamentRow(
        key=key, name=plan.name, state="gathering", coordinator=person or None, plan=packed, made=act.at, **of_league
    )
    scene = TournamentContext(
        act, act.add_only(row, f"There is already a tournament called {plan.name!r}. Choose another name.")
    )
    scene.rules  # noqa: B018 - refused here where the variant or its options aren't right
    scene.append_journal("made")
    return scene


def _refuse_taken_name(act: CommandContext, name: str) -> None:
    if any(unpacked_plan(row.plan).listed for row in called(act.tx, TournamentRow, name)):
        raise ConflictError(f"There is already a tournament called {name!r}. Choose another name.")


@command("coordinate", "PUT /tournaments/{tournament}/plan", Call(body="changes"), coordinator="gathering running")
def set_plan(scene: TournamentContext, changes: dict[str, Any]) -> Tournament:
    """Change a tournament's plan; not its name, its variant or where it is played, nor who may know what."""
    old = msgspec.to_builtins(scene.plan)
    plan = read_tournament_plan({**old, **changes})
    new = msgspec.to_builtins(plan)
    changed = [name for name in new if new[name] != old[name]]
    if fixed := [name for name in FIXED if name in changed]:
        raise ConflictError(f"The {' and the '.join(fixed)} of a tournament can't be changed.")
    if plan.settings.anonymous != scene.plan.settings.anonymous and scene.entrants:
        raise ConflictError("People entered knowing who'd see them, so this stays as it is. Make another tournament.")
    if {entrant.person for entrant in scene.entrants.values()} - {None, scene.row.coordinator}:
        refuse_other_terms(scene.plan.settings, plan.settings)
    if plan.rounds < scene.last_round:
        raise ConflictError(f"Round {scene.last_round} is seated already.")
    if plan.listed and not scene.plan.listed:
        _refuse_taken_name(scene.act, plan.name)
    scene.tx.change(scene.row, plan=pack(new))
    scene.append_journal("changed", what=", ".join(changed))
    return tournament_record(scene.reload())


@query("read", "GET /tournaments", visitor="any")
def list_tournaments(act: CommandContext, state: TournamentState | Literal[""] = "") -> list[TournamentSummary]:
    """Return the tournaments that the reader may see, the newest first: all, or those of a state."""
    wanted: dict[str, Any] = {"state": state} if state else {}
    return summaries(act, act.tx.all(TournamentRow, order="-id", limit=200, **wanted))


@query("read", "GET /tournaments/{tournament}", visitor="any")
def tournament(act: CommandContext, tournament: str, invitation: str = "") -> Tournament:
    """Return a tournament: its plan, the people in it and its boards, as far as the reader may know them. One that
    isn't listed needs its invitation."""
    return tournament_record(TournamentContext.authorized(act, tournament, invitation))


@query("read", "GET /tournaments/{tournament}/record", visitor="any")
def history(act: CommandContext, tournament: str, invitation: str = "") -> list[TournamentEvent]:
    """Return what was done in a tournament, oldest first."""
    return events(TournamentContext.authorized(act, tournament, invitation))


@command("play", "POST /tournaments/{tournament}/entry", person="gathering running")
def enter(act: CommandContext, tournament: str, substitute: bool = False, invitation: str = "") -> Tournament:
    """Enter a tournament, from its next round on; as a substitute one plays only where a board needs somebody. One that
    isn't listed needs its invitation."""
    scene = TournamentContext.authorized(act, tournament, invitation, lock=True)
    refuse_blocked(act, scene.row.coordinator, "You can’t enter this tournament.")
    person = act.tx.get(PersonRow, act.actor.person)
    state: EntrantState = "substitute" if substitute else "in"
    if scene.own is None:
        add_entrant(scene, person.name, state, person.id)
    elif scene.own.state == state:
        raise ConflictError("You have entered this tournament already.")
    else:
        _set_state(scene, scene.own, state)
    return tournament_record(scene.reload())


def add_entrant(scene: TournamentContext, name: str, state: EntrantState, person: int | None = None) -> None:
    """Enter somebody; a name that somebody has already, however it is written, gets a number."""
    if len(scene.entrants) >= MOST_PEOPLE:
        raise LimitExceededError(f"A tournament has at most {MOST_PEOPLE} people.")
    taken = {fold_name(entrant.name): entrant.number for entrant in scene.entrants.values()}
    names = itertools.chain([name], (f"{name} {number}" for number in itertools.count(2)))
    free, number = next(told for told in names if fold_name(told) not in taken), 1 + max(taken.values(), default=0)
    row = EntrantRow(tournament=scene.row.id, number=number, name=free, person=person, state=state, at=scene.at)
    added = scene.tx.add(row)
    scene.entrants[added.id] = added
    scene.append_journal(ENTRIES[state], name=number)


def _set_state(scene: TournamentContext, entrant: EntrantRow, state: EntrantState) -> None:
    scene.entrants[entrant.id] = scene.tx.change(entrant, state=state)
    scene.append_journal(ENTRIES[state], name=entrant.number)
    waiting = [b for b in scene.boards if b.state == "seated" and entrant.id in {s.entrant for s in scene.seats[b.id]}]
    if state == "out" and waiting:
        ask_to_seat(scene, waiting[0].round)


def ask_to_seat(scene: TournamentContext, number: int) -> None:
    """Have a round seated, anew where it was seated already and hasn't begun."""
    remove_boards(scene, [board for board in scene.boards if board.round == number])
    seed = int.from_bytes(scene.office.random_source.bytes(4))
    facts = {"tournament": scene.row.id, "round": number, "seed": seed}
    scene.act.schedule_job("seat round", f"seat {scene.row.key}", scene.at, None, **facts)


def remove_boards(scene: TournamentContext, boards: Sequence[BoardRow]) -> None:
    """Remove boards and who sits at them."""
    scene.tx.remove(BoardSeatRow, board=[board.id for board in boards])
    scene.tx.remove(BoardRow, id=[board.id for board in boards])


@command("play", "DELETE /tournaments/{tournament}/entry", person="gathering running")
def withdraw(scene: TournamentContext) -> None:
    """Withdraw from a tournament's coming rounds. A game that has begun goes on; resign from it, or ask the organizer
    for a substitute."""
    if scene.own is None or scene.own.state == "out":
        raise ConflictError("You aren't in this tournament.")
    _set_state(scene, scene.own, "out")


@command("coordinate", "POST /tournaments/{tournament}/entrants", coordinator="gathering running")
def add_people(scene: TournamentContext, people: Sequence[NewEntrant]) -> Tournament:
    """Enter people who need no account, in a tournament that is played face to face."""
    if scene.plan.online:
        raise ConflictError("People enter a tournament that is played here by themselves: send them its address.")
    faults = [
        f"line {number}: a name has from 1 to {LONGEST_PERSON} characters"
        for number, person in enumerate(people, 1)
        if not person.name.strip() or len(person.name) > LONGEST_PERSON or not person.name.isprintable()
    ]
    refuse_faults("Nobody was entered", faults)
    for person in people:
        add_entrant(scene, " ".join(person.name.split()), "substitute" if person.substitute else "in")
    return tournament_record(scene.reload())


def read_people(text: str) -> list[NewEntrant]:
    """People from a list: a name a line, or CSV with the columns ``name`` and perhaps ``substitute`` (yes)."""
    lines = [[cell.strip() for cell in cells] for _, cells in read_csv(text) if cells]
    if not lines or "name" not in lines[0]:
        return [NewEntrant(cells[0]) for cells in lines]
    named = [dict(zip(lines[0], cells, strict=False)) for cells in lines[1:]]
    return [NewEntrant(row.get("name", ""), row.get("substitute", "") in ("yes", "true", "1", "x")) for row in named]


@command("coordinate", "PUT /tournaments/{tournament}/entrants/{number}", coordinator="gathering running")
def set_entrant(scene: TournamentContext, number: int, state: Literal["in", "substitute", "out"]) -> Tournament:
    """Withdraw somebody, or have them play or substitute; who withdrew from a tournament that is played here enters
    again by themselves."""
    entrant = scene.entrant(number)
    if entrant.state == "out" and scene.plan.online:
        raise ConflictError(f"{entrant.name} withdrew, and can enter again.")
    _set_state(scene, entrant, state)
    return tournament_record(scene.reload())


@command("coordinate", "POST /tournaments/{tournament}/end", coordinator="running")
def end(scene: TournamentContext) -> Tournament:
    """End a tournament. Its standings stay as they are.

    :raises ConflictError: while a board is played."""
    if playing := [board for board in scene.boards if board.state == "playing"]:
        raise ConflictError(f"Board {playing[0].number} of round {playing[0].round} isn't over yet.")
    _close(scene, "ended")
    return tournament_record(scene.reload())


@command("coordinate", "POST /tournaments/{tournament}/cancel", coordinator="gathering running")
def cancel(scene: TournamentContext, reason: str) -> Tournament:
    """Cancel a tournament, with the reason. Games that have begun go on."""
    _close(scene, "cancelled", reason=given_reason(reason, "everyone in it sees it"))
    return tournament_record(scene.reload())


def _close(scene: TournamentContext, state: Literal["ended", "cancelled"], **facts: Any) -> None:
    remove_boards(scene, [board for board in scene.boards if board.state == "seated"])
    scene.tx.change(scene.row, state=state, ended=scene.at)
    scene.append_journal(state, **facts)


def forget_entrant(act: CommandContext, person: int) -> None:
    """Take an erased person's name from tournaments; boards that wait for them are seated anew."""
    for entrant in act.tx.all(EntrantRow, person=person):
        scene = TournamentContext(act, act.tx.get(TournamentRow, entrant.tournament))
        if entrant.state != "out" and scene.row.state in ("gathering", "running"):
            _set_state(scene, entrant, "out")
        act.tx.change(scene.entrants[entrant.id], name=f"erased {entrant.number}", person=None)
