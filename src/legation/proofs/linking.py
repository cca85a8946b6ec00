"""The first checks of a journal: the form of every line, the chain, and the office's signatures."""

from collections.abc import Collection, Sequence

import msgspec

from legation.proofs import kinds
from legation.proofs.canonical import digest
from legation.proofs.chain import FIRST, JournalLine, head_statement, succession_statement
from legation.proofs.report import BrokenError, Report
from legation.proofs.signing import signed
from legation.proofs.transcript import Transcript

PRIVATE_ONLY = frozenset(["result", "seat turn"])
OF_A_SEAT = frozenset("sent withdrawn confirmed refused ready transcribed chosen counted".split())


class LinkedEntry(msgspec.Struct, frozen=True):
    """A line whose form holds, with what is open of a private one, by index: what each hash is of."""

    line: JournalLine
    hash: str
    data: kinds.LineData
    opened: dict[int, list[tuple[str, kinds.LineData]]]

    @property
    def private(self) -> bool:
        """Whether it is a private line."""
        return self.line.kind == "private"

    @property
    def hidden(self) -> bool:
        """Whether something of it is not open."""
        return isinstance(self.data, kinds.PrivateLine) and len(self.opened) < len(self.data.hashes)

    @property
    def place(self) -> str:
        """Where it is, in words."""
        turn = getattr(self.data, "turn", "")
        return f"journal line {self.line.n} ({self.line.kind}{', ' + turn if turn else ''})"


class Journal(msgspec.Struct, frozen=True):
    """A journal whose chain holds. ``offices``: from which line on which key is the office's; ``vouched``: the last key
    and those from which an unbroken line of signatures leads to it."""

    game: kinds.GameLine
    entries: tuple[LinkedEntry, ...]
    offices: tuple[tuple[int, str], ...]
    vouched: frozenset[str]

    def office_at(self, n: int) -> str:
        """The office's key after a line."""
        return [key for since, key in self.offices if since <= n][-1]


def link(transcript: Transcript, report: Report) -> Journal:
    """Check form and chain. Raises BrokenError at the first line that fails."""
    opened: dict[int, dict[int, list[tuple[str, kinds.LineData]]]] = {}
    lines = transcript.lines
    for opening in transcript.private:
        place = f"opening of journal line {opening.n}"
        holder = lines[opening.n - 1] if 1 <= opening.n <= len(lines) else None
        hashes = holder.data.get("hashes", []) if holder is not None and holder.kind == "private" else []
        if not isinstance(hashes, list) or not 0 <= opening.index < len(hashes):
            raise BrokenError(opening.n, place, "there is no such private line")
        if opening.kind not in kinds.PRIVATE:
            raise BrokenError(opening.n, place, f"{opening.kind!r} is never private")
        if hashes[opening.index] != opening.hash:
            raise BrokenError(opening.n, place, "it does not fit the hash in the line")
        data = _data(opening.kind, opening.data, place, opening.n)
        opened.setdefault(opening.n, {})[opening.index] = _said(opening.kind, data, place, opening.n)
    entries: list[LinkedEntry] = []
    last: JournalLine | None = None
    last_hash = FIRST
    for line in lines:
        entry = _entry(line, last, last_hash, opened.get(line.n, {}))
        entries.append(entry)
        last, last_hash = line, entry.hash
    if not entries or not isinstance(entries[0].data, kinds.GameLine):
        raise BrokenError(1, "journal line 1", "the journal does not begin with its game")
    game = entries[0].data
    if transcript.header.game != game.game:
        raise BrokenError(1, "header of the file", "it names another game than line 1 of the journal")
    if digest("rules", transcript.header.rules) != game.rules:
        raise BrokenError(1, "header of the file", "its rules are not those that line 1 of the journal is pinned to")
    offices, vouched = _offices(game, entries, report)
    return Journal(game, tuple(entries), tuple(offices), frozenset(vouched))


def _entry(
    line: JournalLine, last: JournalLine | None, last_hash: str, opened: dict[int, list[tuple[str, kinds.LineData]]]
) -> LinkedEntry:
    place = f"journal line {line.n} ({line.kind[:40]})"
    if line.n != (1 if last is None else last.n + 1):
        raise BrokenError(line.n, place, f"a line is missing, or out of order, before line {line.n}")
    if line.prev != last_hash:
        raise BrokenError(line.n, place, "it does not hold the hash of the line before it: one of the two was changed")
    if last is not None and line.at < last.at:
        raise BrokenError(line.n, place, "it is earlier than the line before it")
    if (line.kind == "game") is not (last is None):
        raise BrokenError(line.n, place, "line 1, and only line 1, tells of the game")
    if line.kind in PRIVATE_ONLY:
        raise BrokenError(line.n, place, "this stands only in private lines")
    return LinkedEntry(line, line.hash, _data(line.kind, line.data, place, line.n), opened)


