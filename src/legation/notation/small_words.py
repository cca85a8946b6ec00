"""The small words that stand before, between and after what orders say."""

from __future__ import annotations

from legation.notation.other_languages import SELF

JOINTS = frozenset([",", ";", "and", "&", "+", "|", "•", "·", "*", "then"])
"""What may stand between two orders."""
AUXILIARIES = frozenset(
    "is are will shall must should has have needs need to be ordered wird werden se sich si zich".split()
)
ADVERBS = frozenset(
    "just simply now also too therefore accordingly hence merely still then promptly boldly quietly gladly please pls "
    "plz".split()
)
"""Words before a verb that change nothing of the order."""
BACK = [
    w.split() for w in ("falls back|fall back|returns|return|back|goes back|go back|up|down|over|out|across").split("|")
]
"""What may stand before the ``to`` of a move and changes nothing of it."""
WISHES = [
    w.split()
    for w in (
        "i would like",
        "i should like",
        "we should like",
        "id like",
        "we would like",
        "id rather have",
        "id prefer",
        "i want",
        "we want",
        "i wish",
        "we wish",
        "use",
        "gimme",
        "put me down for",
        "put us down for",
        "give me",
        "let me have",
        "let us have",
        "bring me",
        "let",
        "have",
        "make",
    )
]
"""What may stand before a unit that is to do something."""
SPEAKERS = [
    w.split()
    for w in (
        "i",
        "we",
        "ill",
        "well",
        "im",
        "lets",
        "let us",
        "id like to",
        "wed like to",
        "gonna",
        "im gonna",
        "imma",
        *SELF,
    )
]
"""Who speaks, before what begins an order: ``I'll move Paris``."""
INTENTS = [
    w.split()
    for w in "will|shall|hereby|regretfully|reluctantly|gladly|kindly|be|am|are|going to|would like to|like to|want to|"
    "wish to|also|now".split("|")
]
"""What may stand after that."""
GOING = [
    w.split()
    for w in (
        "go with",
        "go for",
        "go",
        "do",
        "play",
        "take",
        "have",
        "moving",
        "start with",
        "begin with",
        "open with",
    )
]
"""What may stand after that, before a unit: ``Let's go with``."""
REGRETS = [w.split() for w in ("with regret", "with regrets", "with a heavy heart", "sadly", "regretfully", "alas")]
"""What may stand before an order and only sighs."""
LENDS = frozenset(["lend", "lends", "offer", "offers", "give", "gives", "provide", "provides"])
"""Words with which support is given."""
BOTH = frozenset(["both", "each", "all"])
BESIDES = frozenset(["also", "plus", "finally", "lastly"])
"""What may stand before a further unit."""
ARTICLES = frozenset(["the", "my", "our", "own", "dislodged", "defeated", "beaten", "mercenary"])
PREPOSITIONS = frozenset(["in", "at", "of", "from", "on"])
POLITE = frozenset("please pls plz bitte svp".split())
LIKEWISE = frozenset("likewise too also ditto similarly".split())
"""What says of a unit that it does the same as the one before it."""
ENDINGS = POLITE | frozenset(
    "forthwith immediately "
    "auf alone behind only too again rip gg lol lmao haha hehe obvs obviously naturally definitely tho btw tbh ngl imo "
    "xd xx xxx".split()
)
"""What may stand behind an order and changes nothing of it."""
FILLERS = POLITE | frozenset(
    "kindly definitely obviously just ok okay oh so well right now hence thus therefore accordingly meanwhile "
    "anyway".split()
)
"""What may stand before an order and changes nothing of it."""
THANKS = frozenset("thanks thank thanx thnx thx ta ty cheers danke gracias grazie".split())
_SEASONS = ("spring", "summer", "autumn", "fall", "winter")
ASIDES = frozenset(f"as {done}" for done in "agreed discussed promised planned arranged requested".split()) | {
    "this turn",
    "this first turn",
    "the first turn",
    "at once",
    "from the board",
    "from the map",
    "from the game",
    "without delay",
    "in its stead",
    "in its place",
    "in their stead",
    "that is all",
    "and nothing else",
    "and that is all",
    "and no more",
    "thats all",
    "as above",
    "see above",
    "see below",
    "the usual",
    "also the usual",
    "por favor",
    "per favore",
    "as well",
    "this season",
    "this time",
    "this year",
    "for this turn",
    "for this season",
    "for this year",
    "for the turn",
    "for the season",
    "for the year",
    "for the spring",
    "for the summer",
    "for the autumn",
    "for one year",
    "for a year",
    "for the year ahead",
    "for the coming year",
    "for next year",
    "behind it",
    "behind him",
    "after it",
    "after that",
    "after them",
    "after him",
    "beside it",
    "beside that",
    "for sure",
    "for certain",
    "nowhere to go",
    "just for fun",
    "to begin with",
    "to start with",
    "behind them",
    *(f"{words} {season}" for words in ("this", "for this", "until") for season in _SEASONS),
    "for me",
    "for us",
    "as usual",
    "as always",
    "of course",
    "at last",
    "once more",
    "to be safe",
    "just in case",
    "as a precaution",
    "where it lands",
    "where it disembarks",
    "with no support",
    "without any support",
    "without support",
    "against my better judgment",
    "against my better judgement",
    "with honors",
    "with honours",
    "if you please",
    "if you will",
    "if i may",
}
"""What may stand beside an order and changes nothing of it."""
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
NUMBERS |= {word: 7 + i for i, word in enumerate("seven eight nine ten eleven twelve".split())}
