"""What each kind of mailing says, in blocks.

Every message is made from the office's queries as its reader, so it can hold nothing that the reader may not see.

Those that say little are forms in ``mails.toml``."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from legation.formats import read_toml
from legation.game.documents import ending_in_words
from legation.game.report import count
from legation.judge import Power
from legation.mail import postal
from legation.mail.content import Action, Block, Content, Facts, Heading, Lines, Paragraph, Quote
from legation.mail.results import results, whats_due
from legation.mail.wording import ballot, deadline_in_words, moment_in_words, named, own_units, time_left, zone_of
from legation.notation import capital, listed
from legation.office.context import Actor
from legation.office.desk import desk, letters
from legation.office.desk.proposed_orders import in_words
from legation.office.desk_readers import DEPUTYS
from legation.office.hosting import games, scores
from legation.office.identity import people
from legation.office.office import Office
from legation.office.records import DeskItem, GameRecord, Mailing
from legation.office.terms.plans import settings_of
from legation.position import Phase, Turn


class _Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A block of a mail in ``mails.toml``: one of ``text``, ``strong``, ``quote``, ``link``, ``rows`` (and ``more`` of
    them, by their names) or ``blocks``, several by name."""

    text: str = ""
    strong: str = ""
    quote: str = ""
    link: str = ""
    to: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    more: tuple[str, ...] = ()
    blocks: str = ""
    when: str = ""

    def made(self, office: Office, said: dict[str, Any]) -> Sequence[Block]:
        """Return the block with what is ``said`` filled in; several where ``blocks`` names them."""
        return said[self.blocks] if self.blocks else [self._block(office, said)]

    def _block(self, office: Office, said: dict[str, Any]) -> Block:
        if self.link:
            to = self.to.format_map(said)
            return Action(self.link.format_map(said), office.link(to) if to.startswith("/") else to)
        if self.rows:
            rows = [(name.format_map(said), value.format_map(said)) for name, value in self.rows]
            return Facts((*(row for row in rows if row[1]), *(row for name in self.more for row in said[name])))
        if self.quote:
            return Quote(self.quote.format_map(said))
        return Paragraph((self.text or self.strong).format_map(said), bool(self.strong))


class _Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    subject: str
    blocks: tuple[_Piece, ...]
    title: str = ""
    when: str = ""


@cache
def _forms() -> tuple[_Form, ...]:
    text = (Path(__file__).parent / "mails.toml").read_text(encoding="utf-8")
    return msgspec.convert(read_toml(text)["mail"], tuple[_Form, ...])


def kinds() -> frozenset[str]:
    """The kinds of mailings that have words of their own."""
    return frozenset([*WRITERS, *(form.kind for form in _forms())])


class _Said(dict[str, Any]):
    """What the forms name: the facts of a mailing, and what is found out of the office where a form names it. What is
    nowhere is empty."""

    def __init__(self, office: Office, mailing: Mailing) -> None:
        super().__init__(mailing.facts, office=office.settings, turn=mailing.turn)
        self.office, self.mailing = office, mailing
        self.reader = reader_of(office, mailing)

    def __missing__(self, name: str) -> object:
        if (find := _FOUND.get(name)) is None:
            return ""
        self[name] = found = find(self)
        return found

    def named(self, power: str) -> Power:
        """A power of the game, to be named in a sentence."""
        return named(self.office, self["game"], power)

    def moment(self, at: str) -> str:
        """A time (ISO 8601) in the reader's zone."""
        return moment_in_words(datetime.fromisoformat(at), zone_of(self.office, self.reader))


def _whats_due(said: _Said) -> Sequence[Block]:
    office, game = said.office, said["game"]
    if game.turn is None or game.position is None:
        return ()
    retreating = Turn.parse(game.turn.name).phase is Phase.RETREATS
    retreats = games.result(office, said.reader, game.key, "last").dislodged if retreating else {}
    return whats_due(office.variants.load(game.variant, game.options), game, said.mailing.power, retreats)


def _units(said: _Said) -> str:
    turn = said["game"].turn
    placing = turn is not None and Turn.parse(turn.name).phase is Phase.PLACEMENT
    return "" if placing else own_units(said["game"], said.mailing.power)


def _standing(said: _Said) -> Sequence[Block]:
    seats = sorted(said["game"].seats, key=lambda seat: -seat.centers if seat.survives else 1)
    told = scores.points(said.office, said.reader, said["game"].key)
    points, system = (told.points, told.name) if told is not None else ({}, "")
    rows = []
    for seat in seats:
        had = count(seat.centers, "center") if seat.survives else "out of the game"
        worth = f"{points[seat.power]:.6g} points by {system}" if seat.power in points else ""
        who = seat.holder or (f"the bot {seat.bot}" if seat.bot else "")
        rows.append((seat.power, ", ".join(filter(None, (had, worth, who)))))
    return [Facts(tuple(rows))]


