"""Letters between players, as far as the game allows: public, private, anonymous, of the seat's holder alone (W-27).
They are locked with the office's own key; the coordinator reads them only where the game says so from its beginning."""

from collections.abc import Mapping, Sequence

from legation.notation import capital
from legation.office.clock import moment
from legation.office.context import DAY, GameContext, SeatContext, command, query
from legation.office.desk.proposed_orders import lock_proposal, proposal_of
from legation.office.errors import (
    InvalidInputError,
    KeyNotReleasedError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
)
from legation.office.keys import seals
from legation.office.permissions import CREATES, SUSPENDED, Call
from legation.office.records import LetterRecord
from legation.office.store import queries
from legation.office.store.rows import BlockRow, HoldingRow, LetterCopyRow, LetterRow, MuteRow, SeatRow, TurnRow
from legation.office.store.transaction import Since

LONGEST = 20_000  # characters
MOST_A_DAY = 500  # from one seat; each is mailed to all whom it is for
MOST_ANSWERED = 30  # of a turn, from one seat, by bots, which think for each and for others' games as well
MOST_AT_ONCE = 500
LAST = 2**62  # after every letter
ALL = ("all",)
ANONYMOUS = "anonymous"


@command("play", "POST /games/{game}/seats/{power}/letters", CREATES, holder="alive")
def write(
    scene: SeatContext,
    to: Sequence[str],
    text: str,
    anonymous: bool = False,
    orders: str = "",
    answers: int = 0,
) -> LetterRecord:
    """Send a letter from a power to others, or to ``["all"]``. ``orders`` are those that it proposes for the present
    turn, of any powers (``France: A par - bur``); only the sender and those who get the letter ever see them.
    ``answers``: the letter whose proposal is changed by that.

    :raises NotAllowedError: where the game's press rules forbid this kind.
    :raises InvalidInputError: for an empty or endless letter, nobody to send it to, or orders not understood."""
    if SUSPENDED in scene.roles:
        raise NotAllowedError("Your account is suspended, so you can’t write letters; your orders count as ever.")
    if not (text.strip() or orders.strip()) or len(text) > LONGEST or "\x00" in text:
        raise InvalidInputError(f"A letter must have 1 to {LONGEST} characters.", faults=["text: empty or too long"])
    public = [name.casefold() for name in to] == list(ALL)
    for kind, asked, refusal in (
        ("public", public, "This game doesn't allow letters to all."),
        ("private", not public, "This game doesn't allow private letters."),
        ("anonymous", anonymous, "This game doesn't allow anonymous letters."),
    ):
        if asked and kind not in scene.settings.press:
            raise NotAllowedError(refusal)
    text = scene.office.without_reply_addresses(text)
    sender = scene.held
    if scene.tx.count(LetterRow, game=scene.row.id, sender=sender.id, at=Since(scene.at - DAY)) >= MOST_A_DAY:
        writer = scene.named(sender.power)
        raise LimitExceededError(
            capital(f"{writer} {writer:has|have} written {MOST_A_DAY} letters in a day, which is the limit.")
        )
    powers = [*scene.seats] if public else dict.fromkeys(scene.power(name) for name in to)
    recipients = [scene.seats[power] for power in powers if power != sender.power]
    if not recipients:
        raise InvalidInputError("Choose who gets the letter.", faults=["to: nobody"])
    answered = _answered(scene, answers) if answers else 0
    proposal = lock_proposal(scene, orders, answered) if orders.strip() else None
    row = deliver(scene, recipients, text, proposal, anonymous=anonymous, public=public)
    turn = scene.turn()
    return _letter(scene, row, [s.id for s in recipients], {turn.id: turn.name}, mine=True)


