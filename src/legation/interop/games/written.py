"""The orders of a turn as people write them down, all powers in one text, with what came of each order behind it.

The rules' own reader divides a text into powers and orders; here the marks of results are found and taken out of its
way."""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice, product
from operator import itemgetter

import msgspec

from legation.board import province_of
from legation.board.model import fold
from legation.game import sheets_apart
from legation.judge import Outcome, Resolution, Ruleset, legal_orders
from legation.notation import OrderTextError, Passage, write
from legation.notation.lexicon import lexicon
from legation.notation.sheet import LONGEST_SHEET
from legation.orders import Build, Move, Order, Sheet, UnitOrder, kind_and_provinces
from legation.position import Phase, Position

MARK = re.compile(
    r"[ \t]{0,8}(?:"
    r"\b(?:fails|succeeds)\b[ \t]{0,8}\((?:[^()\n]|\([^()\n]{0,60}\)){0,200}\)"  # Backstabbr's, with its reason
    r"|[(\[]\*?[ \t]{0,3}(?:[dfu]\.?|[*\u2717\u2718\u274c]|(?:bounce|fail|cut|void|dislodged|resolved|ok\b|succe|nso\b"
    r"|nsu\b|no (?:support|such|convoy)|ret\b|retreat|ann\b|annihil|disband|otb\b|disrupt|invalid|block|destroy|warn"
    r"|maybe|reorder)[^()\[\]\n]{0,80})[)\]]"
    r"|/(?:d|ann|otb|r(?:et)? [^/\n]{2,40})/"
    r"|(?:->|[,:\u2192\u2013-])?[ \t]{0,8}\b(?:bounce[ds]?(?: (?:with|off|against) [\w .'/-]{2,60})?|fails?|failed"
    r"|succeed(?:s|ed)?|success|cut|void|dislodged|resolved|ok)\b(?: \([^()\n]{2,60}\))?\.?(?=[ \t]{0,8}(?:[;,.|]|$))"
    r"|[\u2717\u2718\u274c\u2713\u2714\u2705]"
    r")",
    re.IGNORECASE | re.MULTILINE,
)
"""What is said of an order's success behind it."""
FAILED = re.compile(
    r"bounce|fail|cut|void|disrupt|invalid|block|\bns[ou]\b|\bno\b|\(f|[(\[]\*[)\]]|[\u2717\u2718\u274c]", re.IGNORECASE
)
PLAYER = re.compile(
    r"^([^\w\n]{0,9}[A-Z][\w' ]{2,40}?[^\w\n]{0,4})[(\[](?!\w\w[)\]])[^()\[\]\n]{0,60}[)\]](?=\W{0,4}$)", re.MULTILINE
)
"""Who plays a power, behind its name on a line of its own."""
STRANGER = re.compile(
    r"^[^\w\n]{0,9}([^\W\d_][\w'&. -]{2,40}?)[^\w\n(]{0,6}(?:\([^()\n]{0,60}\)[^\w\n]{0,6})?(?::|$)", re.MULTILINE
)
"""What may name whose orders stand behind it or below."""
WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,5}(?![^\W_])")
"""What may be an abbreviation of a place."""
MOST_TRIED = 60
"""Readings of one order."""
MOST_UNREAD = 60
"""Orders of one turn that are tried."""
NOBODYS = "is under no power's name"
NOTHING = re.compile(r"\bnmr\b|\bno (?:orders?|moves?|builds?|units?)\b", re.IGNORECASE)
"""What is said of a power that ordered nothing."""


class WrittenTurn(msgspec.Struct):
    """The orders of a text by power, what is not understood in it, lines that are no orders, and the places of units
    whose move failed by it, or that were dislodged; ``telling``: whether it says anything of success."""

    sheets: list[Sheet] = []
    unread: list[str] = []
    remarks: list[str] = []
    failed: set[str] = set()
    dislodged: set[str] = set()
    telling: bool = False
    codes: dict[str, str] = {}
    """Places by abbreviations that are not the board's."""
    apart: bool = False
    """Whether nothing says whose the orders are, so that their units were given powers."""