_FOUND: dict[str, Callable[[_Said], object]] = {
    "game": lambda said: games.game(said.office, said.reader, said.mailing.game),
    "game_key": lambda said: said.mailing.game,
    "power": lambda said: said.named(said.mailing.power),
    "called": lambda said: said["power"].called,
    "voted_out": lambda said: said.named(said["whom"]),
    "coordinator": lambda said: said["game"].coordinator or "The coordinator",
    "runs": lambda said: said["game"].coordinator or "whoever runs this site",
    "came": lambda said: moment_in_words(datetime.fromisoformat(said["at"])),
    "due": lambda said: said.moment(turn.deadline.isoformat()) if (turn := said["game"].turn) is not None else "",
    "until_told": lambda said: said.moment(said["until"]),
    "reported": lambda said: said.moment(said["at"]),
    "moved": lambda said: said.moment(said["deadline"]),
    "post_by": lambda said: postal.post_by(said.office, said.reader, said["game"], said.mailing.power),
    "open_post_by": lambda said: (
        postal.post_by(said.office, said.reader, said["game"]) if said["game"].turn is not None else ()
    ),
    "own_row": lambda said: [(said["own"], said["own_units"])] if said["own_units"] else [],
    "posting": lambda said: postal.posting(said.office, said.reader, said["game"]),
    "post_to": lambda said: said["posting"][:2],
    "how_to_send": lambda said: postal.how_to_send(said.office, said.reader, said["game"]),
    "missing": lambda said: postal.missing(said.office, said.reader, said["game"], said.mailing.power),
    "roster": lambda said: postal.players(said.office, said.reader, said["game"]),
    "on_paper": lambda said: settings_of(said["game"]).photographs_only,
    "turn_papers": lambda said: postal.papers_of_turn(said.office, said.reader, said["game"], said.mailing.power),
    "papers": lambda said: listed(said["turn_papers"]) if said["turn_papers"] else "",
    "begun_papers": lambda said: listed(
        ["the map", *["the roster"] * settings_of(said["game"]).is_postal(), *said["turn_papers"]]
    ),
    "guides": lambda said: [Action(name, url) for name, url in postal.guides(said.office, said["game"]).items()],
    "whats_due": _whats_due,
    "playing": lambda said: said.mailing.power in said["game"].powers,
    "own": lambda said: said.mailing.power,
    "own_units": _units,
    "standing": _standing,
    "ending": lambda said: said["game"].ending,
    "how_it_ended": lambda said: ending_in_words(
        said.office.variants.load(said["game"].variant, said["game"].options), said["game"].ending
    ),
    "why_it_ended": lambda said: capital(str((said["game"].ending or {}).get("reason") or "")),
    "left": lambda said: time_left(said["game"].turn.deadline, said.office.clock.now()) or "now",
    "revised": lambda said: postal.how_revised(said.office, said.reader, said["game"], said.mailing.power),
    "open_turn": lambda said: turn.name if (turn := said["game"].turn) is not None else "",
    "open_due": lambda said: (
        postal.due_in_words(said.office, said.reader, said["game"], turn.deadline)
        if (turn := said["game"].turn) is not None
        else ""
    ),
    "is_open": lambda said: said["open_turn"] == said["turn"],
    "turn_due": lambda said: said["open_due"] if said["is_open"] else "",
    "is_paused": lambda said: said["due"] and said["game"].state == "paused",
    "votes_end": lambda said: said["due"] if said["game"].state == "running" else "",
    "ballot": lambda said: ballot(said["what"], said["whom"], said["hours"]),
    "may_be_replaced": lambda said: said["whom"] == said.mailing.power,
    "has_orders_due": lambda said: any(
        seat.power == said.mailing.power and seat.sent is not None for seat in said["game"].seats
    ),
    "brought": lambda said: letters.letter(
        said.office, said.reader, said.mailing.game, said.office.numbers.shown("letter", int(said["letter"]))
    ),
    "letter_text": lambda said: said["brought"].text,
    "proposed": lambda said: in_words(told) if (told := said["brought"].proposal) is not None else "",
    "letter_turn": lambda said: said["brought"].turn,
    "from_whom": lambda said: (
        said.named(sender).called if (sender := said["brought"].sender) else "an anonymous player"
    ),
    "answered": lambda said: said["from_whom"] if said["brought"].sender else "",
    "unsigned": lambda said: "" if said["brought"].sender else "yes",
    "to_whom": lambda said: (
        "everybody"
        if (to := said["brought"].recipients) == ("all",)
        else listed([said.named(power).called for power in to])
    ),
    "then": lambda said: f"?next={quote(said['next'], safe='')}" if said["next"] else "",
    "signs_in": lambda said: f"?sign_in={link}" if (link := said["sign_in"]) else "",
    "new_address": lambda said: said["email"] or "another address",
    "Why": lambda said: capital(said["why"]),
    "coordinated": lambda said: said["game"].settings["coordinated"],
    "invites": lambda said: f"{said['host']} invites you" if said["host"] else "You're invited",
    "invited_to": lambda said: said["name"] or said.mailing.game,
    "invited_as": lambda said: f" {said.get('called', said.mailing.power)}" if said.mailing.power else "",
    "valid_days": lambda said: said["days"] or 30,
    "of_variant": lambda said: (
        f", a game of {'the ' if title.startswith('The ') else ''}{title.removeprefix('The ')}"
        if (title := said["variant"])
        else ""
    ),
}


