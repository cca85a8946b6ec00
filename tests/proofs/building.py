"""A small office for tests: plays whole games and keeps them as a transcript, with the library alone.

Everything comes from one seed. What the office knows and no transcript shows (keys, salts, sealed records) stays with
the :class:`Office`, so that a test can play the office that lies."""

import json
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Literal

import msgspec

from legation.bots.chance import plausible_sheets
from legation.game.playing import GivenText, OrderedAhead, awaited_powers, play_texts
from legation.game.sheets import interpret_sheet, later_turns, split_sheet
from legation.game.views import seen_turn
from legation.judge import Ruleset
from legation.notation import write
from legation.position import Phase, Position
from legation.proofs import chain, kinds, lots
from legation.proofs.canonical import digest
from legation.proofs.chain import Head, JournalLine, PrivateOpening
from legation.proofs.opening_checks import UNTIL_THE_END
from legation.proofs.receipts import SignedReceipt, SignedRefusal, signed_by
from legation.proofs.records import (
    FIELDS,
    EnteredBy,
    Opening,
    Record,
    SeatSignature,
    SentFile,
    Submission,
    Version,
    choose_version,
    make_record,
    ready_statement,
    sheet_statement,
    word_statement,
)
from legation.proofs.results import position_text, result_text
from legation.proofs.sheet_lines import WORDS
from legation.proofs.signing import public_key, sign
from legation.proofs.transcript import Header, Transcript, write_transcript

HOUR = 3_600_000_000
START = 1_767_225_600_000_000  # 1 January 2026


class Sent(msgspec.Struct):
    """A version of a seat in a turn, as the office keeps it."""

    seat: str
    version: int
    records: list[Record]
    withdrawn: bool = False
    refused: bool = False
    confirmed: bool = False


class PlayedTurn(msgspec.Struct):
    """A turn as the office keeps it."""

    name: str
    position: Position
    secret: str
    part: str
    due: int
    sent: list[Sent] = []
    ready: dict[str, int] = {}
    times_ready: dict[str, int] = {}
    counted: dict[str, int] = {}
    transcribed: dict[str, str] = {}
    published: bool = False
    lost: bool = False


