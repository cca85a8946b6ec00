"""Names of places and powers as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from legation.board import COAST_NAMES, Board
from legation.board.spelling import fold as fold

SHORTEST_BEGINNING = 3  # letters that must be written of a name
SUGGESTIONS = 3
COASTS: dict[str, str] = {
    spelling: code
    for code, name in COAST_NAMES.items()
    for spelling in (
        code,
        name,
        name.replace(" coast", ""),
        f"{name.replace(' coast', '')}ern coast",
        f"{code[:-1]} coast",
    )
}


class Named(Protocol):
    """What notation needs to know of a power."""

    @property
    def name(self) -> str: ...

    @property
    def adjective(self) -> str: ...

    @property
    def aliases(self) -> tuple[str, ...]: ...


class UnknownNameError(LookupError):
    """A name that means nothing, or several things; ``candidates`` are what it could mean."""

    def __init__(self, candidates: tuple[str, ...], *, ambiguous: bool) -> None:
        self.candidates = candidates
        self.ambiguous = ambiguous
        super().__init__(candidates)


class Names:
    """Finds what a name means: exactly, else by its unambiguous beginning."""

    def __init__(self) -> None:
        self._exact: dict[str, dict[str, str]] = {}  # folded name -> id -> the power that may say so ("" = all)
        self._shown: dict[str, str] = {}
        self.longest = 1  # words in the longest name

    def add(self, key: str, name: str, only: str = "") -> None:
        """Let ``name`` mean ``key``, for one power only or for all."""
        folded = fold(name)
        if not folded:
            return
        entry = self._exact.setdefault(folded, {})
        if entry.get(key) != "":
            entry[key] = only
        self.longest = max(self.longest, folded.count(" ") + 1)

    def show(self, key: str, text: str) -> None:
        """How a meaning is shown in suggestions."""
        self._shown[key] = text

    def exact(self, folded: str, power: str = "") -> str | None:
        """What a folded name means exactly; None if nothing or several things."""
        found = self._meanings(folded, power)
        return found[0] if len(found) == 1 else None

    def _meanings(self, folded: str, power: str) -> list[str]:
        entry = self._exact.get(folded)
        if not entry:
            return []
        own = [key for key, only in entry.items() if only and only == power]
        return own or [key for key, only in entry.items() if not only]

    def find(self, text: str, power: str = "") -> str:
        """What a name means.

        :raises UnknownNameError: if it means nothing or several things.
        """
        folded = fold(text)
        found = self._meanings(folded, power)
        if len(found) == 1:
            return found[0]
        if len(found) > 1:
            raise UnknownNameError(self._show(found), ambiguous=True)
        if len(folded.replace(" ", "")) >= SHORTEST_BEGINNING:
            begins: dict[str, None] = {}
            for name in self._exact:
                if name.startswith(folded):
                    begins.update(dict.fromkeys(self._meanings(name, power)))
            if len(begins) == 1:
                return next(iter(begins))
            if begins:
                raise UnknownNameError(self._show(begins), ambiguous=True)
        raise UnknownNameError(self._nearest(folded, power), ambiguous=False)

    def _show(self, keys: Iterable[str]) -> tuple[str, ...]:
        return tuple(self._shown.get(k, k) for k in list(keys)[:6])

    def _nearest(self, folded: str, power: str) -> tuple[str, ...]:
        from rapidfuzz import fuzz, process  # only when something was misspelled

        if len(folded) > 60:
            return ()
        close = process.extract(folded, list(self._exact), scorer=fuzz.ratio, limit=8, score_cutoff=60)
        keys: dict[str, None] = {}
        best = close[0][1] if close else 0
        for name, score, _ in close:
            if score >= best - 12:
                keys.update(dict.fromkeys(self._meanings(name, power)))
        return self._show(list(keys)[:SUGGESTIONS])


def place_names(board: Board) -> Names:
    """The names of a board's provinces."""
    names = Names()
    for province in board.provinces.values():
        names.show(province.id, f"{province.name} ({province.id})")
        names.add(province.id, province.id)
        names.add(province.id, province.name)
        for alias in province.aliases:
            name, _, only = alias.partition("@")
            names.add(province.id, name, only)
    # an id always means its own province, whatever else is called so
    for province in board.provinces.values():
        names._exact[fold(province.id)] = {
            key: only for key, only in names._exact[fold(province.id)].items() if only or key == province.id
        }
    return names


def power_names(powers: Sequence[Named]) -> Names:
    """The names of the powers."""
    names = Names()
    for power in powers:
        names.show(power.name, power.name)
        for name in (power.name, power.adjective, *power.aliases):
            names.add(power.name, name)
    return names
