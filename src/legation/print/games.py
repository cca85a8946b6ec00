"""What goes on paper for a game of the office, filled in with what its reader may see: mostly for the coordinator."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from zoneinfo import ZoneInfo

import msgspec

from legation.atlas import Atlas, for_variant
from legation.game import read_verdicts
from legation.game.views import seen_resolution
from legation.judge import Ruleset, Verdict
from legation.languages import ENGLISH
from legation.office.context import Actor
from legation.office.errors import ConflictError, DamagedError, InvalidInputError, NotAllowedError, NotFoundError
from legation.office.game.turns import position_from
from legation.office.game.views import out_of_sight
from legation.office.hosting import absences, deadlines, games, year_letters
from legation.office.hosting import roster as addresses
from legation.office.identity import people
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import DueDate, Executed, GameRecord
from legation.office.terms.plans import settings_of
from legation.position import Phase, Position, Turn
from legation.print.executed import executed_orders
from legation.print.letters import YearEnd, year_end_letter
from legation.print.packets import lending_sheet, turn_packet
from legation.print.post import ENVELOPES, LABELS, Envelope, envelopes, labels
from legation.print.records import COORDINATOR, Address, Directions, GameName, Party, address_of, deadline
from legation.print.roster import cards, roster
from legation.proofs.canonical import encode


class GamePapers:
    """The papers of a game, as one reader may print them. ``post_days`` is how many days a letter takes, if not as the
    game's settings say.

    Each method raises :class:`OfficeError` where the reader may not print it, or there is nothing to print yet."""

    def __init__(self, office: Office, actor: Actor, game: str, post_days: int | None = None) -> None:
        self.office, self.actor, self.post_days = office, actor, post_days
        self.record: GameRecord = games.game(office, actor, game)
        record = self.record
        self.settings = settings_of(record)
        self.name = GameName(record.name, record.key, record.title)
        self.runs_it = "coordinator" in record.roles or actor.kind == "console"
        self.today = office.clock.now().date()

    @cached_property
    def rules(self) -> Ruleset:
        """The rules of the game."""
        return self.office.variants.load(self.record.variant, self.record.options)

    @cached_property
    def atlas(self) -> Atlas:
        """The map of the game's variant."""
        return for_variant(self.record.variant, self.office.variants)

    @property
    def position(self) -> Position:
        """The present position."""
        return position_from(self.rules, games.position(self.office, self.actor, self.record.key))

    def for_power(self, power: str) -> GamePapers:
        """Return the papers that a power's player can print, for whoever runs the game; for others their own.

        :raises NotFoundError: for a power that nobody plays."""
        if not power or not self.runs_it:
            return self
        told = games.game(self.office, Actor.console(), self.record.key)
        seat = next((s for s in told.seats if s.power == power), None)
        if seat is None or seat.person is None:
            raise NotFoundError(f"Nobody plays {power} in {self.record.name}.")
        return GamePapers(self.office, people.as_person(self.office, seat.person), told.key, self.post_days)

    def packet(self, power: str) -> bytes:
        """Return the turn packet of a power, for its player or the coordinator."""
        record = self.record
        if power not in self.rules.powers:
            raise NotFoundError(f"There is no power {power!r} in {record.name}.", suggestions=list(self.rules.powers))
        if power not in record.powers and not self.runs_it:
            raise NotFoundError(f"Only its player can print the packet for {power}.")
        if record.turn is not None and record.turn.state not in ("open", "waiting"):
            raise ConflictError(
                f"{record.turn.name} is closed. The order sheet of the next turn is printed when it opens."
            )
        due = self._deadlines()
        phase = record.turn.name.rpartition(" ")[2] if record.turn is not None else ""
        in_time = phase == Phase.MOVEMENT.value or any(one["post_by"] for one in due)  # retreats have two days
        posted = in_time and self.settings.takes("post", phase)
        return turn_packet(
            self.name,
            self.rules,
            self.atlas,
            self.rules.seen(self.position, power),
            self._party(power),
            self.today,
            self._directions(due, posted=posted),
        )

    def packets(self) -> dict[str, bytes]:
        """Return the packets of all powers that are held by people, by power; in a game by post, of those whose address
        is known: one for each envelope."""
        if not self.runs_it:
            raise NotAllowedError("Only the coordinator can print every power's packet.")
        unknown = self.without_address() if self.settings.is_postal() else []
        held = [s.power for s in self.record.seats if s.state == "held" and s.survives and s.power not in unknown]
        return {power: self.packet(power) for power in held}

    def lending(self, power: str, turn: str = "", ally: str = "") -> bytes:
        """Return the sheet by which the player of a power has an ally order its units in a movement, by default the
        present one; for its player or the coordinator. The ally's name may be left to be written in.

        :raises ConflictError: where no rule lets another power order one's units."""
        record, rules = self.record, self.rules
        if power not in record.powers and not self.runs_it:
            raise NotFoundError(f"Only its player can print a sheet for {power}.")
        order = absences.lending_order(rules)
        ahead = deadlines.coming(self.office, self.actor, record.key, absences.LOOKED_AHEAD)
        due = next((d for d in ahead if (d.turn == turn if turn else d.turn.endswith(Phase.MOVEMENT.value))), None)
        if not order or due is None or Turn.parse(due.turn).phase is not Phase.MOVEMENT:
            raise ConflictError(f"In {record.name} there are no units to place under another power's orders.")
        if ally and (ally not in rules.powers or ally == power):
            raise NotFoundError(f"There is no ally {ally[:40]!r} in {record.name}.", suggestions=list(rules.powers))
        return lending_sheet(
            self.name,
            Turn.parse(due.turn),
            order,
            self._party(power),
            self.today,
            ally,
            self._directions([self._deadline(due)], posted=self.settings.takes("post", Phase.MOVEMENT.value)),
        )

    def letters(self, note: str = "", sender: Address | None = None, power: str = "") -> dict[str, bytes]:
        """Return the letters on the last year that has been settled, to all players with an address (or to a power's
        alone), by power. ``sender`` is the coordinator's address; if left out, the actor's own."""
        office, actor, record, rules = self.office, self.actor, self.record, self.rules
        if not self.runs_it:
            raise NotAllowedError("Only the coordinator can print the year-end letters.")
        _, turns = year_letters.settled_year(office, actor, record.key)
        gazette = year_letters.gazette(office, actor, record.key)
        edited = gazette.text if gazette.edited else ""
        ahead = tuple(self._deadlines())
        signed = games.result(office, actor, record.key, str(turns[-1].before.turn)).head
        head = encode(signed).decode() if signed is not None else ""

        def year(power: str) -> YearEnd:
            """The year as a power saw it; once the game is over, the whole of it."""
            language = self._language(power)
            if record.state == "ended":
                return YearEnd(turns, ahead, note, head, text=edited, language=language)
            seen = tuple(seen_resolution(rules, turn, power) for turn in turns)
            hidden = rules.hidden_provinces(turns[-1].after, power)
            before = rules.hidden_provinces(turns[0].before, power)
            return YearEnd(seen, ahead, note, head, hidden, before, edited, language)

        own = self._sender(sender)
        return {
            party.position: year_end_letter(self.name, rules, self.atlas, year(party.position), own, party, self.today)
            for party in self._players()
            if party.address is not None and power in ("", party.position)
        }

    def labels(self, form: str = "3x7", skip: int = 0, power: str = "") -> bytes:
        """Return labels with the addresses at which letters posted today arrive, in the order of the powers; or for one
        power."""
        _known(form, LABELS, "sheet of labels")
        known = [p.address for p in self._players() if p.address is not None and power in ("", p.position)]
        if not known:
            raise ConflictError(f"You can't see any postal address in {self.record.name}.")
        return labels(known, self.today, form, skip=skip)

    def envelopes(self, form: str = "C5", sender: Address | None = None) -> bytes:
        """Return envelopes to all players with an address, fronts and backs: from the coordinator, or from the player
        who asks."""
        _known(form, ENVELOPES, "envelope")
        own = self._sender(sender)
        if own.address is None:
            raise ConflictError("An envelope needs a return address. Add your postal address first, or give one.")
        season = Turn.parse(self.record.turn.name).name if self.record.turn else ""
        addressed = [
            Envelope(own, party, self.name, season)
            for party in self._players()
            if party.address is not None and party.position != own.position
        ]
        if not addressed:
            raise ConflictError(f"You can't see any postal address in {self.record.name}.")
        return envelopes(addressed, self.today, form, language=self._own_language())

    def orders_envelope(self, form: str = "C5") -> bytes:
        """Return the envelope for a player's orders of the present season: to the coordinator, with "Orders" on its
        back. Without an address of the player's own there is room to write it."""
        _known(form, ENVELOPES, "envelope")
        record = self.record
        if not record.powers or record.turn is None:
            raise ConflictError("Only players of a running game can print an envelope for orders.")
        to = self._coordinator()
        if to.address is None:
            raise ConflictError(f"The coordinator of {record.name} hasn't given a postal address.")
        own = self._sender(None)
        if own.address is None:
            name = people.me(self.office, self.actor).name
            own = Party(own.position, name, Address(name))
        season = Turn.parse(record.turn.name).name
        return envelopes(
            [Envelope(own, to, self.name, season, orders=True)], self.today, form, language=self._own_language()
        )

    def without_address(self) -> list[str]:
        """Return the powers whose players have no postal address on record, for a letter posted today."""
        return [party.position for party in self._players() if party.address is None]

    def map(self, turn: str = "") -> bytes:
        """Return the map of the present position, or of a turn with what was ordered, as far as the reader sees it."""
        verdicts: Sequence[Verdict] = ()
        position, title = self.position, self.record.name
        if turn:
            result = games.result(self.office, self.actor, self.record.key, turn)
            position, title = position_from(self.rules, result.position), f"{title}, {result.name}"
            verdicts = read_verdicts(self.rules, Turn.parse(result.name).phase, result.verdicts, [])
        hidden = out_of_sight(self.rules, self.record, position)
        return self.atlas.pdf(position, verdicts, title=title, hidden=hidden)

    def maps(self) -> Mapping[str, bytes]:
        """Return the set of maps of the game's variant (W-25)."""
        return map_set(self.rules, self.atlas)

    def roster(self) -> bytes:
        """Return the roster with the addresses that the reader may see, and after it those of the coordinator's other
        games."""
        told = addresses.rosters(self.office, self.actor, self.record.key, self.post_days)
        bots = {seat.power: seat.bot for seat in self.record.seats}
        runs_it, language = "coordinator" in self.record.roles, self._own_language()
        days = self.post_days or 0
        return roster(told, self.record.title, self.today, days, bots=bots, runs_it=runs_it, language=language)

    def cards(self) -> bytes:
        """Return a card for the coordinator and each person of the roster, with all that each plays."""
        told = addresses.rosters(self.office, self.actor, self.record.key)
        return cards(told, self.record.coordinator or "", self.today, self._own_language())

    def orders(self, turn: str = "last") -> bytes:
        """Return copies of all executed orders of a turn, with the pictures that the reader may see."""
        result = games.result(self.office, self.actor, self.record.key, turn)
        pictures = {sheet.power: self._pictures(result.name, sheet) for sheet in result.sheets}
        return executed_orders(self.name, result, pictures, self.today, self._own_language())

    def _pictures(self, turn: str, sheet: Executed) -> tuple[bytes, ...]:
        """The pictures of a sheet that counted; those that the reader may not see, or that are gone, stay out."""
        shown, key = [], self.record.key
        for digest in (*sheet.files, *sheet.copies):
            with contextlib.suppress(NotFoundError, NotAllowedError, DamagedError):
                picture = submissions.executed_picture(self.office, self.actor, key, sheet.power, turn, digest)
                shown.append(picture[2])
        return tuple(shown)

    def _coordinator(self) -> Party:
        """The coordinator, with the address to which orders are posted where there is one."""
        known = addresses.orders_address(self.office, self.actor, self.record.key)
        if known is None:
            return Party(COORDINATOR, self.record.coordinator or "")
        return Party(COORDINATOR, known.name, address_of(known.name, known.address))

    def _directions(self, deadlines: Sequence[Mapping[str, str]], *, posted: bool) -> Directions:
        mailbox = self.office.settings.orders_address
        real = "" if mailbox.endswith("@localhost") else mailbox
        return Directions(deadlines, real, self._coordinator().address if posted else None)

    def _own_language(self) -> str:
        """The reader's language."""
        return people.language_of(self.office, self.actor, self.actor.language)

    def _language(self, power: str) -> str:
        """The language of a power's player."""
        seats = games.game(self.office, Actor.console(), self.record.key).seats
        person = next((seat.person for seat in seats if seat.power == power), None)
        return ENGLISH if person is None else people.language_of(self.office, people.as_person(self.office, person))

    def _party(self, power: str) -> Party:
        """A power with its player's name, where the reader may know it."""
        lines = addresses.roster(self.office, self.actor, self.record.key)
        name = next((line.name for line in lines if line.power == power), "")
        return Party(power, name, language=self._language(power))

    def _players(self) -> list[Party]:
        """Who is written to, and where a letter that is posted today finds them."""
        return [
            Party(line.power, line.name, address_of(line.name, line.then) if line.then else None)
            for line in addresses.roster(self.office, self.actor, self.record.key, days_in_post=self.post_days)
        ]

    def _sender(self, given: Address | None) -> Party:
        """Who writes, with the address that was given or the actor's own of today: the coordinator, or the player whose
        one power it is."""
        record = self.record
        if given is None and self.actor.person is not None:
            today = self.today.isoformat()
            known = addresses.addresses(self.office, self.actor)
            own = [a for a in known if (a.first or "0") <= today <= (a.last or "9")]
            if own:
                name = people.me(self.office, self.actor).name
                given = address_of(name, min(own, key=lambda a: a.primary))
        if not self.runs_it and record.powers:
            return Party(record.powers[0], given.name if given else "", given)
        return Party(COORDINATOR, record.coordinator or (given.name if given else ""), given)

    def _deadlines(self) -> list[dict[str, str]]:
        """The next date that is still ahead, and until when to post, while that is possible: of the open turn, else of
        the one that is planned next."""
        ahead = deadlines.coming(self.office, self.actor, self.record.key, 1, self.post_days)
        return [self._deadline(one) for one in ahead]

    def _deadline(self, one: DueDate) -> dict[str, str]:
        return deadline(one.turn, one.due.astimezone(ZoneInfo(self.settings.plan().zone)), one.post_by)


