"""Judging a recorded game again, and telling every difference with the option of the rules that would explain it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property

import msgspec

from legation.board import province_of
from legation.game import Game, bare_position, implied_position, read_orders
from legation.interop.games.record import ADJUSTMENTS, FAILED, RecordedGame, RecordedPhase, RecordedUnit, phase_word
from legation.interop.games.written import NOBODYS, misgiven, power_named, read_written
from legation.interop.sources import ForeignFileError
from legation.judge import Resolution, Ruleset, resolve
from legation.notation import OrderTextError
from legation.orders import Move, Sheet
from legation.position import Dislodged, Phase, Position, Turn, Unit

MOST_TOLD = 200
MOST_EXPLAINED = 12
"""Phases of a record whose differences are judged with other options, too."""
LONGEST_GAP = 12
"""Phases between two of a record."""
GONE = re.compile(r"\b(?:disbands?|removed?|waives?)\b| [DX]$", re.IGNORECASE)
"""Orders that say no more than what happens to a unit that nobody orders anything, or to a build."""


class RecordDifference(msgspec.Struct, frozen=True):
    """Where our judging and the record part: the turn, what differs, and the options that would explain it."""

    turn: str
    text: str
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        because = f" (as recorded with {' or '.join(self.options)})" if self.options else ""
        return f"{self.turn}: {self.text}{because}"


class JudgedRecord(msgspec.Struct):
    """What came of judging a record again: the game, and every difference."""

    game: Game
    turns: int
    stands: Position
    """Where the game stands at the end of the record, by the record itself where it says so."""
    differences: list[RecordDifference] = []
    unread: list[str] = []
    """Orders that were not understood."""
    misgiven: list[str] = []
    """Orders of units that weren't there or are another's, in phases that come out as recorded."""
    merged: list[str] = []
    """Phases that are only in the record or only here, and what was made of them."""
    spans: list[list[str]] = []
    """From which phase to which the record was followed."""
    not_judged: int = 0
    """Phases to which nothing leads here, and of which the record has no position."""
    agreed: int = 0


def judge_again(
    record: RecordedGame, rules: Ruleset, with_options: Callable[[Mapping[str, object]], Ruleset]
) -> JudgedRecord:
    """Judge every phase of a record from the position that the record has for it.

    The game that comes of it holds all turns; those that don't begin where the turn before ended here begin with the
    record's own position, and say so. ``with_options`` gives the same rules with other options.

    :raises ForeignFileError: if the record's powers or places are not those of the rules."""
    if not record.phases:
        raise ForeignFileError(f"{record.title}: holds no turn")
    return _Judging(record, rules, with_options).run()


