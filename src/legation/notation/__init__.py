"""Notation: what people write, read into orders; and orders written in one canonical short style, or in sentences."""

from legation.notation.errors import OrderTextError
from legation.notation.forms import OrderForm
from legation.notation.reading import Reader
from legation.notation.sheets import Passage
from legation.notation.writing import Writer, write

__all__ = ["OrderForm", "OrderTextError", "Passage", "Reader", "Writer", "write"]
