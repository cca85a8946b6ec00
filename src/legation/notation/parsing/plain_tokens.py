"""Ways of writing that mean the same as plainer ones, told by the words beside them: ``(A) Par``, ``par 2 gas``, ``the
1st Army (Paris)``, ``A-Par-Gas``, and what is said in other languages."""

from __future__ import annotations

import re

import msgspec

from legation.notation.grammar import Grammar
from legation.notation.names import LETTERS, fold
from legation.notation.parsing.foreign_words import in_english, united
from legation.notation.parsing.kinds import LONGEST_CODE, PLURAL
from legation.notation.parsing.other_words import becoming, built, changes_kinds, helping_it, in_one_word, lent, staged
from legation.notation.parsing.stream import ends
from legation.notation.parsing.waivers import none_built, waived_by_writer, waived_last, without_reason
from legation.notation.small_words import ASIDES, AUXILIARIES, BOTH, JOINTS, NUMBERS, PREPOSITIONS, THANKS
from legation.notation.tokens import Token

_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
_ORDINALS = frozenset("first second third fourth fifth sixth seventh eighth ninth tenth".split())
_ROMAN = frozenset("i ii iii iv v vi vii viii ix x".split())
_IN_ORDER = (("in", "that", "order"), ("in", "this", "order"))
_DOES = frozenset(["do", "does", "doing"])
_STAYS = (
    ("dont", "move"),
    ("do", "not", "move"),
    ("does", "not", "move"),
    ("doesnt", "move"),
    ("no", "move"),
    ("not", "moving"),
    ("wont", "move"),
    ("no", "change"),
    ("as", "they", "are"),
    ("as", "it", "is"),
    ("as", "is"),
    ("as", "you", "were"),
)
"""How people say that a unit holds."""
_STAYING = frozenset(words[0] for words in _STAYS) - {"as"}
_GETS = frozenset(["gets", "receives"])
_FIELDS = frozenset("unit order action target destination".split())
"""What a form prints before the parts of an order."""
SHORTEST_GLUED = 6  # letters of ``army`` or ``fleet`` and the code of a place
_GOES = frozenset(["go", "goes", "move", "moves", "moving", "marches", "sails"])
_OBEYS = frozenset("take takes follow follows obey obeys receives gets accepts".split())
LONGEST_LIST = 30  # words in brackets behind ``armies``
LONGEST_PLACE = 4  # words of a place between commas


def plainly(tokens: list[Token], text: str, reader: Grammar) -> list[Token]:
    """The tokens in the plain way in which orders are read."""
    tokens = helping_it(tokens)
    tokens = without_reason(in_english(united(_in_full(in_one_word(_without_labels(tokens)), reader)), reader), reader)
    if len(tokens) > 3 and tokens[-1].text in THANKS and tokens[-2].text == "-":  # A par - gas - cheers
        tokens = tokens[:-2]
    said = [token.text for token in tokens]
    if tuple(said[-3:]) in _IN_ORDER:
        tokens = tokens[: -3 - (said[-4:-3] == [","])]
    if said[1:2] in (["build"], ["builds"], ["removal"], ["removals"]):
        tokens = _counted_first(tokens, reader)
    if said.count(":") > 1:
        tokens = _parted_at_stops(tokens, reader)
    if "new" in said:
        tokens = _without_new(tokens, reader)
    tokens = built(tokens, reader)
    tokens = _without_numbers(_without_comma(_named_like_joints(tokens, text, reader), reader), reader)
    tokens = none_built(waived_last(waived_by_writer(_with_signs(tokens, reader))))
    tokens = _each(becoming(lent(staged(tokens, reader), reader), reader), reader)
    if not PLURAL.isdisjoint([token.text for token in tokens]):
        tokens = _listed(tokens, reader)
    if changes_kinds(tokens, reader):
        tokens = [msgspec.structs.replace(tokens[0], text="convert"), *tokens[1:]]
    if not {"(", "st", "2", "as", "=", "x", "×", "too", "two"}.isdisjoint([token.text for token in tokens]):
        tokens = _without_brackets(_in_words(tokens, reader), reader)
    return tokens


