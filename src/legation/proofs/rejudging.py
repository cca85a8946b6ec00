"""Every turn judged again: which version counts, the seed of the lots, the results, what each seat was shown."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.game import read_position
from legation.game.playing import GivenText, OrderedAhead, awaited_powers, play_texts
from legation.game.sheets import interpret_sheet, later_turns
from legation.game.views import seen_turn
from legation.judge import Ruleset
from legation.position import Phase, Position
from legation.proofs.canonical import digest
from legation.proofs.lots import lot_seed, turn_secret
from legation.proofs.records import Version, choose_version
from legation.proofs.report import LIE, Report
from legation.proofs.results import position_text, result_text
from legation.proofs.sheet_lines import WORDS
from legation.proofs.walk_state import Played, TurnState
from legation.proofs.walking import Walk
from legation.variants import Registry

LOST = "a key was lost that opens"
NEEDED = frozenset(["text", "nonce", "entered_by"])  # pictures may be erased: then what was read in them counts


def load_rules(walk: Walk, variants: Registry, report: Report) -> Ruleset | None:
    """The rules that the game is pinned to, if they are known here."""
    rules = None
    try:
        for name in variants.versions(walk.game.variant):
            rules = variants.load(name, walk.game.options)
            if digest("rules", rules.text) == walk.game.rules:
                break
    except ValueError as error:
        if rules is None:
            report.unchecked.append(
                f"no turn was judged again: the variant {walk.game.variant!r} is not known here ({error})"
            )
            return None
    if rules is None or digest("rules", rules.text) != walk.game.rules:
        report.unchecked.append(
            f"no turn was judged again: the game is pinned to other rules of {walk.game.variant!r} than are known here"
        )
        return None
    if list(rules.powers) != walk.game.seats:
        report.fail(1, "journal line 1", "its seats are not the powers of the variant", LIE)
        return None
    return rules


class Rejudging:
    """The turns of a game, one after the other."""

    def __init__(self, walk: Walk, rules: Ruleset) -> None:
        self.walk, self.rules, self.report = walk, rules, walk.report
        self.positions: dict[str, Position] = {}
        self.judged = 0

    def run(self) -> None:
        """Judge all turns that are open enough."""
        before: TurnState | None = None
        self._standings()
        for turn in self.walk.turns.values():
            if turn.state == "aside":
                continue
            self._opening(turn, before)
            for played in turn.played:
                self.judged += _Result(self, turn, played).judge()
            before = turn
        self._ending(before)
        if self.judged:
            self.report.checked.append(f"{self.judged} results were judged again and came out the same, or are listed")

    def fail(self, line: int, turn: TurnState, what: str) -> None:
        """Note what doesn't hold of a turn."""
        self.report.fail(line, f"journal line {line} ({turn.name})", what, LIE)

    # The position

    def _standings(self) -> None:
        """Check each position in which a turn opened: that it is one, whose orders are awaited, and what led to it."""
        for number, standing in enumerate(self.walk.standings):
            line, turn = standing.line, self.walk.turns[standing.turn]
            position, fault = self._read(standing.position)
            if position is None:
                self.fail(line, turn, f"its position cannot be read: {fault}")
                self.positions.pop(turn.name, None)
            else:
                self.positions[turn.name] = position
                if str(position.turn) != turn.name:
                    self.fail(line, turn, f"its position is of {position.turn}")
                if list(standing.awaited) != list(awaited_powers(self.rules, position)):
                    self.fail(line, turn, "other seats are awaited than those that have something to order")
            if standing.before:
                self._leads(line, turn, standing.before, standing.position)
            elif number == 0 and self.walk.game.old is None:
                begins = self.walk.imported or position_text(self.rules, self.rules.opening())
                if _plain(standing.position) != _plain(begins):
                    said = "line 2 says" if self.walk.imported else "its rules say"
                    self.fail(line, turn, f"the game begins in another position than {said}")

    def _read(self, text: str) -> tuple[Position | None, str]:
        """A position of the journal; or why it is none."""
        faults: list[str] = []
        try:
            position = read_position(self.rules, _plain(text), faults)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            faults.append(str(error))
        return (None, faults[0]) if faults else (position, "")

    def _leads(self, line: int, turn: TurnState, result: str, position: str) -> None:
        if result and _plain(position) != _plain(_after(result)):
            what = "it opens in another position than the one that the turn before led to"
            if what not in {f.what for f in self.report.failures if turn.name in f.place}:
                self.fail(line, turn, what)

    def _opening(self, turn: TurnState, before: TurnState | None) -> None:
        if not turn.position:
            self.report.unchecked.append(f"{turn.name}: its position is hidden from this reader")
            return
        if before is not None and before.played:
            self._leads(turn.opened, turn, before.played[-1].result, turn.position)
        position, awaited = self.positions.get(turn.name), turn.awaited or ()
        if position is None:
            return
        for seat, (own, shown) in turn.views.items():
            if list(own) != [seat] * (seat in awaited):
                self.fail(turn.opened, turn, f"{seat} was told wrongly whether it is awaited")
            if _plain(shown) != _plain(position_text(self.rules, self.rules.seen(position, seat))):
                self.fail(turn.opened, turn, f"{seat} was shown a position other than the rules let it see")

    # The end

    def _ending(self, last: TurnState | None) -> None:
        ended = self.walk.ended
        result = _plain(last.played[-1].result) if last is not None and last.played and last.played[-1].result else None
        ending = result.get("ending") if isinstance(result, dict) else None
        if ended is None:
            if ending is not None and last is not None:
                self.report.told.append(f"{last.name}: the game is over ({ending['kind']}), and not closed yet")
        elif ending is None:
            self.report.told.append(f"the game was ended by the office: {ended.how} ({', '.join(ended.seats)})")
        elif (ended.how, ended.seats) != (ending["kind"], list(ending["powers"])):
            place = f"journal line {self.walk.ended_line} (ended)"
            self.report.fail(self.walk.ended_line, place, "the game did not end as its last result says", LIE)


