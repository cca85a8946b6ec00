"""Lines about results: what was transcribed and chosen, what counted, what came of it."""

from legation.proofs import kinds
from legation.proofs.lots import turn_commitment
from legation.proofs.walk_state import Played, TurnState, WalkState


class ResultLines(WalkState):
    """What lines about results say."""

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
        if turn.final:
            self._fault(f"the results of {turn.name} are final")
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
        if data.seat in turn.result_views:
            self._fault(f"{data.seat or 'all'} is shown two results")
        turn.result_views[data.seat] = data.result

    def _on_results(self, turn: TurnState, data: kinds.ResultsLine) -> None:
        if turn.counted is None and not self.game.hides:
            self._fault("it must stand above which versions count")
        if self.game.hides and (data.result or data.secret):
            self._fault("results are public though this game hides positions")
        if not self.game.hides and turn_commitment(data.secret) != turn.secret:
            self._fault("the turn's secret is not the one that was committed to when it opened")
        result = turn.result_views.pop("", "") if self.game.hides else data.result
        turn.played.append(
            Played(
                self._entry.line.n,
                data.draft,
                turn.position,
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
        if turn.final:
            self._fault("final results can't be taken back")
        turn.state = "opened"

    def _on_final(self, turn: TurnState, _: kinds.PlainTurnLine) -> None:
        if turn.final:
            self._fault("the results were final already")
        turn.times.append("final")
        turn.final = True

    def _on_aside(self, turn: TurnState, _: kinds.PlainTurnLine) -> None:
        turn.state = "aside"
