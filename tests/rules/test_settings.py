"""Each rule stands by itself and says what was decided, and forms know the type of every setting."""

from pathlib import Path

import pytest

from legation.rules import modules
from legation.variants import SettingForm, rule_forms
from tests.rules.small_variant import HOMES, loaded


@pytest.mark.parametrize("rule", ["conversion", "mercy", "proxy", "supply_transfer", "one_way_adjustments"])
def test_each_module_stands_by_itself(tmp_path: Path, rule: str) -> None:
    rules = loaded(tmp_path, f"{HOMES}[rules.{rule}]")
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
