"""What each rule says of itself, with its settings, in every variant and with every reading of its options."""

import pytest

from legation.variants import load, names

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
