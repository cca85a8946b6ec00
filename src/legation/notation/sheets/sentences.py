"""Sentences on a sheet: what one begins with, and whether it is talk, a question or a ban that spoils no other."""

from __future__ import annotations

from functools import cached_property

import msgspec

from legation.board import province_of
from legation.notation.courtesies import is_courtesy
from legation.notation.errors import OrderTextError
from legation.notation.parsing.orders import Parser
from legation.notation.prose import objections, sayings
from legation.notation.sheets.asides import is_chat, names, orders_in_short
from legation.notation.sheets.heading_verbs import dashes_remove, read_bare
from legation.notation.sheets.progress import Progress
from legation.notation.sheets.shapes import looks_like_order, sentence_end
from legation.notation.tokens import tokenize
from legation.orders import Move, Retreat

MOST_FORBIDDING = 12  # words of a sentence that says what a unit is not to do


class SentenceReader(Progress):
    """Tells sentences from each other by how they begin and what they speak of."""

    def parser(self, text: str) -> Parser:
        """A parser for a text that stands where the reading has come to."""
        bare = read_bare(self.verb, self.phase, after_dash=self.minus, removes=self.minus and self.dashes_remove)
        tokens = tokenize(text, self.reader.codes)
        parser = Parser(self.reader, text, tokens, self.phase, self.section, self.position, self.ordered, bare)
        parser.claimed = self.claimed
        parser.entries = self.entries
        parser.after_fault = self.fault_before or (bool(self.passages) and self.passages[-1].error is not None)
        return parser

    @cached_property
    def dashes_remove(self) -> bool:
        """Whether the units behind dashes are as many as must go."""
        return dashes_remove(self.plain, self.reader, self.position, self.power)

    def reads(self, text: str) -> bool:
        """Whether a text begins with an order."""
        try:
            self.parser(text).orders()
        except OrderTextError:
            return False
        return True

    def going_to(self, order: Move | Retreat, text: str) -> Move | Retreat | None:
        """A move or retreat to another place, which must be within reach; None if the text says more than a place."""
        parser = self.parser(text)
        parser.take("to")
        unit = self.parser(f"{order.kind} {order.at}".strip()).subject()
        try:
            to = parser.place(parser.lands(unit), parser.reaches(unit))
        except OrderTextError:
            return None
        if parser.at < len(parser.tokens) or not parser.reaches(unit)(province_of(to)):
            return None
        return msgspec.structs.replace(order, to=to, **({"route": ()} if isinstance(order, Move) else {}))

    def unit_begun(self, text: str) -> str:
        """The province of the own unit with whose order a text begins; empty if it begins with something else."""
        parser = self.parser(text)
        try:
            at = province_of(parser.subject().at)
        except OrderTextError:
            return ""
        return at if parser.present("", self.section)(at) and not parser.ended else ""

    def is_courtesy(self, text: str) -> bool:
        """Whether a text only greets or thanks; ``OK, A Cons - Bulg`` does more, though its names are shortened."""
        return is_courtesy(text, self.reader.telling_words) and not orders_in_short(self.parser(text), text)

    def is_chat_sentence(self, parser: Parser, begin: int) -> bool:
        """Whether a whole sentence names nothing of the board and takes nothing back: ``I hope you are well.``"""
        tokens = parser.tokens
        if begin > 0 and not tokens[begin - 1].stop:
            return False
        end = sentence_end(parser, begin + 1)
        whole = end < len(tokens) or begin > 0
        said = [token.text for token in tokens[begin:end]]
        return whole and is_chat(said, self.reader)

    def forbids_alone(self, parser: Parser, begin: int) -> bool:
        """Whether a sentence says what one own unit is not to do, and those behind it order others: ``Don't move A par.
        A bur - mun.``"""
        tokens = parser.tokens
        end = sentence_end(parser, begin + 1)
        said = [token.text for token in tokens[begin:end]]
        if end >= len(tokens) or (begin and not tokens[begin - 1].stop) or ":" in said or len(said) > MOST_FORBIDDING:
            return False
        words = {word for word in said if word.isalpha()}
        pointing = (
            sayings.POINTS_BACK | sayings.POINTS_AT | (sayings.RETRACTS - {"not"}) | sayings.CONDITIONS | sayings.QUOTES
        )
        if not words & sayings.FORBIDS or "?" in said or words & (pointing - {"my"}):
            return False
        of = {key for token in tokens[begin:end] for key in self.reader.places.meaning(token.text, parser.power).keys}
        mine = {unit.province for unit in self.position.units_of(self.section)} if self.position else set()
        if len(of & mine) != 1:
            return False
        rest = self.parser(parser.text[tokens[end].start :])
        try:
            first = rest.orders()[:1]
        except OrderTextError:
            return False
        at = province_of(getattr(first[0], "at", "")) if first else ""
        return at in mine and not of & {
            key for token in rest.tokens for key in self.reader.places.meaning(token.text, parser.power).keys
        }

    def asked_end(self, parser: Parser, begin: int) -> int:
        """Where a question ends that opens a line and names nothing of the board, before something else; 0 where none
        comes."""
        said = [token.text for token in parser.tokens]
        end = said.index("?") + 1 if "?" in said else 0
        if begin or not 1 < end < len(said):
            return 0
        while end < len(said) and said[end] in "?!":
            end += 1
        against = (sayings.AGAINST - sayings.CHATTY - {"if"}) | sayings.CORRECTS | sayings.ORDERING
        plain = not set(said[:end]) & against and end < len(said)
        plain = plain and not any(
            word == "-" or word in self.reader.telling_words or (len(word) > 1 and names(word, self.reader))
            for word in said[:end]
        )
        return end if plain else 0

    def only_asked(self, parser: Parser, begin: int, stop: int) -> bool:
        """Whether a mark of question alone speaks against one order of several on a line: ``A gal S A vie?; ...``."""
        said = [token.text for token in parser.tokens[begin:stop]]
        apart = stop < len(parser.tokens) or (begin > 0 and parser.tokens[begin - 1].text == ";")
        if "?" not in said or not apart or not looks_like_order(parser, begin) or said[-1] != "?":
            return False
        rest = [word for word in said if word != "?"]
        return not objections.objection(rest, self.reader.places)
