"""The first format of proofs: one document a turn, with commitments over a sheet's lines. It stays checkable.

It shows that sheets and lots are those that were committed to. It does not show which version had to count, nor when
anything came, nor that the turn was judged by the rules; nobody signed it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from legation.judge import commitment as seed_commitment
from legation.judge import draw
from legation.proofs.report import ALTERED, Report

NAME = "format 1"


class OldSheet(msgspec.Struct, frozen=True):
    """A sheet that counted."""

    power: str
    version: int
    commitment: str
    salt: str
    text: str
    files: list[str]


class OldLot(msgspec.Struct, frozen=True):
    """A lot that was drawn."""

    label: str
    items: list[str]
    order: list[str]


class OldProof(msgspec.Struct, frozen=True):
    """What proves a turn."""

    game: str
    turn: str
    seed_commitment: str
    sheets: list[OldSheet]
    lots: list[OldLot]
    seed: str
    commitments: list[str]


def is_format_one(document: object) -> bool:
    """Whether a document looks like one of the first format."""
    return isinstance(document, Mapping) and {"commitments", "seed_commitment", "sheets"} <= document.keys()


def old_commitment(salt: str, power: str, turn: str, text: str, files: list[str]) -> str:
    """SHA-256 of salt, power, turn, the sheet and the files' digests, a line each."""
    return hashlib.sha256("\n".join([salt, power, turn, text, *files]).encode()).hexdigest()


def verify_format_one(document: Any) -> Report:
    """Check a document of the first format."""
    report = Report()
    try:
        proof = msgspec.convert(document, OldProof)
    except msgspec.ValidationError as error:
        report.fail(0, NAME, f"this is not a proof of the first format: {error}", ALTERED)
        return report
    report.game = proof.game
    for sheet in proof.sheets:
        place = f"{proof.turn}: {sheet.power}, version {sheet.version}"
        if not sheet.salt:
            report.unchecked.append(f"{place}: it is not shown yet")
        elif old_commitment(sheet.salt, sheet.power, proof.turn, sheet.text, sheet.files) != sheet.commitment:
            report.fail(0, place, "the sheet does not fit its commitment", ALTERED)
        elif sheet.commitment not in proof.commitments:
            report.fail(0, place, "its commitment is not among those of the turn", ALTERED)
        else:
            report.checked.append(f"{place}: the sheet fits its commitment")
    if proof.seed and seed_commitment(proof.seed) != proof.seed_commitment:
        report.fail(0, proof.turn, "the seed of the lots is not the one that was committed to", ALTERED)
    for lot in proof.lots:
        if draw(proof.seed, lot.label, lot.items) != lot.order:
            report.fail(0, f"{proof.turn}: {lot.label}", "the lot has a different result", ALTERED)
    report.told.append(f"This is a proof of {NAME}, which Legation wrote before games had a signed journal.")
    report.unchecked += [
        "which version had to count, and whether it came in time",
        "that the turn was judged by the rules: 'legation replay' does that for a saved game",
        "who made this file: nothing in it is signed. Compare its commitments with those on your receipts.",
    ]
    return report