class _Judging:
    def __init__(
        self, record: RecordedGame, rules: Ruleset, with_options: Callable[[Mapping[str, object]], Ruleset]
    ) -> None:
        self.record = record
        self.rules = rules
        self.with_options = with_options
        self.power = cache(self._power)
        self.unit = cache(self._unit)
        self.province = cache(self._province)
        self.codes: dict[str, str] = {}
        """Abbreviations of places that are not the board's."""
        self.explained = 0
        self.unnamed = False
        """Whether the orders that were read last stand under no power's name."""
        self.broken = False
        """Whether the record could not be followed from the phase before."""
        game = self._open()
        self.judged = JudgedRecord(game, len(record.phases), game.position)

    # --- the record in our words

    def _power(self, name: str) -> str:
        try:
            return self.rules.reader.power(name.replace("_", " "))
        except OrderTextError:
            known = ", ".join(self.rules.powers)
            told = f"{self.record.title}: {name[:40]!r} isn't a power of {self.rules.title} ({known})"
            raise ForeignFileError(told) from None

    def _unit(self, unit: RecordedUnit) -> Unit:
        where = f"{self.record.title}: {unit.kind} {unit.at}"
        power = self.power(unit.power)
        try:
            kind, at = self.rules.reader.unit(f"{unit.kind} {unit.at}", power)
        except OrderTextError as error:
            raise ForeignFileError(f"{where}: {error}") from None
        known = self.rules.kinds.get(kind)
        if known is None or not self.rules.board.stands(known.travel, at):
            raise ForeignFileError(f"{where}: no such unit can stand there on this board")
        return Unit(kind, at, power)

    def _province(self, written: str) -> str:
        try:
            return province_of(self.rules.reader.location(written.strip().lower()))
        except OrderTextError as error:
            raise ForeignFileError(f"{self.record.title}: {written[:40]}: {error}") from None

    def provinces(self, written: Iterable[str]) -> set[str]:
        """Our provinces; what is none is noted."""
        found: set[str] = set()
        for place in written:
            try:
                found.add(self.province(place))
            except ForeignFileError as error:
                self.judged.unread += [str(error)] if str(error) not in self.judged.unread else []
        return found

    def position(self, phase: RecordedPhase, now: Position) -> Position | None:
        """The recorded position before a phase, as far as the record has it; None where it has no units.

        :raises ForeignFileError: if it is none of the rules' board."""
        if phase.units is None:
            return None
        owners = now.owners
        if phase.owners is not None:
            owners = {self.province(c): self.power(p) for c, p in phase.owners.items()}
        dislodged = now.dislodged
        if phase.dislodged is not None:
            attackers = {d.unit.at: d.attacker_from for d in now.dislodged}
            listed = [Dislodged(u, attackers.get(u.at)) for u in map(self.unit, phase.dislodged)]
            dislodged = (*listed, *self.unlisted(phase, now, {d.unit for d in listed}))
        units = tuple(dict.fromkeys(self.unit(u) for u in phase.units))  # some records list a unit twice
        here: dict[str, Unit] = {}
        for unit in units:
            if (other := here.setdefault(unit.province, unit)) is not unit:
                both = " and ".join(f"{one.kind} {one.at} of {one.power}" for one in (other, unit))
                raise ForeignFileError(f"{self.record.title}: {phase.name}: {both} stand in one province")
        return msgspec.structs.replace(now, units=units, dislodged=dislodged, owners=owners)

    def unlisted(self, phase: RecordedPhase, now: Position, listed: set[Unit]) -> Iterator[Dislodged]:
        """Dislodged units that a record orders away and does not list."""
        for dislodged in now.dislodged if listed else ():
            unit, province = dislodged.unit, self.rules.board.provinces[dislodged.unit.province]
            names = re.compile("|".join(rf"\b{re.escape(n)}\b" for n in (province.id, province.name)), re.IGNORECASE)
            given = (o for power, orders in phase.orders.items() if self.power(power) == unit.power for o in orders)
            if unit not in listed and any(names.search(order) for order in given):
                self.merge(phase.name, f"{unit.power} {unit} is ordered in the record, and not listed as dislodged")
                yield dislodged

    def _open(self) -> Game:
        opening = self.rules.opening()
        first = self.record.phases[0]
        turn = opening.turn
        if 0 < first.year < 100 <= turn.year:  # S01
            for phase in self.record.phases:
                phase.year = turn.year + (phase.year - turn.year) % 100
        if not (named := first.year >= 1):
            told = f"year {first.year}" if first.season else "the turn"
            self.record.left(
                told, f"years are counted from 1 here: it is {turn.year}" if first.season else "isn't named"
            )
            for phase in reversed(self.record.phases):
                phase.year += turn.year - first.year
        for _ in range(4000):
            if self.same_turn(turn, first):
                break
            turn = self.rules.next_turn(turn)
        else:
            raise ForeignFileError(f"{self.record.title}: {first.name} isn't a turn of {self.rules.title}")
        there = self.position(first, msgspec.structs.replace(opening, turn=turn)) or self.implied(
            first, turn, opening, named=named
        )
        start = opening if self.apart(opening, there) is None and turn == opening.turn else there
        return Game(self.rules, name=self.record.title, opening=start)

    def implied(self, first: RecordedPhase, turn: Turn, opening: Position, *, named: bool) -> Position:
        """The position that the first orders imply; that of an opening which is named, if most units stand in it.

        :raises ForeignFileError: if they say nothing of it."""
        there, faults = implied_position(self.rules, turn, self.sheets(first, bare_position(self.rules, turn))[0])
        unnamed = self.unnamed
        units, known = {*there.units, *(d.unit for d in there.dislodged)}, {*opening.units}
        if named and turn == opening.turn and 2 * len(units & known) >= len(units):
            return opening
        if unnamed and turn == opening.turn:
            sheets, lost = self.sheets(first, opening)
            if any(sheet.orders for sheet in sheets) and not any(line.endswith(NOBODYS) for line in lost):
                return opening
        if not units and not there.owners:
            raise ForeignFileError(f"{self.record.title}: begins with {first.name} and says nothing of the position")
        if unnamed:
            self.record.left("powers", "aren't named; a unit and those that move against it have different ones here")
        self.record.left(f"the position of {turn}", "isn't in the record; it's made of the units that the orders name")
        for fault in faults:
            self.record.left(f"a unit of {turn}", fault)
        return there if there.owners else msgspec.structs.replace(there, owners=opening.owners)

    def same_turn(self, turn: Turn, phase: RecordedPhase) -> bool:
        """Whether a turn of ours is a recorded phase: by year, phase, and season for movement."""
        if not phase.phase:
            return True  # where a record ends
        if turn.year != phase.year or phase.phase not in (turn.phase.value, phase_word(turn)):
            return False
        seasons = {"Fall" if season == "Autumn" else season for season in (turn.season, phase.season)}
        return phase.phase == ADJUSTMENTS or "" in seasons or len(seasons) == 1

    # --- judging

    def run(self) -> JudgedRecord:
        judged = self.judged
        position = before = judged.game.position
        for number, phase in enumerate(self.record.phases):
            after = self.record.phases[number + 1] if number + 1 < len(self.record.phases) else None
            there = self.found_position(phase, position)
            if not phase.ordered and after is None and not phase.played:
                position = self.move_to(phase, position, there)
                if there is not None and self.same_turn(position.turn, phase):
                    position = msgspec.structs.replace(position, units=there.units, owners=there.owners)
                    judged.turns -= 1  # it is not over
                break  # where the game stands
            if there is not None and number == 0 and (apart := self.apart(position, there)):
                self.tell(phase.name, f"the position differs: {apart}")
            if not self.same_turn(position.turn, phase) and self.passed(before.turn, position.turn, phase):
                self.only_recorded(phase)
                continue
            position = self.move_to(phase, position, there)
            if there is not None:
                position = msgspec.structs.replace(
                    there,
                    turn=position.turn,
                    contested=position.contested,
                    dislodged=there.dislodged or position.dislodged,
                )
            if not self.same_turn(position.turn, phase):
                position = self.leap(phase, position, there)
            if self.same_turn(position.turn, phase):
                before, position = position, self.judge(number, position)
            else:
                judged.not_judged += 1
        judged.stands = position
        if judged.game.ending is None:
            self.resume(position)
        return judged

    def found_position(self, phase: RecordedPhase, now: Position) -> Position | None:
        """The recorded position; one that is none is told, unless the record begins with it."""
        try:
            return self.position(phase, now)
        except ForeignFileError as error:
            if phase is self.record.phases[0]:
                raise
            self.tell(phase.name, f"the record's position cannot be taken: {error}")
            return None

    def judge(self, number: int, position: Position) -> Position:
        """Judge one phase, and hold what comes of it against the record; the position after it."""
        judged, phase, later = self.judged, self.record.phases[number], self.record.phases[number + 1 :]
        after = later[0] if later else None
        if self.broken or not judged.spans:
            judged.spans.append([phase.name, ""])
        self.broken, judged.spans[-1][1] = False, phase.name
        sheets, lost = self.sheets(phase, position)
        judged.unread += [f"{phase.name}: {line}" for line in lost]
        goes_on = any(p.ordered for p in self.record.phases[number:])
        resolution = self.play(position, sheets, phase.comments, goes_on=goes_on)
        silent = bool(phase.text and phase.season) and phase.failed is None
        missed = [f"{phase.name}: {line}" for line in misgiven(resolution, silent=silent)]
        faults = list(self.against(phase, after, resolution))
        followed = not phase.text and after is not None and after.units is not None and not faults
        (judged.misgiven if followed else judged.unread).extend(missed)
        said = (after is not None and after.units is not None) or phase.failed is not None
        if faults:
            self.explain(phase, after, position, sheets, faults)
        elif said or not (lost or missed):
            judged.agreed += 1
        if later:
            self.end(phase.name, resolution, any(p.ordered for p in later))
        return resolution.after

    def play(
        self, position: Position, sheets: Sequence[Sheet], comments: Sequence[str] = (), *, goes_on: bool
    ) -> Resolution:
        """Play a turn from a position; after the game's end only if the record goes on."""
        game = self.judged.game
        if game.ending is not None and not goes_on:
            return resolve(self.rules, position, sheets)
        self.resume(position)
        return game.play(sheets, comments=comments)

    def resume(self, position: Position) -> None:
        """Go on from the record's position where the turns so far don't lead to it."""
        game = self.judged.game
        out, listed = (frozenset(d.unit for d in p.dislodged) for p in (game.position, position))
        if game.ending is not None:
            game.resume(position, f"the record goes on, though the game has ended here: {game.ending.reason}")
        elif game.position.turn != position.turn or out != listed or self.apart(game.position, position):
            apart = self.apart(game.position, position) or f"{game.position.turn} comes here before it"
            game.resume(position, f"begins with the record's own position; {apart}")

    def end(self, turn: str, resolution: Resolution, goes_on: bool) -> None:
        """Note a game that ends here before its record does."""
        if resolution.ending is not None and goes_on:
            self.tell(turn, f"the game ends here ({resolution.ending.reason}), and goes on in the record")

    def passed(self, before: Turn, now: Turn, phase: RecordedPhase) -> bool:
        """Whether a recorded phase is one that came and went here, as nobody had anything to order in it."""
        for _ in range(LONGEST_GAP):
            before = self.rules.next_turn(before)
            if before == now:
                return False
            if self.same_turn(before, phase):
                return True
        return False

    def only_recorded(self, phase: RecordedPhase) -> None:
        """Tell of a phase that there is only in the record."""
        given = [line for line in phase.given if not power_named(self.rules, line.strip(" :"))]
        strange = [order for order in given if not GONE.search(order)]
        if strange:
            self.tell(phase.name, f"nobody has anything to order here; in the record: {'; '.join(strange[:4])}")
        elif given:
            self.merge(phase.name, "nobody has anything to order here; the phase is one with that before it")
        else:
            self.judged.turns -= 1  # a heading and nothing more

    def move_to(self, phase: RecordedPhase, position: Position, there: Position | None) -> Position:
        """Pass over phases that the record has not; nobody orders anything in them."""
        for _ in range(LONGEST_GAP):
            if self.same_turn(position.turn, phase) or position.turn.phase is Phase.MOVEMENT:
                break
            if there is None or position.turn.phase is Phase.RETREATS:
                self.merge(str(position.turn), "isn't in the record; nobody orders anything in it")
            resolution = self.play(position, (), goes_on=phase.ordered)
            self.end(str(position.turn), resolution, phase.ordered)
            position = resolution.after
        return position

    def leap(self, phase: RecordedPhase, position: Position, there: Position | None) -> Position:
        """Go on from the record's own position where the record cannot be followed to it."""
        told = f"comes in the record, where {position.turn} comes here"
        turn = position.turn
        for _ in range(4 * LONGEST_GAP):
            if self.same_turn(turn, phase):
                break
            turn = self.rules.next_turn(turn)
        reached = there is not None and self.same_turn(turn, phase)
        if not (self.broken and there is None):
            self.tell(phase.name, told + ("; judging goes on from the record's position" if reached else ""))
        self.broken = True
        if there is None or not reached:
            return position
        return msgspec.structs.replace(there, turn=turn, contested=frozenset())

    def sheets(self, phase: RecordedPhase, position: Position) -> tuple[list[Sheet], list[str]]:
        """The orders of a phase, and what is not understood of them."""
        if phase.text:
            written = read_written(self.rules, position.turn.phase, phase.text, position, self.codes)
            self.unnamed = written.apart
            for word in sorted(written.codes.keys() - self.codes.keys()):
                self.record.left(word, f"was read as {self.rules.board.name_of(written.codes[word])}")
            self.codes |= written.codes
            if position.turn.phase is Phase.MOVEMENT:
                phase.failed = written.failed if written.telling else phase.failed
                if phase.dislodged_now is not None or written.dislodged:
                    phase.dislodged_now = (phase.dislodged_now or set()) | written.dislodged
            return written.sheets, [*written.unread, *written.remarks]
        lost: list[str] = []
        given: dict[str, list[str]] = {}
        for name, orders in phase.orders.items():
            try:
                given.setdefault(self.power(name), []).extend(map(self.spelled, orders))
            except ForeignFileError:
                if phase is self.record.phases[0]:
                    raise
                lost += [f"{name}: {order}: isn't a power of the game" for order in orders]
        sheets, unread = read_orders(self.rules, position, given, lost)
        lost += [f"{u.power}: {u.text}: {u.reason}" for u in unread]
        for sheet, listed in zip(sheets, given.values(), strict=False):
            if len(sheet.orders) == len(listed):
                self.remember(position.turn.phase, sheet, listed)
            elif len(sheet.orders) + sum(u.power == sheet.power for u in unread) != len(listed):
                text = "\n".join([f"{sheet.power}:", *listed])
                lost += read_written(self.rules, position.turn.phase, text, position).remarks
        return list(sheets), lost

    def spelled(self, order: str) -> str:
        """An order with kinds and places that are written as their codes in the case that they have here."""
        kinds, places = self.rules.kinds, self.rules.tables.province
        words = [w.lower() if w.lower() in places else w.upper() if w.upper() in kinds else w for w in order.split()]
        return " ".join(words) if words and words[0] in kinds else order

    def remember(self, phase: Phase, sheet: Sheet, listed: list[str]) -> None:
        """Keep what texts were read as, where the position did not matter: games order the same again and again."""
        reader = self.rules.reader
        for text, order in zip(listed, sheet.orders, strict=True):
            if reader.known_orders.find(text, phase, sheet.power) is None:
                with suppress(OrderTextError):
                    if reader.order(text, phase, sheet.power) == order:
                        reader.known_orders.keep((text, sheet.power), phase, order)

    def against(self, phase: RecordedPhase, after: RecordedPhase | None, resolution: Resolution) -> Iterator[str]:
        """How what came of a phase differs from what the record says of it."""
        if after is not None and after.units is not None:
            now = resolution.after
            try:
                there = self.position(after, now)
            except ForeignFileError:
                return  # which is told where the phase comes
            assert there is not None
            if after.phase in ("", "Movement") or now.turn.phase.value == after.phase:
                if apart := self.apart(now, there, owners=after.owners is not None and after.phase != "Retreats"):
                    yield apart
                    return
        if phase.phase != "Movement":
            return
        failed = self.provinces(phase.failed or ())
        standing = {(unit.power, unit.province) for unit in resolution.before.units}
        for verdict in resolution.verdicts if phase.failed is not None else ():
            if not isinstance(verdict.order, Move) or (verdict.power, province_of(verdict.order.at)) not in standing:
                continue
            if (verdict.outcome in FAILED) != (province_of(verdict.order.at) in failed):
                said = "failed" if province_of(verdict.order.at) in failed else "succeeded"
                yield f"{verdict.explanation}; in the record it {said}"
        listed = after.dislodged or () if after is not None else ()
        dislodged = self.provinces([*(phase.dislodged_now or ()), *(unit.at for unit in listed)])
        ours = {d.unit.province for d in resolution.dislodged}
        if phase.dislodged_now is not None and ours != dislodged:
            here, recorded = (", ".join(sorted(places)) or "nobody" for places in (ours, dislodged))
            yield f"dislodged here: {here}; in the record: {recorded}"

    def apart(self, ours: Position, theirs: Position, *, owners: bool = True) -> str | None:
        told: list[str] = []
        mine = {(u.power, u.kind, u.at) for u in ours.units}
        other = {(u.power, u.kind, u.at) for u in theirs.units}
        for title, units in (("only here", mine - other), ("only in the record", other - mine)):
            if units:
                told.append(f"{title}: {', '.join(f'{p} {k} {a}' for p, k, a in sorted(units)[:6])}")
        if owners:
            for center in sorted(set(ours.owners) | set(theirs.owners)):
                a, b = ours.owners.get(center), theirs.owners.get(center)
                if a != b:
                    told.append(f"{center} is {a or 'nobody'}'s here, {b or 'nobody'}'s in the record")
        return "; ".join(told[:8]) or None

    def explain(
        self,
        phase: RecordedPhase,
        after: RecordedPhase | None,
        position: Position,
        sheets: list[Sheet],
        faults: list[str],
    ) -> None:
        """Tell differences with the options that would have led to what the record says."""
        found: list[str] = []
        self.explained += 1
        for name, rules in self.readings if self.explained <= MOST_EXPLAINED else ():
            kept, self.rules = self.rules, rules
            try:
                if not list(self.against(phase, after, resolve(rules, position, sheets))):
                    found.append(name)
            except ValueError:
                continue  # a reading with another calendar has no such turn
            finally:
                self.rules = kept
        for fault in faults[:MOST_TOLD]:
            self.tell(phase.name, fault, tuple(found[:4]))

    @cached_property
    def readings(self) -> list[tuple[str, Ruleset]]:
        """The same rules with one option read otherwise."""
        found = []
        for option in self.rules.declared_options:
            for reading in option.readings:
                if reading != self.rules.options[option.name]:
                    with suppress(ValueError):
                        chosen = {**self.rules.chosen, option.name: reading}
                        found.append((f"{option.name} = {reading}", self.with_options(chosen)))
        return found

    def merge(self, turn: str, text: str) -> None:
        told = f"{turn}: {text}"
        if told not in self.judged.merged and len(self.judged.merged) < MOST_TOLD:
            self.judged.merged.append(told)

    def tell(self, turn: str, text: str, options: tuple[str, ...] = ()) -> None:
        if len(self.judged.differences) < MOST_TOLD:
            self.judged.differences.append(RecordDifference(turn, text, options))


