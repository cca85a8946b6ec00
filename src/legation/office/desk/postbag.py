"""Photographs of opened letters: added to what counts of a power, or scanned page by page and sorted after the deadline
by the codes of the printed sheets to power and version; what has no code, or one that says too little, waits for a
coordinator to say whose it is."""

from collections.abc import Sequence
from typing import Any

import msgspec

from legation.notation import capital
from legation.office.context import CommandContext, GameContext, SeatContext, command, query
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError
from legation.office.game.judging import chosen_sheets
from legation.office.game.turns import find_turn
from legation.office.keys import seals
from legation.office.orders.contents import copies_of
from legation.office.orders.filing import LONGEST_NAME, refuse_pictures
from legation.office.orders.order_codes import SheetCode
from legation.office.orders.pictures import JPEG, PNG
from legation.office.records import Postbag, PostbagPage
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import DeskRow, FileRow, PostbagRow, SeatRow, SubmissionRow, TurnRow

MOST_PAGES = 120  # of one postbag, and that wait in a game
POSTBAG = "postbag"  # the item on the desk of a game in which pages wait to be named
OPEN = ("opened", "judged", "draft")
SEALED = "Keep the envelopes closed: nothing in them is read before the deadline."


@query("coordinate", "GET /games/{game}/postbag", coordinator="alive")
def postbag(scene: GameContext) -> Postbag:
    """Return the turn whose letters are sorted, and the pages that wait to be named.

    :raises ConflictError: before the deadline, when nothing may be read."""
    return _told(scene, _opened(scene), {})


@command("coordinate", "POST /games/{game}/postbag", coordinator="alive")
def file_pages(scene: GameContext, pages: Sequence[tuple[str, bytes, str, str]]) -> Postbag:
    """Sort scanned pages: (name, content, media type, text of its code or nothing) of each. The answer says which were
    filed with whose orders, and which wait to be named.

    :raises ConflictError: before the deadline."""
    turn = _opened(scene)
    if not 1 <= len(pages) <= MOST_PAGES:
        raise InvalidInputError(f"Scan from 1 to {MOST_PAGES} pages.", faults=["pages: too many or none"])
    for old in scene.tx.all(PostbagRow, game=scene.row.id):
        if old.turn != turn.id:  # whose results are final
            scene.tx.remove(PostbagRow, id=old.id)
    if scene.tx.count(PostbagRow, game=scene.row.id) + len(pages) > MOST_PAGES:
        raise LimitExceededError(f"At most {MOST_PAGES} pages can wait. Name those that wait first.")
    filed: dict[str, int] = {}
    for name, content, media_type, code in pages:
        if len(name) > LONGEST_NAME:
            raise InvalidInputError(f"The name of {name[:60]!r} is too long.", faults=["pages: a name is too long"])
        if media_type not in (JPEG, PNG) or not 0 < len(content) <= scene.office.settings.largest_file:
            raise InvalidInputError(f"{name[:60]!r} can't be accepted.", faults=[f"pages: {media_type}"])
        seat, why = _seat_of(scene, turn, SheetCode.parse(code))
        letters = _letters(scene, turn, seat) if seat is not None else []
        if len(letters) == 1:
            turn = keep_copy(scene, turn, letters[0], (name, content, media_type))
            power = seat.power if seat is not None else ""
            filed[power] = filed.get(power, 0) + 1
        elif not scene.tx.count(PostbagRow, turn=turn.id, digest=seals.digest(content)):
            page = _kept(scene.act, (name, content, media_type))
            scene.tx.add(PostbagRow(game=scene.row.id, turn=turn.id, why=why, **page))
    for power in filed:
        scene.append_journal("photographed", turn=turn, seat=scene.seats[power])
    _tell_desk(scene, turn)
    return _told(scene, turn, filed)


@command("coordinate", "POST /games/{game}/postbag/{page}", coordinator="alive")
def name_page(scene: GameContext, page: int, power: str, version: int = 0) -> Postbag:
    """Say whose letter a page is of, and of which posted version, where there are several.

    :raises ConflictError: where no letter of that power came in time, or it isn't said which."""
    turn = _opened(scene)
    row, seat = _waiting(scene, page), scene.seats[scene.power(power)]
    if row.turn != turn.id:
        raise ConflictError(f"The results of the turn that this page belongs to are final; now it is {turn.name}.")
    letters = [one for one in _letters(scene, turn, seat) if version in (0, one.version)]
    named = scene.named(seat.power)
    if not letters:
        raise ConflictError(f"No letter of {named} was registered before the deadline.")
    if len(letters) > 1:
        versions = " or ".join(str(one.version) for one in letters)
        raise ConflictError(f"Several letters of {named} came: say of which version it is, {versions}.")
    content = seals.unlock_padded(scene.office.master_key, scene.office.files.get(row.stored))
    turn = keep_copy(scene, turn, letters[0], (row.name, content, row.media_type))
    scene.tx.remove(PostbagRow, id=row.id)
    scene.append_journal("photographed", turn=turn, seat=seat)
    _tell_desk(scene, turn)
    return _told(scene, turn, {seat.power: 1})


@command("coordinate", "DELETE /games/{game}/postbag/{page}", coordinator="alive")
def drop_page(scene: GameContext, page: int) -> None:
    """Put a page away that belongs to no letter."""
    scene.tx.remove(PostbagRow, id=_waiting(scene, page).id)
    _tell_desk(scene, scene.turn())


