"""What the rules say of themselves, with their settings and with every reading of their options; examples of orders,
and the forms of settings."""

from pathlib import Path

import pytest

from legation.notation import write
from legation.rules import modules
from legation.variants import SettingForm, load, names, rule_forms
from legation.variants.order_forms import examples
from tests.rules.small_variant import HOMES, VARIANT, loaded


@pytest.mark.parametrize("name", names())
def test_examples_are_orders_as_they_are_read(name: str) -> None:
    rules = load(name)
    for orders in examples(rules).values():
        for order in orders:
            assert rules.reader.order(write(order)) == order
            assert getattr(order, "power", "") != next(iter(rules.powers)), "the first power writes it, to another"


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("[rules.solo]\ncenters = 1", "A power wins if it owns at least 1 center after centers have changed hands."),
        ("[rules.last_survivors]\ncount = 1", "When only 1 power survives, the game ends"),
        ("[rules.last_survivors]\ncount = 2", "When only 2 powers survive, the game ends"),
        ("[rules.conversion]\nturns = 3", "It takes the same order in 3 consecutive movement turns;"),
        (
            "[rules.defensive_army]\nstrength = 4\ncost = 1",
            "1 center may support one defensive army (D); it counts as 1 unit and is built whole",
        ),
        (
            "[rules.defensive_army]\nstrength = 4\ncost = 3",
            "3 centers may support one defensive army (D); it counts as 3 units and is built whole",
        ),
        (
            "[rules.defensive_army]\nstrength = 5",
            "worth 4 if one unit attacks it; 3 if that attack has one support; 2 if it has two; 4 if two or three "
            "units attack it, each without support; 3 if two attack it, one of them with one support.",
        ),
        (
            "[rules.defensive_army]\nstrength = 1",
            "worth 0 if one unit attacks it; 0 if that attack has one support; 0 if it has two; 0 if two or three "
            "units attack it, each without support; 0 if two attack it, one of them with one support.",
        ),
        (
            "[rules.special_sites]\nsites = { France = ['mun', 'mar'], Italy = ['spa'] }\nkinds = { mar = ['A'], spa = "
            "['A', 'F'] }",
            "France may also build in Munich, once owned and vacant: armies only. "
            "France may also build in Marseilles, once owned and vacant: army only. "
            "Italy may also build in Spain, once owned and vacant: army or fleet only.",
        ),
        (
            "[rules.special_sites]\nsites = { France = ['mar'] }",
            "France may also build in Marseilles, once owned and vacant: fleets too.",
        ),
        ("[rules.year_limit]\nlast = 'Winter 1905 Adjustments'", "After Winter 1905 Adjustments the game"),
    ],
)
def test_rules_are_told_with_their_settings(tmp_path: Path, rule: str, said: str) -> None:
    key = rule.removeprefix("[rules.").partition("]")[0]
    rules = loaded(tmp_path, HOMES + rule)
    assert said in " ".join(s for m in rules.modules if m.key == key for s in m.describe(rules))


@pytest.mark.parametrize(
    ("calendar", "said"),
    [
        ("cycle = ['Spring Movement', 'Winter Adjustments']", "Every year: Spring Movement, Winter Adjustments."),
        (
            "cycle = ['+0 Movement', '+5 Movement', '+5 Adjustments']\nyears = 10",
            "In 1900, 1910, 1920 and so on: Movement. In 1905, 1915, 1925 and so on: Movement, Adjustments.",
        ),
        (
            "cycle = ['+0 Movement', '+0 Adjustments']\nyears = 10",
            "In 1900, 1910, 1920 and so on: Movement, Adjustments.",
        ),
    ],
)
def test_a_calendar_is_told(tmp_path: Path, calendar: str, said: str) -> None:
    first = "1900 Movement" if "years" in calendar else "Spring 1901 Movement"
    text = VARIANT.replace(
        'first = "Spring 1901 Movement"\ncycle = ["Spring Movement", "Winter Adjustments"]',
        f"first = '{first}'\n{calendar}",
    )
    rules = loaded(tmp_path, HOMES, text)
    [module] = [m for m in rules.modules if m.key == "calendar"]
    assert module.describe(rules) == (
        f"The game opens with {first}.",
        f"{said} Retreats and adjustments are skipped when nobody has anything to order.",
    )


SAID = {
    "standard": ["owns at least 18 centers after", "A power builds"],
    "1897": ["18 centers", "Winter 1899"],
    "1898": ["18 centers"],
    "hundred": ["owns at least 9 centers after"],
    "1000ad": [
        "25 for British, Franks and Polotjans & Dregovites",
        "28 for Moors, Vikings and Magyars & Polacks; 31 for Byzantines",
        "only 3 powers survive",
        "Winter 1015",
        "counts as 2 units",
        "strength is 3",
        "Lombardy",
    ],
    "three-kingdoms": ["55 centers", "2 consecutive movement turns"],
}


def test_every_rule_describes_itself_in_sentences() -> None:
    plain = [load(name) for name in names()]
    otherwise = [
        load(rules.name, {option.name: reading})
        for rules in plain
        for option in rules.declared_options
        for reading in option.readings
    ]
    said = {said for rules in (*plain, *otherwise) for module in rules.modules for said in module.describe(rules)}
    assert len(said) > 60
    for sentence in said:
        assert sentence.endswith((".", ":")), sentence
        assert sentence[0].isupper() or sentence[0] in "'0123456789", sentence
        assert not any(sign in sentence for sign in ("None", "  ", "()", "[]", "{")), sentence


@pytest.mark.parametrize("name", SAID)
def test_settings_are_told(name: str) -> None:
    rules = load(name)
    text = " ".join(sentence for module in rules.modules for sentence in module.describe(rules))
    for words in SAID[name]:
        assert words in text, text


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
