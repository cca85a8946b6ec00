"""What of a mail its sender wrote: without what is quoted, and with the signature set apart.

What the office itself said is known by its words (:mod:`.own_words`), whether it is marked as a quotation or not. What
others said is known by the marks (``>``) or by the line above it (``On Monday Anna wrote:``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.mail.own_sentences import BETWEEN, office_part, spoken_lines
from legation.mail.own_words import Words, order_like, own_lines
from legation.notation.attributions import MOST_HEAD_LINES, head_length, is_attribution, opens_head

RULE = "-- "
MANY = "{} quoted lines were not read; to use orders in them"
"""What stands above a signature."""
LONGEST_LEAD = 60  # characters of a line above the head of a mail that is passed on
SHORTEST_WRAPPED = 50  # characters of a line whose sentence goes on in the next
FEWEST_WORDS = 5  # of a line that goes on with one
ATTRIBUTION_LINES = 3  # on which an attribution may stand
_STARTS = frozenset("on am le el il em op den på pe dnia dne v ve w ma kl at 在 於 on: quoting em: quote".split())
"""First words of attributions ('On ... wrote:') that run over several lines."""
_PHONES = (
    "sent from ",
    "sent via ",
    "sent with ",
    "secured with ",
    "get bluemail for ",
    "dictated ",
    "please excuse ",
    "please consider the environment",
    "gesendet von ",
    "von meinem ",
    "gesendet mit ",
    "envoyé de mon ",
    "envoyé depuis ",
    "envoyé à partir de ",
    "envoyé avec ",
    "enviado desde mi ",
    "enviado do meu ",
    "enviado de mi ",
    "inviato da ",
    "verzonden vanaf ",
    "verstuurd vanaf ",
    "skickat från ",
    "sendt fra ",
    "lähetetty ",
    "wysłane z ",
    "odesláno z ",
    "отправлено с ",
    "отправлено из ",
    "发自我的",
    "iphoneから送信",
    "yahoo mail: ",
    "diese nachricht wurde von ",
)
_GROUPS = (
    "you received this message because you are subscribed to ",
    "to unsubscribe from this group",
    "to view this discussion ",
    "for more options, visit ",
)
"""What Google's groups put below a mail."""
_DISCLAIMERS = (
    "confidential",
    "vertraulich",
    "confidentiel",
    "confidencial",
    "riservat",
    "vertrouwelijk",
    "disclaimer",
    "virus-free",
    "virenfrei",
    "intended solely",
    "intended only",
    "intended for the",
    "legally privileged",
    "registered in england",
    "registered office",
    "company number",
    "company no.",
    "antivirus",
    "gdpr",
    "rgpd",
    "dsgvo",
    "data protection",
    "datenschutz",
)
_DISCLAIMS = (
    "registered",
    "mail",
    "message",
    "nachricht",
    "messaggio",
    "mensaje",
    "bericht",
    "virus",
    "attach",
    "disclaimer",
    "personal data",
    "daten",
    "données",
)
_BANNERS = (
    "originated from outside",
    "[external]",
    "[externe]",
    "external email",
    "external e-mail",
    "external sender",
    "externen absender",
    "provient de l'extérieur",
    "remitente externo",
    "mittente esterno",
    "externe afzender",
    "you don't often get email",
    "sie erhalten nicht häufig",
    "sie erhalten nicht oft",
    "vous n'obtenez pas souvent",
    "vous ne recevez pas souvent",
    "no suele recibir correo",
    "[quoted text hidden]",
    "[snip]",
)
_DEVICES = re.compile(
    r"\boutlook\b.{0,60}\b(?:ios|android|mac|windows)\b|\bios.{0,20}outlook|\b(?:iphone|ipad|yahoo mail)", re.IGNORECASE
)
"""What programs add on telephones, in whatever language: ``Get Outlook for iOS``."""
_WHO_OR_WHEN = re.compile(r"@|\b\d{1,2}[:.]\d\d\b")
_LIST_RULE = re.compile(r"_{40,60}|-{40,60}")


class OwnText(msgspec.Struct, frozen=True):
    """The lines of a mail; those that its sender did not write are empty.

    ``signed`` are the numbers, from 0, of those of signatures, in which nothing is a command; ``notes`` say what was
    left out.
    """

    lines: tuple[str, ...]
    signed: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()


