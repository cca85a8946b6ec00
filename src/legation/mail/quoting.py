"""What of a mail its sender wrote: without what is quoted, and with the signature set apart.

What the office wrote stands below one visible line, :data:`REPLY_LINE`, with which each of its mails begins. What
others wrote is known by the marks (``>``) or by the line above it (``On Monday Anna wrote:``)."""

import re
from collections.abc import Sequence

import msgspec

from legation.mail.words import pattern, told, word_set, words

REPLY_LINE = "--- Reply above this line ---"
RULE = "-- "  # what stands above a signature
SHORTEST_WRAPPED = 50  # characters of a line whose sentence goes on in the next
WIDEST_WRAPPED = 80  # characters of a line of a mail that a program has wrapped; HTML as text has longer ones
FEWEST_WORDS = 5  # of a line that goes on with one
FEWEST_NAMED = 3  # lines with one name before them, for an order may look like one: Par> Gas
MOST_NAMES = 9
_REPLY_LINE = re.compile(r"\W{0,40}reply\s{1,9}above\s{1,9}this\s{1,9}line\W{0,40}", re.IGNORECASE)
_NAMED = re.compile(r"([A-Za-z]{2,15})>(?:\s|\Z)")  # a line that is quoted with a name before it: ``office> A par H``
_INITIALS = re.compile(r"\s?([A-Z][A-Za-z]{0,3})>")
_DEVICES = re.compile(
    r"\boutlook\b.{0,60}\b(?:ios|android|mac|windows)\b|\bios.{0,20}outlook|\b(?:iphone|ipad|yahoo mail)", re.IGNORECASE
)
"""What programs add on telephones, in whatever language: ``Get Outlook for iOS``."""
_WHO_OR_WHEN = re.compile(r"@|\b\d{1,2}[:.]\d\d\b")
_LIST_RULE = re.compile(r"_{40,60}|-{40,60}")
_ORDER = re.compile(
    r"[\s>|*•]*(?:(?:a|f|d|army|fleet|armies|fleets|build|builds|remove|disband|waive|retreat|3d|send)\b"
    r"|[^\n–—→>-]{0,80}\w\s{0,3}[–—→>-]{1,3}\s{0,3}\w)",
    re.IGNORECASE,
)
MOST_WORDS = 16  # of a line that may be an order


# What mail programs put above what they quote: "On Monday Anna wrote:", and the heads of forwarded mails

LONGEST = 400  # characters of a line that may be one
LONGEST_LEAD = 60  # characters of a line above the head of a mail that is passed on
MOST_HEAD_LINES = 13  # of a head and what stands above it, with the empty ones among them
MOST_LINES = 3  # on which an attribution may stand
MOST_LOOKED_AT = MOST_HEAD_LINES + 4  # lines that say all about whether one begins

_DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # what turns the direction of writing
_ADDRESS = re.compile(r"[<(\[]\s?[^\s<>@]{1,128}@[^\s<>@]{1,253}?\s?[>)\]]")
_BY = re.compile(r"\bby\s[^\s<>@]{1,128}@[^\s<>@:]{1,253}:")
_ORIGINAL_RULE = re.compile(r"-{5,99}\s?original\s?-{5,99}")
_LABELED = re.compile(r"[*\s]*[^\W\d][^:：\d<>@]{0,30}[:：]")
"""A line with a colon behind a few words, as those of heads are."""
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b")
_RULE = re.compile(r"_{5,}|-{5,}|={5,}")


class OwnText(msgspec.Struct, frozen=True):
    """The lines of a mail; those that its sender did not write are empty.

    ``signed`` are the numbers, from 0, of those of signatures, in which nothing is a command; ``notes`` say what was
    left out."""

    lines: tuple[str, ...]
    signed: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()