def judged_text(record: RecordedGame, judged: JudgedRecord, options: Sequence[str] = ()) -> str:
    """The report of a game that was imported; ``options`` were chosen as the record shows them."""
    unread = [*record.unread, *judged.unread]
    lines = [
        f"{record.title} ({record.format}): {judged.turns} phases on {judged.game.rules.title}, "
        f"{judged.agreed} judged alike"
    ]
    if len(judged.spans) > 1 or judged.not_judged:
        spans = ", and from ".join(" to ".join(span) for span in judged.spans)
        rest = f"; {judged.not_judged} phases could not be judged" if judged.not_judged else ""
        lines.append(f"Judged from {spans}{rest}.")
    if own := [str(turn.resolution.before.turn) for turn in judged.game.turns if turn.resumed]:
        more = f" and {len(own) - 20} more" if len(own) > 20 else ""
        lines.append(f"Turns that begin with the record's own position: {', '.join(own[:20])}{more}.")
    for title, listed in (
        (f"Orders that weren't understood: {len(unread)}", unread),
        ("Differences", [str(d) for d in judged.differences]),
        ("Orders of units that aren't theirs", judged.misgiven),
        ("Phases that are only here or only in the record", judged.merged),
        ("Not taken", [f"{n.what}: {n.text}" for n in record.not_taken]),
    ):
        if listed:
            lines += [title if title[-1].isdigit() else f"{title}:", *(f"  {line}" for line in listed[:MOST_TOLD])]
    if options:
        lines.append(f"Judged with {', '.join(options)}, as the record shows.")
    if not judged.differences:
        lines.append("No differences." if not unread else "No differences found, as far as the orders were understood.")
    return "\n".join(lines) + "\n"


def judge_as_recorded(
    record: RecordedGame, load: Callable[[Mapping[str, object]], Ruleset]
) -> tuple[JudgedRecord, list[str]]:
    """Judge a record, and again with the options that explain its differences, if fewer are left then.

    ``load`` gives the rules with a game's options. Returned are the judging with the fewest differences and the options
    that it took, as texts."""
    chosen = dict(record.options)
    try:
        judged = judge_again(record, load(chosen), load)
    except ValueError as error:
        if isinstance(error, ForeignFileError):
            raise
        raise ForeignFileError(f"{record.title}: {error}") from None
    took: list[str] = []
    for _ in range(3):
        named = [option for difference in judged.differences for option in difference.options]
        if not named:
            break
        best = max(sorted(set(named)), key=named.count)
        name, _, reading = best.partition(" = ")
        options = {**chosen, name: {"True": True, "False": False}.get(reading, reading)}
        again = judge_again(record, load(options), load)
        if len(again.differences) >= len(judged.differences):
            break
        judged, chosen = again, options
        took.append(best)
    return judged, took
