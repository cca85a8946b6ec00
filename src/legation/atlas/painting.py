"""Maps and papers made by processes of their own: while resvg paints it holds up every thread of its process, pdfium
paints for one thread at a time, and a drawing that never ends must harm nothing but itself."""

from collections.abc import Mapping
from datetime import datetime
from typing import TypeVar

from legation.atlas import pictures
from legation.atlas.pictures import PicturesMissingError
from legation.children import ChildError, Children

T = TypeVar("T")

SECONDS = 20.0  # of processor time; the largest board takes less than two
MEGABYTES = 2000
MOST = 2  # that paint at the same time
ERRORS = {"ValueError": ValueError, "PicturesMissingError": PicturesMissingError}


class PaintingError(RuntimeError):
    """A picture or paper that was not made within the limits of time and memory; trying again may help."""


class Painter:
    """Makes pictures and papers in child processes, for any number of threads."""

    def __init__(self, most: int = MOST, seconds: float = SECONDS) -> None:
        self.children = Children(most, seconds, MEGABYTES)

    def png(self, svg: str, width: int) -> bytes:
        """Return the map as PNG, as by :func:`legation.atlas.pictures.png`.

        :raises PicturesMissingError: where resvg-py is not installed.
        :raises ValueError: where the SVG cannot be drawn.
        :raises PaintingError: where it takes too long or too much."""
        return self._do(bytes, f"{pictures.__name__}:png", svg, width)

    def png_and_pdf(self, svg: str, width: int) -> tuple[bytes, bytes]:
        """Return the map on a page of A4, as by :func:`legation.atlas.pictures.pdf`, and before it the PNG of that
        page.

        :raises PicturesMissingError: where typst or pypdfium2 is not installed.
        :raises RuntimeError: where the SVG cannot be drawn.
        :raises PaintingError: where it takes too long or too much."""
        return self._do(tuple[bytes, bytes], f"{__name__}:page_and_png", svg, width)

    def paper(
        self, documents: Mapping[str, bytes], stamp: datetime | None = None, *, system_fonts: bool = False
    ) -> bytes:
        """Return the PDF of these documents, as by :func:`legation.atlas.pictures.compile_pdf`.

        :raises PicturesMissingError: where typst is not installed.
        :raises RuntimeError: for a document that cannot be typeset.
        :raises PaintingError: where it takes too long or too much."""
        return self._do(bytes, f"{pictures.__name__}:compile_pdf", dict(documents), stamp, system_fonts)

    def _do(self, returns: type[T], function: str, *arguments: object) -> T:
        try:
            return self.children.call(returns, function, *arguments)
        except ChildError as error:
            if error.reason == "failed":
                raise ERRORS.get(error.kind, RuntimeError)(str(error)) from None
            raise PaintingError(f"it cannot be drawn: {error}") from None


PAINTER = Painter()
"""The one of this program."""


def page_and_png(svg: str, width: int) -> tuple[bytes, bytes]:
    """Return a map as PNG and as PDF; run in a child."""
    page = pictures.pdf(svg)
    return pictures.png_of_page(page, svg, width), page
