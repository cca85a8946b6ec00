"""Tasks on a desk: find those that an actor may settle, describe each as an item, and gather many of a kind in one."""

from collections import defaultdict
from typing import Any

from legation.judge import Power
from legation.notation import capital, listed
from legation.office.context import CommandContext, GameContext
from legation.office.errors import ConflictError, NotFoundError
from legation.office.game.judging import Chosen, chosen_sheets
from legation.office.game.submission_records import OWN_WORD, is_own
from legation.office.keys.public_numbers import Kind
from legation.office.records import DeskItem, record_of
from legation.office.store.packing import pack, unpack, unpack_facts
from legation.office.store.rows import DeskRow, GameRow, SeatRow, SubmissionRow, TurnRow

OFFICE_WIDE = "-"  # what stands for the game in the address of an item that is of none
PAGES = {
    "publish": "/desk/{game}/results",
    "final": "/desk/{game}/results",
    "start": "/desk/{game}",
    "replace": "/desk/{game}/players",
    "variant proposed": "/proposals/{proposal}",
    "report": "/moderation",
    "record name": "/moderation#names",
    "letters": "/desk/{game}/letters",
    "postbag": "/desk/{game}/postbag",
}
AWAITED = "The game is waiting for orders for {turn} from {awaited}."
NEEDS = {
    "start": "Every power has a player: start the game.",
    "choose": "{power} sent several versions: choose the one that counts.",
    "transcribe": "Transcribe {whose} orders.",
    "confirm": "Check the transcription of {whose} orders.",
    "decide": "{whose} orders were read in two ways: decide which is right.",
    "unposted": "{power} sent a revision, but no sheet came by post: accept or refuse it.",
    "publish": "The results of {turn} are ready: review and publish them.",
    "final": "The season is over: make the results of {turn} final.",
    "wait": "The game is waiting for orders for {turn}.",
    "replace": "{power} {power:needs|need} a new player.",
    "voted": "The players have voted {words}; the decision is yours.",
    "failed": "Something keeps failing: {what}.",
    "failed mails": "{count} mails could not be delivered; the last: {why}.",
    "relay": "The mail relay is down: {why}. All outgoing mail is waiting.",
    "unread mails": "{count} mails could not be read and were set aside; the last: {why}.",
    "unmatched mails": "{count} mails came from unknown addresses.",
    "unmatched mail": "A mail could not be matched to a seat.",
    "rules changed": "The variant's rules have changed since the game began, so it is paused. Restore them, or "
    "resume the game under the new ones.",
    "variant proposed": "A variant is proposed for the catalog: {title} {version}.",
    "report": "Somebody was reported: look at it and decide.",
    "record name": "Somebody says that a name in imported records is theirs: {name}.",
    "objection": "{power} {power:objects|object} to the orders entered for them.",
    "letters": "The year has ended: {count} letters to print and post.",
    "postbag": "{count} pages of opened letters have no code that says whose they are.",
}
JUDGED_THEN = "The turn isn't judged until this is done."
OTHERWISE = {
    **dict.fromkeys(("choose", "transcribe", "confirm", "decide", "unposted"), JUDGED_THEN),
    "start": "The game doesn't begin until you start it.",
    "publish": "Nobody sees the results until you publish them.",
    "final": "The next turn doesn't open until you do.",
    "wait": "The game waits until they come, or until you go on without them.",
    "replace": "The game goes on; {whose} player can still send orders.",
    "voted": "Nothing changes unless you act.",
    "failed": "The game may stand still until it works.",
    "failed mails": "They aren't sent again unless you retry them.",
    "relay": "No mail leaves until it is back.",
    "unread mails": "They don't count until they can be read.",
    "unmatched mails": "They don't count unless you assign them to seats.",
    "unmatched mail": "It doesn't count unless you assign it to a seat and its player confirms it.",
    "rules changed": "The game stays paused.",
    "variant proposed": "It isn't in the catalog until you decide.",
    "report": "Nothing happens until somebody decides.",
    "record name": "The games of that name stay nobody’s until somebody decides.",
    "objection": "The orders count as they were entered.",
    "letters": "Players have the results by e-mail only.",
    "postbag": "They aren't shown with anybody's orders.",
}
"""What happens until an item is done."""
EMPTY = {"left": "The game goes on without orders from {power}.", "bot": "The game goes on; a bot plays {power}."}
"""What happens until a seat that nobody holds has a new player: without one, or with a bot."""
PAGE = "/desk/{place}/{id}"
COMMANDS = {
    "publish": "preview {game}",
    "final": "preview {game}",
    "start": "start {game}",
    "wait": "submissions {game}",
    "replace": "show {game}",
    "letters": "letters {game}",
    "postbag": "postbag {game}",
}
COMMAND = "look {id}"
ENTRIES: dict[str, Kind] = {"arrival": "mail", "mailing": "mailing"}
"""Numbers of rows in the entries of an item that lists several mails."""


def found(act: CommandContext, id: int, kind: str = "", *, done: bool = False) -> tuple[DeskRow, GameContext | None]:
    """Item on the desk of a game that the actor coordinates, or that is the deputy's to read."""
    row = act.wanted(DeskRow, "This item isn't on the desk.", id=act.office.numbers.row("desk item", id), lock=True)
    scene = None
    if row.game is not None:
        scene = act.scene(act.tx.get(GameRow, row.game))
        if row.kind != "confirm" and is_deputy(scene):
            raise NotFoundError("This item isn't on your desk.")
    else:
        act.allow()
    if row.done is not None and not done:
        raise ConflictError("Somebody has already dealt with this.")
    if kind and row.kind != kind:
        raise ConflictError(f"This item is closed differently: {row.kind}.")
    return row, scene