def _data(kind: str, data: object, place: str, n: int) -> kinds.LineData:
    try:
        return kinds.read_data(kind, data)
    except KeyError:
        raise BrokenError(n, place, f"there is no kind of line {kind[:40]!r} in this format") from None
    except msgspec.ValidationError as error:
        raise BrokenError(n, place, str(error)) from None


def _said(kind: str, data: kinds.LineData, place: str, n: int) -> list[tuple[str, kinds.LineData]]:
    """What a private hash is of: itself, and of a seat's turn all that is in it."""
    if not isinstance(data, kinds.SeatTurnLine):
        return [(kind, data)]
    said = [(one.kind, _data(one.kind, one.data, place, n)) for one in data.said]
    for inner, one in said:
        seats = (
            [sheet.seat for sheet in one.sheets] if isinstance(one, kinds.CountedLine) else [getattr(one, "seat", "")]
        )
        if inner not in OF_A_SEAT or (getattr(one, "turn", ""), seats) != (data.turn, [data.seat]):
            raise BrokenError(n, place, "what is in it is of another seat or turn")
    return [(kind, data), *said]


def _offices(
    game: kinds.GameLine, entries: Sequence[LinkedEntry], report: Report
) -> tuple[list[tuple[int, str]], set[str]]:
    """Which key is the office's from which line on, and which vouch for the last; an unsigned change is told."""
    offices, vouched = [(1, game.office)], {game.office}
    given = ""  # to the office with this key, by the line above
    for entry in entries:
        n, data = entry.line.n, entry.data
        if bool(given) is not isinstance(data, kinds.TakenLine):
            what = "the game went to another office" if given else "no office gave the game away in the line before"
            raise BrokenError(n, entry.place, what)
        if given:
            offices.append((n, given))
            vouched.add(given)
        given = data.key if isinstance(data, kinds.TransferredLine) else ""
        if not isinstance(data, kinds.OfficeKeyLine):
            continue
        if not (old := data.signature):
            vouched.clear()
            report.words.append(
                f"{entry.place}: the office goes on with the key {data.key}, and the key before did not sign that. "
                "Compare it with your mails."
            )
        elif not signed(offices[-1][1], old, "key", succession_statement(game.game, n, data.key)):
            raise BrokenError(n, entry.place, "the change of key is not signed by the key before")
        offices.append((n, data.key))
        vouched.add(data.key)
    return offices, vouched


def check_heads(journal: Journal, transcript: Transcript, known: Collection[str], report: Report) -> None:
    """Check that the office signed the journal where it has to, and nowhere else. ``known`` are keys of the office that
    the reader has from elsewhere. Raises BrokenError at the first signature that fails."""
    last = len(journal.entries)
    due = {e.line.n for e in journal.entries if e.line.kind in kinds.SIGNED} | {last}
    heads = {head.n: head for head in transcript.heads}
    if len(heads) < len(transcript.heads):
        n = next(n for n in heads if sum(h.n == n for h in transcript.heads) > 1)
        raise BrokenError(n, f"signed head of line {n}", "it is there twice")
    for n in sorted(due | heads.keys()):
        place = f"signed head of journal line {n}"
        if n not in heads:
            raise BrokenError(n, place, "it is missing")
        if n not in due:
            raise BrokenError(n, place, "nothing is signed here")
        head = heads[n]
        if head.hash != journal.entries[n - 1].hash:
            raise BrokenError(n, place, "it is of another journal than this")
        statement = head_statement(journal.game.game, n, head.hash, head.at)
        if not signed(journal.office_at(n), head.signature, "head", statement):
            raise BrokenError(n, place, "the signature is not by the office's key")
    report.office = journal.office_at(last)
    keys = {key for _, key in journal.offices}
    report.key_known = bool(journal.vouched & set(known))
    if strangers := sorted(set(known) - keys):
        raise BrokenError(
            last, "key", f"the journal is signed by {report.office}, not by the key that you know ({strangers[0]})"
        )