def read_written(
    rules: Ruleset, phase: Phase, text: str, position: Position, codes: Mapping[str, str] | None = None
) -> WrittenTurn:
    """Read the orders of a text. ``codes``: abbreviations of places that were found before."""
    marks = list(MARK.finditer(text))
    plain = PLAYER.sub(lambda m: m[1].ljust(len(m[0])), MARK.sub(lambda m: " " * len(m[0]), text))
    orders: dict[str, list[Order]] = {}
    ordered: list[tuple[int, UnitOrder]] = []
    told = WrittenTurn(telling=bool(marks))
    passages = rules.reader.sheet(plain, phase, "", position)
    if found := _spelled_out(rules, position, plain, passages, codes or {}):
        plain = WORD.sub(lambda word: found.get(word[0], word[0]).ljust(len(word[0])), plain)
        passages = rules.reader.sheet(plain, phase, "", position)
        told.codes = found
    heads = list(_heads(rules, plain, {passage.start for passage in passages if passage.order is not None}))
    nobodys: list[Order] = []
    for passage in passages:
        power, order = passage.power, passage.order
        above = bisect(heads, passage.start, key=itemgetter(0)) - 1
        if above >= 0 and not heads[above][1]:
            power = ""
        if order is not None:
            power = power or (_owner(position, order.at) if isinstance(order, UnitOrder) else "")
            if not power and isinstance(order, Build):
                power = position.owners.get(province_of(order.at), "")
        if order is not None and power:
            orders.setdefault(power, []).append(order)
            if isinstance(order, UnitOrder):
                ordered.append((passage.end, order))
        elif order is not None or passage.error is not None:
            reason = NOBODYS if passage.error is None else passage.error
            told.unread.append(f"{power}: {plain[passage.start : passage.end]}: {reason}".removeprefix(": "))
            nobodys += [order] if order is not None else []
    told.remarks = [f"{line}: read as a remark" for line in _remarks(rules, plain, passages)]
    told.sheets = [Sheet(power, tuple(listed)) for power, listed in orders.items()]
    if not orders and not position.units:
        told.sheets, told.apart = sheets_apart(rules, nobodys), True
    ends = [end for end, _ in ordered]
    for mark in marks:
        number = bisect(ends, mark.start()) - 1
        leads = not text[text.rfind("\n", 0, mark.start()) + 1 : mark.start()].strip(" \t-*\u2022")
        if leads and number + 1 < len(ends) and "\n" not in text[mark.end() : ends[number + 1]]:
            number += 1
        if number >= 0 and "\n" not in text[ends[number] : mark.start()]:
            order = ordered[number][1]
            told.failed |= {order.at} if isinstance(order, Move) and FAILED.search(mark[0]) else set()
            told.dislodged |= {order.at} if "dislodged" in mark[0].lower() else set()
    return told


def misgiven(resolution: Resolution, *, silent: bool) -> list[str]:
    """Orders that the judge refused as their unit is another power's, or stands nowhere: something above them, or of
    the position, was not understood. ``silent``: the record says nothing of success, so that moves to where their unit
    can't go are told, too."""
    told = []
    for verdict in resolution.verdicts:
        order = verdict.order
        if verdict.outcome is Outcome.ILLEGAL and isinstance(order, UnitOrder) and not isinstance(order, Build):
            owner = _owner(resolution.before, order.at)
            if owner != verdict.power:
                stands = f"is {owner}'s" if owner else "isn't there"
                told.append(f"{verdict.power}: {write(order)}: the unit {stands}")
            elif silent and isinstance(order, Move):
                told.append(f"{verdict.power}: {verdict.explanation}")
    return told


def _heads(rules: Ruleset, text: str, orders: set[int]) -> Iterator[tuple[int, bool]]:
    """Where headings stand, and whether they name a power: ``Neutral:`` doesn't. ``orders``: where orders begin."""
    known: dict[str, bool | None] = {}
    for match in STRANGER.finditer(text):
        name = match[1]
        if match.start(1) in orders:
            continue
        if name not in known:
            known[name] = _names_power(rules, name)
        if (named := known[name]) is not None:
            yield match.start(1), named


def _names_power(rules: Ruleset, name: str) -> bool | None:
    """Whether a heading names a power; None if it is about something else: phases, places, what is known to mean no
    power."""
    words = fold(name).split()
    if any(power_named(rules, said) for said in (name, *(word for word in words if len(word) > 2))):
        return True
    place = rules.reader.places.exact(fold(name)) is not None
    return None if place or all(lexicon().classes(word) for word in words) else False


def power_named(rules: Ruleset, name: str) -> str:
    """Return the power that a name means; nothing if it means none."""
    try:
        return rules.reader.power(name)
    except OrderTextError:
        return ""


