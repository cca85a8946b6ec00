"""One thing on the desk: a picture beside its transcription, versions to choose among, a revision to decide on, a mail
to match, a failure to try again."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from functools import partial
from itertools import zip_longest
from typing import Any

import msgspec
from fastapi import Request
from PIL import Image
from starlette.datastructures import FormData
from starlette.responses import Response

from legation.formats import open_picture
from legation.judge import Ruleset
from legation.office.context import Actor
from legation.office.desk import desk, mailroom, readings
from legation.office.desk.tasks import OFFICE_WIDE
from legation.office.errors import InvalidInputError
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import Checked, CheckedLine, DeskItem, GameRecord, SeatRecord, SubmissionRecord
from legation.web.coordinator.desk import season_of
from legation.web.serving.forms import Form, Forms, SentForm, add_forms, carry_out, read_shown, text
from legation.web.serving.pages import PageError, PageRouter, ReadingRoute, page
from legation.web.serving.sessions import office_of, person_of

router = PageRouter(route_class=ReadingRoute)

READ = ("choose", "unposted", "decide", "transcribe", "confirm")  # kinds that are gone through one after the other
ZOOMS = 5  # steps of nearness
HEADINGS = {
    "unmatched mail": "Whose is this mail?",
    "unmatched mails": "Whose are these mails?",
    "unread mails": "Mails that could not be read",
    "failed mails": "Mails that did not arrive",
    "relay": "No mail leaves",
    "failed": "Something failed",
    "start": "The game can begin",
    "wait": "The game waits",
    "replace": "A seat needs a player",
    "rules changed": "The rules have changed",
}
"""The headings of items that are settled, where they aren't the kind's own name."""


class PictureView(msgspec.Struct):
    """View of a picture: which one, how near (1 to 5), turned by how many quarters, with more contrast."""

    picture: int = 0
    zoom: int = 1
    quarters: int = 0
    contrast: bool = False

    def after(self, button: str, pictures: int) -> PictureView:
        """The view after a button of its own was pressed."""
        what, _, number = button.partition(" ")
        if what == "picture" and number.isdecimal() and int(number) < pictures:
            return PictureView(picture=int(number), contrast=self.contrast)
        changes: dict[str, dict[str, Any]] = {
            "nearer": {"zoom": min(ZOOMS, self.zoom + 1)},
            "farther": {"zoom": max(1, self.zoom - 1)},
            "turn": {"quarters": (self.quarters + 1) % 4},
            "contrast": {"contrast": not self.contrast},
        }
        return msgspec.structs.replace(self, **changes.get(button, {}))


@router.get("/desk/{game}/{item:int}")
def show_item(request: Request, game: str, item: int) -> Response:
    """The page of one thing."""
    return _show(request, _desk_item(request, game, item))


def _desk_item(request: Request, game: str, item: int) -> DeskItem:
    desk_item = desk.item(office_of(request), person_of(request), item)
    if (desk_item.game or OFFICE_WIDE) != game:
        raise PageError(404, "This item isn’t on your desk.", ways=[("Desk", "/desk")])
    return desk_item


def _show(request: Request, item: DeskItem, **values: Any) -> Response:
    office, actor = office_of(request), person_of(request)
    record = games.game(office, actor, item.game) if item.game else None
    line = _line(office, actor, item)
    place = line.index(item.id) if item.id in line else -1
    kept: dict[str, Any] = {
        "item": item,
        "game": record,
        "season": season_of(item.turn),
        "address": _address(item),
        "number": place + 1,
        "of": len(line),
        "before": f"/desk/{item.game}/{line[place - 1]}" if place > 0 else "",
        "after": f"/desk/{item.game}/{line[place + 1]}" if -1 < place < len(line) - 1 else "",
    }
    if item.kind in SIGNED:
        texts = item.facts.get("readings", [""])
        kept |= {"view": PictureView(), "text": texts[0], "anyway": False, "reason": "", **values}
        kept |= _reading(office, actor, item, kept["text"])
        kept["signs"] = item.kind != "confirm" or "deputy" in (record.roles if record else ())
        coordinates = record is not None and "readings.choose" in record.may
        kept["versions"] = _versions(office, actor, item) if coordinates and len(item.submissions) > 1 else ()
        if item.kind == "decide":
            kept["pairs"] = side_by_side(*(readings.suggest(office, actor, item.id, reading) for reading in texts))
        return page(request, "desk/transcribe.html", **kept)
    if item.kind in ("choose", "unposted"):
        rules = office.variants.load(record.variant, record.options) if record else None
        kept["called"] = rules.named(item.power).called if rules else item.power
        return page(request, "desk/choose.html", versions=_versions(office, actor, item), **kept)
    heading = HEADINGS.get(item.kind, item.kind[:1].upper() + item.kind[1:])
    entries = [{**entry, "at": datetime.fromisoformat(entry["at"])} for entry in item.facts.get("entries", ())]
    kept |= {"heading": heading, "entries": entries, "seats": _takers(office, actor, item, record)}
    return page(request, "desk/settle.html", **kept)


def _takers(
    office: Office, actor: Actor, item: DeskItem, record: GameRecord | None
) -> list[tuple[GameRecord, SeatRecord]]:
    """Return the seats for an unmatched mail: of its game; where it names none, of all (for administrators)."""
    if item.kind not in mailroom.UNMATCHED:
        return []
    lines = [] if record else games.list_games(office, actor, "alive", limit=200)
    known = [record] if record else [games.game(office, actor, line.key) for line in lines]
    return [(g, seat) for g in known for seat in g.seats if seat.state == "held"]


def _address(item: DeskItem) -> str:
    return f"/desk/{item.game or OFFICE_WIDE}/{item.id}"


def _line(office: Office, actor: Actor, item: DeskItem) -> list[int]:
    if not item.game or item.kind not in READ:
        return []
    kinds = READ if item.kind != "confirm" else ("confirm",)
    waiting = [i for i in desk.items(office, actor, item.game) if i.kind in kinds]
    return [i.id for i in sorted(waiting, key=lambda i: (READ.index(i.kind), i.opened))]


# Transcribing


def _reading(office: Office, actor: Actor, item: DeskItem, written: str) -> dict[str, Any]:
    checked = readings.suggest(office, actor, item.id, written)
    record = games.game(office, actor, item.game)
    rules = office.variants.load(record.variant, record.options)
    lines = [(line, _choices(rules, line)) for line in checked.lines if any(c.isalnum() for c in line.text)]
    phase = item.turn.rpartition(" ")[2]
    called = rules.named(item.power).called
    return {"checked": checked, "lines": lines, "bad": _bad(checked), "called": called, "phase": phase}


def _bad(checked: Checked) -> int:
    return sum(line.problem is not None for line in checked.lines)


def _choices(rules: Ruleset, line: CheckedLine) -> list[tuple[str, str]]:
    """Other readings of what was not understood: what is shown, and what takes the place of which characters."""
    if line.at is None:
        return []
    return [(s, f"{line.at[0]}:{line.at[1]}:{_plain(rules, s)}") for s in line.suggestions]


def _plain(rules: Ruleset, suggestion: str) -> str:
    """A suggestion as it is written in an order: ``London (london)`` is ``london``."""
    match = re.fullmatch(r".+ \(([^()]+)\)", suggestion)
    return match[1] if match and match[1].split("/")[0] in rules.board.provinces else suggestion


@router.post("/desk/{game}/{item:int}/readings")
def compare_readings(request: Request, game: str, item: int, form: Form) -> Response:
    """The part of the page that tells how what is typed reads."""
    desk_item = _desk_item(request, game, item)
    values = _reading(office_of(request), person_of(request), desk_item, _written(form))
    return page(request, "desk/readings.html", anyway=False, **values)


@router.post("/desk/{game}/{item:int}/transcribe")
def transcribe(request: Request, game: str, item: int, form: Form) -> Response:
    """Sign off how a sheet reads, be it the first reading, the second, or the decision between the two; or look at the
    picture otherwise, take a reading, see how it reads."""
    office, actor, desk_item = office_of(request), person_of(request), _desk_item(request, game, item)
    written, view = _written(form), _view(form)
    if button := text(form, "view"):
        view = view.after(button, len(desk_item.facts.get("files", ())))
    if place := text(form, "take"):
        written = _replaced(written, place)
    if (which := text(form, "reading")) in ("0", "1"):
        written = desk_item.facts.get("readings", [written] * 2)[int(which)]
    again: dict[str, Any] = {"text": written, "view": view, "reason": text(form, "reason")}
    signing = text(form, "do")
    if signing not in ("sign", "anyway"):
        return _show(request, desk_item, **again)
    checked = readings.suggest(office, actor, desk_item.id, written)
    if signing == "sign" and (_bad(checked) or not checked.orders):
        return _show(request, desk_item, **again, anyway=True)

    def command(actor: Actor) -> object:
        reason = [text(form, "reason")] if desk_item.kind == "decide" else []
        return SIGNED[desk_item.kind](office, actor, desk_item.id, written, *reason)

    then = _after(request, desk_item)
    return carry_out(request, "sign", form, command, partial(_show, request, desk_item, **again), then)


SIGNED: dict[str, Callable[..., object]] = {
    "transcribe": readings.transcribe,
    "confirm": readings.confirm,
    "decide": readings.decide,
}
"""What signing off does, by what lies on the desk."""


def side_by_side(first: Checked, second: Checked) -> list[tuple[str, str]]:
    """Two readings line by line, with lines that only one has beside nothing."""
    ones, others = ([line.order or line.text.strip() for line in reading.lines] for reading in (first, second))
    pairs: list[tuple[str, str]] = []
    for _, a, b, c, d in SequenceMatcher(None, ones, others, autojunk=False).get_opcodes():
        pairs += zip_longest(ones[a:b], others[c:d], fillvalue="")
    return pairs


def _written(form: FormData) -> str:
    value = form.get("text", "")
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def _view(form: FormData) -> PictureView:
    def number(name: str, most: int) -> int:
        return min(read_shown(text(form, name)), most)

    return PictureView(
        number("picture", 99), max(1, number("zoom", ZOOMS)), number("quarters", 3), text(form, "contrast") == "on"
    )


def _replaced(written: str, place: str) -> str:
    """The text with a reading taken in: ``begin:end:reading``."""
    begin, _, rest = place.partition(":")
    end, _, reading = rest.partition(":")
    if not (begin.isdecimal() and end.isdecimal()):
        return written
    return written[: int(begin)] + reading + written[int(end) :]


@router.get("/desk/{game}/{item:int}/pictures/{digest}")
def picture(request: Request, game: str, item: int, digest: str, quarters: int = 0) -> Response:
    """Serve a picture to its reader, rotated in quarter turns; never cached."""
    desk_item = _desk_item(request, game, item)
    _, kind, content = readings.picture(office_of(request), person_of(request), desk_item.id, digest)
    if quarters % 4:
        kind, content = _turned(content, quarters % 4)
    return Response(content, media_type=kind, headers={"cache-control": "private, no-store"})


def _turned(content: bytes, quarters: int) -> tuple[str, bytes]:
    ways = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}
    made = io.BytesIO()
    with open_picture(content) as opened:
        opened.convert("RGB").transpose(ways[quarters]).save(made, "JPEG", quality=88)
    return "image/jpeg", made.getvalue()


def photographed(
    request: Request, game: str, item: int, form: FormData, command: Callable[[Actor], object]
) -> Response:
    """Take photographs of the letter to which an item belongs by a command, and show the item with them."""
    address = _address(_desk_item(request, game, item))
    return carry_out(request, "copies", form, command, partial(show_item, request, game, item), address)


# Deciding


def _versions(office: Office, actor: Actor, item: DeskItem) -> list[tuple[SubmissionRecord, str, Sequence[str]]]:
    texts, pictures = item.facts.get("texts", {}), item.facts.get("pictures", {})
    came = [s for s in submissions.overview(office, actor, item.game) if s.id in item.submissions]
    return [
        (s, texts.get(str(s.version), ""), pictures.get(str(s.version), ()))
        for s in sorted(came, key=lambda s: s.version)
    ]


def _after(request: Request, desk_item: DeskItem) -> str:
    line = [i for i in _line(office_of(request), person_of(request), desk_item) if i != desk_item.id]
    own = desk_item.game and desk_item.kind != "confirm"  # a deputy has no other page of that desk
    return f"/desk/{desk_item.game}/{line[0]}" if line else f"/desk/{desk_item.game}" if own else "/desk"


def _item(sent: SentForm) -> int:
    return int(sent.request.path_params["item"])


def _choose(sent: SentForm) -> object:
    chosen = sent.text("version")
    if not chosen.isdecimal():
        raise InvalidInputError("Choose the version that counts.", faults=["version: none"])
    return readings.choose(sent.office, sent.actor, _item(sent), int(chosen), sent.text("reason"))


def _decide(sent: SentForm) -> object:
    """Accept or refuse a revision whose sheet never came by post."""
    accept = sent.text("do") == "accept"
    return readings.decide_unposted(sent.office, sent.actor, _item(sent), accept, sent.text("reason"))


def _settle(sent: SentForm) -> object:
    return desk.settle(sent.office, sent.actor, _item(sent), sent.text("note"), sent.text("do") == "retry")


def _assign(sent: SentForm) -> object:
    key, _, power = sent.text("seat").partition(" ")
    if not power:
        raise InvalidInputError("Choose a seat.", faults=["seat: none"])
    return mailroom.assign(sent.office, sent.actor, key, power, _item(sent), read_shown(sent.text("mail")))


COMMANDS: Forms = {
    "choose": ("choose", _choose),
    "unposted": ("unposted", _decide),
    "settle": ("settle", _settle),
    "assign": ("assign", _assign),
}
add_forms(
    router,
    "/desk/{game}/{item:int}",
    COMMANDS,
    show_item,
    lambda request: _after(request, _desk_item(request, **request.path_params)),
)
