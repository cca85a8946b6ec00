"""Mail text about post: the coordinator's address, the posting date, and whether an envelope has come."""

from datetime import datetime

from legation.game.report import count
from legation.mail.content import Action, Block, Facts, Heading, Paragraph, listing
from legation.mail.wording import deadline_in_words, moment_in_words, zone_of
from legation.mail.words import told
from legation.notation import listed
from legation.office.clock import day_in_words
from legation.office.context import Actor
from legation.office.hosting import deadlines, roster
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import AddressRecord, GameRecord, GameRoster, SubmissionRecord
from legation.office.terms.plans import GameSettings, settings_of

YEAR = 9  # turns that are looked ahead for dates to post by


def due_in_words(office: Office, actor: Actor, game: GameRecord, deadline: datetime) -> str:
    """A deadline of a game, as :func:`deadline_in_words`, with changes of its own clocks."""
    return deadline_in_words(office, zone_of(office, actor), deadline, settings_of(game).plan().zone)


def papers_of_turn(office: Office, actor: Actor, game: GameRecord, power: str) -> list[str]:
    """Return the papers that go to a power with a mail about the present turn, in words."""
    own = next((seat for seat in game.seats if seat.power == power), None)
    if not settings_of(game).is_postal() or game.turn is None or own is None or own.sent is None:  # nothing to order
        return []
    addressed = _wants_envelope(game) and roster.orders_address(office, actor, game.key) is not None
    return ["an order sheet", *(["an envelope for it"] if addressed else [])]


def how_to_send(office: Office, actor: Actor, game: GameRecord) -> str:
    """Return how orders of the present turn are sent, in sentences, as the game is set and as it can still be done."""
    settings = settings_of(game)
    if _wants_envelope(game):
        return told("post first" if post_by(office, actor, game) else "too late to post", how=_revise(settings))
    return told("send a photograph" if settings.photographs_only else "send orders")


def _revise(settings: GameSettings) -> str:
    return told("revise on paper" if settings.photographs_only else "revise")


def guides(office: Office, game: GameRecord) -> dict[str, str]:
    """Return the pages that players of a game need beside their mails, with their addresses."""
    listed_feed = settings_of(game).listed
    return {
        "Rules": office.link(f"/variants/{game.variant}/rules"),
        "Where units can move": office.link(f"/variants/{game.variant}/moves"),
        "Calendar": office.link(f"/games/{game.key}/calendar.ics" if listed_feed else "/me#feeds"),
    }


def posting(office: Office, actor: Actor, game: GameRecord) -> list[Block]:
    """Return where orders are posted, and by when for each turn of the coming year."""
    if not settings_of(game).opening_by_post:
        return []
    known = roster.orders_address(office, actor, game.key)
    title, blocks = "Post your orders to", list[Block]()
    if known is None:
        blocks += [Heading(title), Paragraph(told("no orders address"), strong=True)]
    else:
        blocks += listing(title, (known.name, *known.address.lines, known.address.country))
    dates = [d for d in deadlines.coming(office, actor, game.key, YEAR) if d.post_by]
    if dates:
        days = deadlines.days_in_post(office, actor, game.key)
        blocks += [
            Heading(f"Post by, if a letter takes {days} days"),
            Facts(tuple((d.turn, f"{day_in_words(d.post_by or '')}; due {moment_in_words(d.due)}") for d in dates)),
        ]
    return blocks


def post_by(office: Office, actor: Actor, game: GameRecord, power: str = "") -> list[tuple[str, str]]:
    """The last day to post orders of the present turn, as a row; none where they aren't posted, or it is past. Who
    plays ``power`` is told instead that its envelope has come."""
    if power and _wants_envelope(game) and any(s.kind == "posted" for s in _sent(office, actor, game, power)):
        return [("Your envelope", "has arrived")]
    ahead = deadlines.coming(office, actor, game.key, 1)
    return [("Post by", day_in_words(d.post_by)) for d in ahead if d.post_by and not d.planned]


def players(office: Office, actor: Actor, game: GameRecord) -> list[Block]:
    """Return the players by power, with the addresses that the reader may see and their dates; those of the
    coordinator's other games after them (W-23)."""
    if not settings_of(game).shows_addresses():
        return []
    this, *others = roster.rosters(office, actor, game.key)
    post = [] if settings_of(game).press else [Paragraph("In this game players write to each other by post.")]
    if any(line.power in game.powers and line.address is None for line in this.lines):
        own: list[Block] = [
            Paragraph(told("no own address")),
            Action("Add your postal address", office.link("/me#addresses")),
        ]
    else:
        own = [Paragraph(told("addresses seen"))]
    return [
        Heading("Roster"),
        _addresses(this),
        *post,
        *own,
        *(block for other in others for block in (Heading(f"Roster of {other.name}"), _addresses(other))),
        Action("The roster, with other addresses and their dates", office.link(f"/games/{game.key}/roster")),
    ]


def _addresses(told: GameRoster) -> Facts:
    rows = []
    for line in told.lines:
        parts = [line.name]
        if line.address is not None:
            parts[0] = ", ".join((line.name, *line.address.lines, line.address.country))
            parts += [_on_days(line.address)] if not line.address.primary else []
        elif told.told:
            parts[0] += ", no address shared yet" if not line.alternatives else ", no address for today"
        parts += [f"{_on_days(a)}: {', '.join((*a.lines, a.country))}" for a in line.alternatives]
        if line.then is not None and line.power not in told.own:
            parts.append(count(line.days, "day") + " in the post")
            parts += [f"post by {day_in_words(line.post_by)}"] if line.post_by else []
        rows.append((line.power, "; ".join(parts)))
    return Facts(tuple(rows))


def _on_days(address: AddressRecord) -> str:
    """``from Thu 5 Mar 2026 to Fri 20 Mar 2026``."""
    if address.primary:
        return "usually"
    days = [f"{word} {day_in_words(day)}" for word, day in (("from", address.first), ("to", address.last)) if day]
    return " ".join(days)


def missing(office: Office, actor: Actor, game: GameRecord, power: str) -> str:
    """Return a sentence on what a power has still to send this turn."""
    sent = _sent(office, actor, game, power)
    if not _wants_envelope(game) or any(s.kind == "posted" for s in sent):
        return "" if sent else told("no orders")
    if not sent:
        return told("no envelope, no orders")
    versions = listed([str(s.version) for s in sent])
    return told("no envelope", versions=f"version{'s' if len(sent) > 1 else ''} {versions}")


def _wants_envelope(game: GameRecord) -> bool:
    return game.turn is not None and settings_of(game).wants_envelope(game.turn.name.rpartition(" ")[2])


def _sent(office: Office, actor: Actor, game: GameRecord, power: str) -> list[SubmissionRecord]:
    return [s for s in submissions.mine(office, actor, game.key, power) if s.standing != "withdrawn"]


def how_revised(office: Office, actor: Actor, game: GameRecord, power: str) -> str:
    """Return what a player can still do once an envelope has come, and what counts otherwise."""
    revised = any(s.kind != "posted" for s in _sent(office, actor, game, power))
    return told("envelope after a revision" if revised else "envelope", how=_revise(settings_of(game)))