def is_deputy(scene: GameContext) -> bool:
    """Return whether the actor is a deputy, who sees only second readings on the desk."""
    return not scene.roles & {"coordinator", "console", "administrator"}


def found_for_seat(act: CommandContext, id: int, kind: str = "") -> tuple[DeskRow, GameContext, TurnRow, SeatRow]:
    """Item on the desk, with its game, turn and seat; ConflictError for one that belongs to no seat."""
    row, scene = found(act, id, kind)
    if scene is None or row.turn is None or row.seat is None:
        raise ConflictError("That doesn't belong to a seat.")
    turn = act.tx.get(TurnRow, row.turn, lock=act.tx.writes)
    return row, scene, turn, act.tx.get(SeatRow, row.seat)


def choice_of(act: CommandContext, row: DeskRow) -> Chosen | None:
    """What counts of the power about whose turn an item is, once it was chosen."""
    if row.turn is None or row.seat is None:
        return None
    return chosen_sheets(act.tx.get(TurnRow, row.turn)).get(act.tx.get(SeatRow, row.seat).power)


def may_displace(act: CommandContext, version: SubmissionRow, submissions: list[int]) -> bool:
    """Whether a version may count though the holder sent another: its own, one that the holder confirmed, or one that
    the holder's own instructions ask for, or can ask for as they stand on paper (W-20e)."""
    if is_own(version):
        return True
    own = [row for row in act.tx.all(SubmissionRow, id=submissions) if row.entered_by in OWN_WORD]
    return not own or any(row.asks or row.kind != "text" for row in own)


def item_record(act: CommandContext, row: DeskRow, *, whole: bool = False) -> DeskItem:
    """A task as its reader sees it; ``whole``: with the texts that were read."""
    office, facts = act.office, unpack_facts(row.facts)
    game = act.tx.find(GameRow, id=row.game)
    turn = act.tx.find(TurnRow, id=row.turn)
    seat = act.tx.find(SeatRow, id=row.seat)
    power = seat.power if seat is not None else ""
    awaited = [office.named(game, name).called for name in facts.get("powers", ()) if game is not None]
    named = office.named(game, power) if game is not None else Power(power)
    about = {"whose": named.whose, "power": named, "turn": turn.name if turn else ""}
    words = defaultdict(str, {**about, "awaited": listed(awaited) if awaited else "", **facts})
    needs = AWAITED if awaited else NEEDS.get(row.kind, row.kind)
    otherwise = OTHERWISE.get(row.kind, "")
    if row.kind == "replace" and seat is not None and seat.person is None:
        otherwise = EMPTY["bot" if seat.bot else "left"]
    hidden = {"locked", "subject", "arrival", "work", *(() if whole else ("texts", "readings"))}
    numbers = act.office.numbers
    shown = {k: v for k, v in facts.items() if k not in hidden}
    if "submissions" in shown:
        shown["submissions"] = [numbers.shown("submission", number) for number in shown["submissions"]]
    if "proposal" in shown:
        shown["proposal"] = numbers.shown("proposal", shown["proposal"])
    if "entries" in shown:
        shown["entries"] = [
            {k: numbers.shown(ENTRIES[k], v) if k in ENTRIES and v else v for k, v in mail.items()}
            for mail in shown["entries"]
        ]
    key, id = game.key if game else "", numbers.shown("desk item", row.id)
    places = {"game": key, "place": key or OFFICE_WIDE, "id": id, "proposal": shown.get("proposal", "")}
    return record_of(
        DeskItem,
        row,
        id=id,
        game=key,
        turn=turn.name if turn else "",
        power=power,
        text=capital(needs.format_map(words)),
        otherwise=capital(otherwise.format_map(words)),
        page=PAGES.get(row.kind, PAGE).format(**places),
        command=f"legation office {COMMANDS.get(row.kind, COMMAND).format(**places)}",
        facts=shown,
        submissions=tuple(shown.get("submissions", ())),
    )


def close_about(act: CommandContext, kind: str, note: str, **about: Any) -> None:
    """Close the open tasks of a kind whose facts are these, such as ``report=7``."""
    for task in act.tx.all(DeskRow, kind=kind, done=None):
        if about.items() <= unpack_facts(task.facts).items():
            act.tx.change(task, done=act.at, person=act.actor.person, note=note)


MOST_LISTED = 50  # entries that an item tells apart; the others are only counted


def add_to_group(
    act: CommandContext, kind: str, game: GameRow | None = None, *, entry: dict[str, Any], **facts: Any
) -> DeskRow:
    """Put something beside others of its kind: one item counts them, and lists ``entry`` of the first ones."""
    rows = act.tx.all(DeskRow, game=game.id if game else None, done=None, lock=True)
    row = next((row for row in rows if row.kind == kind), None)
    now = act.now.isoformat()
    if row is None:
        return act.add_task(kind, game, count=1, since=now, last=now, entries=[{"at": now, **entry}], **facts)
    known = unpack(row.facts)
    entries = [*known.get("entries", []), {"at": now, **entry}][:MOST_LISTED]
    known |= {"count": int(known.get("count", 0)) + 1, "last": now, "entries": entries, **facts}
    return act.tx.change(row, facts=pack(known))
