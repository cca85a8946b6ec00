"""Names of powers in other languages: orders may use them, and maps in that language show them."""

import shutil
from pathlib import Path

import pytest

from legation.atlas.cartography import for_variant
from legation.notation.names import power_names
from legation.variants import Registry, VariantError
from tests.board.folders import EXAMPLES


def registry(folder: Path, names: str) -> Registry:
    shutil.copytree(EXAMPLES / "narrow-seas", folder / "narrow-seas")
    text = (EXAMPLES / "narrow-seas.toml").read_text(encoding="utf-8")
    text = text.replace('name = "Holland"\n', f'name = "Holland"\nnames = {names}\n')
    (folder / "narrow-seas.toml").write_text(text, encoding="utf-8")
    return Registry(folder, installed=False)


def test_a_power_is_known_by_its_names_in_other_languages(tmp_path: Path) -> None:
    variants = registry(tmp_path, '{ de = "Niederlande", fr = "Pays-Bas" }')
    rules = variants.load("narrow-seas")
    example = Registry(installed=False)
    plain = example.load(example.add_file(EXAMPLES / "narrow-seas.toml"))
    assert rules.digest == plain.digest  # a running game goes on
    holland = rules.powers["Holland"]
    assert (holland.name_in("fr"), holland.name_in("it")) == ("Pays-Bas", "Holland")
    assert power_names(tuple(rules.powers.values())).find("pays-bas") == "Holland"
    atlas = for_variant("narrow-seas", variants)
    assert atlas.languages == ["de", "fr"]
    assert ">Niederlande</tspan>" in atlas.in_language("de").svg(rules.opening())
    assert ">Holland</tspan>" in atlas.svg(rules.opening())
    assert ">Holland</tspan>" in atlas.in_language("it").svg(rules.opening())


@pytest.mark.parametrize(
    ("names", "message"),
    [('{ German = "Holland" }', "'German' isn't a tag of a language"), ('{ de = " " }', "names: ' ' isn't a name")],
)
def test_a_name_that_is_none_is_told(tmp_path: Path, names: str, message: str) -> None:
    with pytest.raises(VariantError) as refused:
        registry(tmp_path, names).load("narrow-seas")
    assert any(message in fault for fault in refused.value.faults), refused.value.faults
