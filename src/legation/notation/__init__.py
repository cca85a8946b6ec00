"""Notation: what people write, read into orders; and orders written in one canonical short style, or in sentences."""

from legation.notation.errors import OrderTextError
from legation.notation.reading import Passage, Reader
from legation.notation.writing import Writer, write

__all__ = ["OrderTextError", "Passage", "Reader", "Writer", "write"]
