"""Sentences that are read in other words than they are written in."""

from __future__ import annotations

from legation.notation.errors import OrderTextError
from legation.notation.layout import Line
from legation.notation.parsing.orders import Parser
from legation.notation.prose.paraphrases import paraphrases
from legation.notation.sheets.sentences import SentenceReader
from legation.notation.sheets.shapes import ends_sentence, part_end
from legation.notation.small_words import JOINTS
from legation.orders import Order, Waive
from legation.position import Phase

MOST_WORDS = 40  # of a sentence that is read in other words


class ParaphraseReader(SentenceReader):
    """Reads sentences that say orders in other words."""

    def paraphrased(self, parser: Parser, begin: int, line: Line) -> list[Order]:
        """The orders that the sentence or the clause from a token on says in other words, and nothing else; the parser
        then stands behind it. None where it isn't understood."""
        tokens = parser.tokens
        if self.phase is Phase.MOVEMENT or self.tries_left <= 0:
            return []
        if begin and not (tokens[begin - 1].stop or tokens[begin - 1].text in JOINTS | {":"}):
            return []
        self.tries_left -= 1
        for end in self._ends(parser, begin):
            for text, kinds in paraphrases(line.text[tokens[begin].start : tokens[end - 1].end], self.phase):
                orders = self._all_orders(text)
                if orders and (not kinds or all(getattr(order, "kind", "") for order in orders)):
                    parser.at = end
                    return orders
        return []

    def _ends(self, parser: Parser, begin: int) -> list[int]:
        """Where the sentence and the clause from a token on end, as far as they are short enough."""
        least = min(begin + MOST_WORDS, len(parser.tokens))
        sentence = next((at for at in range(begin + 1, least) if ends_sentence(parser, at)), least)
        clause = part_end(parser, begin, begin) if sentence > begin + 1 else sentence
        return [sentence, clause] if clause < sentence else [sentence]

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
