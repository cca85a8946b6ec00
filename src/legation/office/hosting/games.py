"""Games: create, start, pause and cancel them, and read what their readers can see."""

from functools import lru_cache
from typing import Any, Literal

import msgspec

from legation.bots import levels
from legation.game import position_document, read_position
from legation.game.report import count
from legation.judge import Ruleset, changes
from legation.office.clock import micros, moment
from legation.office.context import (
    DAY,
    CommandContext,
    GameContext,
    called,
    command,
    game_settings,
    given_note,
    given_reason,
    query,
)
from legation.office.desk_readers import DEPUTYS, deputys_items
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    LimitExceededError,
    NotAllowedError,
    converted,
    refuse_faults,
)
from legation.office.game import chain, views
from legation.office.game.results import result_record
from legation.office.game.seat_holders import deal_key, release_deal, seat_bot_now, start_game, start_if_full, take_seat
from legation.office.game.seats import invite_person
from legation.office.game.submission_records import hold_up
from legation.office.game.turns import find_turn, out_of_absences, phase_of, turn_record
from legation.office.game.unsealing import go_on_if_clear
from legation.office.hosting.deadlines import move_deadline
from legation.office.hosting.game_records import game_lines, game_record
from legation.office.hosting.ratings import name_of
from legation.office.identity.people import fold_email, fold_name, person_at
from legation.office.keys import seals
from legation.office.keys.notices import KeyRequest
from legation.office.permissions import ALIVE, CREATES, Call
from legation.office.pinned_rules import keep_rules
from legation.office.preferences import read_preferences
from legation.office.records import (
    Credential,
    Document,
    GameRecord,
    GameState,
    GameSummary,
    HowEnded,
    TurnRecord,
    TurnResult,
)
from legation.office.store import queries
from legation.office.store.packing import pack, unpack_facts
from legation.office.store.rows import GameRow, SeatRow, SignUpRow
from legation.office.terms import schedules
from legation.office.terms.plans import GamePlan, GameSettings, game_key, read_plan, refuse_other_terms, settings_faults
from legation.position import Position
from legation.proofs import kinds
from legation.proofs.lots import DEAL, turn_commitment, turn_secret
from legation.proofs.results import position_text
from legation.variants import VariantError

MOST_SOURCE = 200  # characters


