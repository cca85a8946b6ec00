"""Sentences that are read in other words than they are written in."""

from __future__ import annotations

from legation.notation.errors import OrderTextError
from legation.notation.layout import Line
from legation.notation.parsing.orders import Parser
from legation.notation.prose.paraphrases import paraphrases
from legation.notation.sheets.sentences import SentenceReader
from legation.notation.sheets.shapes import part_end, sentence_end
from legation.notation.small_words import JOINTS
from legation.orders import Order, Waive


class ParaphraseReader(SentenceReader):
    """Reads sentences that say orders in other words."""

    def paraphrased(self, parser: Parser, begin: int, line: Line) -> list[Order]:
        """The orders that the sentence or the clause from a token on says in other words, and nothing else; the parser
        then stands behind it. None where it isn't understood."""
        tokens = parser.tokens
        if begin and not (tokens[begin - 1].stop or tokens[begin - 1].text in JOINTS | {":"}):
            return []
        for end in dict.fromkeys((sentence_end(parser, begin + 1), part_end(parser, begin, begin))):
            for text, kinds in paraphrases(line.text[tokens[begin].start : tokens[end - 1].end], self.phase):
                orders = self._all_orders(text)
                if orders and (not kinds or all(getattr(order, "kind", "") for order in orders)):
                    parser.at = end
                    return orders
        return []

    def _all_orders(self, text: str) -> list[Order]:
        """The orders of a text that gives nothing else, each of another unit; none if it does not."""
        parser = self.parser(text)
        try:
            orders = parser.orders()
            while parser.peek() in (",", "and", "&"):
                parser.at += 1
                orders += parser.orders()
        except OrderTextError:
            return []
        places = [getattr(order, "at", "") for order in orders if not isinstance(order, Waive)]
        whole = parser.at >= len(parser.tokens) and all(places) and len(set(places)) == len(places)
        return orders if whole and set(places).isdisjoint(parser.ordered) else []