@query("coordinate", "GET /games/{game}/postbag/{page}", coordinator="alive")
def page_picture(scene: GameContext, page: int) -> tuple[str, str, bytes]:
    """Return a page that waits to be named: its name, media type and content."""
    row, office = _waiting(scene, page), scene.office
    return row.name, row.media_type, seals.unlock_padded(office.master_key, office.files.get(row.stored))


def _opened(scene: GameContext) -> TurnRow:
    if scene.row.turn is None:
        raise ConflictError(SEALED)
    rows = scene.tx.all(TurnRow, game=scene.row.id, state=list(OPEN), order="-number", limit=1)
    if not rows:
        raise ConflictError(SEALED)
    return scene.tx.get(TurnRow, rows[0].id, lock=scene.tx.writes)


def _seat_of(scene: GameContext, turn: TurnRow, code: SheetCode | None) -> tuple[SeatRow | None, str]:
    if code is None:
        return None, "no code"
    if code.game != scene.row.key or code.turn != turn.name or code.power not in scene.seats:
        return None, f"the sheet of {code.power} in {code.game}, {code.turn}"
    seat = scene.seats[code.power]
    letters = len(_letters(scene, turn, seat))
    why = "no letter was registered" if not letters else f"{letters} letters were registered" if letters > 1 else ""
    return seat, f"the sheet of {code.power}; {why}" if why else ""


def _letters(scene: GameContext, turn: TurnRow, seat: SeatRow) -> list[SubmissionRow]:
    return scene.tx.all(SubmissionRow, order="version", turn=turn.id, seat=seat.id, kind="posted", withdrawn=None)


def _waiting(scene: GameContext, page: int) -> PostbagRow:
    number = scene.office.numbers.row("page", page)
    return scene.act.wanted(PostbagRow, "This page doesn't wait any more.", id=number, game=scene.row.id)


def _tell_desk(scene: GameContext, turn: TurnRow) -> None:
    act, waiting = scene.act, scene.tx.count(PostbagRow, game=scene.row.id)
    item = act.tx.find(DeskRow, game=scene.row.id, kind=POSTBAG, done=None)
    if item is None and waiting:
        act.add_task(POSTBAG, scene.row, turn=turn, count=waiting)
    elif item is not None and waiting:
        act.tx.change(item, facts=pack({**unpack(item.facts), "count": waiting}))
    elif item is not None:
        act.tx.change(item, done=act.at, person=act.actor.person, note="all are named")


def _told(scene: GameContext, turn: TurnRow, filed: dict[str, int]) -> Postbag:
    shown = scene.office.numbers.shown
    letters = {power: _letters(scene, turn, seat) for power, seat in scene.seats.items()}
    return Postbag(
        game=scene.row.key,
        turn=turn.name,
        filed=filed,
        letters={power: tuple(row.version for row in rows) for power, rows in letters.items() if rows},
        waiting=tuple(
            PostbagPage(page=shown("page", row.id), name=row.name, why=row.why, size=row.size)
            for row in scene.tx.all(PostbagRow, game=scene.row.id, order="id")
        ),
    )


# Photographs


@command("coordinate", "POST /games/{game}/turns/{turn}/sheets/{power}/copies", coordinator="alive")
def add_copies(scene: SeatContext, turn: str, pictures: list[tuple[str, bytes, str]]) -> tuple[str, ...]:
    """Add photographs of an opened letter to the orders that count of a power: (name, content, media type) of each, as
    channels have cleaned them. All who play get them with the copies of the executed orders (W-21a). The answer is the
    digests of all that are there.

    :raises ConflictError: before the seals are open, after the results are final, and for orders that did not come
        by post."""
    refuse_pictures(scene, pictures)
    row = scene.tx.get(TurnRow, find_turn(scene, turn).id, lock=True)
    if row.state not in OPEN:
        raise ConflictError(f"Letters of {row.name} are photographed between the deadline and the final results.")
    choice = chosen_sheets(row)[scene.held.power]
    if choice.channel != "post":
        raise ConflictError(f"{capital(scene.named(scene.held.power).whose)} orders that count didn't come by post.")
    letter = scene.tx.get(SubmissionRow, choice.submission)
    for picture in pictures:
        row = keep_copy(scene, row, letter, picture)
    scene.append_journal("photographed", turn=row, seat=scene.held)
    return chosen_sheets(row)[scene.held.power].copies


def _kept(act: CommandContext, picture: tuple[str, bytes, str]) -> dict[str, Any]:
    name, content, media_type = picture
    stored = act.keep_file(seals.lock_padded(act.office.master_key, content))
    about = {"digest": seals.digest(content), "size": len(content)}
    return {"stored": stored, "name": name, "media_type": media_type, **about}


def keep_copy(scene: GameContext, turn: TurnRow, letter: SubmissionRow, picture: tuple[str, bytes, str]) -> TurnRow:
    """Keep a photograph (name, content, media type) of an opened letter, once (LimitExceededError: too many)."""
    act, digest, known = scene.act, seals.digest(picture[1]), copies_of(scene.act, letter)
    power, choice = next(((p, c) for p, c in chosen_sheets(turn).items() if c.submission == letter.id), ("", None))
    if digest in (*known, *(choice.files if choice is not None else ())):
        return turn
    if len(known) >= act.office.settings.most_files:
        raise LimitExceededError(f"A letter has at most {act.office.settings.most_files} photographs.")
    act.tx.add(FileRow(submission=letter.id, **_kept(act, picture)))
    if choice is None:
        return turn
    sheets = {**chosen_sheets(turn), power: msgspec.structs.replace(choice, copies=(*choice.copies, digest))}
    return act.tx.change(turn, sheets=pack(msgspec.to_builtins(sheets)))
