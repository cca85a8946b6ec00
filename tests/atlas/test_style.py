"""The palette is held to what it promises, by computation."""

from itertools import combinations

import pytest

from legation.atlas.style import (
    DARK,
    LIGHT,
    PALETTE,
    Theme,
    assign_colors,
    contrast,
    difference,
    gray,
    ground_color,
    ink_on,
    rgb,
    tick_color,
)
from legation.variants import load, names


def colors_of(variant: str) -> list[str]:
    return [*assign_colors([(p.name, p.color or None) for p in load(variant).powers.values()]).values()]


@pytest.mark.parametrize("variant", ["", *names()])
def test_powers_stay_apart_and_stand_out_for_every_eye_and_in_gray(variant: str) -> None:
    colors = colors_of(variant) if variant else PALETTE
    for a, b in combinations(colors, 2):
        assert difference(a, b) >= 0.065 and abs(gray(a) - gray(b)) >= 2.0, (a, b)
        for look in (LIGHT, DARK):
            assert difference(ground_color(a, look), ground_color(b, look)) >= 0.06, (look.name, a, b)
    for color in colors:
        assert contrast(ink_on(color), color) >= 4.4, "units are drawn in lines that show"
        for look in (LIGHT, DARK):
            ground = ground_color(color, look)
            assert min(difference(ground, look.paper), difference(ground, look.sea)) >= 0.06, (look.name, color)
            assert contrast(ink_on(ground), ground) >= 4.5, (look.name, color)


def test_the_palette_has_colors_enough_and_those_of_seven_powers_have_it_easier() -> None:
    assert len(PALETTE) >= 10
    assert all(abs(gray(a) - gray(b)) >= 3.5 for a, b in combinations(PALETTE[:7], 2))


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: str(look.name))
def test_ink_is_read_on_paper_sea_and_page(look: Theme) -> None:
    assert contrast(look.ink, look.paper) >= 7
    assert contrast(look.sea_ink, look.sea) >= 4.5
    assert contrast(look.faint_ink, look.page) >= 4.5


def test_seeing_with_normal_eyes_changes_nothing_and_confusions_are_confused() -> None:
    assert difference("#ff0000", "#ff0000") == 0
    # a red and a green that a deutan eye can hardly tell apart, though others can
    assert difference("#a35a2c", "#6d7428") < 0.08


def test_given_colors_are_kept_and_the_rest_avoid_them() -> None:
    colors = assign_colors([("A", None), ("B", PALETTE[0]), ("C", None)])
    assert list(colors) == ["A", "B", "C"]
    assert colors["B"] == PALETTE[0]
    assert colors["A"] == PALETTE[1]
    assert len(set(colors.values())) == 3


def test_more_powers_than_the_palette_still_differ() -> None:
    colors = list(assign_colors([(f"power {i}", None) for i in range(16)]).values())
    assert len(set(colors)) == 16
    for a, b in combinations(colors, 2):
        assert difference(a, b) > 0.03


def test_a_bad_color_is_named() -> None:
    for color in ("teal", "#1af", "11aaff"):
        with pytest.raises(ValueError, match=f"'{color}'"):
            rgb(color)


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: str(look.name))
def test_land_that_is_not_played_is_told_by_its_ticks(look: Theme) -> None:
    """Its pale color cannot stay apart from every power's; its ticks are seen by every eye, and no power's land has
    them."""
    assert difference(tick_color(look), look.waste) >= 0.06
    assert difference(look.waste, look.paper) >= 0.05
    for color in PALETTE:
        assert difference(ground_color(color, look), tick_color(look)) >= 0.02, color