def own_text(lines: Sequence[str], said: Sequence[Words] = ()) -> OwnText:
    """Return what the sender of a mail wrote, without what is quoted."""
    lines = _plain_marks(lines)
    bare = [_unmarked(line) for line in lines]
    ours = own_lines(bare, said)
    marked = [line.lstrip(" ").startswith(">") for line in lines]
    kinds = _without_list_footer(lines, _without_first_signature(lines, _kinds(lines, bare, ours, marked)))
    _leave_out_what_goes_on(lines, kinds)
    spoken = spoken_lines(bare)
    part = office_part(
        [line if kind == "own" else "" for line, kind in zip(lines, kinds, strict=True)], known=any(ours)
    )
    if part is not None and len(part) == len(lines) and any(marked[i] for i in spoken):
        part = None  # its mail is quoted with marks, so that what has none is new
    notes = _leave_out_ours(lines, kinds, spoken, part)
    own = [i for i, kind in enumerate(kinds) if kind == "own" and lines[i].strip()]
    quoted = [i for i, kind in enumerate(kinds) if kind == "quoted" and bare[i].strip()]
    if not own and quoted and "head" not in kinds and not spoken and all(marked[i] for i in quoted):
        own, quoted = quoted, []  # whoever marks the orders themselves means them
    others = [i for i in quoted if not ours[i]] if own else quoted  # nobody means the office's own words by orders
    marks = sum(marked[i] for i in others)
    if marks and own:
        told = "1 quoted line was not read; to use orders in it" if marks == 1 else MANY.format(marks)
        notes.append(f"{told}, remove the '>'")
    elif others:
        notes.append("the quoted mail was not read")
    signed = _signed(lines, kinds)
    kept = set(own)
    shown = [line if i in kept else "" for i, line in enumerate(lines)]
    for i in signed:
        if i - 1 not in signed and not _is_rule(shown[i]):
            shown[i] = RULE  # so that whoever reads orders knows that a signature follows
    return OwnText(tuple(shown), frozenset(signed), tuple(notes))


def _leave_out_ours(lines: Sequence[str], kinds: list[str], spoken: set[int], part: range | None) -> list[str]:
    """Make those lines the office's that seem to be new, but hold its sentences (``spoken``) or stand in a mail of its
    own (``part``), and say so."""
    for i in spoken.union(part or ()):
        kinds[i] = "office" if kinds[i] == "own" else kinds[i]
    if part is None:
        return []
    above = any(kind == "own" and line.strip() for line, kind in zip(lines[: part.start], kinds, strict=False))
    return [
        "your mail quotes one of ours without marks, so nothing was read "
        f"{f'in it from line {part.start + 1} on' if above else 'among its lines'}; "
        "write new orders above it, or in a new mail"
    ]


_NAMED = re.compile(r"([A-Za-z]{2,15})>(?:\s|\Z)")
"""A line that is quoted with a name before it: ``office> A par H``."""
FEWEST_NAMED = 3  # such lines with one name, for an order may look like one: Par> Gas
_INITIALS = re.compile(r"\s?([A-Z][A-Za-z]{0,3})>")


def _without_first_signature(lines: Sequence[str], kinds: list[str]) -> list[str]:
    """The kinds of lines; a signature that a telephone put first, above what its owner wrote, becomes a banner."""
    own = [i for i, kind in enumerate(kinds) if kind == "own" and lines[i].strip()]
    while len(own) > 1 and _opens_signature(lines[own[0]]) and not _is_rule(lines[own[0]]):
        kinds[own.pop(0)] = "banner"
    return kinds


def _without_list_footer(lines: Sequence[str], kinds: list[str]) -> list[str]:
    """The kinds of lines; what a mailing list puts below every mail becomes a banner."""
    for i, line in enumerate(lines[:-1]):
        if _LIST_RULE.fullmatch(line.strip()) and "mailing list" in lines[i + 1].casefold():
            return [*kinds[:i], *("banner" if kind == "own" else kind for kind in kinds[i:])]
    return kinds


def _leave_out_what_goes_on(lines: Sequence[str], kinds: list[str]) -> None:
    """Make those lines banners that only go on with a sentence of a banner or a disclaimer: ``... intended for the`` /
    ``addressee named above.``"""
    for i in range(1, len(lines)):
        above, line = lines[i - 1].strip(), lines[i].strip()
        begun = kinds[i - 1] == "banner" or (kinds[i - 1] == "own" and _is_disclaimer(above.casefold()))
        if begun and kinds[i] == "own" and _goes_on(above, line):
            kinds[i] = "banner"


def _goes_on(above: str, line: str) -> bool:
    """Whether a line can only be the next of a long sentence, and no order."""
    wrapped = len(above) >= SHORTEST_WRAPPED and not above.endswith((".", "!", "?", ":"))
    long = len(line.split()) >= FEWEST_WORDS or "@" in line or "://" in line
    return wrapped and long and (line[:1].islower() or line.startswith("<")) and not order_like(line)


