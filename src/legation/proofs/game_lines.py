"""Lines about a game as a whole: settings, seats and their keys, the deal, keepers, restores, transfers, the end."""

from legation.proofs import kinds
from legation.proofs.chain import succession_statement
from legation.proofs.lots import DEAL, deal, lot_seed, part_commitment, secret_commitment, turn_commitment, turn_secret
from legation.proofs.records import key_statement
from legation.proofs.signing import signed
from legation.proofs.walk_state import NOBODY, WalkState


class GameLines(WalkState):
    """What lines about the whole game say."""

    def _on_imported(self, data: kinds.ImportedLine) -> None:
        if self._entry.line.n != 2:
            self._fault("only line 2 tells that a game was begun elsewhere")
            return
        self.imported = data.position

    def _on_settings(self, data: kinds.SettingsLine) -> None:
        self.settings = data
        self.told.append(f"{self._entry.place}: from here on {data.in_words}")

    def _on_held(self, data: kinds.HeldLine) -> None:
        before, self.held[data.seat] = self.held[data.seat], data.person
        n, names = self._entry.line.n, {"": "nobody", "bot": "a bot"}
        who = names.get(data.person, data.person)
        self.seat_lines[data.seat].append(f"held by {who} from line {n}")
        if before not in (*NOBODY, data.person):
            self.words.append(f"{self._entry.place}: {data.seat} passes from {before} to {who}, as the office says")
            self.bound.pop(data.seat, None)

    def _on_seat_key(self, data: kinds.SeatKeyLine) -> None:
        n, before = self._entry.line.n, self.bound.get(data.seat, "")
        statement = key_statement(self.game.game, data.seat, data.key, before)
        if data.signature and not signed(before, data.signature, "seat key", statement):
            self._fault(f"the key before did not sign that {data.seat} has another")
        by = data.signature and (data.seat, data.key, before) not in self.key_changes  # else it is said once more
        if by:
            self.key_changes.add((data.seat, data.key, before))
        elif before and data.key != before:
            what = f"another key signs for {data.seat}" if data.key else f"{data.seat}'s key signs no more"
            self.words.append(
                f"{self._entry.place}: {what} from here on, as the office says, and the key before did not sign that; "
                "only who holds the seat knows whether it was theirs to change"
            )
        if data.key or by:  # a key that is only said to be gone goes on being missed
            self.bound[data.seat] = data.key
        if data.key != self.seat_keys.get(data.seat, ""):
            self.seat_lines[data.seat].append(f"its key is {data.key or 'none'} from line {n}")
        self.seat_keys[data.seat] = data.key
        self.key_since.setdefault(data.seat, []).append((n, data.key))

    def _on_dealt(self, data: kinds.DealtLine) -> None:
        self._fault_if(self.dealt, "the seats were dealt before")
        self.dealt = True
        if turn_commitment(data.secret) != self.game.deal:
            self._fault("the secret of the deal is not the one that line 1 commits to")
        if part_commitment(data.part) != self.game.part:
            self._fault("the keeper's part of the deal is not the one that line 1 commits to")
        wishes = {sign.number: list(sign.wishes) for sign in data.sign_ups}
        seed = lot_seed(data.secret, data.part, [sign.nonce for sign in data.sign_ups])
        said = {one.number: one.seat for one in data.dealt}
        if len(wishes) < len(data.sign_ups) or len(said) < len(data.dealt):
            self._fault("a sign-up is listed twice")
        elif not set(data.free) <= set(self.game.seats) or len(set(data.free)) < len(data.free):
            self._fault("what is dealt are not seats of this game")
        elif min(len(data.free), len(wishes)) and deal(seed, data.name, wishes, data.free) != said:
            self._fault("the deal has a different result")
        wished = "; ".join(
            f"{sign.number} {sign.nonce} wished {', '.join(sign.wishes)} and got {said.get(sign.number, 'none')}"
            for sign in data.sign_ups
        )
        self.told.append(f"{self._entry.place}: as {data.name}, of {', '.join(data.free)}: {wished}")

    def _on_keeper(self, data: kinds.KeeperLine) -> None:
        statement = succession_statement(self.game.game, self._entry.line.n, data.keeper.key)
        stays = isinstance(data, kinds.TransferredLine) and data.keeper == self.keeper
        if data.signature and not signed(self.keeper.key, data.signature, "key", statement):
            self._fault("the keeper before did not sign this")
        elif not data.signature and not stays:
            self.words.append(f"{self._entry.place}: another keeper, which the one before did not confirm")
        self.keeper = data.keeper

    def _on_restored(self, data: kinds.RestoredLine) -> None:
        n = self._entry.line.n
        self._fault_if(data.lost_to < n, "a line above this one can't be lost")
        self.lost.append((n, data.lost_to, self._entry.line.at))

    def _on_transferred(self, data: kinds.TransferredLine) -> None:
        going_on = [turn for turn in self.turns.values() if not turn.final and turn.state != "aside"]
        if self.ended is None and going_on:
            self._fault(f"{going_on[0].name} is not final, and games change their office between turns")
        self._on_keeper(data)

    def _on_erased(self, data: kinds.ErasedLine) -> None:
        for record in data.records:
            if record.commitment not in self.filed and not self.hidden_lines:
                self._fault(f"there is no commitment {record.commitment[:16]}… to erase")
            self.erased.setdefault(record.commitment, set()).update(record.fields)
            if "files" in record.fields:
                self.told.append(
                    f"{self._entry.place}: whether {record.commitment[:16]}… had pictures was erased, so what was "
                    "written down of it can't be compared"
                )

    def _on_ended(self, data: kinds.EndedLine) -> None:
        if secret_commitment(data.secret) != self.lots:
            self._fault("the game's secret is not the one that was committed to")
        if not self.lots_since and turn_commitment(turn_secret(data.secret, DEAL)) != self.game.deal:
            self._fault("the secret of the deal does not follow from the game's")
        for turn in self.turns.values():
            own = turn.opened > self.lots_since
            if own and turn_commitment(turn_secret(data.secret, turn.name)) != turn.secret:
                self._fault(f"the secret of {turn.name} does not follow from the game's")
        self.ended, self.ended_line = data, self._entry.line.n