def own_text(lines: Sequence[str]) -> OwnText:
    """Return what the sender of a mail wrote, without what is quoted."""
    lines = _plain_marks(lines)
    marked = [line.lstrip(" ").startswith(">") for line in lines]
    below = next((i for i, line in enumerate(lines) if _REPLY_LINE.fullmatch(line)), len(lines))
    kinds = _kinds(lines, marked, below)
    _leave_out_added(lines, kinds)
    notes: list[str] = []
    unknown = below == len(lines) or marked[below]
    begin = 0 if below == len(lines) else below
    own = [i for i, kind in enumerate(kinds) if kind == "own" and lines[i].strip()]
    if unknown and pattern("ours").search("\n".join(lines[i] for i in own if i >= begin)):
        kinds[begin:] = ["quoted" if kind == "own" else kind for kind in kinds[begin:]]
        own = [i for i in own if i < begin]
        notes.append(told("quotes ours"))
    quoted = [i for i, line in enumerate(lines) if kinds[i] == "quoted" and line.strip(" >") and i != below]
    if not own and "head" not in kinds and below == len(lines) and quoted and all(marked[i] for i in quoted):
        own, quoted = quoted, []  # whoever marks the orders themselves means them
    if not notes and (not own or any(i < below or may_be_order(lines[i]) for i in quoted)):
        lines_or_mail = ("quoted line" if len(quoted) == 1 else "quoted lines", "quoted mail")
        notes += [told(lines_or_mail[not all(marked[i] for i in quoted)], count=len(quoted))] if quoted else []
    signed = _signed(lines, kinds)
    shown = [""] * len(lines)
    for i in own:
        shown[i] = lines[i]
    for i in signed:
        if i - 1 not in signed and not _is_rule(shown[i]):
            shown[i] = RULE  # so that whoever reads orders knows that a signature follows
    return OwnText(tuple(shown), frozenset(signed), tuple(notes))


def may_be_order(line: str) -> bool:
    """Whether a line begins or looks like an order, so that anybody may write it."""
    is_link = "://" in line or line.lstrip(" >").startswith("/")
    return not is_link and len(line.split()) < MOST_WORDS and _ORDER.match(line) is not None


def _plain_marks(lines: Sequence[str]) -> Sequence[str]:
    """The lines with ``> `` before what is quoted below an attribution with somebody's initials (``AB> ``)."""
    for i, line in enumerate(lines):
        below = next((further for further in lines[i + 1 : i + 4] if further.strip()), "")
        if (match := _INITIALS.match(below)) and ">" not in line and attribution_length([line]):
            mark = f"{match[1]}>"
            return [
                further.replace(mark, ">", 1) if further.lstrip(" ").startswith(mark) else further for further in lines
            ]
    names = [match[1] for line in lines if (match := _NAMED.match(line))]
    mark = next((f"{name}>" for name in names if names.count(name) >= FEWEST_NAMED), "")
    if not mark or len(set(names)) >= MOST_NAMES:
        return lines
    return [line.replace(mark, ">", 1) if line.startswith(mark) else line for line in lines]


def _kinds(lines: Sequence[str], marked: Sequence[bool], below: int) -> list[str]:
    """Of each line: ``own``, ``quoted``, ``head`` (above a quotation) or ``banner`` (added by a server). ``below``: the
    line above which the office asks to write."""
    kinds: list[str] = []
    quotation = False
    rest = _rewrapped(lines, marked, below)
    while len(kinds) < len(lines):
        i = len(kinds)
        if i == below and not marked[i]:
            return kinds + ["quoted"] * (len(lines) - i)
        heads = 0
        if not marked[i] and i <= below:
            heads = attribution_length(lines[i : i + MOST_LOOKED_AT]) or _leads_in(lines, marked, i, below)
        if heads:
            kinds += ["head"] * heads
            following = next((n for n in range(i + heads, len(lines)) if lines[n].strip()), None)
            quotation = following is not None and not marked[following]
        elif marked[i] or (quotation and lines[i].strip()) or i in rest:
            kinds.append("quoted")
        else:
            kinds.append("banner" if _is_banner(lines[i]) else "own")
    return kinds


