"""Plain words on pages, in mails and in the code: what once read as if translated does not come back."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GONE = """
the coordinator neither|A seat for a day|Its rules|Its desk|when all agree in one turn|Agree to a draw|First you see
how it was understood|they hold unless you add|cannot be reached by this|it cannot be ordered|the dearest first|Keep
these wishes|dealt by lot, wishes first|gathering its players|announced by|Announce a game|a mail tells you|The game
was given up|Give the game up|when all say that they are ready|Not ready after all|Who plays which power is told|What
is sent to me|That my orders did not come|Make an address for my calendar|How even is it|Lay it on the bench|No
finding|What came of it, and why|Paper: as my system|Nothing here is ever changed|since so much was asked|what is not
to be done is no order|was ordered instead)|It must be said where it could walk|Who asks.|The machine's own.|Take
leave of|Nothing is open.|here and there|nobody can foretell|Who isn't a power|Whoever rules|More than one may send|It
does not fit what is there|Let go of the database|while the rules still work|all else is forgotten|What happens while
one looks|compressed once.|Results from behind the desk|What browsers are told|The bell: it rings|The tables of the
first office|Mails that came in.|what else they may say|nothing has to be done|waits for your word|as I write it|A
second pair of eyes|Who held which seat|Which is meant?|Sign off all the same|Take the draft results back|Not all was
understood|nobody looked before|Nobody is known by|nothing is due from you|no game is unmade|postal press;
BROADCAST|nobody acts for another|mail counter|web counter|pins the whole journal|Shares of bots are|That turn is over
by now|taken for a logo| what stands now|have one middle|Nobody can read any more|opens such turns anew|Nothing is
remarked|None counts until you| mail goes where it went|and so have enough others|falls otherwise|judged anew|in our
hand|the office's ear|the designer's bench|a workpiece|No variant that ships|these kinds alone|a province that wins|in a
draw of them all|left out when nobody|lends the supply|owns most when|and as large
"""


def test_words_that_were_replaced_do_not_come_back() -> None:
    gone = [" ".join(words.split()) for words in GONE.split("|")]
    files = [*ROOT.glob("docs/*.md"), ROOT / "README.md"]
    files += [f for kind in ("py", "html", "js", "typ", "toml") for f in (ROOT / "src/legation").rglob(f"*.{kind}")]
    found = []
    for file in files:
        if file.name != "htmx.js":
            text = " ".join(file.read_text(encoding="utf-8").split())
            found += [f"{file.relative_to(ROOT)}: {words!r}" for words in gone if words in text]
    assert not found, "\n".join(found)


def test_what_something_is_not_is_said_plainly() -> None:
    """``'Dover' isn't a place``, not ``is no place``: in sentences that somebody reads."""
    found = []
    for file in (ROOT / "src/legation").rglob("*.py"):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            found += [f"{file.relative_to(ROOT)}:{number}: {m[0]!r}" for m in IS_NO.finditer(line)]
    assert not found, "\n".join(found)


THINGS = "supply|center|place|order|name|home|mark|kind|province|phase|zip|nation|list|line|key|power"
IS_NO = re.compile(rf"""^[^#"]*"(?!"")[^"]*(?<!here )\bis no (?:{THINGS})\b""")
