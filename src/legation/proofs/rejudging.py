"""Every turn judged again: which version counts, the seed of the lots, the results, what each seat was shown."""

import json
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
                self._played(turn, played)
            before = turn
        self._ending(before)
        if self.judged:
            self.report.checked.append(f"{self.judged} results were judged again and came out the same, or are listed")

    def _fail(self, line: int, turn: TurnState, what: str) -> None:
        self.report.fail(line, f"journal line {line} ({turn.name})", what, LIE)

    # The position

    def _standings(self) -> None:
        """Check every position in which a turn opened, also one that was put aside or opened anew: that it is one, from
        whom it awaited orders, and whether the turn before had led to it by then."""
        for number, standing in enumerate(self.walk.standings):
            line, turn = standing.line, self.walk.turns[standing.turn]
            position, fault = self._read(standing.position)
            if position is None:
                self._fail(line, turn, f"its position cannot be read: {fault}")
                self.positions.pop(turn.name, None)
            else:
                self.positions[turn.name] = position
                if str(position.turn) != turn.name:
                    self._fail(line, turn, f"its position is of {position.turn}")
                if list(standing.awaited) != list(awaited_powers(self.rules, position)):
                    self._fail(line, turn, "other seats are awaited than those that have something to order")
            if standing.before:
                self._leads(line, turn, standing.before, standing.position)
            elif number == 0 and self.walk.game.old is None:
                begins = self.walk.imported or position_text(self.rules, self.rules.opening())
                if _plain(standing.position) != _plain(begins):
                    said = "line 2 says" if self.walk.imported else "its rules say"
                    self._fail(line, turn, f"the game begins in another position than {said}")

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
                self._fail(line, turn, what)

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
                self._fail(turn.opened, turn, f"{seat} was told wrongly whether it is awaited")
            if _plain(shown) != _plain(position_text(self.rules, self.rules.seen(position, seat))):
                self._fail(turn.opened, turn, f"{seat} was shown a position other than the rules let it see")

    # Results

    def _played(self, turn: TurnState, played: Played) -> None:
        position = self.positions.get(turn.name)
        hidden = self._hidden(turn, played)
        if (
            hidden
            and (self.walk.ended is not None or not self.walk.game.hides)
            and not hidden.startswith(("what ", LOST))
        ):
            self._fail(played.line, turn, f"all results are public, yet {hidden}")
            return
        if position is None or hidden:
            self.report.unchecked.append(
                f"{turn.name}: not judged again, since {hidden or 'its position is not known'}"
            )
            return
        assert played.counted is not None
        self._records(turn)
        given = {}
        for seat in self.rules.powers:
            self._choice(turn, played, position, seat)
            given[seat] = self._given(turn, played, position, seat)
        fresh, _ = play_texts(self.rules, position, given, self._seed(turn, played))
        self.judged += 1
        text = result_text(self.rules, fresh)
        if difference := first_difference(_plain(played.result), _plain(text)):
            self._fail(played.line, turn, f"judged again, it has a different result: {difference}")
        if self.walk.game.hides and not set(played.views) == set(turn.views) == set(self.rules.powers):
            self._fail(played.line, turn, "not every seat was shown its own view")
        for seat, shown in played.views.items():
            seen = result_text(self.rules, seen_turn(self.rules, fresh, seat))
            if difference := first_difference(_plain(shown), _plain(seen)):
                self._fail(
                    played.line, turn, f"{seat} was shown something other than the rules let it see: {difference}"
                )

    def _hidden(self, turn: TurnState, played: Played) -> str:
        """Why results cannot be judged by this reader; empty if they can."""
        if not played.result:
            return "its result is hidden from this reader"
        if played.counted is None or set(played.counted) != set(self.rules.powers):
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

    def _records(self, turn: TurnState) -> None:
        """A sheet has a record for its own turn and for each later one of the season."""
        position = self.positions[turn.name]
        wanted = [turn.name, *map(str, later_turns(self.rules, position.turn))]
        for (seat, version), commitments in turn.sheets.items():
            if [self.walk.filed[c].turn for c in commitments if c in self.walk.filed] != wanted:
                what = f"version {version} of {seat} has not one record for each turn of the season"
                self._fail(turn.closed, turn, what)

    def _choice(self, turn: TurnState, played: Played, position: Position, seat: str) -> None:
        """Which version counts is what the rule says, or the coordinator's choice."""
        assert played.counted is not None
        versions = self._versions(turn, played, position, seat)
        number, commitment = played.counted[seat]
        if seat in played.chosen:
            wanted = played.chosen[seat]
            standing = (v for v in versions if not v.withdrawn and not v.refused)
            if wanted and wanted not in {v.number for v in standing if v.confirmed or v.entered_by != "assigned"}:
                self._fail(played.line, turn, f"{seat} has no version {wanted} that could be chosen")
        else:
            wanted = choose_version(versions)
        if number != wanted:
            said = f"version {number}" if number else "nothing"
            self._fail(
                played.line, turn, f"{said} of {seat} counted, and {f'version {wanted}' if wanted else 'none'} should"
            )
            return
        if commitment != turn.sheets.get((seat, number), ("",))[0]:
            self._fail(played.line, turn, f"what counted of {seat} is not the record of version {number}")
        if number:
            entered = self.walk.fields_of(commitment).get("entered_by", "holder")
            self._tell_entered(turn, seat, number, commitment, entered)

    def _tell_entered(self, turn: TurnState, seat: str, number: int, commitment: str, entered: str) -> None:
        how = {
            "bot": "a bot",
            "assigned": "somebody whose mail was assigned to the seat and confirmed by its holder",
            "coordinator": "the coordinator",
        }.get(entered, "")
        if commitment in turn.opened_after:
            how = f"{how or 'the holder on paper'}; the envelope was read after the opening"
        elif commitment in turn.transcribed:
            how = f"{how or 'the holder by a picture'}; written down after the opening: compare with the picture"
        if how:
            self._tell(f"{turn.name}: version {number} of {seat} was entered by {how}")

    def _versions(self, turn: TurnState, played: Played, position: Position, seat: str) -> list[Version]:
        versions = []
        for (sender, number), commitments in turn.sheets.items():
            if sender != seat or not commitments:
                continue
            filed = self.walk.filed.get(commitments[0])
            if filed is not None and filed.never_counts(played.opened):
                continue
            fields = self.walk.fields_of(commitments[0])
            means = bool(fields.get("files")) or commitments[0] in turn.transcribed
            if not means:
                text = fields.get("text", "")
                means = interpret_sheet(self.rules, self.rules.seen(position, seat), seat, text).anything
            versions.append(
                Version(
                    number=number,
                    entered_by=fields.get("entered_by", "holder"),
                    says_anything=means,
                    **{word: (word, seat, number) in turn.words for word in WORDS},
                )
            )
        return versions

    def _given(self, turn: TurnState, played: Played, position: Position, seat: str) -> GivenText:
        """What counts of a seat: its text, and what it ordered ahead in the turns of the season before."""
        assert played.counted is not None
        _, commitment = played.counted[seat]
        text: str = played.transcribed.get(commitment) or self.walk.fields_of(commitment).get("text", "")
        if not commitment and turn.awaited is not None and seat in turn.awaited:
            self._tell(f"{turn.name}: nothing that could count came from {seat}")
        ahead = () if text.strip() else tuple(self._ahead(turn, played, position, seat))
        return GivenText(text, ahead)

    def _tell(self, line: str) -> None:
        if line not in self.report.told:
            self.report.told.append(line)

    def _ahead(self, turn: TurnState, played: Played, position: Position, seat: str) -> list[OrderedAhead]:
        if position.turn.phase in (Phase.MOVEMENT, Phase.PLACEMENT):
            return []
        listed = [t for t in self.walk.turns.values() if t.number < turn.number and t.played]
        found: list[OrderedAhead] = []
        for earlier in reversed(listed):
            sent_in = self.positions.get(earlier.name)
            if sent_in is None:
                break
            last = earlier.played[-1]
            version, _ = (last.counted or {}).get(seat, (0, ""))
            text = ""
            for record in earlier.sheets.get((seat, version), ()):
                filed = self.walk.filed.get(record)
                if filed is not None and filed.turn == turn.name:
                    text = played.transcribed.get(record) or filed.fields.get("text", "")
            if text.strip():
                found.append(OrderedAhead(text, sent_in.turn, sent_in))
            if sent_in.turn.phase is Phase.MOVEMENT:
                break
        return found

    def _seed(self, turn: TurnState, played: Played) -> str:
        secret = played.secret
        if not secret:
            assert self.walk.ended is not None
            secret = turn_secret(self.walk.ended.secret, turn.name)
        own = [f for f in self.walk.filed.values() if f.turn == f.given_in == turn.name]
        fields = [filed.fields for filed in own if not filed.never_counts(played.opened)]
        holders = [shown for shown in fields if shown.get("entered_by") == "holder"]
        return lot_seed(secret, turn.part, [shown.get("nonce", "") for shown in holders])

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