def _rewrapped(lines: Sequence[str], marked: Sequence[bool], below: int) -> set[int]:
    """The numbers of the lines without a mark that only go on with a quoted one, which a program has wrapped anew. In
    such a mail there was no room, in any line above such a line, for its first word."""
    broken = (line for line, of in zip(lines, marked, strict=True) if of and len(line.split()) > 2)
    width = max(map(len, broken), default=0)  # a link may be longer
    rest: set[int] = set()
    if width > WIDEST_WRAPPED:
        return rest
    for i in range(below + 1, len(lines)):
        if marked[i] or not lines[i].strip() or not (marked[i - 1] or i - 1 in rest):
            continue
        if len(lines[i - 1]) + 1 + len(lines[i].split(maxsplit=1)[0]) > width:
            rest.add(i)
        elif marked[i - 1]:
            return set()  # somebody wrote between the quoted lines
    return rest


def _leads_in(lines: Sequence[str], marked: Sequence[bool], at: int, below: int) -> int:
    """1 for a line in no language that is known, with a colon and an address or a time, right above what is quoted."""
    line = lines[at].strip()
    if not line.endswith((":", "：")) or not _WHO_OR_WHEN.search(line):
        return 0
    following = next((n for n in range(at + 1, min(at + 4, len(lines))) if lines[n].strip()), None)
    return int(following is not None and (following == below or marked[following]))


def _leave_out_added(lines: Sequence[str], kinds: list[str]) -> None:
    """Make those own lines banners that a telephone put first, above what its owner wrote; that a mailing list puts
    below every mail; and that only go on with a sentence of a banner or a disclaimer: ``... intended for the`` /
    ``addressee named above.``"""
    own = [i for i, kind in enumerate(kinds) if kind == "own" and lines[i].strip()]
    while len(own) > 1 and _opens_signature(lines[own[0]]) and not _is_rule(lines[own[0]]):
        kinds[own.pop(0)] = "banner"
    for i, line in enumerate(lines[:-1]):
        if _LIST_RULE.fullmatch(line.strip()) and "mailing list" in lines[i + 1].casefold():
            kinds[i:] = ["banner" if kind == "own" else kind for kind in kinds[i:]]
            break
    for i in range(1, len(lines)):
        above, line = lines[i - 1].strip(), lines[i].strip()
        begun = kinds[i - 1] == "banner" or (kinds[i - 1] == "own" and _is_disclaimer(above.casefold()))
        if begun and kinds[i] == "own" and _goes_on(above, line):
            kinds[i] = "banner"


def _goes_on(above: str, line: str) -> bool:
    """Whether a line can only be the next of a long sentence, and no order."""
    wrapped = len(above) >= SHORTEST_WRAPPED and not above.endswith((".", "!", "?", ":"))
    long = len(line.split()) >= FEWEST_WORDS or "@" in line or "://" in line
    return wrapped and long and (line[:1].islower() or line.startswith("<")) and not may_be_order(line)


def _signed(lines: Sequence[str], kinds: Sequence[str]) -> set[int]:
    signed: set[int] = set()
    inside = False
    for i, line in enumerate(lines):
        if kinds[i] == "banner":
            continue
        inside = kinds[i] == "own" and (inside or _opens_signature(line))
        if inside:
            signed.add(i)
    return signed


def _opens_signature(line: str) -> bool:
    said = line.strip().casefold()
    added = said.startswith(words("footers")) or _DEVICES.search(said) is not None
    return _is_rule(line) or (added and len(said) < 120) or _is_disclaimer(said)


def _is_rule(line: str) -> bool:
    return line.strip() == RULE.strip()


def _is_disclaimer(said: str) -> bool:
    if len(said) > 30 and any(word in said for word in words("disclaimers")):
        return any(word in said for word in words("disclaimer_about"))
    return said.startswith(("virus-free", "disclaimer"))


def _is_banner(line: str) -> bool:
    said = line.casefold()
    return any(banner in said for banner in words("banners")) or said.lstrip().startswith(words("group_footers"))


