"""The small words that stand before, between and after what orders say."""

from __future__ import annotations

JOINTS = frozenset([",", ";", "and", "&", "+", "|", "•", "·", "then"])
"""What may stand between two orders."""
AUXILIARIES = frozenset("is are will shall must should has have needs need to be ordered".split())
BACK = (("falls", "back"), ("fall", "back"), ("returns",), ("return",), ("back",), ("goes", "back"), ("go", "back"))
WISHES = [w.split() for w in ("i would like", "id like", "we would like", "i want", "we want", "let", "have")]
"""What may stand before a unit that is to do something."""
LENDS = frozenset(["lend", "lends", "give", "gives"])
"""Words with which support is given."""
BOTH = frozenset(["both", "each", "all"])
BESIDES = frozenset(["also", "plus", "finally", "lastly"])
"""What may stand before a further unit."""
ARTICLES = frozenset(["the", "my", "our", "dislodged"])
PREPOSITIONS = frozenset(["in", "at", "of", "from", "on"])
POLITE = frozenset("please pls plz".split())
THANKS = frozenset("thanks thank thx cheers".split())
ASIDES = frozenset(f"as {done}" for done in "agreed discussed promised planned arranged requested".split()) | {
    "this turn",
    "this season",
}
"""What may stand beside an order and changes nothing of it."""
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
