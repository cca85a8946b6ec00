"""Lines about what is sent in a turn, and what comes of it: versions, the holders' word on them, who is ready; what was
transcribed, chosen and counted; results."""

from functools import partialmethod

from legation.proofs import kinds
from legation.proofs.lots import turn_commitment
from legation.proofs.records import ready_statement, word_statement
from legation.proofs.signing import signed
from legation.proofs.walk_state import NOBODY, Filed, Played, TurnState, WalkState

WORDS = {"withdrawn": "withdrew", "confirmed": "confirmed", "refused": "refused"}


class SheetLines(WalkState):
    """What lines about sheets and their results say."""

    def _on_sent(self, turn: TurnState, data: kinds.SentLine) -> None:
        if data.version != turn.last.get(data.seat, 0) + 1 and not self._entry.private:
            self._fault(f"version {data.version} of {data.seat} follows version {turn.last.get(data.seat, 0)}")
        self._fault_if((data.seat, data.version) in turn.sheets, f"{data.seat} sent version {data.version} before")
        turn.last[data.seat] = max(data.version, turn.last.get(data.seat, 0))
        turn.sheets[data.seat, data.version] = tuple(r.commitment for r in data.records)
        if not data.records or data.records[0].turn != data.turn:
            self._fault("what is sent has a record for its own turn first")
        for record in data.records:
            self._file(record, data.turn, data.seat, data.version)

    def _on_seat_turn(self, turn: TurnState, data: kinds.SeatTurnLine) -> None:
        told = (turn.name, turn.opened, turn.state, len(turn.played), data.seat)
        self._fault_if(told in self.seat_turns, f"{data.seat}'s turn is told twice")
        self.seat_turns.add(told)
        if turn.state == "open":
            turn.shown_to.add(data.seat)

    def _file(self, record: kinds.SentRecord, given_in: str, seat: str, version: int) -> None:
        known = self.filed.get(record.commitment)
        if self._entry.private and not self.game.hides:
            if known is None or record.commitment not in self.pending or known.turn != record.turn:
                self._fault(f"the commitment {record.commitment[:16]}… is not among those of {given_in}")
                return
            self.pending.discard(record.commitment)
        elif known is not None:
            self._fault(f"the commitment {record.commitment[:16]}… is in an earlier line, too")
            return
        else:
            known = self.filed[record.commitment] = Filed(record.commitment, record.turn, given_in, self._entry.line.n)
        known.seat, known.version, known.keyed = seat, version, bool(self.bound.get(seat))
        known.unheld = self.held[seat] in NOBODY and seat in self.turns[given_in].excused

    def _on_commitments(self, _: TurnState, data: kinds.CommitmentsLine) -> None:
        self._fault_if(self.tells_senders or self.game.hides, "in this game commitments come with their senders")
        self.listed.add(data.turn)
        listed = [record.commitment for record in data.records]
        self._fault_if(listed != sorted(set(listed)), "the commitments are not sorted")
        for record in data.records:
            if record.commitment in self.filed:
                self._fault(f"the commitment {record.commitment[:16]}… is in an earlier line, too")
                continue
            self.filed[record.commitment] = Filed(record.commitment, record.turn, data.turn, self._entry.line.n)
            self.pending.add(record.commitment)

    def _version(self, turn: TurnState, data: kinds.VersionLine) -> None:
        if not 0 < data.version <= turn.last.get(data.seat, 0) and not self._entry.private:
            self._fault(f"{data.seat} has no version {data.version}")

    def _word(self, kind: str, turn: TurnState, data: kinds.WordLine) -> None:
        """The holder's word on a version. Where the seat has a key that did not sign it, it is told as the office's."""
        self._version(turn, data)
        what, signature = f"that {data.seat} {WORDS[kind]} version {data.version}", data.signature or ""
        keys = self._keys(turn, data.seat)
        statement = word_statement(self.game.game, data.turn, data.seat, data.version)
        if signature and not any(signed(key, signature, kind, statement) for key in keys):
            self._fault(f"{what} is not signed by its key")
        elif not signature:
            self._unsigned(turn, kind, data, what)
        self._fault_if(
            kind == "withdrawn" and (kind, data.seat, data.version) in turn.words, "it was withdrawn already"
        )
        turn.words.add((kind, data.seat, data.version))

    _on_withdrawn = partialmethod(_word, "withdrawn")
    _on_confirmed = partialmethod(_word, "confirmed")
    _on_refused = partialmethod(_word, "refused")

    def _unsigned(self, turn: TurnState, kind: str, data: kinds.WordLine | kinds.ReadyLine, what: str) -> None:
        """Tell a word that the key of its seat, where it has one, did not sign."""
        if not self.bound.get(data.seat) and not any(self._keys(turn, data.seat)):
            return
        turn.unsigned.add((kind, data.seat, data.version))
        if (said := f"{turn.name}: only the office says {what}; its key did not sign it") not in self.words:
            self.words.append(said)

    def _keys(self, turn: TurnState, seat: str) -> list[str]:
        """The keys by which a seat may have signed: the present one; in a private line any that it had in the turn."""
        if not self._entry.private:
            return [self.seat_keys.get(seat, "")]
        return self.keys_of(seat, turn.first_opened, len(self.journal.entries) + 1)

    def _on_objected(self, turn: TurnState, data: kinds.VersionLine) -> None:
        self._version(turn, data)
        self._fault_if(turn.final, "objections end when results are final")

    def _on_ready(self, turn: TurnState, data: kinds.ReadyLine) -> None:
        keys, again = self._keys(turn, data.seat), data.again or 0
        statement = ready_statement(self.game.game, data.turn, data.seat, data.version, again)
        if data.signature and not any(signed(key, data.signature, "ready", statement) for key in keys):
            self._fault(f"{data.seat}'s key did not sign that it is ready")
        before = turn.said_ready.get(data.seat, 0)
        if data.signature and (again < before if self._entry.private else again != before):
            self._fault(f"{data.seat} was ready {before} times before; its key signed that it was {again} times")
        if not data.signature:
            self._unsigned(turn, "ready", data, f"that {data.seat} was ready")
        turn.said_ready[data.seat] = before + 1
        turn.ready[data.seat] = (data.version, data.signature)

    def _on_not_ready(self, turn: TurnState, data: kinds.SeatLine) -> None:
        self._fault_if(turn.ready.pop(data.seat, None) is None, f"{data.seat} had not said that it is ready")

    # Results

    def _on_transcribed(self, turn: TurnState, data: kinds.TranscribedLine) -> None:
        filed = self.filed.get(data.commitment)
        if turn.final or filed is None or filed.turn != turn.name:
            self._fault("what is transcribed is not a record of a turn whose results are still to be final")
            return
        if filed.seat and (filed.seat, filed.version) != (data.seat, data.version):
            self._fault(f"the record is version {filed.version} of {filed.seat}")
        turn.transcribed[data.commitment] = data.text
        if data.opened_after:
            turn.opened_after.add(data.commitment)

    def _on_chosen(self, turn: TurnState, data: kinds.ChosenLine) -> None:
        turn.chosen[data.seat] = data.version
        what = f"chose version {data.version}" if data.version else "let no version count"
        said = self.words if self.bound.get(data.seat) else self.told
        said.append(f"{turn.name}: the coordinator {what} of {data.seat}: {data.reason}")

    def _on_counted(self, turn: TurnState, data: kinds.CountedLine) -> None:
        private = self._entry.private
        self._fault_if(turn.final, f"the results of {turn.name} are final")
        if private is not self.game.hides:
            self._fault("which version counts must be public where nothing is hidden, and private elsewhere")
        sheets = {sheet.seat: (sheet.version, sheet.commitment) for sheet in data.sheets}
        if private:
            if sheets.keys() & (turn.counted or {}).keys():
                self._fault(f"two versions of {data.sheets[0].seat} counted")
            turn.counted = {**(turn.counted or {}), **sheets}
        elif [sheet.seat for sheet in data.sheets] != self.game.seats:
            self._fault("it does not say of every seat which version counts")
        else:
            turn.counted = sheets
        if turn.state == "published":
            turn.state = "opened"

    def _on_result(self, turn: TurnState, data: kinds.ResultLine) -> None:
        self._fault_if(data.seat in turn.result_views, f"{data.seat or 'all'} is shown two results")
        turn.result_views[data.seat] = data.result

    def _on_results(self, turn: TurnState, data: kinds.ResultsLine) -> None:
        self._fault_if(turn.counted is None and not self.game.hides, "it must stand above which versions count")
        if self.game.hides and (data.result or data.secret):
            self._fault("results are public though this game hides positions")
        if not self.game.hides and turn_commitment(data.secret) != turn.secret:
            self._fault("the turn's secret is not the one that was committed to when it opened")
        result = turn.result_views.pop("", "") if self.game.hides else data.result
        turn.played.append(
            Played(
                self._entry.line.n,
                turn.counted,
                dict(turn.transcribed),
                dict(turn.chosen),
                result,
                data.secret,
                turn.result_views,
                turn.opened,
            )
        )
        turn.counted, turn.result_views = None, {}
        turn.state, turn.final = "published", not data.draft
        turn.times.append("results as a draft" if data.draft else "results")

    def _on_taken_back(self, turn: TurnState, _: kinds.PlainTurnLine) -> None:
        self._fault_if(turn.final, "final results can't be taken back")
        turn.state = "opened"

    def _on_final(self, turn: TurnState, _: kinds.PlainTurnLine) -> None:
        self._fault_if(turn.final, "the results were final already")
        turn.times.append("final")
        turn.final = True

    def _on_aside(self, turn: TurnState, _: kinds.PlainTurnLine) -> None:
        turn.state = "aside"