def attribution_length(lines: Sequence[str]) -> int:
    """How many of these lines, from the first, only say that a quotation follows; 0 if the first says nothing such."""
    line = lines[0]
    if not line.strip():
        return 0
    if _is_attribution(line):
        return 1
    if length := _head_length(lines[:MOST_HEAD_LINES]):
        return length
    if line.rstrip().endswith(":") and len(line) < LONGEST_LEAD:  # Begin forwarded message:
        below = next((n for n, further in enumerate(lines[1:4], 1) if further.strip()), 0)
        if below and _opens_head(lines[below : below + 8]):
            return below + _head_length(lines[below : below + MOST_HEAD_LINES])
    first = line.split(maxsplit=1)[0].casefold().strip(",")
    if first in word_set("wrote_first") or first[:1].isdigit():
        for length in range(2, MOST_LINES + 1):
            part = lines[:length]
            if len(part) < length or not part[-1].strip():
                return 0
            if _is_attribution(" ".join(part)):
                return length
    return 0


def _is_attribution(text: str) -> bool:
    line = _DIRECTIONS.sub("", text).strip().strip(">").strip().strip("-").strip()
    if not line or len(line) > LONGEST:
        return False
    if line.endswith((":", "：")) and (_ADDRESS.search(line) or _BY.search(line)) and _TIME.search(line):
        return True  # somebody at some time, whatever the language says between
    if not line.endswith((":", "：", "wrote", "schrieb", "écrit", ">")):
        return False
    said = word_set("wrote").intersection(word.strip(",:;<>()[]*") for word in line.casefold().split())
    if not said and not any(mark in line for mark in words("wrote_within")):
        return False
    return line.endswith((":", "：")) or any(c.isdigit() for c in line) or "@" in line


def _opens_original(text: str) -> bool:
    """Whether a line is the rule above a mail that is quoted or passed on: ``-----Original Message-----``."""
    line = text.strip().casefold()
    if not line or len(line) > LONGEST:
        return False
    bare = line.strip("-_=* ").removeprefix("begin ").rstrip(":")
    return _ORIGINAL_RULE.fullmatch(line) is not None or any(
        bare.startswith(name) and len(bare) < len(name) + 40 for name in words("original")
    )


def _head_name(text: str) -> str:
    """``from`` or ``other`` if a line looks like one of the head of a quoted mail (``*From:* Anna``); else nothing."""
    line = _DIRECTIONS.sub("", text).strip().lstrip("*").strip()
    name, colon, _ = line[:60].replace("：", ":").partition(":")
    word = name.strip(" *\u00a0").casefold()
    if not colon or not word:
        return ""
    return "from" if word in word_set("head_sender") else "other" if word in word_set("head_other") else ""


def _opens_head(lines: Sequence[str], least: int = 2) -> bool:
    """Whether the lines that come next are the head of a quoted mail: a sender, and some of its other lines. In a
    language that isn't known here it is an address and two more lines with colons, one with a time or an address."""
    shown = [line for line in lines[:8] if line.strip()][:5]
    if not shown:
        return False
    if _head_name(shown[0]) == "from" and sum(_head_name(line) == "other" for line in shown[1:]) >= least:
        return True
    below = [line for line in shown[1:4] if _LABELED.match(line)]
    dated = any(_TIME.search(line) or "@" in line for line in below)
    return bool(_LABELED.match(shown[0]) and _ADDRESS.search(shown[0]) and len(below) >= least and dated)


def _head_length(lines: Sequence[str]) -> int:
    """How many of these lines, from the first, are the head of a quoted mail, with the rule or the words right above
    it; 0 if the first begins none."""
    first, below = lines[0], lines[1:]
    if _opens_head(lines):
        return max(1, _head_lines(lines))
    ruled = _RULE.fullmatch(first.strip()) and _opens_head(below, 1)
    dated = _head_name(first) == "other" and _opens_head(below)  # Gesendet: ... Von: ... An: ... Betreff: ...
    return 1 + _head_lines(below) if ruled or dated or _opens_original(first) else 0


def _head_lines(lines: Sequence[str]) -> int:
    end = 0
    for number, line in enumerate(lines[: MOST_HEAD_LINES - 1], 1):
        if line.strip():
            if not _head_name(line):
                break
            end = number
    return end
