"""What goes on paper for a game of the office, filled in with what its reader may see: mostly for the coordinator."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from datetime import date
from types import MappingProxyType
from zoneinfo import ZoneInfo

import msgspec

from legation.atlas import Atlas, for_variant
from legation.game.views import seen_resolution
from legation.judge import Ruleset
from legation.office.clock import moment_in_words
from legation.office.context import Actor
from legation.office.errors import ConflictError, DamagedError, InvalidInputError, NotAllowedError, NotFoundError
from legation.office.game.turns import position_from
from legation.office.game.views import out_of_sight
from legation.office.hosting import absences, deadlines, games, gazettes
from legation.office.hosting import roster as addresses
from legation.office.identity import people
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import AddressRecord, Executed, GameRecord, GameRoster, RosterLine
from legation.office.terms.plans import GameSettings
from legation.position import Phase, Position, Turn
from legation.print.executed import ExecutedSheet, executed_orders
from legation.print.letters import YearEnd, year_end_letter
from legation.print.packets import lending_sheet, turn_packet
from legation.print.post import ENVELOPES, LABELS, Envelope, envelopes, labels
from legation.print.records import Address, Deadline, GameName, Party, Stay
from legation.print.roster import PersonCard, PostDays, RosterSeat, cards, roster
from legation.proofs.canonical import encode

COORDINATOR = "The Coordinator"


def packet_of(office: Office, actor: Actor, game: str, power: str, post_days: int | None = None) -> bytes:
    """The turn packet of a power, for its player or the coordinator.

    :raises OfficeError: for a game without an open turn, or a power that is not this reader's.
    """
    record = games.game(office, actor, game)
    rules = office.variants.load(record.variant, record.options)
    if power not in rules.powers:
        raise NotFoundError(f"There is no power {power!r} in {record.name}.", suggestions=list(rules.powers))
    if power not in record.powers and not _runs_it(record, actor):
        raise NotFoundError(f"Only its player can print the packet for {power}.")
    if record.turn is not None and record.turn.state not in ("open", "waiting"):
        raise ConflictError(f"{record.turn.name} is closed. The order sheet of the next turn is printed when it opens.")
    due = _deadlines(office, actor, record, post_days)
    phase = record.turn.name.rpartition(" ")[2] if record.turn is not None else ""
    in_time = phase == Phase.MOVEMENT.value or any(one.post_by for one in due)  # retreats have two days
    posted = in_time and _settings(record).takes("post", phase)
    post_to = _coordinator(office, actor, record).address if posted else None
    person = next((x.name for x in addresses.roster(office, actor, record.key) if x.power == power), "")
    return turn_packet(
        _name(record),
        rules,
        for_variant(record.variant, office.variants),
        rules.seen(position_from(rules, games.position(office, actor, record.key)), power),
        Party(power, person),
        office.clock.now().date(),
        due,
        _mailbox(office),
        post_to,
    )


def lending(office: Office, actor: Actor, game: str, power: str, turn: str = "", ally: str = "") -> bytes:
    """The sheet by which the player of a power has an ally order its units in a movement, by default the present one;
    for its player or the coordinator. The ally's name may be left to be written in.

    :raises ConflictError: where no rule lets another power order one's units.
    """
    record = games.game(office, actor, game)
    rules = office.variants.load(record.variant, record.options)
    if power not in record.powers and not _runs_it(record, actor):
        raise NotFoundError(f"Only its player can print a sheet for {power}.")
    order = absences.lending_order(rules)
    coming = {due.turn: due for due in deadlines.coming(office, actor, record.key, absences.LOOKED_AHEAD)}
    due = (
        coming.get(turn) if turn else next((d for d in coming.values() if d.turn.endswith(Phase.MOVEMENT.value)), None)
    )
    if not order or due is None or Turn.parse(due.turn).phase is not Phase.MOVEMENT:
        raise ConflictError(f"In {record.name} there are no units to place under another power's orders.")
    if ally and (ally not in rules.powers or ally == power):
        raise NotFoundError(f"There is no ally {ally[:40]!r} in {record.name}.", suggestions=list(rules.powers))
    zone = ZoneInfo(_settings(record).plan().zone)
    return lending_sheet(
        _name(record),
        Turn.parse(due.turn),
        order,
        Party(
            power, next((line.name for line in addresses.roster(office, actor, record.key) if line.power == power), "")
        ),
        office.clock.now().date(),
        ally,
        [Deadline(due.turn, due.due.astimezone(zone), _day(due.post_by))],
        _mailbox(office),
        _coordinator(office, actor, record).address if _settings(record).takes("post", Phase.MOVEMENT.value) else None,
    )


def _mailbox(office: Office) -> str:
    """Where orders are mailed to, if that is a real address."""
    mailbox = office.settings.orders_address
    return "" if mailbox.endswith("@localhost") else mailbox


def packets(office: Office, actor: Actor, game: str, post_days: int | None = None) -> dict[str, bytes]:
    """The packets of all powers that are held by people, by power; in a game by post, of those whose address is known:
    one for each envelope.

    :raises NotAllowedError: for who does not run the game.
    """
    record = games.game(office, actor, game)
    if not _runs_it(record, actor):
        raise NotAllowedError("Only the coordinator can print every power's packet.")
    unknown = without_address(office, actor, record.key, post_days) if is_by_post(record) else []
    held = [s.power for s in record.seats if s.state == "held" and s.survives and s.power not in unknown]
    return {power: packet_of(office, actor, record.key, power, post_days) for power in held}


def year_end_letters(
    office: Office,
    actor: Actor,
    game: str,
    note: str = "",
    sender: Address | None = None,
    post_days: int | None = None,
    power: str = "",
) -> dict[str, bytes]:
    """The letters on the last year that has been settled, to all players with an address (or to a power's alone), by
    power. ``sender`` is the coordinator's address; if left out, the actor's own.

    :raises ConflictError: while no year has ended.
    :raises NotAllowedError: for who does not run the game.
    """
    record = games.game(office, actor, game)
    if not _runs_it(record, actor):
        raise NotAllowedError("Only the coordinator can print the year-end letters.")
    rules, turns = gazettes.settled_year(office, actor, record.key)
    gazette = gazettes.gazette(office, actor, record.key)
    edited = gazette.text if gazette.edited else ""
    ahead = tuple(_deadlines(office, actor, record, post_days))
    signed = games.result(office, actor, record.key, str(turns[-1].before.turn)).head
    head = encode(signed).decode() if signed is not None else ""

    def year(power: str) -> YearEnd:
        """The year as a power saw it; once the game is over, the whole of it."""
        if record.state == "ended":
            return YearEnd(turns, turns[0].before.owners, ahead, note, head, text=edited)
        seen = tuple(seen_resolution(rules, turn, power) for turn in turns)
        hidden = rules.hidden_provinces(turns[-1].after, power)
        before = rules.hidden_provinces(turns[0].before, power)
        return YearEnd(seen, seen[0].before.owners, ahead, note, head, hidden, before, edited)

    atlas = for_variant(record.variant, office.variants)
    return {
        party.position: year_end_letter(
            _name(record),
            rules,
            atlas,
            year(party.position),
            _sender(office, actor, record, sender),
            party,
            office.clock.now().date(),
        )
        for party in _players(office, actor, record, post_days)
        if party.address is not None and power in ("", party.position)
    }


def address_labels(
    office: Office,
    actor: Actor,
    game: str,
    form: str = "3x7",
    skip: int = 0,
    post_days: int | None = None,
    power: str = "",
) -> bytes:
    """Labels with the addresses at which letters posted today arrive, in the order of the powers; or for one power.

    :raises ConflictError: where no address is known.
    """
    _known(form, LABELS, "sheet of labels")
    record = games.game(office, actor, game)
    players = _players(office, actor, record, post_days)
    known = [p.address for p in players if p.address is not None and power in ("", p.position)]
    if not known:
        raise ConflictError(f"You can't see any postal address in {record.name}.")
    return labels(known, office.clock.now().date(), form, skip=skip)


def game_envelopes(
    office: Office,
    actor: Actor,
    game: str,
    form: str = "C5",
    sender: Address | None = None,
    post_days: int | None = None,
) -> bytes:
    """Envelopes to all players with an address, fronts and backs: from the coordinator, or from the player who asks.

    :raises ConflictError: where no address is known.
    """
    _known(form, ENVELOPES, "envelope")
    record = games.game(office, actor, game)
    own = _sender(office, actor, record, sender)
    if own.address is None:
        raise ConflictError("An envelope needs a return address. Add your postal address first, or give one.")
    season = Turn.parse(record.turn.name).name if record.turn else ""
    addressed = [
        Envelope(own, party, _name(record), season)
        for party in _players(office, actor, record, post_days)
        if party.address is not None and party.position != own.position
    ]
    if not addressed:
        raise ConflictError(f"You can't see any postal address in {record.name}.")
    return envelopes(addressed, office.clock.now().date(), form)


def orders_envelope(office: Office, actor: Actor, game: str, form: str = "C5") -> bytes:
    """The envelope for a player's orders of the present season: to the coordinator, with "Orders" on its back. Without
    an address of the player's own there is room to write it.

    :raises ConflictError: where nobody knows the coordinator's address.
    """
    _known(form, ENVELOPES, "envelope")
    record = games.game(office, actor, game)
    if not record.powers or record.turn is None:
        raise ConflictError("Only players of a running game can print an envelope for orders.")
    to = _coordinator(office, actor, record)
    if to.address is None:
        raise ConflictError(f"The coordinator of {record.name} hasn't given a postal address.")
    season = Turn.parse(record.turn.name).name
    own = _sender(office, actor, record, None)
    if own.address is None:
        name = people.me(office, actor).name
        own = Party(own.position, name, Address(name))
    return envelopes([Envelope(own, to, _name(record), season, orders=True)], office.clock.now().date(), form)


def without_address(office: Office, actor: Actor, game: str, post_days: int | None = None) -> list[str]:
    """Return the powers whose players have no postal address on record, for a letter posted today."""
    record = games.game(office, actor, game)
    return [party.position for party in _players(office, actor, record, post_days) if party.address is None]


def _coordinator(office: Office, actor: Actor, record: GameRecord) -> Party:
    """The coordinator, with the address to which orders are posted where there is one."""
    known = addresses.orders_address(office, actor, record.key)
    if known is None:
        return Party(COORDINATOR, record.coordinator or "")
    return Party(COORDINATOR, known.name, _address(known.name, known.address))


def reader_of(office: Office, actor: Actor, game: str, power: str) -> Actor:
    """Return whose eyes a paper is for: whoever asks, or the player of a power for whom the coordinator prints it.

    :raises NotFoundError: for a power that nobody plays.
    """
    record = games.game(office, actor, game)
    if not power or not _runs_it(record, actor):
        return actor
    seat = next((s for s in games.game(office, Actor.console(), record.key).seats if s.power == power), None)
    if seat is None or seat.person is None:
        raise NotFoundError(f"Nobody plays {power} in {record.name}.")
    return people.as_person(office, seat.person)


def current_map(office: Office, actor: Actor, game: str) -> bytes:
    """The map of the present position, as far as the reader sees it."""
    record, rules, position = standing(office, actor, game)
    hidden = out_of_sight(rules, record, position)
    return for_variant(rules.name, office.variants).pdf(position, title=record.name, hidden=hidden)


def game_roster(office: Office, actor: Actor, game: str, post_days: int | None = None) -> bytes:
    """The roster with the addresses that the reader may see, and after it those of the coordinator's other games."""
    record = games.game(office, actor, game)
    own, *others = addresses.rosters(office, actor, record.key, post_days)
    bots = {seat.power: seat.bot for seat in record.seats}
    return roster(
        _name(record),
        _seats(own, bots, runs_it="coordinator" in record.roles),
        office.clock.now().date(),
        post_days or 0,
        routes=[PostDays(" and ".join(dict.fromkeys(r.ends)), r.days, _day(r.post_by)) for r in own.routes],
        others=[(GameName(other.name, other.game), _seats(other)) for other in others],
    )


def _day(iso: str | None) -> date | None:
    return date.fromisoformat(iso) if iso else None


def _seats(
    told: GameRoster, bots: Mapping[str, str] = MappingProxyType({}), *, runs_it: bool = False
) -> list[RosterSeat]:
    lines = {line.power: line for line in told.lines}
    lacks = "no address" if runs_it else "no address shared" if told.told else "only its players see it"
    seats = []
    for power in told.powers:
        line, bot = lines.get(power), bots.get(power, "")
        person = line.name if line else f"bot {bot}" if bot else ""
        stays = _stays(line) if line else ()
        days = line.days if line is not None and line.then is not None and power not in told.own else None
        last = _day(line.post_by) if line is not None and days is not None else None
        seats.append(RosterSeat(power, person, stays, "" if bot else lacks, days, last))
    return seats


def roster_cards(office: Office, actor: Actor, game: str) -> bytes:
    """A card for the coordinator and each person of the roster, with all that each plays."""
    record = games.game(office, actor, game)
    told = addresses.rosters(office, actor, record.key)
    held: dict[int, list[tuple[str, RosterLine]]] = {}
    for one in told:
        for line in one.lines:
            held.setdefault(line.person, []).append((one.name, line))
    made = [
        PersonCard(
            own[0][1].name,
            tuple((name, line.power) for name, line in own),
            next((stays for _, line in own if (stays := _stays(line))), ()),
            "no address shared",
        )
        for own in held.values()
    ]
    to = told[0].orders_to
    if record.coordinator:
        stays = (Stay(_address(to.name, to.address), today=True),) if to is not None else ()
        made.insert(0, PersonCard(record.coordinator, tuple((one.name, COORDINATOR) for one in told), stays))
    return cards(made, office.clock.now().date())


def orders_of_turn(office: Office, actor: Actor, game: str, turn: str = "last") -> bytes:
    """Copies of all executed orders of a turn, with the pictures that the reader may see.

    :raises ConflictError: while its results are not out.
    """
    record = games.game(office, actor, game)
    result = games.result(office, actor, record.key, turn)
    copies = [
        ExecutedSheet(
            sheet.power,
            _how_it_came(sheet),
            tuple(line for line in sheet.text.splitlines() if line.strip()) or sheet.orders,
            _note_on(sheet),
            _pictures(office, actor, record, result.name, sheet),
        )
        for sheet in result.sheets
    ]
    return executed_orders(_name(record), result.name, result.state, copies, office.clock.now().date())


def _how_it_came(sheet: Executed) -> str:
    if sheet.missing or not sheet.version:
        return ""
    if sheet.received is None:
        return f"version {sheet.version}"
    way = {"mail": "by e-mail", "post": "by post", "web": "on the page", "api": "by program", "bot": "by a bot"}
    return f"version {sheet.version}, {way.get(sheet.channel, sheet.channel)}, {moment_in_words(sheet.received)}"


def _note_on(sheet: Executed) -> str:
    if sheet.missing:
        return "Nothing came in time."
    if sheet.version and not sheet.text and not sheet.files and not sheet.copies:
        return "The sheet also has orders for later turns of the season, and is shown when they are over."
    notes = ((f"Chosen from several: {sheet.chosen}", sheet.chosen), (f"Corrected: {sheet.reason}", sheet.reason))
    return "; ".join(note for note, told in notes if told)


def _pictures(office: Office, actor: Actor, record: GameRecord, turn: str, sheet: Executed) -> tuple[bytes, ...]:
    """The pictures of a sheet that counted; those that the reader may not see, or that are gone, stay out."""
    shown = []
    for digest in (*sheet.files, *sheet.copies):
        with contextlib.suppress(NotFoundError, NotAllowedError, DamagedError):
            shown.append(submissions.executed_picture(office, actor, record.key, turn, sheet.power, digest)[2])
    return tuple(shown)


def map_set(rules: Ruleset, atlas: Atlas) -> Mapping[str, bytes]:
    """Return the PDF documents that players get at the start, by name (Annexe 2 of the rulebook, W-25).

    The start with control, with control and units, and boards to print and play on, without control, in A3 and A2.
    """
    start = rules.opening()
    return {
        "start": atlas.pdf(start, title=rules.title, control=True, units=False),
        "start-units": atlas.pdf(start, title=rules.title, control=True, units=True),
        "board-A3": atlas.pdf(None, title=rules.title, control=False, units=False, paper="A3"),
        "board-A2": atlas.pdf(None, title=rules.title, control=False, units=False, paper="A2"),
    }


def game_maps(office: Office, actor: Actor, game: str) -> Mapping[str, bytes]:
    """The set of maps of a game's variant (W-25)."""
    record = games.game(office, actor, game)
    return map_set(office.variants.load(record.variant, record.options), for_variant(record.variant, office.variants))


def standing(office: Office, actor: Actor, game: str) -> tuple[GameRecord, Ruleset, Position]:
    """A game, its rules and its present position."""
    record = games.game(office, actor, game)
    rules = office.variants.load(record.variant, record.options)
    return record, rules, position_from(rules, games.position(office, actor, record.key))


def _known(form: str, forms: Iterable[str], what: str) -> None:
    if form not in forms:
        raise InvalidInputError(
            f"There is no {what} {form[:20]!r}.", suggestions=list(forms), faults=[f"form: {', '.join(forms)}"]
        )


def _name(record: GameRecord) -> GameName:
    return GameName(record.name, record.key, record.title)


def _runs_it(record: GameRecord, actor: Actor) -> bool:
    return "coordinator" in record.roles or actor.kind == "console"


def is_by_post(record: GameRecord) -> bool:
    """Whether post is part of a game."""
    return _settings(record).is_postal()


def wants_envelope(record: GameRecord) -> bool:
    """Whether orders of the present turn are to be posted first."""
    return record.turn is not None and _settings(record).wants_envelope(record.turn.name.rpartition(" ")[2])


def _settings(record: GameRecord) -> GameSettings:
    return msgspec.convert(record.settings, GameSettings)


def _address(name: str, record: AddressRecord) -> Address:
    lines = tuple(line for line in record.lines if line.casefold() != name.casefold())
    return Address(name, lines, record.country)


def _players(office: Office, actor: Actor, record: GameRecord, post_days: int | None) -> list[Party]:
    """Who is written to, and where a letter that is posted today finds them."""
    return [
        Party(line.power, line.name, _address(line.name, line.then) if line.then else None)
        for line in addresses.roster(office, actor, record.key, days_in_post=post_days)
    ]


def _stays(line: RosterLine) -> tuple[Stay, ...]:
    kept = sorted(
        [*([line.address] if line.address else []), *line.alternatives],
        key=lambda a: (not a.primary, a.first or ""),
    )
    return tuple(
        Stay(
            _address(line.name, address),
            date.fromisoformat(address.first) if address.first else None,
            date.fromisoformat(address.last) if address.last else None,
            today=line.address is not None and address.id == line.address.id,
            posted_today=line.then is not None and address.id == line.then.id,
        )
        for address in kept
    )


def _sender(office: Office, actor: Actor, record: GameRecord, given: Address | None) -> Party:
    """Who writes, with the address that was given or the actor's own of today: the coordinator, or the player whose one
    power it is."""
    if given is None and actor.person is not None:
        today = office.clock.now().date().isoformat()
        own = [a for a in addresses.addresses(office, actor) if (a.first or "0") <= today <= (a.last or "9")]
        if own:
            name = people.me(office, actor).name
            given = _address(name, min(own, key=lambda a: a.primary))
    if not _runs_it(record, actor) and record.powers:
        return Party(record.powers[0], given.name if given else "", given)
    return Party(COORDINATOR, record.coordinator or (given.name if given else ""), given)


def _deadlines(office: Office, actor: Actor, record: GameRecord, post_days: int | None) -> list[Deadline]:
    """The next date that is still ahead, in the game's zone, and until when to post, while that is possible: of the
    open turn, else of the one that is planned next."""
    zone = ZoneInfo(_settings(record).plan().zone)
    return [
        Deadline(one.turn, one.due.astimezone(zone), date.fromisoformat(one.post_by) if one.post_by else None)
        for one in deadlines.coming(office, actor, record.key, 1, post_days)
    ]
