"""What the office said itself, known again when it comes back below an answer.

Each mail of the office carries a fingerprint of its words in its ``References``, which mail programs copy into the
answer: a Bloom filter over every three words that follow each other, under a salt of its own. It says nothing to who
does not have the words, and the office keeps nothing of them. Three words in a row are the same however a program
wraps, indents, marks or formats what it quotes, so nobody has to guess where a quotation begins. Mails that are too
long for it are results, which can be written again.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

NAME = "said"
SALT_BYTES = 4
BITS_A_WORD = 10
HASHES = 4  # by chance one in a hundred three words is taken for the office's, and a line once in a million
MOST_BITS = 3200  # programs cut References of more than a thousand characters
MOST_WORDS = 460  # of a fingerprint
LINE = 74  # characters of an entry of ``References``, which cannot be broken
LONG = 60  # letters of a word that programs break where they wrap
SHORTEST_PART = 12  # letters of a piece of it
SHORTEST_RUN = 6  # words in a row by which the office knows itself
NEARLY_ALL = 0.75  # of the words of a line that a mail program has changed a little
MOST_REFERENCES = 60  # entries
MOST_FINGERPRINTS = 6  # the latest of those that an answer brings back: to compare words with one takes long
MOST_COMPARED = 20_000  # words of an answer; all that the office says in six mails is far less
_TOKEN = re.compile(
    rf"<{NAME}\.([A-Za-z0-9_-]{{6}})\.(\d{{1,2}})-(\d{{1,2}})\.([A-Za-z0-9_-]{{1,80}})@[^<>\s@]{{1,253}}>"
)
_NO_LETTERS = re.compile(r"[\W_]+")
_ORDER_WORDS = frozenset("a f d army fleet armies fleets build builds remove disband waive retreat 3d send".split())
_ORDER_SIGNS = ("-", "–", "—", "→", ">")


class Words(Protocol):
    """Words that the office said."""

    def holds(self, three: str) -> bool:
        """Whether three words in a row are among them."""

    def is_subject(self, subject: str) -> bool:
        """Whether this was the subject above them."""

    def has_part(self, word: str) -> bool:
        """Whether a word is a piece of one that is too long for a line, as digests and signatures are."""


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared: letters and digits only, without addresses on the web."""
    words = []
    for raw in text.replace("<http", " <http").split():  # Outlook writes an address right behind its link's words
        if "://" in raw or raw.startswith(("/", "www.", "mailto:", "cid:", "[cid:", "<mailto:")):
            continue
        word = raw if raw.isascii() else unicodedata.normalize("NFKC", raw)
        word = _NO_LETTERS.sub("", word.casefold())
        if word and raw not in ("[image:", "[Image:", "[inline"):
            words.append(word)
    return words


def _threes(words: Sequence[str]) -> Iterable[str]:
    return (" ".join(words[i : i + 3]) for i in range(len(words) - 2))


