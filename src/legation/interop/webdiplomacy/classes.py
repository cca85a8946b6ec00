"""What the classes of a webDiplomacy or vDiplomacy variant change, and which rules of ours that comes to."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from legation.interop.calendars import first_turn
from legation.interop.record import ForeignVariant
from legation.interop.sources import read_facts
from legation.interop.webdiplomacy.php import tokens

CHANGED = re.compile(r"u\.type\s*=\s*IF\s*\(\s*u\.type\s*=", re.IGNORECASE)
"""The other kind for a unit, once its order to transform has come to pass."""
FACTS = read_facts("webdip_classes.toml")
"""What ``classes`` change, and which are ``silent``; which functions deal with ``points``; what ``extensions`` are as
rules here."""


def take_extensions(variant: ForeignVariant, text: str) -> None:
    """Take the rules that a variant of vDiplomacy switches on by their names."""
    for name in re.findall(r"\bRULE_([A-Z_]{1,40})\s*(?:\]\s*=|=>)\s*true", text):
        if name in FACTS["extensions"]:
            [(key, settings)] = FACTS["extensions"][name].items()
            variant.rules[key] = dict(settings)
            variant.took(f"RULE_{name}", f"the rule {key}")
        elif not name.startswith("CUSTOM_"):  # maps and icons
            variant.left(f"RULE_{name}", "has no counterpart that is known")


def tell_classes(
    variant: ForeignVariant, classes: Collection[str], texts: Mapping[str, str], known: Collection[str] = ()
) -> None:
    """Take the rules that the classes come to, and tell what else each changes, by the functions that it has.

    ``texts`` are the classes that are at hand, ``known`` those whose ``typeCheck`` is read already."""
    read = {*_builds(variant, texts), *_opening(variant, texts), *_convoys(variant, texts), *_neutral(variant, texts)}
    read |= {name for name in known if _within(texts.get(name, ""), "typeCheck")}
    read |= {*_transforms(variant, texts)}
    _winning(variant, texts)
    for name in sorted(set(classes) - {*FACTS["silent"]} - read):
        functions = _functions(texts.get(name, ""))
        if name == "adjudicatorPreGame" and name in texts and not functions:
            continue  # starting units alone, which are read
        if functions and set(functions) <= {*FACTS["points"]}:
            variant.left(
                f"class {name}", f"deals with points ({', '.join(functions)}), which aren't a rule of the game"
            )
            continue
        what = f"changes {FACTS['classes'].get(name, 'what the program does')}"
        named = f" in {', '.join(functions[:8])}" if functions else ""
        why = "what it does is not read" if name in texts else "its file is not here"
        variant.left(f"class {name}", f"{what}{named}; {why}")


def _functions(text: str) -> list[str]:
    """The names of a class's functions, constructors left out."""
    found = [
        after.text
        for token, after in pairwise(tokens(text, "class"))
        if token.text == "function" and not after.text.startswith("__") and after.text.isidentifier()
    ]
    return list(dict.fromkeys(found))


def _within(text: str, *functions: str) -> bool:
    """Whether a class is at hand and changes nothing but these functions."""
    return bool(text) and set(_functions(text)) <= set(functions)


def _builds(variant: ForeignVariant, texts: Mapping[str, str]) -> Iterator[str]:
    """Builds in any owned center."""
    builds = texts.get("userOrderBuilds", "") + texts.get("OrderBuilds", "")
    code = "".join(f"{token.text} " for token in tokens(builds, "builds"))
    if "countryID" in code and "supply" in code and "t . countryID" not in code and "t.countryID" not in code:
        variant.rules["build_anywhere"] = {}
        variant.guess(
            "class userOrderBuilds", "asks who owns the center, not whose home it is: the rule build_anywhere"
        )
        if _within(texts.get("userOrderBuilds", ""), "toTerrIDCheck"):
            yield "userOrderBuilds"
        if "Build Army" in builds and "Build Fleet" not in builds and "else" not in code.split():
            variant.rules["built_kinds"] = {"kinds": ["A"]}
            variant.took("class userOrderBuilds", "only armies are built: the rule built_kinds")
        process = texts.get("processOrderBuilds", "")
        known = "countryUnits" not in process or ("default_builds" in variant.rules and "Left" not in process)
        if known and _within(process, "create", "apply"):
            if "apply" not in _functions(process):
                yield "processOrderBuilds"
            elif "RAND()" in process:
                variant.left(
                    "removals that nobody orders", "are at random there, off the centers; here they go by the option"
                )
                yield "processOrderBuilds"