def _counted_first(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with ``build 1: F lon`` for ``1 build F lon``."""
    number, word, *rest = tokens
    counts = number.text in NUMBERS or number.text.isdecimal()
    if not counts or rest[:1] == [] or rest[0].text not in reader.kinds:
        return tokens
    return [word, number, Token(":", word.end, word.end), *rest]


def _parted_at_stops(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with a semicolon behind each kind of unit of ``Warsaw: A. Sevastopol: F.``"""
    behind = [i + 1 for i, token in enumerate(tokens) if token.text == ":"]
    kinds = [i for i in behind if i < len(tokens) and tokens[i].text in reader.codes and ends(tokens, i + 1)]
    if kinds != behind:
        return tokens
    kept: list[Token] = []
    for i, token in enumerate(tokens):
        kept.append(token)
        if i in kinds and token.stop and i + 1 < len(tokens) and tokens[i + 1].text not in JOINTS:
            kept[-1] = msgspec.structs.replace(token, stop=False)
            kept.append(Token(";", token.end, token.end))
    return kept


def _without_new(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens without ``new`` before a kind of unit or behind the last: ``two new fleets``, ``A tri, A bud new``;
    ``New units at`` builds them."""
    if [token.text for token in tokens[:2]] in (["new", "units"], ["new", "unit"]) and len(tokens) > 2:
        if tokens[2].text in ("at", "in", "on"):
            return [msgspec.structs.replace(tokens[0], text="build", end=tokens[1].end), *tokens[2:]]
    if len(tokens) > 2 and tokens[-1].text == "new" and _is_place(tokens[-2], reader):
        if not reader.places.meaning("new").keys and not reader.places.shortened("new").keys:
            tokens = [*tokens[:-2], msgspec.structs.replace(tokens[-2], stop=tokens[-1].stop, end=tokens[-1].end)]
    following = [*tokens[1:], None]
    return [
        token
        for token, after in zip(tokens, following, strict=True)
        if token.text != "new" or after is None or len(after.text) < 2 or after.text not in reader.kinds
    ]


def _in_full(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with what is shortened written out: ``A's`` and ``F's`` as armies and fleets, the ``s/c`` of a coast
    as its code, ``s/by`` as ``supported by``, ``@`` as ``at``, ``does nothing`` as ``holds``; and ``by way of`` as
    ``via``."""
    kept: list[Token] = []
    i = 0
    while i < len(tokens):
        token, beside = tokens[i], tokens[i + 1 : i + 3]
        if token.owns and len(token.text) == 2 and token.text[1] == "s" and token.text[0] in reader.codes:
            plurals = [word for word in reader.kinds if _is_plural(word, token.text[0], reader)]
            token = msgspec.structs.replace(token, text=plurals[-1], owns=False)  # armies, no armys
        elif token.text in LETTERS and [t.text for t in beside] == ["/", "c"] and all(t.glued for t in beside):
            token = msgspec.structs.replace(
                token, text=LETTERS[token.text], end=beside[1].end, stop=beside[1].stop and i + 3 == len(tokens)
            )
            i += 2
        elif _is_help_of(tokens, i, reader):  # A(Rum)SA(Arm)
            kept.append(msgspec.structs.replace(token, text=token.text[0], end=token.start + 1, stop=False))
            token = msgspec.structs.replace(token, text=token.text[1], start=token.start + 1, glued=True)
        elif token.text == "s" and [t.text for t in beside] == ["/", "by"]:  # s/by A bur
            token = msgspec.structs.replace(token, text="supported", end=beside[0].end)
            i += 1
        elif token.text == "s" and _is_sea(tokens, i, reader):  # to the Black S.
            token = msgspec.structs.replace(token, text="sea")
        elif (
            token.text == "rest" and kept and ends(tokens, i + 1) and _is_place(kept[-1], reader)
        ):  # Oran and Bone rest
            token = msgspec.structs.replace(token, text="holds")
        elif token.text[:1] in ("d", "l") and _without_elision(token, reader) != token:
            token = _without_elision(token, reader)
        elif token.text == "plus" and kept and beside and not ends(tokens, i) and kept[-1].text not in reader.kinds:
            token = msgspec.structs.replace(token, text="+")
        elif token.text == "@" and kept and kept[-1].text in reader.kinds:  # Army @ Paris
            token = msgspec.structs.replace(token, text="at")
        elif token.text in _DOES and beside and beside[0].text == "nothing" and ends(tokens, i + 2):
            token = msgspec.structs.replace(token, text="holds", end=beside[0].end, stop=beside[0].stop)
            i += 1
        elif kept and token.text in _GETS and _kind_behind(tokens, i + 1, reader):  # Brest gets a fleet
            token = msgspec.structs.replace(token, text="builds")
        elif kept and _may_stay(token, kept[-1], reader) and (length := _stays(tokens, i)):
            token = msgspec.structs.replace(token, text="holds", end=tokens[i + length - 1].end)
            token = msgspec.structs.replace(token, stop=tokens[i + length - 1].stop)
            i += length - 1
        elif len(token.text) > SHORTEST_GLUED and (kind := _glued_kind(token, reader)):  # armyparis
            middle = token.start + len(kind)
            kept.append(msgspec.structs.replace(token, text=kind, end=middle, stop=False, owns=False))
            token = msgspec.structs.replace(token, text=token.text[len(kind) :], start=middle, glued=True)
        elif reader.lending and token.text in _OBEYS and (length := _orders_from(tokens, i)):
            token = msgspec.structs.replace(token, text="under", end=tokens[i + length].end)
            i += length
        elif token.text == "away" and [t.text for t in beside[:1]] == ["with"] and _begins(kept):
            token = msgspec.structs.replace(token, text="remove", end=beside[0].end)
            i += 1
        elif token.text == "by" and [t.text for t in beside] == ["way", "of"]:
            token = msgspec.structs.replace(token, text="via", end=beside[1].end)
            i += 2
        kept.append(token)
        i += 1
    return kept


def _is_help_of(tokens: list[Token], at: int, reader: Grammar) -> bool:
    """Whether a token between glued brackets is a letter for what is done for a unit, and that for its kind."""
    said, around = tokens[at].text, [token.text for token in tokens[max(at - 1, 0) : at + 2]]
    if len(said) != 2 or said[0] not in "sc" or said[1] not in reader.codes or at == 0 or at + 1 >= len(tokens):
        return False
    return around[0] == ")" and around[2] == "(" and tokens[at].glued and tokens[at + 1].glued


def _begins(before: list[Token]) -> bool:
    """Whether a sentence, or a part of one, begins behind these tokens."""
    return not before or before[-1].stop or before[-1].text in JOINTS


def _may_stay(token: Token, before: Token, reader: Grammar) -> bool:
    """Whether a word may begin words for a hold; ``as they are`` says nothing more of units that stay."""
    return token.text in _STAYING or (token.text == "as" and before.text not in reader.stays)


def _kind_behind(tokens: list[Token], at: int, reader: Grammar) -> bool:
    """Whether a kind of unit in full stands at a token, behind an article or not."""
    at += [token.text for token in tokens[at : at + 1]] in (["a"], ["an"])
    word = tokens[at].text if at < len(tokens) else ""
    return len(word) > LONGEST_CODE and word in reader.kinds


def _orders_from(tokens: list[Token], at: int) -> int:
    """How many tokens behind a verb go on with it as in ``takes its orders from``; 0 if they do not."""
    said = [token.text for token in tokens[at + 1 : at + 4]]
    ahead = int(said[:1] in (["its"], ["his"], ["their"], ["the"], ["her"]))
    named = said[ahead : ahead + 1] in (["orders"], ["commands"])
    return ahead + 2 if named and said[ahead + 1 : ahead + 2] in (["from"], ["of"]) else 0


def _without_labels(tokens: list[Token]) -> list[Token]:
    """The tokens less what a form prints before its fields: ``Unit: A Par Order: Move Target: Gas``."""
    said = [token.text for token in tokens[:2]]
    if said != ["unit", ":"]:
        return tokens
    labels = {i for i, token in enumerate(tokens[:-1]) if token.text in _FIELDS and tokens[i + 1].text == ":"}
    return [
        msgspec.structs.replace(token, stop=False) if i + 1 in labels else token
        for i, token in enumerate(tokens)
        if i not in labels and i - 1 not in labels
    ]


def _is_place(token: Token, reader: Grammar) -> bool:
    """Whether a word is the name of a place in full, and no code."""
    return len(token.text) > 2 and reader.places.exact(token.text) is not None


def _without_elision(token: Token, reader: Grammar) -> Token:
    """A word without a French article or preposition before a vowel, if only the rest of it is a place's name:
    ``d'Annandale``."""
    glued = token.end - token.start - len(token.text) == 1  # the apostrophe
    known = reader.places.exact
    if not glued or known(token.text) is not None or known(token.text[1:]) is None:
        return token
    return msgspec.structs.replace(token, text=token.text[1:], start=token.start + 2)


def _is_sea(tokens: list[Token], at: int, reader: Grammar) -> bool:
    """Whether an ``S`` at the end of an order stands for ``Sea`` in the name of where a unit goes."""
    begin = next((i for i in range(at - 1, max(at - 4, 0), -1) if tokens[i - 1].text in ("-", "to")), 0)
    if not begin or begin == at or not ends(tokens, at + 1):
        return False
    return reader.places.exact(" ".join(token.text for token in tokens[begin:at]) + " sea") is not None


def _stays(tokens: list[Token], at: int) -> int:
    """Return how many tokens from ``at`` on say ``does not move``, if the order ends there; else 0."""
    for words in _STAYS:
        end = at + len(words)
        if tuple(token.text for token in tokens[at:end]) == words and ends(tokens, end):
            return len(words)
    return 0


def _glued_kind(token: Token, reader: Grammar) -> str:
    """Return ``army`` for ``armyparis``: the kind of unit written in one word with a place; empty if it isn't."""
    if token.end - token.start != len(token.text) or reader.places.meaning(token.text).keys:
        return ""
    for kind in reader.kinds:
        if len(kind) > 3 and token.text.startswith(kind) and len(token.text) > len(kind) + 2:
            if reader.places.exact(token.text[len(kind) :]) is not None:
                return kind
    return ""


def _is_plural(word: str, code: str, reader: Grammar) -> bool:
    """Whether a word names several units of the kind with this code."""
    return len(word) > 2 and word.endswith("s") and reader.kinds[word].casefold() == code


def _named_like_joints(tokens: list[Token], text: str, reader: Grammar) -> list[Token]:
    """The tokens with the whole name of a place whose code is a word that joins, where it stands in a list: ``Lis, And,
    Alg``, or is written like a name between two: ``Lis And Ora``."""
    said = ["", *(token.text for token in tokens), ""]
    kept = list(tokens)
    for i, token in enumerate(tokens):
        if token.text not in JOINTS or not token.text.isalpha():
            continue
        before, after = said[i], said[i + 2]
        key = reader.places.exact(token.text)
        listed = before in _IN_LISTS or before in reader.kinds
        ends = token.stop or not after
        written = text[token.start : token.end].istitle()
        named = written or before in reader.kinds  # A par - bur, and
        beside = [word for word in (before, after) if len(word) > 2 and reader.places.exact(word)]
        if key is not None and written and not tokens[i - 1].stop and (len(beside) > 1 or (beside and listed)):
            kept[i] = msgspec.structs.replace(token, text=fold(reader.board.name_of(key)))
        acts = written and after in _SHORT_VERBS and not (i and tokens[i - 1].stop)  # Ora-Wms, And H
        if key is not None and (
            (listed and (after in _IN_LISTS or acts)) or (ends and (listed or before in JOINTS) and named)
        ):
            kept[i] = msgspec.structs.replace(token, text=fold(reader.board.name_of(key)))
    return kept


_SHORT_VERBS = frozenset(["h", "s", "-"])
_IN_LISTS = frozenset([",", ";", ":", "(", ")"])
"""Signs between the places of a list."""


def _without_comma(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens less the comma of ``London, fleet: North Sea`` and ``London, fleet``."""
    said = [token.text for token in tokens[:8]]
    comma = said.index(",") if "," in said else 0
    kind, after = said[comma + 1 : comma + 2], said[comma + 2 : comma + 3]
    if not comma or not kind or kind[0] not in reader.kinds or after not in ([":"], ["-"], []):
        return tokens
    acts = after == [":"] and said[comma + 3 : comma + 4] != [] and said[comma + 3] in reader.verbs
    if len(kind[0]) < 3 and not acts:  # Par, F: Bre are two builds
        return tokens
    known = reader.places.exact(" ".join(said[:comma])) is not None
    behind = comma + 2 + (len(kind[0]) < 3)  # north sea, f: sails to
    return [*tokens[:comma], tokens[comma + 1], *tokens[behind:]] if known else tokens


def _without_numbers(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens less the numbers of armies and fleets (``The 1st Army (Paris)``, ``Fleet 2 (Brest)``) and the commas
    around the place of one (``The Second Army, in Burgundy, supports``)."""
    if not any(len(token.text) > 2 and token.text in reader.kinds for token in tokens):
        return tokens
    said = [token.text for token in tokens]
    left_out: set[int] = set()
    for i, word in enumerate(said):
        if len(word) < 3 or word not in reader.kinds or word.endswith("s"):
            continue
        after = said[i + 1] if i + 1 < len(said) else ""
        before = said[i - 1] if i else ""
        counted = _ORDINAL.fullmatch(before) or before in _ORDINALS or (before in _ROMAN and after == "(")
        if counted and after and not tokens[i - 1].stop and after not in reader.verbs:
            left_out.add(i - 1)
        if after.isdecimal() and len(after) < 3 and said[i + 2 : i + 3] in (["("], [":"]):
            left_out |= {i + 1, *([i + 2] if said[i + 2] == ":" else [])}
        end = _place_end(said, i + 2, reader) if after == "," else 0
        follows = said[end + 1] if 0 < end < len(said) - 1 else ""
        if 0 < end < len(said) and said[end] == ":" and left_out >= set(range(i)):  # First Army, Paris: to Gascony
            left_out.add(i + 1)
        elif 0 < end < len(said) and said[end] == "," and (follows in reader.verbs or follows in AUXILIARIES):
            left_out |= {i + 1, end}
    return [token for i, token in enumerate(tokens) if i not in left_out]


def _place_end(said: list[str], at: int, reader: Grammar) -> int:
    """Where a place in full ends that stands at these words, with ``in`` before it or not; 0 where none does."""
    while at < len(said) and (said[at] in PREPOSITIONS or said[at] == "the"):
        at += 1
    for length in range(LONGEST_PLACE, 0, -1):
        if at + length <= len(said) and reader.places.exact(" ".join(said[at : at + length])) is not None:
            return at + length
    return 0


def _with_signs(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with ``A-Par-Gas`` as ``A Par-Gas``, and the slash between ``A Par-Gas/A Mar-Spa`` as one that parts
    orders."""
    kept: list[Token] = []
    for i, token in enumerate(tokens):
        after = [t.text for t in tokens[i + 1 : i + 4]]
        acts = len(after) > 2 and (after[2] == "-" or after[2] in reader.verbs)
        if token.text == "/" and acts and after[0] in reader.codes and len(after[1]) > 2:
            if reader.places.meaning(after[1]).keys and _acts(kept, reader):
                token = msgspec.structs.replace(token, text="|")
        elif token.text == "/" and token.glued and kept and kept[-1].text in reader.codes and len(after) > 1:
            begins = len(kept) == 1 or kept[-2].text in JOINTS or kept[-2].stop
            if begins and len(after[0]) > 2 and after[1] != "/" and reader.places.meaning(after[0]).keys:
                continue  # A/Par-Gas
        elif token.text == "-" and token.glued and kept and kept[-1].text in reader.codes:
            begins = len(kept) == 1 or kept[-2].text in JOINTS or kept[-2].stop
            glued = i + 1 < len(tokens) and tokens[i + 1].glued and len(after[0]) > 2
            acts = len(after) > 1 and (after[1] == "-" or after[1] in reader.verbs)
            if begins and glued and acts and reader.places.meaning(after[0]).keys:
                continue
        kept.append(token)
    return kept


def _each(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with ``one fleet each in`` as ``fleets in``."""
    said = [token.text for token in tokens]
    at = said.index("each", 1) if "each" in said[1:-1] else 0
    plural = next((word for word in PLURAL if at and reader.kinds.get(word, "-") == reader.kinds.get(said[at - 1])), "")
    if not plural or len(said[at - 1]) <= LONGEST_CODE or said[at + 1] not in PREPOSITIONS:
        return tokens
    begin = at - 1 - (at > 1 and said[at - 2] in ("one", "a", "an", "1"))
    return [*tokens[:begin], msgspec.structs.replace(tokens[at - 1], text=plural), *tokens[at + 1 :]]


def _listed(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with commas between places that only blanks part, behind a kind of units: ``fleets in Abe Dum``."""
    said = [token.text for token in tokens]
    kept: list[Token] = []
    inside = False
    for i, token in enumerate(tokens):
        named = len(token.text) > 2 and token.text not in BOTH and reader.places.exact(token.text) is not None
        if inside and named and kept[-1].text not in PREPOSITIONS and kept[-1].text not in PLURAL:
            kept.append(msgspec.structs.replace(kept[-1], text=",", start=kept[-1].end, stop=False))
        inside = said[i] in PLURAL or (inside and (named or said[i] in PREPOSITIONS))
        kept.append(token)
    return kept


def _acts(before: list[Token], reader: Grammar) -> bool:
    """Whether what stands since the last joint says what a unit does: of ``A con/A smy H`` the first half does not."""
    for token in reversed(before):
        if token.text in JOINTS:
            break
        word = token.text
        if word == "-" or (word in reader.verbs and word not in reader.codes and reader.places.exact(word) is None):
            return True
    return False


def _in_words(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with ``st`` at the end of an order as the ``std`` that it stands for, with ``2`` between two places as
    a dash, and without ``with Germany`` after ``as agreed``."""
    said = [token.text for token in tokens]
    kept: list[Token] = []
    left_out: set[int] = set()
    for i, token in enumerate(tokens):
        before, after = said[i - 1] if i else "", said[i + 1] if i + 1 < len(said) else ""
        if token.text == "st" and (not after or after in JOINTS) and (before == ")" or before.isalpha()):
            stands = before not in reader.verbs and before not in reader.kinds
            token = msgspec.structs.replace(token, text="std" if stands else "st")
        elif token.text in ("2", "=", "x", "×", "too", "two") and not token.stop and _goes_to(said, i, reader):
            token = msgspec.structs.replace(token, text="-")
        elif token.text in ("with", "by") and i > 1 and f"{said[i - 2]} {before}" in ASIDES and said[i - 2] == "as":
            end = i + 1 + (after in ("my", "our", "the"))
            ends = len(said) == end + 1 or said[end + 1] in JOINTS or tokens[end].stop
            if end < len(said) and ends and len(said[end]) > 2 and reader.powers.exact(said[end]):
                left_out.update(range(i, end + 1))  # as agreed with Germany
                if tokens[end].stop:
                    kept[-1] = msgspec.structs.replace(kept[-1], stop=True)
        if i not in left_out:
            kept.append(token)
    return kept


def _without_brackets(kept: list[Token], reader: Grammar) -> list[Token]:
    """The tokens without brackets around a kind of unit before its place (``(A)Par``) and around ``(rest hold)``."""
    kept = [t for i, t in enumerate(kept) if not (t.text == "the" and _kind_in_brackets(kept, i + 1, reader))]
    at = 0
    while at + 3 < len(kept):
        inner, place = kept[at + 1].text, kept[at + 3].text
        before = kept[at - 1].text if at else ""
        begins = not before or before in JOINTS or before == ":" or before in reader.verbs
        if kept[at].text == "(" and kept[at + 2].text == ")" and inner in reader.kinds and begins:
            after = kept[at + 4].text if at + 4 < len(kept) else ""
            named = place not in reader.verbs or (reader.places.exact(place) and after in reader.verbs)  # (F) Con - Smy
            if place.isalpha() and named and place not in reader.kinds:
                kept[at : at + 3] = [kept[at + 1]]
        elif kept[at].text == "(" and before in PLURAL and before in reader.kinds and at + 4 < len(kept):
            end = next((i for i in range(at, min(at + LONGEST_LIST, len(kept))) if kept[i].text == ")"), 0)
            if end and not JOINTS.isdisjoint([token.text for token in kept[at:end]]):  # two armies (Oslo, Skania)
                del kept[end], kept[at]
        elif kept[at].text == "(" and inner in ("rest", "all", "others", "everything") and at:
            end = next((i for i in range(at, min(at + 8, len(kept))) if kept[i].text == ")"), 0)
            if end and kept[end - 1].text in reader.stays:  # (rest hold)
                kept[at] = msgspec.structs.replace(kept[at], text=";")
                del kept[end]
        at += 1
    return kept


def _kind_in_brackets(tokens: list[Token], at: int, reader: Grammar) -> bool:
    """Whether a kind of unit in full stands at a token, and alone with ``the`` in brackets: ``London (the fleet)``."""
    around = [token.text for token in tokens[max(at - 2, 0) : at + 2]]
    return len(around) == 4 and around[0] == "(" and around[3] == ")" and _kind_behind(tokens, at, reader)


def _goes_to(said: list[str], at: int, reader: Grammar) -> bool:
    """Whether a ``2`` between two places is ``to`` and counts nothing: ``par 2 gas``, ``par moves 2 gas``."""
    before, after = said[at - 1] if at else "", said[at + 1] if at + 1 < len(said) else ""
    if before in _GOES and at > 1:
        at, before = at - 1, said[at - 2]
    opens = said[at - 2] if at > 1 else ""
    if "1" in said or not (opens == "" or opens in JOINTS or opens in reader.kinds):
        return False
    after = said[at + 2] if after in reader.kinds and at + 2 < len(said) else after  # par x A bur
    return reader.places.exact(before) is not None and reader.places.exact(after) is not None