class Fingerprint(msgspec.Struct, frozen=True):
    """The words of a mail, as its ``References`` carry them."""

    salt: bytes
    bits: bytes

    def places(self, said: str) -> Iterable[int]:
        """The bits that three words set."""
        digest = hashlib.blake2b(said.encode(), digest_size=8, key=self.salt).digest()
        first, step = int.from_bytes(digest[:4], "big"), int.from_bytes(digest[4:], "big") | 1
        return ((first + i * step) % (8 * len(self.bits)) for i in range(HASHES))

    def holds(self, three: str) -> bool:
        """Whether three words in a row are among them."""
        return all(self.bits[place // 8] >> place % 8 & 1 for place in self.places(three))

    def is_subject(self, subject: str) -> bool:
        """Whether this was the subject of the mail."""
        return self.holds(_subject(subject))

    def has_part(self, word: str) -> bool:
        """Whether a word is a piece of a long one."""
        return False  # only whole words are known


class Spoken(msgspec.Struct, frozen=True):
    """The words of a mail that can be written again."""

    threes: frozenset[str]
    long: tuple[str, ...] = ()

    def holds(self, three: str) -> bool:
        """Whether three words in a row are among them."""
        return three in self.threes

    def is_subject(self, subject: str) -> bool:
        """Whether this was the subject of the mail."""
        return _subject(subject) in self.threes

    def has_part(self, word: str) -> bool:
        """Whether a word is a piece of a long one."""
        return len(word) >= SHORTEST_PART and any(word in whole for whole in self.long)


def _subject(subject: str) -> str:
    return "subject: " + " ".join(words_of(subject))


def spoken(subject: str, *texts: str) -> Spoken:
    """Return what was said in a mail with this subject, in these forms."""
    words = [words_of(text) for text in texts]
    threes = {three for of_one in words for three in _threes(of_one)}
    long = {word for of_one in words for word in of_one if len(word) >= LONG}
    return Spoken(frozenset(threes | {_subject(subject)}), tuple(sorted(long)))


def fingerprint(salt: str, subject: str, *texts: str) -> Fingerprint | None:
    """The fingerprint of a mail with this subject, in these forms; None if it would be too long. ``salt``: something
    that no other mail has."""
    said = spoken(subject, *texts).threes
    if len(said) > MOST_WORDS:
        return None
    bits = bytearray(min(max(BITS_A_WORD * len(said), 256), MOST_BITS) // 8)
    made = Fingerprint(hashlib.blake2b(salt.encode(), digest_size=SALT_BYTES).digest(), bytes(bits))
    for three in said:
        for place in made.places(three):
            bits[place // 8] |= 1 << place % 8
    return Fingerprint(made.salt, bytes(bits))


def references(said: Fingerprint | None, host: str) -> list[str]:
    """A fingerprint as entries of ``References``, each short enough for a line."""
    if said is None:
        return []
    salt, text = (base64.urlsafe_b64encode(data).decode().rstrip("=") for data in (said.salt, said.bits))
    room = max(LINE - len(f"<{NAME}.{salt}.00-00.@{host}>"), 12)
    pieces = [text[i : i + room] for i in range(0, len(text), room)]
    return [f"<{NAME}.{salt}.{n}-{len(pieces)}.{piece}@{host}>" for n, piece in enumerate(pieces, 1)]


def read_references(text: str) -> tuple[Fingerprint, ...]:
    """The fingerprints among the ``References`` of a mail that came whole; the last are of the latest mails."""
    pieces: dict[tuple[str, int], dict[int, str]] = {}
    for salt, number, count, piece in _TOKEN.findall(text)[-MOST_REFERENCES:]:
        pieces.setdefault((salt, int(count)), {})[int(number)] = piece
    found = []
    for (salt, count), held in pieces.items():
        if sorted(held) == list(range(1, count + 1)):
            found.append(Fingerprint(_decoded(salt), _decoded("".join(held[n] for n in sorted(held)))))
    return tuple(known for known in found if len(known.bits) > 8 and len(known.salt) == SALT_BYTES)[-MOST_FINGERPRINTS:]


def _decoded(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return b""


def own_lines(lines: Sequence[str], said: Sequence[Words]) -> list[bool]:
    """Which of these lines the office said: those whose words follow each other, and those of their neighbors, as the
    office's do; but not a mere list of orders, which anybody might write just so."""
    ours = [False] * len(lines)
    words: list[str] = []
    begins: list[int] = []
    for above, line in zip(["", *lines], lines, strict=False):
        begins.append(len(words))
        words += [] if _goes_on_with_a_link(above, line) else words_of(line)
    begins.append(len(words))
    if not said:
        return ours
    hits = [any(known.holds(three) for known in said) for three in _threes(words[:MOST_COMPARED])]
    for number in range(len(lines)):
        ours[number] = _follows(hits, begins[number], begins[number + 1])
    return [
        whole or (end - begin == 1 and any(known.has_part(words[begin]) for known in said))
        for whole, begin, end in zip(_runs(lines, ours, begins), begins, begins[1:], strict=False)
    ]


def _goes_on_with_a_link(above: str, line: str) -> bool:
    """Whether a line is the rest of an address on the web that a program broke at a hyphen."""
    link = (above.split() or [""])[-1]
    broken = link.endswith("-") or line.lstrip().startswith("-")
    return broken and (link.startswith("/") or "://" in link) and len(line.split()) == 1


def _follows(hits: Sequence[bool], begin: int, end: int) -> bool:
    """Whether the words from ``begin`` to ``end`` follow each other, and what stands before or after them, as the
    office's do. So few that they are in no three alone must end a sentence of it, or begin one."""
    if begin == end:
        return False
    size = len(hits)
    before = all(0 <= i < size and hits[i] for i in range(begin - 2, end - 2))
    after = all(i < size and hits[i] for i in range(begin, end))
    if end - begin < 3:
        return before or after
    inner = hits[begin : end - 2]
    return before or after or sum(inner) >= NEARLY_ALL * len(inner) > 3


def _runs(lines: Sequence[str], ours: Sequence[bool], begins: Sequence[int]) -> list[bool]:
    """The office's own lines, less runs too short or of orders alone; addresses within count as its own."""
    result = [False] * len(lines)
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and (ours[end] or (end > at and begins[end] == begins[end + 1])):
            end += 1
        run = [n for n in range(at, end) if ours[n]]
        long_enough = bool(run) and begins[run[-1] + 1] - begins[run[0]] >= SHORTEST_RUN
        if long_enough and not all(order_like(lines[n]) for n in run):
            last = max(n for n in range(at, end) if ours[n] or lines[n].strip(" -=_*>"))  # a rule may be another's
            for n in range(at, last + 1):
                result[n] = ours[n] or bool(lines[n].strip())
        at = max(end, at + 1)
    return result


def order_like(line: str) -> bool:
    """Whether a line may be an order, so that anybody may write it."""
    text = line.strip().lstrip(">|*• ").strip()
    words = words_of(text[:80])
    return bool(words) and (words[0] in _ORDER_WORDS or any(sign in text for sign in _ORDER_SIGNS)) and len(words) < 16