class _Result:
    """Results of a turn, judged again."""

    def __init__(self, game: Rejudging, turn: TurnState, played: Played) -> None:
        self.rejudging, self.walk, self.rules, self.report = game, game.walk, game.rules, game.report
        self.turn, self.played, self.position = turn, played, game.positions.get(turn.name)
        self.counted = played.counted or {}

    def _fail(self, what: str, line: int = 0) -> None:
        self.rejudging.fail(line or self.played.line, self.turn, what)

    def _tell(self, what: str) -> None:
        if (line := f"{self.turn.name}: {what}") not in self.report.told:
            self.report.told.append(line)

    def judge(self) -> bool:
        """Judge them again; return whether that can be done."""
        turn, played, position, hidden = self.turn, self.played, self.position, self._hidden()
        is_public = self.walk.ended is not None or not self.walk.game.hides
        if hidden and is_public and not hidden.startswith(("what ", LOST)):
            self._fail(f"all results are public, yet {hidden}")
            return False
        if position is None or hidden:
            why = hidden or "its position is not known"
            self.report.unchecked.append(f"{turn.name}: not judged again, since {why}")
            return False
        self._records(position)
        given = {}
        for seat in self.rules.powers:
            self._choice(position, seat)
            given[seat] = self._given(position, seat)
        fresh, _ = play_texts(self.rules, position, given, self._seed())
        if difference := first_difference(_plain(played.result), _plain(result_text(self.rules, fresh))):
            self._fail(f"judged again, it has a different result: {difference}")
        if self.walk.game.hides and not set(played.views) == set(turn.views) == set(self.rules.powers):
            self._fail("not every seat was shown its own view")
        for seat, shown in played.views.items():
            seen = result_text(self.rules, seen_turn(self.rules, fresh, seat))
            if difference := first_difference(_plain(shown), _plain(seen)):
                self._fail(f"{seat} was shown something other than the rules let it see: {difference}")
        return True

    def _hidden(self) -> str:
        """Why results cannot be judged by this reader; empty if they can."""
        turn, played = self.turn, self.played
        if not played.result:
            return "its result is hidden from this reader"
        if set(self.counted) != set(self.rules.powers):
            return "which versions counted is hidden from this reader"
        if not played.secret and self.walk.ended is None:
            return "the secret of its lots is not out"
        if not played.secret and played.opened < self.walk.lots_since:
            return f"{LOST} the secret of its lots"
        for filed in self.walk.filed.values():
            if turn.name in (filed.turn, filed.given_in) and not filed.seat:
                return "who sent what is hidden from this reader"
            counts = filed.turn == turn.name and not filed.never_counts(played.opened)
            if counts and not filed.fields.keys() >= NEEDED:
                return f"{LOST} what {filed.seat} sent" if filed.lost else f"what {filed.seat} sent is not open"
        return ""

    def _records(self, position: Position) -> None:
        """A sheet has a record for its own turn and for each later one of the season."""
        wanted = [self.turn.name, *map(str, later_turns(self.rules, position.turn))]
        for (seat, version), commitments in self.turn.sheets.items():
            if [self.walk.filed[c].turn for c in commitments if c in self.walk.filed] != wanted:
                what = f"version {version} of {seat} has not one record for each turn of the season"
                self._fail(what, self.turn.closed)

    def _choice(self, position: Position, seat: str) -> None:
        """Which version counts is what the rule says, or the coordinator's choice."""
        versions, (number, commitment) = self._versions(position, seat), self.counted[seat]
        if seat in self.played.chosen:
            wanted = self.played.chosen[seat]
            standing = (v for v in versions if not v.withdrawn and not v.refused)
            if wanted and wanted not in {v.number for v in standing if v.confirmed or v.entered_by != "assigned"}:
                self._fail(f"{seat} has no version {wanted} that could be chosen")
        else:
            wanted = choose_version(versions)
        if number != wanted:
            said, right = (f"version {n}" if n else "" for n in (number, wanted))
            self._fail(f"{said or 'nothing'} of {seat} counted, and {right or 'none'} should")
            return
        if commitment != self.turn.sheets.get((seat, number), ("",))[0]:
            self._fail(f"what counted of {seat} is not the record of version {number}")
        if number:
            self._tell_entered(seat, number, commitment)

    def _tell_entered(self, seat: str, number: int, commitment: str) -> None:
        how = {
            "bot": "a bot",
            "assigned": "somebody whose mail was assigned to the seat and confirmed by its holder",
            "coordinator": "the coordinator",
        }.get(self.walk.fields_of(commitment).get("entered_by", "holder"), "")
        if commitment in self.turn.opened_after:
            how = f"{how or 'the holder on paper'}; the envelope was read after the opening"
        elif commitment in self.turn.transcribed:
            how = f"{how or 'the holder by a picture'}; written down after the opening: compare with the picture"
        if how:
            self._tell(f"version {number} of {seat} was entered by {how}")

    def _versions(self, position: Position, seat: str) -> list[Version]:
        versions, turn = [], self.turn
        for (sender, number), commitments in turn.sheets.items():
            filed = self.walk.filed.get(commitments[0]) if commitments else None
            if sender != seat or not commitments or (filed is not None and filed.never_counts(self.played.opened)):
                continue
            fields = self.walk.fields_of(commitments[0])
            means = bool(fields.get("files")) or commitments[0] in turn.transcribed
            if not means:
                text = fields.get("text", "")
                means = interpret_sheet(self.rules, self.rules.seen(position, seat), seat, text).anything
            words = {word: (word, seat, number) in turn.words for word in WORDS}
            entered_by = fields.get("entered_by", "holder")
            versions.append(Version(number=number, entered_by=entered_by, says_anything=means, **words))
        return versions

    def _given(self, position: Position, seat: str) -> GivenText:
        """What counts of a seat: its text, and what it ordered ahead in the turns of the season before."""
        _, commitment = self.counted[seat]
        text = self._text(commitment)
        if not commitment and seat in (self.turn.awaited or ()):
            self._tell(f"nothing that could count came from {seat}")
        return GivenText(text, () if text.strip() else tuple(self._ahead(position, seat)))

    def _text(self, commitment: str) -> str:
        text: str = self.played.transcribed.get(commitment) or self.walk.fields_of(commitment).get("text", "")
        return text

    def _ahead(self, position: Position, seat: str) -> Iterator[OrderedAhead]:
        if position.turn.phase in (Phase.MOVEMENT, Phase.PLACEMENT):
            return
        for earlier in reversed([t for t in self.walk.turns.values() if t.number < self.turn.number and t.played]):
            sent_in = self.rejudging.positions.get(earlier.name)
            if sent_in is None:
                return
            version, _ = (earlier.played[-1].counted or {}).get(seat, (0, ""))
            records = earlier.sheets.get((seat, version), ())
            own = [r for r in records if r in self.walk.filed and self.walk.filed[r].turn == self.turn.name]
            if own and (text := self._text(own[-1])).strip():
                yield OrderedAhead(text, sent_in.turn, sent_in)
            if sent_in.turn.phase is Phase.MOVEMENT:
                return

    def _seed(self) -> str:
        secret = self.played.secret
        if not secret:
            assert self.walk.ended is not None
            secret = turn_secret(self.walk.ended.secret, self.turn.name)
        own = [f for f in self.walk.filed.values() if f.turn == f.given_in == self.turn.name]
        fields = [filed.fields for filed in own if not filed.never_counts(self.played.opened)]
        holders = [shown for shown in fields if shown.get("entered_by") == "holder"]
        return lot_seed(secret, self.turn.part, [shown.get("nonce", "") for shown in holders])


def _plain(text: str) -> Any:
    try:
        return decode_json(text) if text else None
    except msgspec.DecodeError:
        return text


def _after(result: str) -> str:
    after = _plain(result)
    return json.dumps(after.get("after")) if isinstance(after, dict) else ""


def first_difference(stored: Any, fresh: Any, place: str = "") -> str:
    """The first place where two documents differ, in words; empty if they do not."""
    if stored == fresh:
        return ""
    if isinstance(stored, dict) and isinstance(fresh, dict):
        key = next(k for k in sorted(stored.keys() | fresh.keys()) if stored.get(k) != fresh.get(k))
        return first_difference(stored.get(key), fresh.get(key), f"{place}.{key}" if place else key)
    if isinstance(stored, list) and isinstance(fresh, list) and len(stored) == len(fresh):
        number = next(i for i, (one, other) in enumerate(zip(stored, fresh, strict=True)) if one != other)
        return first_difference(stored[number], fresh[number], f"{place}[{number}]")
    return f"{place or 'all of it'} is {_short(stored)}, and should be {_short(fresh)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 160 else f"{text[:160]}…"
