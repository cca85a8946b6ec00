"""The words that the reader knows, by class: one table, ``lexicon.tsv``, for all languages."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

Says = tuple[tuple[int, str], ...]
"""How many words say something, and what they say; the longest first."""
Classes = Mapping[str, Says]
NONE: Classes = {}


class Lexicon:
    """Words and phrases with their classes. ``rows`` are pairs of a class, which may tell what its words say
    (``COAST=nc``), and words with commas between them."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        self._single: dict[str, dict[str, Says]] = {}
        self._phrases: dict[tuple[str, str], list[tuple[tuple[str, ...], str, str]]] = {}  # by their first two words
        self._words: dict[str, set[str]] = {}
        self._values: dict[str, dict[str, str]] = {}
        for name, words in rows:
            self._add(name, words)
        for listed in self._phrases.values():
            listed.sort(key=lambda phrase: -len(phrase[0]))

    def _add(self, row: str, words: str) -> None:
        name, _, says = row.partition("=")
        for said in words.replace('","', "\0").split(","):
            said = said.strip().replace("\0", ",").strip('"') or ","
            parts = tuple(said.split())
            self._words.setdefault(name, set()).add(said)
            if len(parts) == 1:
                classes = self._single.setdefault(said, {})
                classes[name] = (*classes.get(name, ()), (1, says))
            else:
                self._phrases.setdefault((parts[0], parts[1]), []).append((parts, name, says))

    def words(self, *names: str) -> frozenset[str]:
        """Return all words and phrases of some classes."""
        return frozenset().union(*(self._words.get(name, set()) for name in names))

    def values(self, name: str) -> dict[str, str]:
        """Return what each word of a class says."""
        if name not in self._values:
            single = {word: classes[name][0][1] for word, classes in self._single.items() if name in classes}
            phrases = (phrase for listed in self._phrases.values() for phrase in listed)
            self._values[name] = single | {" ".join(parts): says for parts, of, says in phrases if of == name}
        return self._values[name]

    def classes(self, word: str) -> Classes:
        """Return the classes of a single word."""
        return self._single.get(word, NONE)

    def at(self, words: Sequence[str], i: int) -> Classes:
        """Return the classes of the word, and of the phrases, that begin at a place."""
        word = words[i]
        single = self._single.get(word, NONE)
        phrases = self._phrases.get((word, words[i + 1])) if i + 1 < len(words) else None
        if phrases is None:
            return single
        found: dict[str, Says] = {}
        for parts, name, says in phrases:
            if tuple(words[i : i + len(parts)]) == parts:
                found[name] = (*found.get(name, ()), (len(parts), says))
        if not found:
            return single
        for name, said in single.items():
            found[name] = (*found.get(name, ()), *said)
        return found


@cache
def table() -> tuple[tuple[str, str], ...]:
    """Return the rows of the shipped table."""
    text = files("legation.notation").joinpath("lexicon.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple((name, words) for name, _, words in rows)


@lru_cache(maxsize=32)  # a variant is made several times while it is read, with the same words
def lexicon(*rows: tuple[str, str]) -> Lexicon:
    """Return the shipped lexicon, with further words of a rule's own orders."""
    return Lexicon([*table(), *rows])