def deliver(
    scene: GameContext,
    recipients: Sequence[SeatRow],
    text: str,
    proposal: bytes | None,
    *,
    anonymous: bool = False,
    public: bool = False,
) -> LetterRow:
    """Send a letter, with its locked proposal if any, from the seat that is meant; bots that get it answer."""
    act, sender, turn = scene.act, scene.held, scene.turn()
    row = act.tx.add(
        LetterRow(
            game=scene.row.id,
            turn=turn.id,
            sender=sender.id,
            at=act.at,
            anonymous=anonymous,
            public=public,
            locked=seals.lock(act.office.master_key, text.encode()),
            proposal=proposal,
        )
    )
    people = {seat.id: person for seat, person in scene.people()}
    unheard = _unheard(scene, row)
    answered = (
        not (sender.bot or anonymous or public)
        and act.tx.count(LetterRow, turn=turn.id, sender=sender.id) <= MOST_ANSWERED
    )
    act.tx.enter(
        *[LetterCopyRow(letter=row.id, seat=s.id, read=act.at if s.id in unheard else None) for s in recipients]
    )
    for seat in recipients:
        if seat.id in people and seat.id not in unheard:
            act.mail("letter", people[seat.id], game=scene.row, turn=turn, power=seat.power, letter=row.id)
        if seat.bot and answered:
            name = f"letter {row.id} to seat {seat.id}"
            act.schedule_job("bot letter", name, act.at, scene.row, letter=row.id, seat=seat.id)
    if public and text.strip():
        act.tell_bridges("letter", scene.row, turn, letter=row.id)
    act.append_journal("letter", scene.row, turn=turn, seat=sender, seen_by="seat", role="holder")
    return row


@query("play", "GET /games/{game}/letters", Call(pages="id"), visitor="any")
def letters(
    scene: GameContext, power: str = "", after: int = 0, limit: int = 100, newest: bool = False
) -> list[LetterRecord]:
    """The letters that the reader may read, the first first: public ones, and those from and to the own power;
    ``after``: those that came after the one of this number. ``newest``: the last ones, before that number if there is
    one."""
    own = tuple(scene.seats[p].id for p in scene.own if not power or p == scene.power(power))
    everything = scene.runs_it and scene.settings.reads_letters
    start = scene.office.numbers.row("letter", after) if after else LAST if newest else 0
    most = max(1, min(limit, MOST_AT_ONCE))
    rows = queries.letters_for(scene.tx, scene.row.id, own, everything, start, most, newest=newest)
    copies: dict[int, list[LetterCopyRow]] = {}
    for copy in scene.tx.all(LetterCopyRow, letter=[r.id for r in rows]):
        copies.setdefault(copy.letter, []).append(copy)
    records, names = [], _turn_names(scene)
    for row in rows:
        mine = row.sender in own
        held = [c for c in copies.get(row.id, ()) if c.seat in own]
        read = mine or any(c.read is not None for c in held) or not held
        seats = [c.seat for c in copies.get(row.id, ())]
        records.append(_letter(scene, row, seats, names, mine=mine, read=read))
    return records


@command("play", "PUT /games/{game}/seats/{power}/letters/read", holder="any")
def mark_read(scene: SeatContext, numbers: list[int]) -> None:
    """Mark letters to a power as read, by their numbers; those to others are ignored."""
    wanted = {scene.office.numbers.row("letter", number) for number in numbers}
    for copy in scene.tx.all(LetterCopyRow, seat=scene.held.id, read=None):
        if copy.letter in wanted:
            scene.tx.change(copy, read=scene.at)


@command("play", "PUT /games/{game}/seats/{power}/muted", holder="alive")
def mute(scene: SeatContext, who: str, muted: bool = True) -> list[str]:
    """Mute letters, or unmute them: those of another power, ``anonymous`` ones, or those to
    ``all``.

    They can be read as ever, but no mail or notification tells of them and they count as read. Nobody else is told. A
    power's mute leaves its anonymous letters alone, else it would tell who wrote them. It ends when the seat changes
    hands.

    :return: what is muted now, as :func:`muted`."""
    wanted = who.casefold()
    meant = wanted if wanted in (*ALL, ANONYMOUS) else scene.power(who)
    if meant == scene.held.power:
        raise InvalidInputError("Choose a power other than your own.", faults=["who: your own power"])
    if not muted:
        scene.tx.remove(MuteRow, seat=scene.held.id, muted=meant)
    elif scene.tx.find(MuteRow, seat=scene.held.id, muted=meant) is None:
        scene.tx.add(MuteRow(seat=scene.held.id, muted=meant))
    return _muted(scene)


@query("play", "GET /games/{game}/seats/{power}/muted", holder="any")
def muted(scene: SeatContext) -> list[str]:
    """Return the names whose letters the holder of a power has muted: powers, ``anonymous`` and ``all``."""
    return _muted(scene)


def _muted(scene: GameContext) -> list[str]:
    return sorted(row.muted for row in scene.tx.all(MuteRow, seat=scene.held.id))


