"""Lines that hold no orders: rulers, heads of mails, quotations, greetings, signatures, comments."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation import courtesies, other_languages
from legation.notation.attributions import MAIL_HEAD, MOST_HEAD_LINES, head_length, is_attribution, opens_original
from legation.notation.layout import COMMENT, Line
from legation.notation.names import COASTS, fold
from legation.notation.prose import announcing, chats, heading_text, objections, sayings
from legation.notation.sheets.asides import (
    LONGEST_LOOKED_AT,
    SAYS_HOW,
    is_aside,
    is_chat,
    may_mean_an_order,
    names,
    speaks_of_orders,
)
from legation.notation.sheets.corrections import retract
from legation.notation.sheets.order_lines import is_against
from legation.notation.sheets.passages import Passage
from legation.notation.sheets.progress import FEW_WORDS
from legation.notation.sheets.requests import RequestReader
from legation.notation.sheets.shapes import place_comes
from legation.notation.small_words import LIKEWISE
from legation.position import Phase

IN_COMMENT = "this is in a comment, so it isn't carried out; if it is an order, write it without the mark"
UNREAD_COMMENT = "this is in a comment, so it wasn't read; if it is an order, write it on a line of its own"
_QUOTED = "this is in a quotation, so it isn't carried out"
LONGEST_GREETING = 80  # characters
LONGEST_END = 80  # characters
MOST_NAMES = 4  # of somebody who signs
MOST_IN_HEAD = 3_000  # characters of the head of a mail
SIGNED = re.compile(
    r"(?<=[.!?;,)])\s{1,5}(?P<mark>/|-{2}\s?|[–—]\s?)(?P<name>[A-Z][^\W\d_]{0,14}(?:[.\s-]{1,2}[A-Z][^\W\d_]{0,14}){0,2})"
    r"(?:(?:,\s{1,3}|\s{1,3}\()(?P<power>[A-Z][^\W\d_]{2,14})\)?)?\.?\Z"
)
"""The name of who writes at the end of a line, behind a slash or a long dash."""
SIGNED_PLAINLY = re.compile(
    r"(?:(?<=[.!;,])|(?<=please))\s{1,5}(?:-\s)?"
    r"(?P<name>(?:[A-Z]\.\s?){0,2}[A-Z][a-zà-ÿ]{1,14}(?:\s(?:M[a]?c)?[A-Z][a-zà-ÿ]{0,14}\.?){0,2})[.!]?\Z"
)
"""A name at the end of a line, behind a comma or a stop."""
_NAME_BEHIND = re.compile(r"(?<=\))\s{1,3}[~/–—-]{1,2}\s?[^\W\d_]{1,20}\Z")
"""A name behind a remark in brackets: ``(on the forum, too) ~fenrir``."""
ENDED = re.compile(
    r"(?:(?<=[.!;,/])|(?<=\s)(?=[-EOo]))\s{0,3}(?P<end>(?:(?:message\s|orders?\s)?ends?\b|-\s?30\s?-|"
    r"[Oo]ver\s(?:and|&)\s[Oo]ut\b|OVER AND OUT|END(?:\sOF\s(?:ORDERS|MESSAGE))?\b))[-.!]{0,3}"
    r"(?:\s{1,3}(?P<name>[A-Z][^\W\d_]{1,14}(?:\s[A-Z][^\W\d_]{0,14}){0,2})\.?)?\Z"
)
"""What says at the end of a line that nothing follows: ``.../ends. Geoff``, ``-30-``, ``over and out``."""
NAMES_NOBODY = (
    heading_text.NO_TITLE
    | sayings.DOUBTS
    | sayings.OUTCOMES
    | sayings.CORRECTS
    | sayings.HELPED
    | sayings.ORDINALS
    | SAYS_HOW
    | LIKEWISE
    | other_languages.DOUBT
)
"""Words that, though written like a name, may say something of the order before them."""
_BESIDE_NAMES = str.maketrans("()-&", "    ")
MOST_BELOW = 5  # lines below a name: where to reach its bearer


class RemarkReader(RequestReader):
    """Tells lines without orders from others."""

    def holds_no_orders(self, line: Line) -> bool:
        """Deal with a line that holds no orders: a ruler, a head, a heading, a greeting."""
        return (
            self._of_a_mail(line)
            or self._said_in_chat(line)
            or self._tells_of_centers(line)
            or self.heading_alone(line)
            or self._all_comment(line)
            or self._courtesy(line)
            or self._name_after_goodbye(line)
            or self._aside_alone(line)
            or self._chat(line)
        )

    def _of_a_mail(self, line: Line) -> bool:
        """Deal with a line that belongs to a quotation, to a letter, to the head or the foot of a mail."""
        text = line.text
        if self.quotation and line.quoted:  # the quotation is marked as such: what is not quoted is the sender's own
            self.block, self.block_opens, self.unmarked = "", False, False
        if self.signed or (self.quotation and line.quoted):
            if self.known_orders.find(text, self.phase, self.section) or (len(text) < 300 and self.reads(text)):
                where = "below a signature or an older message" if self.signed else "in a quotation"
                why = f"this is {where}, so it isn't carried out; if you mean it, write it above"
                self.refuse(line.start, line.end, line.number, why)
            elif self.signed and speaks_of_orders(self._words(text), self.reader, self.section):
                why = "this is below a signature, so it wasn't read; if it is an order, send it above the signature"
                self.refuse(line.start, line.end, line.number, why)
            else:
                self.remark(line)
            return True
        if self.press or chats.PRESS.match(text):
            self.press = not chats.PRESS_ENDS.match(text)
            self.refuse(line.start, line.end, line.number, "this is part of a letter, so it wasn't read")
            return True
        if self._greets_another(text):
            self.press = True
            self.refuse(line.start, line.end, line.number, "this begins a letter to another power")
            return True
        if chats.QUOTED_GM.match(text):
            if may_mean_an_order(text, self.reader):
                self.refuse(line.start, line.end, line.number, _QUOTED)
            else:
                self.remark(line)
            self.last = None
            return True
        if courtesies.SIGNATURE.match(text) or opens_original(text):
            self.signed = True
            self.remark(line)
            return True
        headed = self._in_head(line) or MAIL_HEAD.match(text)
        if headed and len(text) < 300 and self._orders_in_head(text.partition(":")[2]):
            self.refuse(line.start, line.end, line.number, "this is in the header of a mail, so it isn't carried out")
            return True
        if courtesies.RULER.match(text) or courtesies.JUDGE.match(text) or headed:
            head, _, name = text.partition(":")
            to = self.reader.powers.exact(fold(name)) if fold(head) == "to" else None
            self.press = to is not None and to != self.power
            self.remark(line)
            return True
        if is_attribution(text) and not sayings.RETRACTS & set(fold(text).split()):
            self.quotation = self.block_opens = self.unmarked = True
            self.block = _QUOTED
            self.remark(line)
            return True
        return False

    def _in_head(self, line: Line) -> bool:
        """Whether a line is of the head of a mail. One below orders is of an older mail, as what follows it."""
        if line.number > self.head_until and (":" in line.text or "：" in line.text):
            below = self.plain[line.start : line.start + MOST_IN_HEAD].split("\n")[:MOST_HEAD_LINES]
            if length := head_length(below):
                self.head_until = line.number + length - 1
                self.signed = any(passage.order is not None or passage.error is not None for passage in self.passages)
        return line.number <= self.head_until

    def _said_in_chat(self, line: Line) -> bool:
        """Refuse a line copied from a chat, with its speaker's name."""
        match = chats.CHAT_LINE.match(line.text) or chats.SAID_BY.match(line.text)
        name = (match.group("name") or "").strip(" <>:") if match is not None else ""
        if not match or not name or self.reader.powers.exact(fold(name)) is not None:
            return False
        if not may_mean_an_order(line.text[match.end() :], self.reader):
            return False
        why = f"a line from a chat isn't read as an order; write the order without {match.group().strip()[:60]!r}"
        self.refuse(line.start, line.end, line.number, why)
        self.last = None
        return True

    def _tells_of_centers(self, line: Line) -> bool:
        """Refuse a line of results that tells whose centers are whose: ``Gains: Belgium, Spain``."""
        match = chats.CENTERS.match(line.text)
        words = self._words(line.text[match.end() :]) if match is not None else []
        if not words or any(
            word in self.reader.kinds or (word in self.reader.verbs and len(word) > 1) for word in words
        ):
            return False
        self.refuse(line.start, line.end, line.number, "this lists centers and isn't an order")
        self.last = None
        return True

    def _greets_another(self, text: str) -> bool:
        """Whether a line greets other powers and nobody else: ``Dear Germany,``."""
        words = [word for word in fold(text[:LONGEST_GREETING]).split() if word != "and"]
        if len(text) > LONGEST_GREETING or len(words) < 2 or words[0] not in sayings.GREETINGS or not self.section:
            return False
        named = {self.reader.powers.exact(word) for word in words[1:] if len(word) > 2 or word == "all"}
        return len(named) > 0 and named.isdisjoint({None, self.section})

    def _words(self, text: str) -> list[str]:
        return [token.text for token in self.parser(text).tokens]

    def _all_comment(self, line: Line) -> bool:
        """Deal with a line that is a comment."""
        if not COMMENT.match(line.text):
            return False
        text = line.text.lstrip("#/ ")
        if self.reads(text) or speaks_of_orders(self._words(text), self.reader, self.section):
            self.refuse(line.start, line.end, line.number, IN_COMMENT)
        elif sayings.RETRACTS & set(fold(text).split()):
            self.refuse(
                line.start,
                line.end,
                line.number,
                "the comment may take orders back; send only the orders that you mean",
            )
            retract(self, line)
        else:
            self.remark(line)
        return True

    def _courtesy(self, line: Line) -> bool:
        """Deal with a greeting, thanks, or a goodbye."""
        label = courtesies.LABEL.match(line.text)
        told = label is not None and not may_mean_an_order(label["said"], self.reader) and not is_against(label["said"])
        if not told and not self.is_courtesy(line.text):
            return False
        if self.phase is Phase.ADJUSTMENTS and not {"build", "builds"}.isdisjoint(fold(line.text).split()):
            if self.reads(line.text) or self.parser("").units_over() < 0:
                return False  # No builds
        self.closing = self.closing or courtesies.says_goodbye(line.text)
        self.remark(line)
        return True

    def _name_after_goodbye(self, line: Line) -> bool:
        """Take the name after a goodbye, or at the end of a sheet, as a signature."""
        ends = self._ends_the_sheet(line)
        if not self.closing and not ends:
            return False
        text = line.text.translate(_BESIDE_NAMES) if ends else line.text
        words = fold(text).split()
        plain_name = (
            len(words) <= FEW_WORDS
            and not any(c in text for c in ">/:?()")
            and " -" not in text
            and "- " not in text
            and not any(w in self.reader.telling_words and not self._names_nothing(words) for w in words if len(w) > 1)
        )
        against = objections.objection(words, self.reader.places) or sayings.AGAINST & set(words)
        if plain_name and not against and not self.reads(text):
            self.remark(line)
            return True
        return False

    def _names_nothing(self, words: Sequence[str]) -> bool:
        """Whether a single word is only a part of a place's name: of St. Pete."""
        places = self.reader.places
        known = places.meaning(words[0]).keys or places.shortened(words[0]).keys
        return len(words) == 1 and not known and words[0] not in self.reader.verbs | self.reader.openings

    def _ends_the_sheet(self, line: Line) -> bool:
        """Whether a line that may be somebody's name stands below an empty one or a whole sentence, and below it only
        remarks."""
        words = line.text.translate(_BESIDE_NAMES).split()
        plain = " - " not in line.text and 0 < len(words) <= MOST_NAMES
        plain = plain and all(word[0].isupper() and word.strip(".").isalpha() for word in words)
        ended = self.last is None or self.last.text.endswith((".", "!", "?"))
        if not plain or not ended or not self.passages or self.plain.count("\n", line.end) > MOST_BELOW:
            return False
        below = [one.strip() for one in self.plain[line.end :].split("\n") if one.strip()]
        return not may_mean_an_order(" ".join(words), self.reader) and all(self.is_courtesy(one) for one in below)

    def without_signature(self, line: Line) -> Line:
        """Return a line without the name of who writes behind its orders: ``A yor - nwy. /Lars``, ``... -- Dan``."""
        if (ended := ENDED.search(line.text, max(0, len(line.text) - LONGEST_END))) is not None:
            line = self._without_end(line, ended)
        signed = SIGNED.search(line.text)
        if signed is None:
            return self._without_name(line)
        words = fold(signed["name"]).split()
        known = self.reader.places
        for word in words:
            place = known.meaning(word).keys or known.shortened(word).keys or known.nearly(word)
            if place or word in COASTS or word in sayings.AGAINST | sayings.QUESTIONS or self._acts(word):
                return line
        if signed["power"] and self.reader.powers.exact(fold(signed["power"])) != (self.section or None):
            return line
        kept = line.text[: signed.start()].rstrip()
        begin, end = line.start + signed.start("mark"), line.start + len(line.text)
        self.passages.append(Passage(begin, end, line.number, power=self.section))
        return msgspec.structs.replace(line, text=kept)

    def _without_end(self, line: Line, ended: re.Match[str]) -> Line:
        """Return a line without what says that nothing follows, where no place is called so."""
        kept = line.text[: ended.start("end")].rstrip(" /,;")
        words = fold(ended["end"]).split()
        name = all(self._is_writer(word) for word in fold(ended["name"] or "").split())
        if not kept or not name or any(self.reader.places.exact(word, self.section) for word in words):
            return line
        self.passages.append(Passage(line.start + len(kept), line.end, line.number, power=self.section))
        return msgspec.structs.replace(line, text=kept)

    def _without_name(self, line: Line) -> Line:
        """Return the last line of a sheet without the name of who writes behind its orders: ``Build F lon, Steve``."""
        signed = SIGNED_PLAINLY.search(line.text)
        if signed is None or not (self._ends_text(line) or self._signs_each(signed["name"])):
            return line
        kept = line.text[: signed.start()].rstrip(" ,;")
        words = [word for word in fold(signed["name"]).split() if len(word) > 1]  # A. Campbell
        if " " not in kept or not all(self._is_writer(word) for word in words):
            return line
        self.passages.append(Passage(line.start + signed.start("name"), line.end, line.number, power=self.section))
        return msgspec.structs.replace(line, text=kept)

    def _is_writer(self, word: str) -> bool:
        """Whether a word can only be the name of somebody, or of the own power where no place is called so; where units
        are built, a sea in which none of the own stands is a name, too: ``Build F dev, Bob``."""
        places = self.reader.places
        if word in NAMES_NOBODY or word in self.reader.kinds or self._acts(word) or word in COASTS or len(word) < 2:
            return False
        known = {*places.meaning(word).keys, *places.shortened(word).keys}
        if known and self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT) and self.position is not None:
            mine = {unit.province for unit in self.position.units_of(self.section)}
            known = {key for key in known if key in mine or not self.reader.board.provinces[province_of(key)].sea}
            return not known
        if known or word in self.reader.telling_words or places.nearly(word) or places.misspelled(word, self.section):
            return False
        power = self.reader.powers.exact(word)
        return power == self.section if power else heading_text.is_plain_name(word, self.reader.powers, places)

    def _signs_each(self, name: str) -> bool:
        """Whether a name stands behind a comma at the end of each line, or of nearly each."""
        ends = [one.rstrip(" .!") for one in self.plain.split("\n") if one.strip()]
        signed = sum(one.endswith(f", {name}") for one in ends)
        return signed > 1 and 2 * signed > len(ends)

    def _ends_text(self, line: Line) -> bool:
        """Whether nothing stands below a line but courtesies."""
        below = self.plain[line.end :]
        if below.count("\n") > MOST_BELOW:
            return False
        return all(self.is_courtesy(one) for one in below.split("\n") if one.strip())

    def _acts(self, word: str) -> bool:
        return len(word) > 1 and (word in self.reader.verbs or word in self.reader.openings)

    def _aside_alone(self, line: Line) -> bool:
        """Deal with a remark in brackets that changes nothing of the order above it: ``(covers Spain)``."""
        text = _NAME_BEHIND.sub("", line.text[:LONGEST_LOOKED_AT])
        if not (text.startswith("(") and text.endswith(")")) or len(line.text) > 300 or text.count("(") > 1:
            return False
        if self.broke_off or not is_aside(self._words(text[1:-1]), self.reader):
            return False
        self.passages.append(Passage(line.start, line.end, line.number, power=self.section))
        return True

    def _chat(self, line: Line) -> bool:
        """Deal with whole sentences of chat, which name nothing of the board: ``We had a great time in Rome!``."""
        text = line.text
        if self.broke_off or not text.endswith((".", "!", ")")) or "?" in text or len(text) > LONGEST_LOOKED_AT:
            return False
        sentences, last = announcing.last_sentence(text)
        for words in (*sentences, fold(last).split()):
            if len(words) < 2 or not is_chat(words, self.reader) or not (sayings.DOUBTS | SAYS_HOW).isdisjoint(words):
                return False
        self.remark(line)
        return True

    def _orders_in_head(self, text: str) -> bool:
        """Whether what looks like the head of a mail speaks of orders: ``From: Par To: Gas``."""
        if self.reads(text) or place_comes(self.parser(text)):
            return True
        return speaks_of_orders(self._words(text), self.reader, self.section)

    def comment_speaks_against(self, line: Line) -> bool:
        """Whether what follows a ``#`` or ``//`` takes the order before it back, or gives another place for it."""
        words = self._words(line.comment)
        said = set(words)
        if words[:2] == ["only", "to"]:  # only to cut
            said -= {"only"}
        if sayings.DOUBTS & said or said >= {"not", "sure"} or sayings.CROSSES & said:
            return True
        if said & sayings.HAPPENED and said <= sayings.OUTCOMES:  # what came of it in another turn
            return True
        return bool(sayings.TAKES_OVER & said) and any(
            self.reader.places.meaning(w, self.section).keys or self.reader.places.nearly(w) for w in words
        )

    def comment_after(self, line: Line) -> None:
        """What follows a ``#`` or ``//``: orders after slashes are read as on lines of their own; else a unit or a
        place is told to be none, and why an order was given doesn't matter."""
        mark = COMMENT.search(self.plain, line.end)
        assert mark is not None
        begin = mark.start()
        end = begin + len(self.plain[begin:].split("\n", 1)[0].rstrip())
        if mark.group() == "//" and (further := self._further_orders(begin, end, line)):
            for one in further:
                self.passages.append(Passage(one.start - 2, one.start, line.number, power=self.section))
                self.read_headed_orders(one)
            return
        words = self._words(line.comment)
        if len(line.comment) < 300 and self.reads(line.comment):
            self.refuse(begin, end, line.number, IN_COMMENT)
        elif not is_aside(words, self.reader) and any(
            names(word, self.reader) or (len(word) > 2 and self.reader.powers.exact(word)) for word in words
        ):
            self.refuse(
                begin,
                end,
                line.number,
                UNREAD_COMMENT,
            )
        else:
            self.passages.append(Passage(begin, end, line.number, power=self.section))

    def _further_orders(self, begin: int, end: int, line: Line) -> list[Line]:
        """The stretches between slashes if each holds only orders, all of units that have none yet."""
        lines: list[Line] = []
        at = begin
        taken = set(self.ordered)
        while at < end:
            stop = self.plain.find("//", at + 2, end)
            stop = end if stop < 0 else stop
            text = self.plain[at + 2 : stop]
            one = msgspec.structs.replace(
                line, start=at + 2 + len(text) - len(text.lstrip()), text=text.strip(), comment=""
            )
            parts, against = self.tried(one) if one.text else ([], "nothing stands there")
            units = [province_of(getattr(o, "at", "")) for part in parts for o in part.orders]
            if against or not units or any(part.error is not None for part in parts) or taken & set(units):
                return []
            if self.phase is Phase.MOVEMENT and self.position is not None:
                if not {unit.province for unit in self.position.units_of(self.section)} >= set(units):
                    return []  # of others, too: that is talk
            taken |= set(units)
            lines.append(one)
            at = stop
        return lines