def _opening(variant: ForeignVariant, texts: Mapping[str, str]) -> Iterator[str]:
    """Note a first phase of builds and a start without units; yield the classes of which all is understood."""
    game = texts.get("processGame", "")
    if re.search(r"""['"]Pre-game['"]\s*\)\s*\{(?:\s|//[^\n]*\n)*\$this->setPhase\(\s*['"]Builds['"]\s*\)""", game):
        begin_with_builds(variant)
        variant.took("class processGame", f"builds before the first turn: {', '.join(variant.opening)}")
        if _within(game, "changePhase"):
            yield "processGame"
    if variant.opening and _within(texts.get("adjudicatorPreGame", ""), "assignUnits", "assignUnitOccupations"):
        yield "adjudicatorPreGame"


def begin_with_builds(variant: ForeignVariant) -> None:
    """Let builds come before the first turn."""
    _season, year, _ = first_turn(variant.first)
    if int(year) > 1 and not variant.opening:
        variant.opening = [f"{variant.cycle[-1].split()[0]} {int(year) - 1} Adjustments"]


def _convoys(variant: ForeignVariant, texts: Mapping[str, str]) -> Iterator[str]:
    """Fleets on coasts that convoy; the variant lists them."""
    moves = texts.get("userOrderDiplomacy", "") + texts.get("adjudicatorDiplomacy", "")
    if "convoying_coasts" in variant.rules:
        if _within(texts.get("userOrderDiplomacy", ""), "typeCheck", "checkConvoyPath"):
            yield "userOrderDiplomacy"
    elif re.search(r"(?i)coast_?convoy|convoy.{0,40}coast", moves):
        variant.left("convoys from coasts", "which coasts is not read; the rule convoying_coasts can say it")


def _neutral(variant: ForeignVariant, texts: Mapping[str, str]) -> Iterator[str]:
    """Programs that let neutral units stand, and count them, beside those of the powers."""
    settings = variant.rules.get("passive_powers")
    if settings is not None:
        for name, function in (("processGame", "process"), ("processMembers", "countUnitsSCs")):
            text = texts.get(name, "")
            orders = "UPDATE wD_Orders" in text and "supports" not in settings
            neutral = "extends NeutralUnits_" in text or "neutral" in text.lower()
            if neutral and not orders and _within(text, function):
                yield name


def _transforms(variant: ForeignVariant, texts: Mapping[str, str]) -> Iterator[str]:
    """Units that change their kind: the programs that know the word play it in one way."""
    given, done = texts.get("userOrderDiplomacy", ""), texts.get("processOrderDiplomacy", "")
    if any("transform" in token.text.lower() for token in tokens(given + done, "orders")):
        variant.rules["conversion"] = {"turns": 1, "where": "centers"}
        variant.guess("orders to transform", "a unit in a coastal center changes its kind: the rule conversion")
        if _within(given, "typeCheck", "commit", "loadFromDB", "loadFromInput"):
            yield "userOrderDiplomacy"
        if _within(done, "apply") and CHANGED.search(done):
            yield "processOrderDiplomacy"


def _winning(variant: ForeignVariant, texts: Mapping[str, str]) -> None:
    """A number of centers that a power has at the start wins nothing where the variant's program decides who wins."""
    most = max((len(nation.centers) for nation in variant.nations), default=0)
    if "checkForWinner" in _functions(texts.get("processMembers", "")) and (variant.to_win or most + 1) <= most:
        variant.guess(
            "centers to win",
            f"{variant.to_win} are what a power has at the start, and the variant's program decides who wins; half of "
            "all and one more",
        )
        variant.to_win = None
