"""Variants of ours written out in formats of godip and diplicity and read back: borders, coasts, centers, homes and
units are equal.

The boards that come with Legation are hidden from the importers, so that what is read is what counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from legation.board import Board, province_of, read_board
from legation.interop import open_source, read_variants, settling, write_variants
from legation.variants import load, load_file, names
from tests.interop.written_boards import FORMATS, TRAVELS, Written
from tests.sampling import some


def spelled(board: Board, at: str) -> str:
    """A place by the letters of its name; formats have other codes."""
    return re.sub(r"\W", "", board.provinces[province_of(at)].name).lower() + at.partition("/")[2]


def ways(board: Board) -> set[tuple[str, str, str]]:
    return {
        (travel, spelled(board, at), spelled(board, to))
        for travel in TRAVELS
        for at in board.locations
        for to in board.reach(travel, at)
    }


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("variant", some(names(), 3))
def test_a_variant_of_ours_comes_back(variant: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load(variant)
    ours = Written(rules)
    for file, text in FORMATS[kind](ours).items():
        (tmp_path / "in" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / file).write_text(text)
    monkeypatch.setattr(settling, "find_boards", dict)
    [written] = write_variants(read_variants(open_source(tmp_path / "in")), tmp_path / "out", picture=False)
    board, there = read_board(written.board), load_file(written.file)
    assert ways(board) == ways(rules.board)
    assert {spelled(board, c) for c in board.centers} == {spelled(rules.board, c) for c in rules.board.centers}
    homes = {power.name: {spelled(board, h) for h in power.homes} for power in there.powers.values()}
    expected = {power: {spelled(rules.board, h) for h in listed} for power, listed in ours.homes.items()}
    units = {power: {(u.kind, spelled(board, u.at)) for u in there.start if u.power == power} for power in homes}
    started = {power: {(kind, spelled(rules.board, at)) for kind, at in listed} for power, listed in ours.units.items()}
    assert (homes, units) == (expected, started)