class Office:
    """The office, its keeper, and the pages of all seats."""

    def __init__(
        self,
        rules: Ruleset,
        seed: str = "proofs",
        *,
        senders: Literal["shown", "hidden"] = "shown",
        anonymous: bool = False,
        elsewhere: bool = True,
        waits: bool = False,
        old: kinds.OldJournal | None = None,
    ) -> None:
        self.rules, self.random = rules, Random(seed)
        self.game = self.random_bytes(16).hex()
        self.office, self.keeper = self.random_bytes(32), self.random_bytes(32)
        self.offices = [(1, self.office)]  # from which line on which key
        self.keepers = [(1, self.keeper)]
        self.seats = {seat: self.random_bytes(32) for seat in rules.powers}
        self.hides = bool(rules.steps["visible_provinces"])
        self.senders, self.anonymous, self.elsewhere = senders, anonymous, elsewhere
        self.secret = self.random_bytes(32).hex()
        self.now = START
        self.lines: list[JournalLine] = []
        self.heads: dict[int, Head] = {}
        self.private: list[PrivateOpening] = []
        self.readers: dict[tuple[int, int], str] = {}  # of private openings: a seat, or "" for the office until the end
        self.turns: list[PlayedTurn] = []
        self.receipts: list[SignedReceipt] = []
        self.erased: dict[str, set[str]] = {}
        self.keyed: set[str] = set()
        self.gone: set[str] = set()  # commitments whose key is lost
        self.ended = False
        deal_part = self.random_bytes(32).hex() if elsewhere else ""
        deal_secret = lots.turn_secret(self.secret, lots.DEAL)
        self.line(
            "game", format="legation journal 2", game=self.game, office=public_key(self.office),
            keeper=kinds.KeeperKey(key=public_key(self.keeper), elsewhere=elsewhere), variant=rules.name,
            options=dict(rules.chosen), rules=digest("rules", rules.text), seats=list(rules.powers),
            lots=lots.secret_commitment(self.secret), deal=lots.turn_commitment(deal_secret),
            part=lots.part_commitment(deal_part), hides=self.hides, senders=senders,
            anonymous=anonymous, waits=waits, old=old,
        )  # fmt: skip
        self.deal(deal_secret, deal_part)

    def random_bytes(self, n: int) -> bytes:
        return self.random.randbytes(n)

    # The journal

    def line(self, kind: str, data: kinds.LineData | None = None, /, **fields: Any) -> JournalLine:
        """Append a line with this data, given whole or by its fields; sign the head after a kind that needs it."""
        self.now += 1_000_000
        data = data or kinds.KINDS[kind](**fields)
        last = (self.lines[-1].n, self.lines[-1].at, self.lines[-1].hash) if self.lines else None
        line = chain.next_line(last, self.now, kind, data.document())
        self.lines.append(line)
        if kind in kinds.SIGNED:
            self.sign_head(line)
        return line

    def sign_head(self, line: JournalLine) -> None:
        if line.n not in self.heads:
            statement = chain.head_statement(self.game, line.n, line.hash, self.now)
            signature = sign(self.office, "head", statement)
            self.heads[line.n] = Head(n=line.n, hash=line.hash, at=self.now, signature=signature)

    def private_line(self, entries: Iterable[tuple[str, kinds.LineData, str]], *, ordered: bool = False) -> None:
        """A private line of (kind, data, who may read it); sorted by hash, or in the order given."""
        opened = []
        for kind, data, reader in entries:
            salt = self.random_bytes(32).hex()
            opened.append((chain.private_hash(kind, data.document(), salt), kind, data.document(), salt, reader))
        if not opened:
            return
        if not ordered:
            opened.sort()
        line = self.line("private", hashes=[entry[0] for entry in opened])
        for index, (_, kind, document, salt, reader) in enumerate(opened):
            self.private.append(PrivateOpening(n=line.n, index=index, kind=kind, data=document, salt=salt))
            self.readers[line.n, index] = reader

    # The game

    def deal(self, secret: str, part: str) -> None:
        name, free, sign_ups = "Powick Bridge", list(self.seats), []
        for n, _ in enumerate(free, 1):
            wishes, nonce = self.random.sample(free, 2), self.random_bytes(16).hex()
            sign_ups.append(kinds.SignUp(number=f"sign-up {n}", wishes=wishes, nonce=nonce))
        seed = lots.lot_seed(secret, part, [sign_up.nonce for sign_up in sign_ups])
        dealt = lots.deal(seed, name, {sign_up.number: sign_up.wishes for sign_up in sign_ups}, free)
        said = [kinds.DealtSeat(number=number, seat=seat) for number, seat in dealt.items()]
        self.line("dealt", name=name, sign_ups=sign_ups, free=free, dealt=said, secret=secret, part=part)
        for seat in self.seats:
            self.hold(seat, self.random_bytes(8).hex())

    def hold(self, seat: str, person: str) -> None:
        self.line("held", seat=seat, person=person)

    def key(self, seat: str, *, new: bool = False) -> None:
        """The seat's page makes a key."""
        if new:
            self.seats[seat] = self.random_bytes(32)
        self.keyed.add(seat)
        self.line("seat key", seat=seat, key=public_key(self.seats[seat]))

    def open_turn(self, position: Position, hours: int = 24, again: PlayedTurn | None = None) -> PlayedTurn:
        name = str(position.turn)
        due = self.now + hours * HOUR
        lost = again is not None and again.lost
        part = again.part if again and not lost else self.random_bytes(32).hex() if self.elsewhere else ""
        secret = lots.turn_secret(self.secret, name)
        key = digest("test key", f"{name} {len(self.lines)}" if lost else name)
        turn = PlayedTurn(name, position, secret, part, due, again.sent if again else [])
        if again:
            turn.times_ready = again.times_ready
            self.turns.remove(again)
        self.turns.append(turn)
        commitments = {"secret": lots.turn_commitment(secret), "part": lots.part_commitment(part)}
        told: dict[str, Any] = {"turn": name, "key": key, "due": due, **commitments}
        signature = sign(self.keeper, "turn", chain.turn_statement(self.game, **told))
        office_key = digest("office key", name)
        self.line("turn opened", **told, number=len(self.turns), office_key=office_key, keeper=signature)
        awaited = list(awaited_powers(self.rules, position))
        whole = kinds.StandingLine(turn=name, seat="", awaited=awaited, position=position_text(self.rules, position))
        if not self.hides:
            self.line("standing", whole)
            return turn
        views = [whole]
        for seat in self.seats:
            text = position_text(self.rules, self.rules.seen(position, seat))
            own = [seat] if seat in awaited else []
            views.append(kinds.StandingLine(turn=name, seat=seat, awaited=own, position=text))
        self.private_line([("standing", view, view.seat) for view in views], ordered=True)
        return turn

    @property
    def turn(self) -> PlayedTurn:
        return self.turns[-1]

    @property
    def tells_senders(self) -> bool:
        return self.senders == "shown" and not self.hides

    def move_deadline(self, due: int, why: str = "moved") -> None:
        signature = sign(self.keeper, "deadline", chain.deadline_statement(self.game, self.turn.name, due))
        self.turn.due = due
        self.line("deadline", turn=self.turn.name, due=due, why=why, keeper=signature)

    # What is sent

    def send(
        self,
        seat: str,
        text: str,
        *,
        entered_by: EnteredBy = "holder",
        files: tuple[SentFile, ...] = (),
        note: str = "",
        signs: bool | None = None,
        nonce: str | None = None,
        received: int | None = None,
    ) -> Sent:
        """A sheet comes in: a record for each turn of the season, sealed; a receipt."""
        turn = self.turn
        self.now += 60_000_000
        version = 1 + max((sent.version for sent in turn.sent if sent.seat == seat), default=0)
        later = later_turns(self.rules, turn.position.turn)
        drawn = self.random_bytes(16).hex() if nonce is None else nonce
        nonce = drawn if entered_by == "holder" else ""
        signs = seat in self.keyed and entered_by == "holder" if signs is None else signs
        records = []
        for name, part in split_sheet(text, turn.position.turn, later).items():
            own = files if name == turn.name else ()
            signature = None
            if signs:
                statement = sheet_statement(self.game, name, turn.name, seat, part, [f.sent for f in own], nonce)
                signed = sign(self.seats[seat], "sheet", statement)
                signature = SeatSignature(public_key(self.seats[seat]), signed)
            submission = Submission(
                game=self.game, turn=name, given_in=turn.name, seat=seat, version=version, channel="web",
                received=self.now if received is None else received, entered_by=entered_by,
                text=part, files=own, note=note if name == turn.name else "", nonce=nonce, signature=signature,
            )  # fmt: skip
            records.append(make_record(submission, self.random_bytes))
        sent = Sent(seat, version, records)
        turn.sent.append(sent)
        at_once = self.tells_senders
        line = self.line("sent", self._sent(turn, sent)) if at_once else self.lines[max(self.heads) - 1]
        told: dict[str, Any] = {"game": self.game, "seat": seat, "turn": turn.name, "version": version}
        told |= {"received": records[0].submission.received, "records": self._listed(sent)}
        told |= {"line": line.n, "head": line.hash, "hidden": not at_once, "openings": [r.open() for r in records]}
        self.receipts.append(signed_by(self.office, SignedReceipt(**told)))
        return sent

    def _listed(self, sent: Sent) -> list[kinds.SentRecord]:
        return [kinds.SentRecord(turn=r.submission.turn, commitment=r.commitment) for r in sent.records]

    def _standing(self, turn: PlayedTurn) -> list[Sent]:
        """What was sent in a turn and can be opened."""
        return [sent for sent in turn.sent if sent.records[0].commitment not in self.gone]

    def _sent(self, turn: PlayedTurn, sent: Sent) -> kinds.SentLine:
        return kinds.SentLine(turn=turn.name, seat=sent.seat, version=sent.version, records=self._listed(sent))

    def word(self, kind: str, sent: Sent) -> None:
        """The holder's word on a version: ``withdrawn``, ``refused`` or ``confirmed``."""
        setattr(sent, kind, True)
        if self.tells_senders:
            self.line(kind, self._word_line(sent, kind))

    def _word_line(self, sent: Sent, kind: str) -> kinds.WordLine:
        turn, seat, version = self.turn.name, sent.seat, sent.version
        signature = sign(self.seats[seat], kind, word_statement(self.game, turn, seat, version))
        given = signature if seat in self.keyed else msgspec.UNSET
        return kinds.WordLine(turn=turn, seat=seat, version=version, signature=given)

    def ready(self, seat: str) -> None:
        turn = self.turn
        turn.times_ready[seat] = turn.times_ready.get(seat, -1) + 1
        turn.ready[seat] = max((sent.version for sent in turn.sent if sent.seat == seat), default=0)
        if self.tells_senders:
            self.line("ready", self._ready(seat))

    def _ready(self, seat: str) -> kinds.ReadyLine:
        turn = self.turn
        again = turn.times_ready[seat]
        statement = ready_statement(self.game, turn.name, seat, turn.ready[seat], again)
        signature = sign(self.seats[seat], "ready", statement) if seat in self.keyed else ""
        return kinds.ReadyLine(
            turn=turn.name, seat=seat, version=turn.ready[seat], signature=signature, again=again or msgspec.UNSET
        )

    # Closing and results

    def close(self, why: Literal["deadline", "all ready", "waited"] = "deadline", *, early: bool = False) -> None:
        turn = self.turn
        if why != "all ready" and not early:
            self.now = max(self.now, turn.due) + 1_000_000
        if not self.tells_senders:
            self._tell_senders(turn)
        line = self.line("closed", turn=turn.name, why=why, due=turn.due)
        at = self.now + 500_000
        statement = chain.closing_statement(self.game, turn.name, line.n, line.hash, at)
        signature = sign(self.keeper, "closing", statement)
        self.line("countersigned", turn=turn.name, line=line.n, head=line.hash, at=at, signature=signature)
        self.line("opened", turn=turn.name, part=turn.part)

    def _tell_senders(self, turn: PlayedTurn) -> None:
        fresh = self._standing(turn)
        said = [*self._told(fresh), *(("ready", self._ready(seat), seat) for seat in turn.ready)]
        if self.hides:
            self._seat_turns(turn, said)
            return
        records = sorted((r for sent in fresh for r in self._listed(sent)), key=lambda r: r.commitment)
        self.line("commitments", turn=turn.name, records=records)
        self.private_line(said)

    def _told(self, sheets: Iterable[Sent]) -> Iterable[tuple[str, kinds.LineData, str]]:
        """What of a turn's sheets is told when it is closed, where senders are hidden."""
        for sent in sheets:
            yield "sent", self._sent(self.turn, sent), sent.seat
            for kind in WORDS:
                if getattr(sent, kind):
                    yield kind, self._word_line(sent, kind), sent.seat

    def _seat_turns(self, turn: PlayedTurn, told: Iterable[tuple[str, kinds.LineData, str]]) -> None:
        """A hash for each seat, whatever it did."""
        said: dict[str, list[kinds.Said]] = {seat: [] for seat in self.seats}
        for kind, data, seat in told:
            said[seat].append(kinds.Said(kind=kind, data=data.document()))
        lines = {s: kinds.SeatTurnLine(turn=turn.name, seat=s, said=listed) for s, listed in said.items()}
        self.private_line([("seat turn", line, seat) for seat, line in lines.items()], ordered=True)

    def transcribe(self, sent: Sent, text: str, *, opened_after: bool = False) -> None:
        turn, record = self.turn, sent.records[0]
        turn.transcribed[record.commitment] = text
        said = {"seat": sent.seat, "version": sent.version, "commitment": record.commitment, "text": text}
        self.line("transcribed", turn=turn.name, **said, opened_after=opened_after, reason="")

    def publish(
        self,
        *,
        draft: bool = False,
        changed: Mapping[str, Any] | None = None,
        counted: Mapping[str, int] | None = None,
        carried_out: Mapping[str, str] | None = None,
    ) -> Position:
        """Count, judge, publish. An office that lies writes ``changed`` into the result, has other versions count, or
        carries out other texts."""
        turn = self.turn
        turn.counted = {seat: self._count(turn, seat) for seat in self.seats} | dict(counted or {})
        sheets = [
            kinds.CountedSheet(seat=seat, version=version, commitment=self._commitment(turn, seat, version))
            for seat, version in turn.counted.items()
        ]
        if self.hides:
            counts = [(sheet.seat, kinds.CountedLine(turn=turn.name, sheets=[sheet])) for sheet in sheets]
            self._seat_turns(turn, [("counted", data, seat) for seat, data in counts])
        else:
            self.line("counted", turn=turn.name, sheets=sheets)
        given = {seat: self._given(turn, seat) for seat in self.seats}
        given |= {seat: GivenText(text) for seat, text in (carried_out or {}).items()}
        records = [sent.records[0].submission for sent in self._standing(turn)]
        nonces = [record.nonce for record in records if record.entered_by == "holder"]
        played, _ = play_texts(self.rules, turn.position, given, lots.lot_seed(turn.secret, turn.part, nonces))
        text = result_text(self.rules, played)
        if changed:
            text = json.dumps({**json.loads(text), **changed})
        if self.hides:
            told = {seat: result_text(self.rules, seen_turn(self.rules, played, seat)) for seat in self.seats}
            views = [kinds.ResultLine(turn=turn.name, seat=s, result=r) for s, r in {"": text, **told}.items()]
            self.private_line([("result", view, view.seat) for view in views], ordered=True)
        secret, result = ("", "") if self.hides else (turn.secret, text)
        self.line("results", turn=turn.name, draft=draft, secret=secret, result=result)
        turn.published = True
        return played.resolution.after

    def _count(self, turn: PlayedTurn, seat: str) -> int:
        versions = []
        for sent in self._standing(turn):
            if sent.seat == seat:
                own, seen = sent.records[0].submission, self.rules.seen(turn.position, seat)
                means = bool(own.files) or interpret_sheet(self.rules, seen, seat, own.text).anything
                words = {word: getattr(sent, word) for word in WORDS}
                versions.append(Version(number=sent.version, entered_by=own.entered_by, says_anything=means, **words))
        return choose_version(versions)

    def _commitment(self, turn: PlayedTurn, seat: str, version: int) -> str:
        return next((s.records[0].commitment for s in turn.sent if (s.seat, s.version) == (seat, version)), "")

    def _given(self, turn: PlayedTurn, seat: str) -> GivenText:
        commitment = self._commitment(turn, seat, turn.counted[seat])
        text = turn.transcribed.get(commitment) or self._text(turn, seat, turn.name)
        ahead = []
        if not text.strip() and turn.position.turn.phase not in (Phase.MOVEMENT, Phase.PLACEMENT):
            for earlier in reversed(self.turns[: self.turns.index(turn)]):
                own = self._commitment(earlier, seat, earlier.counted[seat])
                if said := earlier.transcribed.get(own, "") or self._text(earlier, seat, turn.name):
                    ahead.append(OrderedAhead(said, earlier.position.turn, earlier.position))
                if earlier.position.turn.phase is Phase.MOVEMENT:
                    break
        return GivenText(text, tuple(ahead))

    def _text(self, turn: PlayedTurn, seat: str, wanted: str) -> str:
        for sent in turn.sent:
            if (sent.seat, sent.version) == (seat, turn.counted[seat]):
                known = [r for r in sent.records if r.commitment not in self.gone]
                return next((r.submission.text for r in known if r.submission.turn == wanted), "")
        return ""

    # What else happens

    def refusal(self, at: int, reason: str = "No.", turn: str = "", by: bytes = b"", game: str = "") -> SignedRefusal:
        """A sheet of France is not taken; ``by``: the key that signs that, if it is another's."""
        refusal = SignedRefusal(game=game or self.game, seat="France", turn=turn, at=at, reason=reason)
        return signed_by(by or self.office, refusal)

    def final(self) -> None:
        self.line("final", turn=self.turn.name)

    def end(self, how: str = "cancelled", seats: tuple[str, ...] = ()) -> None:
        self.ended = True
        self.line("ended", how=how, seats=list(seats), secret=self.secret)

    def lose_keys(self, *later: str, secret: bool = False) -> None:
        """The keys of the present turn are lost, of later ones of the season, and the game's secret with the office's
        own: the turn opens anew."""
        turn = self.turn
        if not self.tells_senders:
            self._tell_senders(turn)
        lost = [turn.name, *later]
        sent = (record for each in self.turns for one in each.sent for record in one.records)
        self.gone |= {record.commitment for record in sent if record.submission.turn in lost}
        self.secret = self.random_bytes(32).hex() if secret else self.secret
        commitment = lots.secret_commitment(self.secret) if secret else ""
        self.line("reopened", turn=turn.name, lost=lost, lots=commitment)
        turn.lost = True
        self.open_turn(turn.position, 48, again=turn)

    def change_key(self) -> None:
        """The office signs with another key from now on."""
        old, self.office = self.office, self.random_bytes(32)
        new = public_key(self.office)
        self.offices.append((len(self.lines) + 1, self.office))
        statement = chain.succession_statement(self.game, len(self.lines) + 1, new)
        self.line("office key", key=new, signature=sign(old, "key", statement))

    def transfer(self) -> None:
        """The game goes on in another office, with that one's keeper."""
        n, new, keeper = len(self.lines) + 1, self.random_bytes(32), self.random_bytes(32)
        signature = sign(self.keeper, "key", chain.succession_statement(self.game, n, public_key(keeper)))
        key = kinds.KeeperKey(key=public_key(keeper), elsewhere=self.elsewhere)
        self.line("transferred", key=public_key(new), keeper=key, signature=signature)
        self.office, self.keeper = new, keeper
        self.offices.append((n + 1, new))
        self.keepers.append((n + 1, keeper))
        self.line("taken over")

    def erase(self, sent: Sent, *fields: Literal["files", "note"]) -> None:
        commitment = sent.records[0].commitment
        self.erased.setdefault(commitment, set()).update(fields)
        record = kinds.ErasedRecord(commitment=commitment, fields=list(fields))
        self.line("erased", persons=[], records=[record])

    # The transcript

    def transcript(self, reader: str = "") -> Transcript:
        """The game as far as a reader may see: a seat, or everybody."""
        last = self.lines[-1]
        heads = dict(self.heads)
        if last.n not in heads:
            self.sign_head(last)
            heads, self.heads = self.heads, {n: h for n, h in self.heads.items() if n != last.n}
        until = max((line.n for line in self.lines if line.kind == "results"), default=0)
        private = [
            p
            for p in self.private
            if self.ended or (p.n < until and not self.hides) or self.readers[p.n, p.index] == (reader or None)
        ]
        header, openings = Header(game=self.game, rules=self.rules.text), tuple(self._openings(reader))
        return Transcript(header, tuple(self.lines), tuple(private), openings, tuple(heads.values()))

    def _openings(self, reader: str) -> Iterable[Opening]:
        published = {turn.name for turn in self.turns if turn.published}
        begin = (Phase.MOVEMENT, Phase.PLACEMENT)
        seasons = [n for n, t in enumerate(self.turns) if t.position.turn.phase in begin and t.published]
        known = {turn.name for turn in self.turns}
        for number, turn in enumerate(self.turns):
            for sent in turn.sent:
                for record in sent.records:
                    name = record.submission.turn
                    over = name not in known and any(season > number for season in seasons)
                    due = self.ended or (not self.hides and (name in published or over))
                    if record.commitment in self.gone:
                        continue
                    if due or (name in published and reader == sent.seat):
                        hidden = {"note"} | self.erased.get(record.commitment, set())
                        if self.anonymous and not self.ended:
                            hidden |= UNTIL_THE_END
                        yield record.open([field for field in FIELDS if field not in hidden])

    def file(self, reader: str = "") -> bytes:
        return b"".join(write_transcript(self.transcript(reader)))


def sheets_of(rules: Ruleset, position: Position, random: Random) -> dict[str, str]:
    """Plausible orders of every power, as texts."""
    return {s.power: "\n".join(write(o) for o in s.orders) for s in plausible_sheets(rules, position, random)}
