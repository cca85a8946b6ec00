"""The rules that a game is pinned to: kept with it when it begins, so that it goes on by them whatever becomes of its
variant."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Mapping

import structlog

from legation.judge import Ruleset, changes
from legation.office.errors import DamagedError
from legation.office.monitoring.logs import told_of
from legation.office.store.packing import unpack
from legation.office.store.rows import GameRow, KeptRulesRow
from legation.office.store.store import Store
from legation.office.store.transaction import DuplicateRowError, Transaction
from legation.variants import Registry, VariantError, read_kept

log = structlog.get_logger("legation.office")


def pinned_rules(store: Store, variants: Registry, game: GameRow) -> Ruleset:
    """The rules that a game is pinned to, where they are at hand, else its variant's present ones. Raises DamagedError
    when its variant cannot be read."""
    options = unpack(game.options)
    try:
        rules = variants.load(game.variant, options)
    except VariantError as error:
        kept = _kept_rules(store, variants, game, options)
        if kept is None:
            raise DamagedError(f"The variant of {game.name} cannot be read: {error}") from None
        return kept
    if not changes(game.rules_digest, rules):
        return rules
    return _kept_rules(store, variants, game, options) or rules


def _kept_rules(store: Store, variants: Registry, game: GameRow, options: Mapping[str, object]) -> Ruleset | None:
    """The rules that were kept with a game; None where a rule's older version isn't at hand, or the judge changed."""
    if not game.kept or game.kept in variants.unusable:
        return None
    try:
        if not variants.knows(game.kept):
            with store.transaction(write=False) as tx:
                row = tx.find(KeptRulesRow, address=game.kept)
            if row is None:
                return None
            variants.add_kept(read_kept(zlib.decompress(row.content)))
        rules = variants.load(game.kept, options)
    except (VariantError, ValueError, OSError, zlib.error) as error:
        variants.unusable.add(game.kept)
        log.warning("kept rules cannot be used", rules=game.kept, **told_of(error))
        return None
    return None if changes(game.rules_digest, rules) else rules


def rules_content(tx: Transaction, variants: Registry, game: GameRow) -> bytes:
    """The variant of a game as it was when it began, to be read by another process."""
    kept = tx.find(KeptRulesRow, address=game.kept) if game.kept else None
    return zlib.decompress(kept.content) if kept is not None else variants.as_it_is(game.variant).content()


def keep_rules(tx: Transaction, variants: Registry, game: GameRow) -> str:
    """Keep the rules of a game while they are its variant's present ones; the answer is their address."""
    try:
        if changes(game.rules_digest, variants.load(game.variant, unpack(game.options))):
            return game.kept
        kept = variants.as_it_is(game.variant)
    except VariantError:
        return game.kept
    if kept.address != game.kept and tx.find(KeptRulesRow, address=kept.address) is None:
        with contextlib.suppress(DuplicateRowError):
            tx.add(KeptRulesRow(address=kept.address, content=_packed(kept.content())))
    return kept.address


def _packed(content: bytes) -> bytes:
    return zlib.compress(content, 6)