class BegunElsewhere(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game of another system as its coordinator brings it: its ``source`` says where it was played, ``file`` is the
    SHA-256 of the file it was read from, which tells of so many ``turns``, and ``position`` is where it stands."""

    source: str
    file: str
    turns: int
    position: Document


def read_begun(begun: BegunElsewhere | dict[str, Any], rules: Ruleset) -> tuple[BegunElsewhere, Position]:
    """Read where a game stands that was begun elsewhere. Raises InvalidInputError with all that is wrong with it.
    Raises ConflictError for rules that hide positions: nobody could be shown what was played there."""
    given = converted(begun, BegunElsewhere, "The game's position")
    faults: list[str] = []
    if not given.source.strip() or len(given.source) > MOST_SOURCE or not given.source.isprintable():
        faults.append(f"source: says where the game was played, in at most {MOST_SOURCE} characters")
    if len(given.file) != 64 or set(given.file) - set("0123456789abcdef"):
        faults.append("file: is a SHA-256 in hexadecimal")
    if given.turns < 0:
        faults.append("turns: is a number from 0")
    position = read_position(rules, given.position, faults)
    refuse_faults("The game can't continue from there", faults)
    if rules.steps["visible_provinces"]:
        raise ConflictError("A game with hidden information can't move to another office.")
    return given, position


CHANGEABLE_LATER = frozenset(
    "schedule,missing,missing_after,stand_in,machines,grace,absence_days,listed,channels,reminder_hours,"
    "ready_ends,post_days,post_routes".split(",")
)


@command("coordinate", "POST /games", Call(body="plan", creates=True), person="any", console="any", clock="any")
def create(
    act: CommandContext, plan: GamePlan | dict[str, Any], begun: BegunElsewhere | dict[str, Any] | None = None
) -> GameRecord:
    """Create a game from its plan; its creator is its coordinator, or its host if it runs by itself. One that was
    ``begun`` elsewhere opens in the position in which it stood there; powers that have no unit and no center left there
    hold.

    :raises InvalidInputError: with all that is wrong with the plan, or with the position.
    :raises ConflictError: when the name is taken."""
    scene = make_game(act, read_plan(plan), act.person, begun)
    start_if_full(scene)
    return game_record(GameContext(act, act.tx.get(GameRow, scene.row.id)))


def make_game(
    act: CommandContext, plan: GamePlan, person: int, begun: BegunElsewhere | dict[str, Any] | None = None
) -> GameContext:
    """Make a game that ``person`` runs (0: nobody) from its plan, for a command whose permission was asked; bots are
    seated, invitations sent. Raises LimitExceededError for one too many, NotAllowedError for who may make none."""
    act.office.catalog.look()
    try:
        rules = act.office.variants.load(plan.variant, plan.options)
    except VariantError as error:
        raise InvalidInputError(f"The game can't be created: {'; '.join(error.faults)}", faults=error.faults) from None
    settings = act.office.settings
    runs = act.tx.count(GameRow, coordinator=person, state=list(UNFINISHED)) if person else 0
    if runs >= settings.most_games:
        raise LimitExceededError(f"You already run {count(settings.most_games, 'game')}, the most allowed here.")
    if not act.makes_games:
        raise NotAllowedError("Only administrators can create games here.")
    if plan.settings.one_orders_all and (not person or rules.steps["visible_provinces"]):
        fault = "hidden positions are no game for one person" if person else "somebody has to make this game"
        raise InvalidInputError(f"The game can't be created: {fault}.", faults=[f"settings.one_orders_all: {fault}"])
    elsewhere = read_begun(begun, rules) if begun is not None else None
    bots, invited = _seated(plan, rules, elsewhere[1] if elsewhere is not None else None)
    if plan.settings.listed:
        refuse_taken_name(act, plan.name)
    scene = GameContext(act, _create(act, plan, rules, person))
    if elsewhere is not None:
        begun, position = elsewhere
        told: dict[str, Any] = {"source": begun.source, "file": begun.file, "turns": begun.turns}
        chain.write(scene, "imported", kinds.ImportedLine(**told, position=position_text(rules, position)))
        document = position_document(rules, position)
        scene.append_journal("imported", **told, name=str(position.turn), position=document)
    for power, name in bots.items():
        seat_bot_now(scene, power, name)
    for power, email in invited.items():
        invite_person(scene, email, power)
    for seat in [*scene.seats.values()] if plan.settings.one_orders_all else ():
        if seat.state == "open":
            take_seat(scene, seat, person, "orders for all powers")
    return scene


def listed_game(act: CommandContext, name: str) -> bool:
    """Return whether a listed game has a name."""
    return any(game_settings(row).listed for row in called(act.tx, GameRow, name))


def refuse_taken_name(act: CommandContext, name: str) -> None:
    """Raise ConflictError where a listed game has a name."""
    if listed_game(act, name):
        raise ConflictError(f"There is already a game called {name!r}. Choose another name.")


def _seated(plan: GamePlan, rules: Ruleset, position: Position | None) -> tuple[dict[str, str], dict[str, str]]:
    """The bots and the addresses of a plan, by power; InvalidInputError with all that cannot be seated."""
    faults = [f"seats: no power {name[:40]!r}" for name in plan.seats if name not in rules.powers]
    gone = {*rules.powers} - {*position.survivors()} if position is not None else set()
    wanted = {power: "bot:hold" for power in rules.powers if power not in rules.played or power in gone}
    wanted |= {power: who for power, who in plan.seats.items() if who}
    bots = {power: who.removeprefix("bot:") for power, who in wanted.items() if who.startswith("bot:")}
    faults += [f"seats.{power}: no bot {name[:40]!r}" for power, name in bots.items() if name not in levels.names()]
    if faults:
        raise InvalidInputError(
            "The plan's seats can't be filled: " + "; ".join(faults), faults=faults, suggestions=tuple(rules.powers)
        )
    return bots, {power: fold_email(who) for power, who in wanted.items() if power not in bots}


def _create(act: CommandContext, plan: GamePlan, rules: Ruleset, person: int) -> GameRow:
    key = act.free_key(GameRow, plan.name, listed=plan.settings.listed)
    random_bytes = act.office.random_source.bytes
    secret, ref = random_bytes(32).hex(), random_bytes(16).hex()
    opened = act.office.keeper.make(deal_key(key), KeyRequest(office=act.office.public_key, game=ref, turn=DEAL))
    row = GameRow(
        key=key,
        name=plan.name,
        variant=plan.variant,
        options=pack(plan.options),
        rules_digest=rules.digest,
        settings=pack(plan.settings),
        state="gathering",
        coordinator=person or None,
        created=act.at,
        deal_commitment=turn_commitment(turn_secret(secret, DEAL)),
        ref=ref,
        secret=seals.lock(act.office.master_key, secret.encode()),
    )
    row = act.add_only(row, f"There is already a game called {plan.name!r}. Choose another name.")
    act.tx.enter(*[SeatRow(game=row.id, power=power, state="open") for power in rules.powers])
    scene = GameContext(act, row)
    chain.begin(scene, opened.part)
    row = scene.row
    act.append_journal(
        "game created",
        row,
        name=row.name,
        title=rules.title,
        variant=row.variant,
        options=plan.options,
        rules_digest=row.rules_digest,
        powers=list(rules.powers),
        settings=msgspec.to_builtins(plan.settings),
        deal_commitment=row.deal_commitment,
        role="coordinator" if plan.settings.coordinated else "host",
    )
    return row


@command("coordinate", "POST /games/{game}/invitations", CREATES, host="gathering alive", coordinator="gathering alive")
def invite(scene: GameContext, email: str = "", power: str = "") -> Credential:
    """Return an invitation link, to a seat if a power is named; mail it if an address is given.

    The link's secret is in the answer."""
    return invite_person(scene, fold_email(email) if email else "", scene.power(power) if power else "")


@command(
    "coordinate", "POST /games/{game}/start", host="gathering", coordinator="gathering", clock="gathering", lock=True
)
def start(scene: GameContext, bots: str = "") -> GameRecord:
    """Assign the powers at random among those who signed up, and open the first turn; the bot ``bots`` gets seats that
    are left.

    :raises ConflictError: while seats are empty, and no bot is named."""
    start_game(scene, lambda: release_deal(scene.office, scene.row), bots)
    return game_record(GameContext(scene.act, scene.tx.get(GameRow, scene.row.id)))


@command("coordinate", "POST /games/{game}/cancel", host="gathering", coordinator="gathering alive", lock=True)
def cancel(scene: GameContext, reason: str) -> GameRecord:
    """Cancel a game, with the reason."""
    return cancel_game(scene, given_reason(reason))


def cancel_game(scene: GameContext, reason: str) -> GameRecord:
    """Cancel a game whose permission was asked."""
    scene.row = scene.tx.change(scene.row, state="cancelled", ended=scene.at)
    scene.append_journal("game cancelled", reason=reason)
    scene.act.close_tasks("the game was cancelled", person=scene.actor.person, game=scene.row.id)
    if chain.hides(scene):  # else nothing of it would ever be open
        ended = kinds.EndedLine(how="cancelled", seats=[], secret=chain.secret_of(scene))
        chain.write(scene, "ended", ended)
    else:
        chain.tell(scene, "the game was cancelled")
    scene.mail("game cancelled", reason=reason)
    return game_record(scene)


@command("coordinate", "POST /games/{game}/pause", coordinator="running", clock="running", lock=True)
def pause(scene: GameContext, reason: str) -> GameRecord:
    """Stop a game's clock, with the reason (W-21c)."""
    return pause_game(scene, given_reason(reason))


def pause_game(scene: GameContext, reason: str, *, voted: bool = False) -> GameRecord:
    """Pause a game whose permission was asked; ``voted``: the players did it, and may have it go on."""
    turn = scene.turn(lock=True)
    if turn.state in ("open", "waiting") and scene.office.keeper.public(turn.sealed_by):  # else it is lost
        hold_up(scene, turn, "the game is paused")
    scene.row = scene.tx.change(scene.row, state="paused", paused=scene.at, pause_reason=reason)
    scene.append_journal("game paused", turn=turn, reason=reason, **({"voted": True} if voted else {}))
    scene.mail("game paused", reason=reason)
    return game_record(scene)


@command("coordinate", "POST /games/{game}/resume", coordinator="paused", clock="paused", lock=True)
def resume(scene: GameContext, reason: str = "") -> GameRecord:
    """Resume a paused game; its deadline moves by the length of the pause, and out of absences that were told of
    meanwhile."""
    return resume_game(scene, given_note(reason))


def resume_game(scene: GameContext, reason: str) -> GameRecord:
    """Resume a paused game whose permission was checked."""
    since = scene.row.paused or scene.at
    digest = scene.rules.digest
    if changes(scene.row.rules_digest, scene.rules):
        chain.tell(scene, f"the game goes on under other rules: {digest}")
        scene.append_journal("rules changed", before=scene.row.rules_digest, rules_digest=digest)
    scene.row = scene.tx.change(scene.row, state="running", paused=None, pause_reason="", rules_digest=digest)
    scene.row = scene.tx.change(scene.row, kept=keep_rules(scene.tx, scene.office.variants, scene.row))
    turn = scene.turn(lock=True)
    scene.append_journal("game resumed", turn=turn, reason=reason)
    if turn.state in ("open", "waiting"):
        later = moment(turn.deadline + scene.at - max(since, turn.opened))
        later = schedules.end_of_day(scene.settings.plan(), phase_of(turn), later)
        later = out_of_absences(scene, later, turn.awaited.split("\n"))
        why = reason or "the game was paused"
        move_deadline(scene, turn, micros(later), why, mailed=False)  # the mail that the game goes on says so
    else:
        plan = scene.settings.plan()
        days = (schedules.calendar_day(plan, scene.now) - schedules.calendar_day(plan, moment(since))).days
        if days and turn.state in ("closed", "opened", "judged"):  # a season that opens late has all its days
            turn = scene.tx.change(turn, season_opened=turn.season_opened + days * DAY)
        if turn.state in ("draft", "final"):
            due = max(turn.final_due or 0, scene.at)
            scene.act.schedule_job("next turn", f"turn {turn.id} next", due, scene.row, turn=turn.id)
        elif turn.state == "opened":
            go_on_if_clear(scene, turn)
        elif turn.state == "judged" and not scene.settings.approve:
            scene.act.schedule_job("publish", f"turn {turn.id} publish", scene.at, scene.row, turn=turn.id)
    scene.mail("game resumed", reason=reason)
    return game_record(scene)


@command(
    "coordinate",
    "PUT /games/{game}/settings",
    Call(body="changes"),
    host="gathering",
    coordinator="gathering alive",
    lock=True,
)
def set_settings(scene: GameContext, changes: dict[str, Any]) -> GameRecord:
    """Change a game's settings: all before it starts; afterwards only those that don't change the game."""
    if scene.row.state != "gathering" and (fixed := sorted(changes.keys() - CHANGEABLE_LATER)):
        raise ConflictError(f"While a game runs, {', '.join(fixed)} cannot be changed.")
    settings = converted({**msgspec.to_builtins(scene.settings), **changes}, GameSettings, "The settings")
    refuse_faults("The settings cannot be used", settings_faults(settings))
    if settings.one_orders_all is not scene.settings.one_orders_all:
        raise ConflictError("Who orders for whom stays as the game was made. Create another game.")
    old, people = scene.settings, {seat.person for seat in scene.seats.values()}
    people |= {row.person for row in scene.tx.all(SignUpRow, game=scene.row.id, withdrawn=None)}
    if people - {None, scene.row.coordinator}:
        refuse_other_terms(old, settings)
    if settings.listed and not old.listed:
        refuse_taken_name(scene.act, scene.row.name)
    changed = GameContext(scene.act, scene.tx.change(scene.row, settings=pack(settings)))
    chain.settings_changed(scene, changed)
    scene.append_journal("settings changed", what=", ".join(sorted(changes)), changes=changes)
    return game_record(changed)


@command("coordinate", "PUT /games/{game}/deputy", coordinator="gathering alive", lock=True)
def name_deputy(scene: GameContext, email: str = "") -> GameRecord:
    """Name a deputy who reads each transcription a second time.

    From now on none counts before the deputy has confirmed it, or the coordinator has decided between two readings.
    Without an address the deputy is removed, and waiting sheets count as first read.

    :raises ConflictError: for who coordinates the game or plays in it."""
    act = scene.act
    if not scene.settings.coordinated:
        raise ConflictError(f"{scene.row.name} runs itself; there is nothing to transcribe.")
    if not email:
        end_deputy(scene)
        return game_record(GameContext(act, scene.row))
    person = person_at(act, email)
    act.refuse_unwanted_mail(act.actor.person, "deputy", person.email or "", scene.row)
    scene.row = scene.tx.change(scene.row, deputy=person.id)
    scene.append_journal("deputy named", deputy=person.id)
    act.mail("deputy", person, game=scene.row)
    if deputys_items(scene.tx, person.id):  # the first deputy's
        act.schedule_desk_mail(DEPUTYS, person, act.now)
    return game_record(GameContext(act, scene.row))


def end_deputy(scene: GameContext) -> None:
    """Remove the deputy; sheets that wait for a second reading count as first read."""
    if scene.row.deputy is None:
        return
    scene.row = scene.tx.change(scene.row, deputy=None)
    scene.append_journal("deputy gone")
    by = scene.actor.person
    if scene.act.close_tasks("one reading is enough", person=by, game=scene.row.id, kind="confirm"):
        go_on_if_clear(scene, scene.turn(lock=True))


UNFINISHED = ("gathering", *ALIVE)
GROUPS = {"alive": ALIVE, "unfinished": UNFINISHED}  # states of games by one name, for lists
LONGEST_GAME = 10**6  # turns
MOST_LOOKED_AT = 5000  # games that one question goes through: a stranger may ask for what none of a hundred thousand is


@query("read", "GET /games", Call(pages="key"), visitor="any")
def list_games(
    act: CommandContext,
    state: GameState | Literal["alive", "unfinished"] | None = None,
    mine: bool | None = None,
    after: str = "",
    limit: int = 50,
    search: str = "",
    variant: str = "",
    pace: schedules.Pace | Literal[""] = "",
    open_seats: bool = False,
    how: HowEnded | Literal[""] = "",
    turns_from: int = 0,
    turns_to: int = 0,
    player: str = "",
) -> list[GameSummary]:
    """Return games in the order of their keys.

    ``state`` is one of them, ``alive`` (running or paused) or ``unfinished`` (gathering, running or paused). ``mine``:
    only one's own, or (False) only those of others. ``after`` is the last key of the page before; ``search`` a part of
    the name. ``pace``: ``live`` (movement takes at most an hour), ``daily`` (at most two days) or ``slow``.
    ``open_seats``: only games with a seat that somebody may take. Of finished games: ``how`` they ended (``solo``,
    ``draw``, ``ranking``), their length in turns, and ``player``, the name of somebody with a public profile or in an
    imported record. One question goes through 5,000 games at most.

    :raises NotFoundError: for a variant that there is not."""
    limit = max(1, min(limit, 200))
    states = GROUPS.get(state, (state,)) if state else ()
    if open_seats:
        states = tuple(name for name in states or UNFINISHED if name in UNFINISHED)
        if not states:
            return []
    archive: dict[str, Any] = {"how": how} if how else {}  # what is asked of games that are over
    if turns_from or turns_to:
        archive["turns"] = (max(0, min(turns_from, LONGEST_GAME)), max(0, min(turns_to or LONGEST_GAME, LONGEST_GAME)))
    if player.strip():
        people = queries.people_called(act.tx, player.strip())
        shown = tuple(row.id for row in people if read_preferences(row.preferences).profile)
        archive |= {"record_key": fold_name(player), "people": shown}
    if archive and state not in (None, "ended"):
        return []
    own = queries.games_of(act.tx, act.person) if act.person else set()
    lines: list[GameSummary] = []
    everything = bool({"console", "clock", "administrator"} & act.roles())
    states = ("ended",) if archive else states
    wanted = queries.GameSearch(states, own if mine else None, game_key(search), variant, open_seats, **archive)
    for _ in range(0, MOST_LOOKED_AT, limit):
        rows = queries.list_games(act.tx, wanted, after, limit)
        told = [r for r in rows if mine is not False or r.id not in own]
        told = [r for r in told if r.id in own or everything or unpack_facts(r.settings).get("listed") is not False]
        told = [r for r in told if not pace or _pace(r.settings) == pace]
        lines += [line for line in game_lines(act, told) if line.open_seats or not open_seats]
        if len(rows) < limit or len(lines) >= limit:
            break
        after = rows[-1].key
    if variant and not (lines or after or act.tx.count(GameRow, variant=variant)):  # one that is gone may have games
        name_of(act, variant)
    return lines[:limit]


@lru_cache(maxsize=4096)
def _pace(settings: bytes) -> str:
    return schedules.pace(msgspec.convert(unpack_facts(settings), GameSettings).plan())


# No route: programs and pages know keys.
@query("read", visitor="any")
def key_meant(act: CommandContext, name: str) -> str:
    """Return the key of the game that somebody calls by a name: one that they are in or invited to, else the one that
    has the name in addresses, be there any or none."""
    own = act.own_game(name)
    return own.key if own is not None else game_key(name)


@query("read", "GET /games/{game}", visitor="any")
def game(scene: GameContext) -> GameRecord:
    """Return a game as the reader can see it now."""
    return game_record(scene)


@query("read", "GET /games/{game}/turns", visitor="any")
def turns(scene: GameContext) -> list[TurnRecord]:
    """Return the turns of a game, oldest first."""
    return [turn_record(row) for row in queries.turn_lines(scene.tx, scene.row.id) if row.state != "aside"]


@query("read", "GET /games/{game}/turns/{turn}/result", visitor="any")
def result(scene: GameContext, turn: str | int = "last") -> TurnResult:
    """Return the published results of a turn by its number, key or name, as far as the reader can see them.

    :raises ConflictError: while there are none."""
    row = find_turn(scene, turn)
    if row.state not in ("draft", "final"):
        raise ConflictError(f"The results of {row.name} are not published yet.")
    return result_record(scene, row)


@query("read", "GET /games/{game}/turns/{turn}/position", visitor="any")
def position(scene: GameContext, turn: str | int = "now") -> Document:
    """Return the position document of a turn, as the reader sees it."""
    return views.seen_position(scene, find_turn(scene, turn))
