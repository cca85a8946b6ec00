"""Settings of rule modules that do not fit the board are refused when the variant is loaded, with the mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from legation.rules import modules
from legation.variants import SettingForm, VariantError, load_file, rule_forms

HEAD = """
name = "x"
title = "X"
board = "standard"
[rules.calendar]
first = "Spring 1901 Movement"
cycle = ["Spring Movement", "Winter Adjustments"]
[rules.homes]
{rule}
[[powers]]
name = "France"
homes = ["par"]
units = ["A par"]
[[powers]]
name = "Italy"
"""


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("[rules.solo_with_capitals]\ncenters = 5", "no province of the board is a capital"),
        ("[rules.draw_between_kingdoms]\nkingdoms = ['France']", "kingdom 'France' has no capital on this board"),
        ("[rules.conversion]\nturns = 0", "turns must be at least 1, not 0"),
        ("[rules.solo_with_capitals]", "rules.solo_with_capitals: needs 'centers', a whole number"),
        ("[rules.supply_transfers]", "did you mean 'supply_transfer'?"),
        ("[rules.mercy]\nunits = 2", "unknown key 'units'; this takes no settings"),
    ],
)
def test_settings_that_do_not_fit(tmp_path: Path, rule: str, fault: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(HEAD.format(rule=rule), encoding="utf-8")
    with pytest.raises(VariantError) as caught:
        load_file(path)
    assert fault in str(caught.value)


@pytest.mark.parametrize("rule", ["conversion", "mercy", "proxy", "supply_transfer", "one_way_adjustments"])
def test_each_module_stands_by_itself(tmp_path: Path, rule: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(HEAD.format(rule=f"[rules.{rule}]"), encoding="utf-8")
    rules = load_file(path)
    [module] = [m for m in rules.modules if m.key == rule]
    text = module.describe(rules)
    assert text
    assert all(sentence.endswith(".") for sentence in text)
    assert any(sentence.startswith("Decided: ") for sentence in text)


def test_every_setting_is_filled_in_by_fields_of_its_type() -> None:
    def kinds(form: SettingForm) -> set[str]:
        inner = [*form.fields.values(), *([form.of] if form.of is not None else [])]
        return {form.type}.union(*map(kinds, inner))

    forms = {form.key: form for form in rule_forms(modules())}
    assert "any" not in {
        kind for form in forms.values() for setting in form.settings.values() for kind in kinds(setting)
    }
    closed = forms["border_terms"].settings["closed"]
    assert closed.of is not None and list(closed.of.fields)[:2] == ["from", "to"]
    assert closed.of.fields["to"].required and not closed.of.fields["from"].required
    (readings,) = forms["starting_choice"].settings.values()
    assert readings.of is not None and readings.of.text_too  # its summary