def message(office: Office, mailing: Mailing) -> Content:
    """Return the content of a mailing."""
    if (writer := WRITERS.get(mailing.kind)) is not None:
        return writer(office, mailing, reader_of(office, mailing))
    said = _Said(office, mailing)
    for form in _forms():
        if form.kind == mailing.kind and _holds(form.when, said):
            subject = form.subject.format_map(said)
            blocks = [b for piece in form.blocks if _holds(piece.when, said) for b in piece.made(office, said)]
            return Content(subject, form.title.format_map(said) or subject, tuple(blocks))
    title = mailing.kind[:1].upper() + mailing.kind[1:]  # the facts as they are
    rows = [("Game", mailing.game), ("Turn", mailing.turn)] if mailing.game else []
    rows += [(str(name).replace("_", " "), str(value)) for name, value in mailing.facts.items() if name != "secret"]
    return Content(f"{mailing.game or office.settings.name} - {mailing.kind}", title, (Facts(tuple(rows)),))


def _holds(when: str, said: _Said) -> bool:
    name, _, value = when.removeprefix("!").partition("=")
    return not when or (said[name] == value if value else bool(said[name])) is not when.startswith("!")


def reader_of(office: Office, mailing: Mailing) -> Actor:
    """Whom a mailing is for; a visitor where that is only an address."""
    return people.as_person(office, mailing.person) if mailing.person is not None else Actor.visitor()


IN_TURN = frozenset(["choose", "unposted", "decide", "transcribe", "confirm"])
"""Kinds of items that are gone through one after the other, from the page of the first."""
CADENCE = "You get this when something waits on your desk, and once a day until it's done."


def _waiting(office: Office, mailing: Mailing, actor: Actor) -> Content:
    """Return the mail about what waits on the desk of a coordinator or a deputy: what the desk itself says of it, and
    nothing of what orders say."""
    zone = zone_of(office, actor)
    items = desk.mailed(office, mailing.person, mailing.kind) if mailing.person is not None else []
    parts: dict[str, list[DeskItem]] = {}
    for item in items:
        parts.setdefault(item.game, []).append(item)
    names: list[str] = []
    blocks: list[Block] = [] if items else [Paragraph("Your desk is empty.")]
    for key, own in parts.items():
        game = games.game(office, actor, key) if key else None
        names.append(game.name if game else office.settings.name)
        blocks.append(Heading(names[-1]))
        if game is not None and game.turn is not None:
            blocks.append(Facts((("Turn", game.turn.name), ("Deadline", _desk_deadline(office, zone, game)))))
        groups: dict[tuple[str, str], list[DeskItem]] = {}
        for item in own:
            groups.setdefault((item.kind, item.turn), []).append(item)
        for group in groups.values():
            blocks += _desk_blocks(office, zone, group)
    what = count(len(items), "transcription" if mailing.kind == DEPUTYS else "item")
    what += " to check" if mailing.kind == DEPUTYS else " on your desk"
    where = listed(names) if 0 < len(names) < 4 else count(len(names), "game")
    return Content(f"{what}: {where}" if names else what, f"{what[:1].upper()}{what[1:]}", tuple(blocks), (CADENCE,))


def _desk_deadline(office: Office, zone: str, game: GameRecord) -> str:
    assert game.turn is not None
    if game.state != "running":
        return f"none, the game is {game.state}"
    passed = "" if game.turn.deadline > office.clock.now() else ", passed"
    return deadline_in_words(office, zone, game.turn.deadline) + passed


def _desk_blocks(office: Office, zone: str, group: Sequence[DeskItem]) -> list[Block]:
    first = group[0]
    page, command = first.page, first.command
    if len(group) > 1 and first.kind not in IN_TURN:
        page, command = f"/desk/{first.game}".rstrip("/"), f"legation office desk {first.game}".rstrip()
    rows = [("Waiting since", moment_in_words(min(item.opened for item in group), zone))]
    if first.due is not None:
        rows.append(("Results due", deadline_in_words(office, zone, first.due)))
    rows += [("Meanwhile", " ".join(dict.fromkeys(item.otherwise for item in group))), ("Command", command)]
    text: Block = Paragraph(first.text, strong=True) if len(group) == 1 else Lines(tuple(i.text for i in group))
    return [text, Facts(tuple(rows)), Action("Open it on your desk", office.link(page))]


WRITERS: dict[str, Callable[[Office, Mailing, Actor], Content]] = {
    "results": results,
    "draft results": results,
    "desk": _waiting,
    "second reading": _waiting,
    "answer": lambda office, mailing, actor: msgspec.convert(mailing.facts["content"], Content),
}
"""Mails that take more than a form in ``mails.toml``."""