def _owner(position: Position, at: str) -> str:
    standing = [*(d.unit for d in position.dislodged), *position.units]
    return next((unit.power for unit in standing if at and unit.province == at.partition("/")[0]), "")


def _remarks(rules: Ruleset, text: str, passages: tuple[Passage, ...]) -> list[str]:
    """Whole lines under a power's name that are neither orders nor a name: a sheet may hold them, a record may not."""
    spans = [(p.start, p.end) for p in passages if p.order is not None or p.error is not None]
    powers = {text.count("\n", 0, p.start): p.power for p in passages if p.power}
    found, start = [], 0
    for number, line in enumerate(text[:LONGEST_SHEET].split("\n")):  # what comes after it is told as a whole
        end = start + len(line)
        words = line.strip(" \t*#:.-\u2022")
        if powers.get(number) and re.search(r"\w\w", words) and not any(a < end and start < b for a, b in spans):
            name, _, rest = words.partition(":")
            rest = rest if power_named(rules, name.partition("(")[0].strip()) else line
            if (rest is line or re.search(r"\w\W+\w", rest)) and not NOTHING.search(rest):
                found.append(f"{powers[number]}: {rest.strip()}")
        start = end + 1
    return found


def _spelled_out(
    rules: Ruleset, position: Position, text: str, passages: tuple[Passage, ...], known: Mapping[str, str]
) -> dict[str, str]:
    """The board's codes by the abbreviations in passages that are not understood; ``known`` are those that were found
    before in the record.

    Clubs abbreviate as they like: ``Nme``, ``Dän``. What is meant is the place whose name in another language has the
    letters in this order and for which the order is a legal one; if there are two, it is not understood."""
    unread = [p for p in passages if p.error is not None][:MOST_UNREAD]
    if not unread or not rules.board.translations:
        return {}
    legal = {
        kind_and_provinces(o)
        for orders in legal_orders(rules, position).values()
        for o in orders
        if isinstance(o, UnitOrder)
    }
    found = {word: code for word, code in known.items() if any(word in text[p.start : p.end] for p in unread)}
    parts = [(part, p.power) for p in unread for part in re.split("[,;]", text[p.start : p.end])]
    for written, power in parts[:MOST_UNREAD]:
        fitting: dict[tuple[str, ...], dict[str, str]] = {}
        for meant in islice(_meanings(rules, written, found), MOST_TRIED):
            said = WORD.sub(lambda word, meant=meant: meant.get(word[0], word[0]), written)
            try:
                order = rules.reader.order(said, position.turn.phase, power)
            except (OrderTextError, ValueError):
                continue
            if isinstance(order, UnitOrder) and kind_and_provinces(order) in legal:
                fitting.setdefault(kind_and_provinces(order), meant)
        if len(fitting) == 1:
            found |= next(iter(fitting.values()))
    return found


def _meanings(rules: Ruleset, written: str, known: dict[str, str]) -> Iterator[dict[str, str]]:
    """What the words of an order may be short for, as codes of the board."""
    words = list(dict.fromkeys(WORD.findall(written)))
    meant = [[known[word]] if word in known else ["", *_short_for(rules, word)] for word in words]
    for codes in product(*meant):
        if any(codes):
            yield {word: code for word, code in zip(words, codes, strict=True) if code}


def _short_for(rules: Ruleset, word: str) -> list[str]:
    """Return the places whose name in another language has the letters of a word in order, the first one first."""
    letters = fold(word)
    if rules.reader.places.exact(letters) is not None:
        return []
    pattern = re.compile(".*".join(map(re.escape, letters)))
    named = (pair for names in rules.board.translations.values() for pair in _spellings(rules, names))
    return list(dict.fromkeys(key for key, name in named if len(key) <= len(word) and pattern.match(name)))


def _spellings(rules: Ruleset, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The names of one language, folded; those of seas without the words that several have (``mer``), too, and with
    either word that several end in (``see``, ``meer``)."""
    folded = {key: fold(name) for key, name in names.items()}
    seas = [name.split() for key, name in folded.items() if rules.board.provinces[key].sea]
    shared = {word for word, count in Counter(word for words in seas for word in words).items() if count > 1}
    ends = {words[-1] for words in seas if len(words) > 1} & shared
    for key, name in folded.items():
        yield key, name
        if rules.board.provinces[key].sea:
            begin, _, end = name.rpartition(" ")
            yield key, " ".join(word for word in name.split() if word not in shared)
            yield from ((key, f"{begin} {other}") for other in ends if end in ends)
