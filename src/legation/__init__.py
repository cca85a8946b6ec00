"""Legation: run games of Diplomacy and its variants.

``legation.adjudicate(document)`` judges a position document (see ``docs/documents.md``). The typed objects below it are in the rooms: ``legation.variants.load``
gives a ruleset, ``legation.judge.resolve`` judges a turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from legation.version import VERSION

if TYPE_CHECKING:
    from legation.variants import Registry

__version__ = VERSION


def adjudicate(document: dict[str, Any], variants: Registry | None = None) -> dict[str, Any]:
    """Judge a position document and return the answer document. Its variant is one of ``variants``; of those that come along, if none are given.

    :raises legation.game.DocumentError: with every fault of the document, each with its place.
    """
    from legation.game import adjudicate as judge  # keeps ``import legation`` light

    return judge(document, variants)