def _unheard(scene: GameContext, letter: LetterRow) -> set[int]:
    sender = ANONYMOUS if letter.anonymous else next(p for p, s in scene.seats.items() if s.id == letter.sender)
    kinds = [sender, *(ALL if letter.public else ())]
    seats = [seat.id for seat in scene.seats.values()]
    muted = {row.seat for row in scene.tx.all(MuteRow, seat=seats, muted=kinds)}
    if letter.anonymous or scene.settings.anonymous:  # else a mail that doesn't come would tell who wrote
        return muted
    blocking = {row.person for row in scene.tx.all(BlockRow, blocked=scene.actor.person)}
    return muted | {seat.id for seat in scene.seats.values() if seat.person in blocking}


def shown_to_administrators(scene: GameContext, number: int) -> tuple[int | None, str]:
    """Return who holds the seat that sent a letter, and the letter, for a report by who got it. Raises NotFoundError
    for who didn't."""
    row = scene.tx.find(LetterRow, id=scene.office.numbers.row("letter", number), game=scene.row.id)
    own = [scene.seats[power].id for power in scene.own]
    if row is None or not own or not scene.tx.count(LetterCopyRow, letter=row.id, seat=own):
        raise NotFoundError("There is no such letter.")
    sender = next(seat for seat in scene.seats.values() if seat.id == row.sender)
    holdings = scene.tx.all(HoldingRow, seat=sender.id, order="since")
    wrote = [one.person for one in holdings if one.since <= row.at]
    return wrote[-1] if wrote else sender.person, text_of(scene, row)


@query("play", "GET /games/{game}/letters/{number}", visitor="any")
def letter(scene: GameContext, number: int) -> LetterRecord:
    """Return a letter, for those who may read it."""
    own = tuple(scene.seats[p].id for p in scene.own)
    everything = scene.runs_it and scene.settings.reads_letters
    wanted = scene.office.numbers.row("letter", number)
    rows = queries.letters_for(scene.tx, scene.row.id, own, everything, max(wanted, 1) - 1, 1)
    if not rows or rows[0].id != wanted:
        raise NotFoundError("There is no such letter.")
    seats = [c.seat for c in scene.tx.all(LetterCopyRow, letter=wanted)]
    return _letter(scene, rows[0], seats, _turn_names(scene), mine=rows[0].sender in own)


def _answered(scene: GameContext, number: int) -> int:
    """Return the row of the letter that is answered; NotFoundError for one that the seat neither sent nor got."""
    row = scene.office.numbers.row("letter", number)
    held = scene.tx.find(LetterRow, id=row, game=scene.row.id, sender=scene.held.id)
    if held is None and scene.tx.find(LetterCopyRow, letter=row, seat=scene.held.id) is None:
        raise NotFoundError("There is no such letter.")
    return row


def public_letter(scene: GameContext, row: int) -> LetterRecord:
    """Return a letter to all, by its row's number, as everybody reads it. Raises NotFoundError for any other."""
    found = scene.act.wanted(LetterRow, "There is no such letter.", id=row, game=scene.row.id, public=True)
    return _letter(scene, found, [], _turn_names(scene), mine=False)


def _turn_names(scene: GameContext) -> dict[int, str]:
    return {turn.id: turn.name for turn in queries.turn_lines(scene.tx, scene.row.id)}


def _letter(
    scene: GameContext,
    row: LetterRow,
    seats: list[int],
    turns: Mapping[int, str],
    *,
    mine: bool,
    read: bool = True,
) -> LetterRecord:
    powers: dict[int, SeatRow] = {seat.id: seat for seat in scene.seats.values()}
    own = {scene.seats[power].id for power in scene.own}
    sees = row.proposal is not None and (row.sender in own or bool(own & set(seats)))
    turn = ""
    if row.turn is not None:  # one that was opened anew is no line among the turns
        turn = turns.get(row.turn) or scene.tx.get(TurnRow, row.turn).name
    return LetterRecord(
        id=scene.office.numbers.shown("letter", row.id),
        at=moment(row.at),
        turn=turn,
        sender=powers[row.sender].power if mine or not row.anonymous else "",
        recipients=ALL if row.public else tuple(powers[s].power for s in seats if s in powers),
        text=text_of(scene, row),
        mine=mine,
        read=read,
        proposal=proposal_of(scene, row) if sees else None,
    )


def text_of(scene: GameContext, row: LetterRow) -> str:
    """Return what a letter says."""
    try:
        return seals.unlock(scene.office.master_key, row.locked).decode()
    except (KeyNotReleasedError, UnicodeDecodeError):
        return "(This letter can no longer be read.)"
