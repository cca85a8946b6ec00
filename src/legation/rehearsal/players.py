"""How the players of a rehearsal send their orders: bots choose them, and they come in the ways that the game takes. Of
those who post their sheets one revises it by a photograph, and one's sheet never arrives."""

import io
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import partial
from random import Random

import msgspec
from PIL import Image, ImageDraw, ImageFont

from legation.bots import bot
from legation.judge import Ruleset
from legation.mail.mail_service import MailService
from legation.notation import write
from legation.office.context import Actor
from legation.office.desk.mailroom import reply_address
from legation.office.game.turns import position_from
from legation.office.hosting import games, roster
from legation.office.orders import submissions
from legation.office.records import GameRecord, SeatRecord
from legation.office.terms.plans import settings_of
from legation.position import Turn
from legation.print.packets import SUBMISSIONS
from legation.rehearsal.copying import DOMAIN, GameCopy

BOT = "dumbbot"
PAPER, INK = "#f5efe0", "#23304f"


class Sending(msgspec.Struct, frozen=True):
    """Something that a player sends: when it arrives, what it is, in words, its subject, and how it comes in."""

    at: datetime
    who: str
    words: str
    subject: str
    send: Callable[[], object]


class Players:
    """The players of a copied game. ``written`` is what each version of a power's orders says, by turn."""

    def __init__(self, copy: GameCopy, mail: MailService) -> None:
        self.copy = copy
        self.mail = mail
        self.written: dict[tuple[str, str, int], str] = {}
        self._mails = 0

    def sendings(self, record: GameRecord) -> list[Sending]:
        """Return what is sent for the open turn, in the order of time."""
        rules = self.copy.office.variants.load(record.variant, record.options)
        owing = [seat for seat in record.seats if seat.state == "held" and seat.sent is not None and seat.survives]
        sent = [sending for place, seat in enumerate(owing) for sending in self._of(record, rules, seat, place)]
        return sorted(sent, key=lambda sending: sending.at)

    def _of(self, record: GameRecord, rules: Ruleset, seat: SeatRecord, place: int) -> Iterator[Sending]:
        """What a power sends: its sheet halfway to the deadline; the second one a revision after that, the third only a
        photograph, an hour before the deadline."""
        assert record.turn is not None
        opened, due = self.copy.clock.now(), record.turn.deadline
        settings = settings_of(record)
        posts = settings.wants_envelope(record.turn.name.rpartition(" ")[2])
        orders = self._orders(record, rules, seat.power, "")
        half = opened + (due - opened) / 2
        if posts:
            half = half.replace(hour=10, minute=0, second=0, microsecond=0)  # when the post of a day comes
        if not posts:
            yield self._by_mail(record, seat, orders, half + timedelta(minutes=7 * place), 1)
        elif place == 2:
            yield self._by_mail(record, seat, orders, due - timedelta(hours=1), 1)
        else:
            self.written[record.turn.name, seat.power, 1] = orders
            post = self.copy.office, self.copy.coordinator, record.key, seat.power, "rehearsed"
            come = partial(submissions.register_posted, *post)
            yield Sending(half + timedelta(minutes=5 * place), seat.power, "A sealed envelope comes by post.", "", come)
            if place == 1:
                revised = self._orders(record, rules, seat.power, "revised")
                yield self._by_mail(record, seat, revised, due - timedelta(hours=30), 2)

    def _orders(self, record: GameRecord, rules: Ruleset, power: str, seed: str) -> str:
        office = self.copy.office
        position = position_from(rules, games.position(office, self.copy.coordinator, record.key))
        sheet = bot(BOT)(rules, rules.seen(position, power), power, Random(f"{record.key} {position.turn} {seed}"))
        return "\n".join(write(order) for order in sheet.orders)

    def _by_mail(self, record: GameRecord, seat: SeatRecord, orders: str, at: datetime, version: int) -> Sending:
        """A mail with the orders: as a photograph, where the game reads no text."""
        assert record.turn is not None
        self.written[record.turn.name, seat.power, version] = orders
        turn = Turn.parse(record.turn.name)
        what = SUBMISSIONS.get(turn.phase, "Orders")
        subject = f"{record.name} - {seat.power} - {turn.name} - {what} - Version {version}"
        pictured = settings_of(record).photographs_only
        words = "A photograph of a sheet comes by mail." if pictured else "Orders come by mail."
        return Sending(
            at, seat.power, words, subject, partial(self._mailed, record.key, seat.power, subject, orders, pictured)
        )

    def _mailed(self, game: str, power: str, subject: str, orders: str, pictured: bool) -> None:
        office = self.copy.office
        seat = next(s for s in games.game(office, Actor.console(), game).seats if s.power == power)
        line = next(one for one in roster.roster(office, Actor.console(), game) if one.power == power)
        self._mails += 1
        message = EmailMessage()
        message["From"], message["Subject"] = line.email, subject
        message["To"] = reply_address(office, game, power, seat.person)
        message["Message-ID"] = f"<{self._mails}@{DOMAIN}>"
        message.set_content("" if pictured else orders)
        if pictured:
            picture = photograph(f"{subject}\n\n{orders}")
            message.add_attachment(picture, maintype="image", subtype="jpeg", filename="sheet.jpg")
        self.mail.receive(message.as_bytes(), ())


def photograph(text: str) -> bytes:
    """A picture of a sheet of paper with a text."""
    image = Image.new("RGB", (1000, 1400), PAPER)
    font = ImageFont.load_default(26)
    ImageDraw.Draw(image).multiline_text((70, 80), text, fill=INK, font=font, spacing=18)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return out.getvalue()