def map_set(rules: Ruleset, atlas: Atlas) -> Mapping[str, bytes]:
    """Return the PDF documents that players get at the start, by name (Annexe 2 of the rulebook, W-25).

    The start with control, with control and units, and boards to print and play on, without control, in A3 and A2."""
    start = rules.opening()
    return {
        "start": atlas.pdf(start, title=rules.title, control=True, units=False),
        "start-units": atlas.pdf(start, title=rules.title, control=True, units=True),
        "board-A3": atlas.pdf(None, title=rules.title, control=False, units=False, paper="A3"),
        "board-A2": atlas.pdf(None, title=rules.title, control=False, units=False, paper="A2"),
    }


def _known(form: str, forms: Iterable[str], what: str) -> None:
    if form not in forms:
        raise InvalidInputError(
            f"There is no {what} {form[:20]!r}.", suggestions=list(forms), faults=[f"form: {', '.join(forms)}"]
        )


class PaperOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What may be said of a paper: whose it is, the form of labels or envelopes and the labels of a sheet that are
    used, the note and the sender of letters, the turn, and the ally who is lent units."""

    power: str = ""
    form: str = ""
    skip: int = 0
    note: str = ""
    sender: Address | None = None
    turn: str = ""
    ally: str = ""


PAPERS: Mapping[str, Callable[[GamePapers, PaperOptions], Mapping[str, bytes]]] = {
    "packets": lambda game, o: {o.power: game.packet(o.power)} if o.power else game.packets(),
    "packet": lambda game, o: {o.power: game.packet(o.power)},
    "letters": lambda game, o: game.letters(o.note, o.sender, o.power),
    "labels": lambda game, o: {o.power: game.labels(o.form or "3x7", o.skip, o.power)},
    "envelopes": lambda game, o: {o.form or "C5": game.envelopes(o.form or "C5", o.sender)},
    "envelope": lambda game, o: {"": game.orders_envelope(o.form or "C5")},
    "roster": lambda game, o: {"": game.for_power(o.power).roster()},
    "cards": lambda game, o: {"": game.for_power(o.power).cards()},
    "orders": lambda game, o: {"": game.orders(o.turn or "last")},
    "lending": lambda game, o: {o.power: game.lending(o.power, o.turn, o.ally)},
    "map": lambda game, o: {"": game.for_power(o.power).map(o.turn)},
    "maps": lambda game, _: game.maps(),
}
"""Every paper by its name on the command line and in addresses: its PDF documents, by power or form."""