def _plain_marks(lines: Sequence[str]) -> Sequence[str]:
    """The lines with ``> `` before what is quoted below an attribution with somebody's initials (``AB> ``)."""
    for i, line in enumerate(lines):
        if ">" in line or not is_attribution(line):
            continue
        below = next((further for further in lines[i + 1 :] if further.strip()), "")
        if match := _INITIALS.match(below):
            mark = f"{match[1]}>"
            return [
                further.replace(mark, ">", 1) if further.lstrip(" ").startswith(mark) else further for further in lines
            ]
    names = [match[1] for line in lines if (match := _NAMED.match(line))]
    mark = next((f"{name}>" for name in names if names.count(name) >= FEWEST_NAMED), "") if len(set(names)) < 9 else ""
    if mark:
        return [line.replace(mark, ">", 1) if line.startswith((f"{mark} ", mark)) else line for line in lines]
    return lines


def _unmarked(line: str) -> str:
    return line.lstrip(" >") if line.lstrip(" ").startswith(">") else line


def _kinds(lines: Sequence[str], bare: Sequence[str], ours: Sequence[bool], marked: Sequence[bool]) -> list[str]:
    """Of each line: ``own``, ``office``, ``quoted`` (of somebody else) or ``head`` (above a quotation)."""
    kinds: list[str] = []
    quotation = known = False
    while len(kinds) < len(lines):
        i = len(kinds)
        line = lines[i].strip()
        heads = 0 if marked[i] or ours[i] else _head_length(lines, i) or _leads_in(lines, ours, marked, i)
        if heads:
            kinds += ["head"] * heads
            following = next((n for n in range(i + heads, len(lines)) if lines[n].strip()), None)
            quotation = following is not None and not marked[following]
            known = False
        elif ours[i] or ((not bare[i].strip(" -=_*") or BETWEEN.fullmatch(line)) and _among_ours(lines, ours, i)):
            kinds.append("office")
            known = True
        elif marked[i] or (quotation and not known and lines[i].strip()):
            kinds.append("quoted")
        else:
            kinds.append("banner" if _is_banner(lines[i]) else "own")
    return kinds


def _leads_in(lines: Sequence[str], ours: Sequence[bool], marked: Sequence[bool], at: int) -> int:
    """1 for a line in no language that is known, with a colon and an address or a time, right above what is quoted."""
    line = lines[at].strip()
    if not line.endswith((":", "：")) or not _WHO_OR_WHEN.search(line):
        return 0
    below = next((n for n in range(at + 1, min(at + 4, len(lines))) if lines[n].strip()), None)
    return int(below is not None and (ours[below] or marked[below]))


def _among_ours(lines: Sequence[str], ours: Sequence[bool], at: int) -> bool:
    """Whether a line without words (a rule, ``-- ``) stands before one that the office said."""
    if not lines[at].strip():
        return False
    return next((ours[n] for n in range(at + 1, min(at + 4, len(lines))) if lines[n].strip()), False)


def _head_length(lines: Sequence[str], at: int) -> int:
    """How many lines stand here that only say that a quotation follows; 0 if there are none."""
    line = lines[at]
    if not line.strip():
        return 0
    if is_attribution(line):
        return 1
    if length := head_length(lines[at : at + MOST_HEAD_LINES]):
        return length
    if line.rstrip().endswith(":") and len(line) < LONGEST_LEAD:
        below = next((n for n in range(at + 1, min(at + 4, len(lines))) if lines[n].strip()), at)
        if below > at and opens_head(lines[below : below + 8]):
            return below - at + head_length(lines[below : below + MOST_HEAD_LINES])  # Begin forwarded message:
    first = line.split(maxsplit=1)[0].casefold().strip(",")
    if first in _STARTS or first[:1].isdigit():
        for length in range(2, ATTRIBUTION_LINES + 1):
            part = lines[at : at + length]
            if len(part) < length or not part[-1].strip():
                return 0
            if is_attribution(" ".join(part)):
                return length
    return 0


def _signed(lines: Sequence[str], kinds: Sequence[str]) -> set[int]:
    """Which lines are of signatures: below ``-- ``, or what a telephone or a company adds."""
    signed: set[int] = set()
    inside = False
    for i, line in enumerate(lines):
        if kinds[i] == "banner":
            continue
        if kinds[i] != "own":
            inside = False
        elif inside or _opens_signature(line):
            inside = True
            signed.add(i)
    return signed


def _opens_signature(line: str) -> bool:
    said = line.strip().casefold()
    added = said.startswith(_PHONES) or _DEVICES.search(said) is not None
    return _is_rule(line) or (added and len(said) < 120) or _is_disclaimer(said)


def _is_rule(line: str) -> bool:
    return line.strip() == RULE.strip()


def _is_disclaimer(said: str) -> bool:
    long = len(said) > 30 and any(word in said for word in _DISCLAIMERS) and any(word in said for word in _DISCLAIMS)
    return long or said.startswith(("virus-free", "disclaimer"))


def _is_banner(line: str) -> bool:
    """Whether a line is what a company's server puts above mails from elsewhere, or a group below them."""
    said = line.casefold()
    return any(banner in said for banner in _BANNERS) or said.lstrip().startswith(_GROUPS)
