"""``python -m legation.web.catalog_building``: bring every catalog up to date with the messages there are.

New messages are added without a text, those that nobody uses are dropped; ``--check`` changes nothing, lists what is
missing, and fails where something is."""

import argparse
import ast
import itertools
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2 import nodes

from legation.atlas.pictures import FACES
from legation.atlas.table.starting import described_templates
from legation.board import COAST_NAMES
from legation.bots import BOTS
from legation.bots.levels import LEVELS
from legation.formats import read_toml
from legation.game.documents import UNCLEAR_ORDER
from legation.judge import ENDED_NOTHING, Outcome
from legation.judge.sheets import DIFFERENT
from legation.judge.verdicts import CAUSES, PHRASES
from legation.languages import ENGLISH, FORMS, KINDS, POWER, TURNS
from legation.languages import Catalog as Told
from legation.languages.catalogs import messages_of_paper
from legation.lessons import lessons
from legation.notation.errors import reasons
from legation.office import permissions
from legation.office.permissions import IN_WORDS
from legation.office.terms import schedules
from legation.office.terms.plans import PRESETS
from legation.scoring import SYSTEMS
from legation.scoring.tournament import TIE_BREAKS
from legation.variants import FORMS as ORDERS
from legation.variants import STANDARD, USUAL, all_clauses, rulebook
from legation.web.coordinator.tournament_desk import SEATINGS
from legation.web.languages.messages import Translator
from legation.web.languages.scripts import free_name, messages_of
from legation.web.public.gallery import LENGTHS, SIZES, SORTS
from legation.web.public.rulebooks import drawn_cases
from legation.web.public.verdict_rows import KINDS as KINDS_OF_ORDERS
from legation.web.serving.assets import OTHERS, assets
from legation.web.serving.pages import templates

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "languages"
COUNTED = "counted things"
"""Where a thing is used that is counted, which has a singular and a plural."""
PLACE = re.compile(r"\{\w+\}")
SENTENCE = re.compile(r"(?:[A-Z][\w’']*\b|\{\}(?= [a-z])).* .*[.!?:]", re.DOTALL)
SENTENCES = re.compile(r"[A-Z].*?[.!?](?= |$)")
"""The single sentences of a longer text."""
NO_WORDS = r"(?!(?:[A-Z]\w+-)+[A-Z]|/|.*(?:[|=<>_\\#]| {2}|\.txt))"
WORDS = re.compile(
    NO_WORDS + r"(?:[A-Z][a-z]{2}|\W*\w[^ ]* .*?[a-z]{2}|[^{]*\{.*?\b[a-z]{4}|(?>.*?[a-z]{4}\b)[^{]*\{).*", re.DOTALL
)
"""Words for people: a name or several words, no form or fault of a file."""
CLAUSE = re.compile(r"(?!\S+: |[\w.]+\[|.*[|=<>_])(?=[a-z{])(?:.*?\b[a-z]{2,}\b){2}.*(?<=[\w})])", re.DOTALL)
TITLE = re.compile(r"(?:[A-Z]|\{\}, )[a-z’]*[: ][^|=<>_/]*[a-z}]", re.DOTALL)
LABEL = re.compile(r"(?=.*[a-z]{4})[a-z{][^/|=<>_]* [^/|=<>_]*[\w})]", re.DOTALL)
MEANING = re.compile(r"(?=.*[a-z]{4})[a-z][a-z ,:/]*")
NAME = re.compile(r"[A-Z][a-z]+")
VOTE = re.compile(r"(?:to|the|\{\} no) .*", re.DOTALL)
MAILS = "answering carrying_out composing entering handling messages postal questions requests results wording"
FOUND = (
    *((room, SENTENCE) for room in ("web", "office", "game", "judge", "rules")),
    *((room, CLAUSE) for room in ("judge", "rules")),
    *((f"mail/{name}.py", WORDS) for name in MAILS.split()),
    *((f"game/{name}.py", WORDS) for name in ("report", "chronicle")),
    *((f"print/{name}.py", WORDS) for name in ("packets", "letters", "roster", "executed", "games")),
    ("office/hosting/votes.py", VOTE),
    *((place, CLAUSE) for place in ("game/checking.py", "office/clock.py")),
    ("office/hosting/profiles.py", re.compile("won|lost|left|shared a draw")),
    ("web", TITLE),
    *((place, LABEL) for place in ("web/public/lobby.py", "web/coordinator/bridge_pages.py")),
    (
        "web/coordinator/desk.py",
        re.compile(r"\{\} of .*|(?:by|at|in|not|no) [a-z -]+|.*ready|received|nothing|a bot .*"),
    ),
    ("web/play/sheet_page.py", re.compile(r"(?:\{\}|nothing) to .*|To .*:")),
    *((place, NAME) for place in ("web/play/shown_game.py", "web/account/settings_page.py")),
    ("print", SENTENCE),
    ("atlas/legend.py", MEANING),
)
"""Files of the code, and the form of those texts in them that people read."""
SKIPPED = re.compile(r"fault|check_form|^__|^_?(exchange|digest|advance|read_options)$")
"""Functions whose texts are for authors of variants."""
RULEBOOK = re.compile(SKIPPED.pattern + "|describ|basics|further|table|^_?(chosen|in_words)$")
"""These and those that describe a rule, which is in English where no built-in variant has it."""
WORDING = read_toml((ROOT / "mail/words.toml").read_text(encoding="utf-8"))
TOLD = WORDING["told"]
MAILINGS = read_toml((ROOT / "mail/mails.toml").read_text(encoding="utf-8"))["mail"]
KEYS = {*TOLD, *WORDING["wrong"], *(mail["kind"] for mail in MAILINGS), *CAUSES, *reasons(), *FACES}
"""Texts that nobody reads: names of sentences, of mailings, of causes and reasons, of font faces."""
COUNTED_KINDS = (*KINDS_OF_ORDERS.values(), "build", "order")
PHASES = ("movement", "retreats", "adjustments")
STATES = [IN_WORDS.get(state, state) for state in permissions.STATES]
WHYS = (
    "assigned when the game began,civil disorder,invited,orders for all powers,replacement,seated by the tournament,"
    "substitute,took over"
).split(",")
"""Reasons for which players get or lose seats, in the words that the journal keeps."""
BLOCKS = (ast.FunctionDef, ast.ClassDef, ast.If)
SKIPPED_FILES = re.compile(r"(judge|rules)/(rule_form|ruleset|options|questions|digest|__init__)")


def messages() -> dict[str, str]:
    """All messages, with where each is used: in a template only where none of the program's sentences is the same."""
    found: dict[str, str] = {}
    sources = (_in_code, _in_tables, _in_papers, _in_variants, _in_basics, _in_examples, _in_pages)
    for place, message in itertools.chain.from_iterable(find() for find in sources):
        known = found.setdefault(" ".join(message.split()), place)
        if place == TURNS != known:  # a word of turns may have forms
            found[message] = TURNS
    things = {thing: ("-",) for thing, place in found.items() if place == COUNTED}
    told = Told("en", {message: _of_no_letters(message) for message in found}, things, lambda number: 0)
    return found | {text: place for place, text in _in_rulebooks() if re.search("[a-z]{3}", told.said(text))}


def _of_no_letters(message: str) -> str:
    """A message in a language without letters: what has some when it is told has words in a place, or is none."""
    return "".join(
        part if PLACE.fullmatch(part) else re.sub(r"\w", "-", part) for part in re.split(r"(\{\w+\})", message)
    )


def _in_pages() -> Iterator[tuple[str, str]]:
    """What templates and scripts say."""
    environment = templates(ENGLISH)
    assert environment.loader is not None
    told: dict[str, str] = {}
    translator = Translator(lambda message: told.setdefault(message, message))
    for name in sorted(environment.list_templates(extensions=["html"])):
        told.clear()
        tree = environment.parse(environment.loader.get_source(environment, name)[0])
        things = [use.args[0] for use in tree.find_all(nodes.Filter) if use.name == "counted"]
        yield from ((COUNTED, thing.value) for thing in things if isinstance(thing, nodes.Const))
        translator.walk(tree)
        yield from ((name, message) for message in told)
    for path in assets.files:
        if path.endswith(".js") and path not in OTHERS:
            yield from ((path, message) for message in messages_of(assets.files[path].content.decode()))


def _in_basics() -> Iterator[tuple[str, str]]:
    """What orders, their buttons and forms say, clauses of built-in variants, and sentences of the basics."""
    yield from ((f"clause {clause.id}", clause.summary) for clause in all_clauses() if clause.variants)
    yield from (("forms of orders", text) for form in ORDERS for text in (form.name, form.meaning))
    yield from _in_orders()
    yield from _on_results()
    yield from ((f"rulebook {name}", part["title"]) for name, book in _rulebooks() for part in book["basics"])
    path = ROOT / "variants/rulebook.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(part) for node in ast.walk(tree) for part in _no_messages(node, None)}
    for node in ast.walk(tree):
        if id(node) not in skipped:
            yield from ((path.name, text) for whole in _texts_of(node) for text in SENTENCES.findall(whole))


def _in_orders() -> Iterator[tuple[str, str]]:
    """Sentences of orders (by a writer, ``lambda o, w``), what the map's script says of gestures, what papers say."""
    for path in (*sorted((ROOT / "notation/forms").glob("*.py")), *sorted((ROOT / "rules").glob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Lambda | ast.FunctionDef) and [arg.arg for arg in node.args.args] == ["o", "w"]:
                made = [part for part in ast.walk(node) if isinstance(part, ast.JoinedStr)]
                yield from (("orders", text) for part in made for text in _texts_of(part) if _has_words(text))
            elif isinstance(node, ast.Call) and _called(node.func) == "Gesture":
                shown = [one.value for one in node.keywords if one.arg in ("label", "group", "note")]
                yield from (("orders.js", text) for value in shown for text in _texts_of(value))
            elif isinstance(node, ast.Call) and _called(node.func) == "OrderKind":
                yield from (("orders", noun) for noun in _texts_of(node.args[1]) if noun not in COUNTED_KINDS)
            elif isinstance(node, ast.Call) and _called(node.func) == "OnPaper":
                yield from (("orders on paper", text) for text in _on_paper(node))


def _on_results() -> Iterator[tuple[str, str]]:
    """What results and lists of players tell in words of their own."""
    nouns = itertools.product(("{noun}", "support"), PHASES)
    yield from (("orders", f"{noun} can't be ordered in {phase}") for noun, phase in nouns)
    yield from ((COUNTED, kind) for kind in COUNTED_KINDS)
    yield from (("players", why) for why in (*WHYS, "somebody", "everybody"))
    yield from (("games", state) for state in STATES)
    for system in SYSTEMS.values():
        texts = (system.name, system.formula, system.sizes, system.differs)
        yield from ((f"scoring {system.key}", text) for text in texts if text)
    yield from (("schedules", schedules.find(name).title) for name in schedules.names())
    yield from (("scoring", words) for words, _ in TIE_BREAKS.values())
    yield from (("tournaments", words) for words in SEATINGS.values())
    yield from (("variants/gallery.html", words) for words in (*SIZES, *LENGTHS, *SORTS.values()))
    yield from (("schedules", preset.title) for preset in PRESETS.values())
    yield from (("bots", name) for name in (*LEVELS, *BOTS) if name not in COUNTED_KINDS)


def _on_paper(call: ast.Call) -> Iterator[str]:
    """What sheets and letters say of a rule's own kind of order."""
    for one in call.keywords:
        if one.arg in ("places", "reminder", "lends"):
            yield from _texts_of(one.value)
        elif one.arg in ("told", "received") and isinstance(one.value, ast.Tuple):
            verb, words = one.value.elts
            for verb_said, told in itertools.product(_texts_of(verb), _texts_of(getattr(words, "body", words))):
                yield from (f"{verb_said} {told}", f"{{who}} {verb_said} {told}.")


def _has_words(text: str) -> bool:
    return re.search("[a-z]{2}", PLACE.sub("", text)) is not None


def _in_rulebooks() -> Iterator[tuple[str, str]]:
    for name, book in _rulebooks():
        told = [text for module in book["rules"] for text in module["text"]]
        told += [text for part in book["basics"] for text in SENTENCES.findall(part["text"])]
        told += [book["basis"], book["areas_told"], *(option["summary"] for option in book["options"])]
        yield from ((f"rulebook {name}", text) for text in told if "('" not in text)  # with examples from the board


@cache
def _rulebooks() -> list[tuple[str, Any]]:
    standard = USUAL.load(STANDARD)
    return [(name, rulebook(USUAL.load(name), USUAL.facts(name), standard)) for name in USUAL.names()]


def _in_examples() -> Iterator[tuple[str, str]]:
    """What lessons say, and titles of worked examples."""
    for lesson in lessons():
        texts = [lesson.title, lesson.about, *(t for step in lesson.steps for t in (step.text, step.hint, step.praise))]
        yield from ((f"lesson {lesson.name}", text) for text in texts if text)
    for name in USUAL.names():
        yield from (("rules/clause.html", case.title) for case, _ in drawn_cases(name))


def _in_code() -> Iterator[tuple[str, str]]:
    described = {
        type(rule).__module__.rpartition(".")[2] for name in USUAL.names() for rule in USUAL.load(name).modules
    }
    for place, pattern in FOUND:
        whole = ROOT / place
        for path in sorted(whole.rglob("*.py")) if whole.is_dir() else [whole]:
            name = str(path.relative_to(ROOT))
            if SKIPPED_FILES.search(name):
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            others = RULEBOOK if place in ("judge", "rules") and path.name != "verdicts.py" else None
            others = SKIPPED if path.stem in described else others
            skipped = {id(part) for node in ast.walk(tree) for part in _no_messages(node, others)}
            if pattern is MEANING:
                skipped |= {id(key) for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys}
            for node in ast.walk(tree):
                if id(node) in skipped:
                    continue
                if isinstance(node, ast.Call) and _called(node.func) == "count" and len(node.args) > 1:
                    yield from ((COUNTED, thing) for thing in _texts_of(node.args[1]))
                for text in _texts_of(node):
                    if pattern.fullmatch(PLACE.sub("{}", text)) and text not in KEYS:
                        yield name, text.lstrip(",;. ")


def _in_tables() -> Iterator[tuple[str, str]]:
    """What stands in tables of the rooms: why orders are not read, and what mails say."""
    yield from (
        ("notation/reasons.tsv", message)
        for _, message in reasons().values()
        if WORDS.fullmatch(PLACE.sub("{}", message))
    )
    answers = [text for table in ("help", "wanted", "wrong", "not_here", "not_set") for text in WORDING[table].values()]
    for text in (*_texts_in(MAILINGS), *TOLD.values(), *answers):
        for form in _forms_of(text):
            message = re.sub(r"\{[\w.]*?(\w+)\}", r"{\1}", form)
            if _has_words(message):
                yield "mail", message


def _texts_in(value: Any, key: str = "") -> Iterator[str]:
    """The texts of mails: no conditions, addresses and names of what is put in, no subjects that stay English."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _texts_in(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _texts_in(part, key)
    elif key not in ("kind", "when", "to", "more", "blocks") and not value.startswith("{game.name} - "):
        yield value


def _forms_of(text: str) -> Iterator[str]:
    """A text in which something is put later, with each of the forms of its verbs."""
    parts = re.split(r"\{\w+:([^}]+)\}", text)  # every second one has the forms of a verb, as ``needs|need``
    yield from _expanded([part.split("|") if n % 2 else [part] for n, part in enumerate(parts)])


def _in_papers() -> Iterator[tuple[str, str]]:
    words = [*"also in neutral nowhere or to Remove draft final".split(), "The Coordinator", "To {position},"]
    yield from (("print/packets.py", word) for word in words)
    for file in sorted((ROOT / "print/templates").iterdir()):
        yield from ((f"print/{file.name}", message) for message in messages_of_paper(file.read_text("utf-8")))


def _in_variants() -> Iterator[tuple[str, str]]:
    """Outcomes of orders, names of powers, seasons, phases and kinds of units, and forms of turns and dates."""
    yield from (("turns and dates", form) for form in FORMS)
    yield from (("outcomes", f"{{order}} {phrase}") for phrase in (*PHRASES.values(), ENDED_NOTHING))
    yield from (("outcomes", reason) for reason in (UNCLEAR_ORDER, DIFFERENT))
    yield from (("places", coast) for coast in COAST_NAMES.values())
    yield from (
        ("outcomes", outcome) for outcome in ("holds", "stays", ENDED_NOTHING, *(outcome.value for outcome in Outcome))
    )
    for name in USUAL.names():
        rules = USUAL.load(name)
        turn = rules.first_turn()
        for _ in range(24):
            yield from ((TURNS, word) for word in (turn.season, turn.phase.value) if word)
            turn = rules.next_turn(turn)
        yield from ((POWER, power) for power in rules.powers)
        about = USUAL.facts(name)
        texts = (about["summary"], about.get("credits"), rules.board.credits, rules.board.reconstructed)
        yield from (("variants", str(text)) for text in texts if text)
        for kind in rules.kinds.values():
            unit = f"{kind.name.title()} {{place}}"
            yield from ((KINDS, words) for words in (unit, f"{{power}} {unit}", kind.name, kind.one))
    for facts in described_templates():
        yield from (("templates of boards", facts[words]) for words in ("title", "summary"))


def _no_messages(node: ast.AST, others: re.Pattern[str] | None) -> Iterator[ast.AST]:
    """Docstrings, the parts of texts with places, and functions whose texts are for ``others``."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield from (part for part in ast.walk(node) if part is not node)
    if others and isinstance(node, ast.FunctionDef) and others.search(node.name):
        yield from ast.walk(node)
    if others and isinstance(node, ast.Module | ast.ClassDef):  # words and forms of orders
        yield from (part for one in node.body if not isinstance(one, BLOCKS) for part in ast.walk(one))


def _texts_of(node: ast.AST) -> Iterator[str]:
    """A text, with ``{name}`` where something is put into it; several where it says now one word, now another."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _forms_of(node.value) if "|" in node.value else [node.value]
    elif isinstance(node, ast.IfExp):
        yield from (*_texts_of(node.body), *_texts_of(node.orelse))
    elif isinstance(node, ast.JoinedStr):
        for form in (0, 1):  # singular and plural
            yield from _expanded([_parts_of(part, form) for part in node.values])


def _expanded(parts: Iterable[list[str]]) -> Iterator[str]:
    """Yield the texts that parts with several choices make up; each place in one gets a name of its own."""
    for made in itertools.islice(itertools.product(*parts), 8):
        taken: set[str] = set()
        text = ""
        for part in made:
            if part.startswith("{") and part.endswith("}") and part[1:-1].isidentifier():
                name = free_name(part[1:-1], taken)
                taken.add(name)
                part = f"{{{name}}}"
            text += part
        yield text


def _parts_of(part: ast.expr, form: int) -> list[str]:
    """A part of a text: words, a place, or the words that may stand there; of a verb the one ``form``."""
    if isinstance(part, ast.Constant):
        return [str(part.value)]
    assert isinstance(part, ast.FormattedValue)
    value, words = part.value, []
    if part.format_spec is not None and "|" in (forms := ast.literal_eval(ast.unparse(part.format_spec)[1:])):
        return [forms.split("|")[form]]
    if isinstance(value, ast.IfExp):
        words = [one.value for one in (value.body, value.orelse) if isinstance(one, ast.Constant)]
    elif isinstance(value, ast.Call) and _called(value.func) == "agrees":
        words = [one.value for one in [value.args[form - 2]] if isinstance(one, ast.Constant)]
    texts = [word for word in words if isinstance(word, str)]
    whole = len(texts) == (2 if isinstance(value, ast.IfExp) else 1)
    return texts if whole else [f"{{{_called(value)}}}"]


def _called(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr
        case ast.Call():
            return _called(node.args[0] if node.args else node.func)
        case ast.Subscript():
            return _called(node.value)
    return "value"


def main() -> None:
    """Do what the module says."""
    parser = argparse.ArgumentParser(prog="python -m legation.web.catalog_building", description=__doc__)
    parser.add_argument("languages", nargs="*", help="such as de; all there are by default, and new ones are begun")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    current = messages()
    missing = 0
    for language in given.languages or sorted(path.stem for path in FOLDER.glob("*.po")):
        missing += _bring_up(language, current, given.check)
    sys.exit(1 if given.check and missing else 0)


def _bring_up(language: str, current: dict[str, str], check: bool) -> int:
    path = FOLDER / f"{language}.po"
    before = read_po(path.open("rb"), language) if path.exists() else Catalog(language)
    old = {_id(m): m for m in before if m.pluralizable == (current.get(_id(m), COUNTED) == COUNTED)}
    # The date is when the catalog was begun: a new one each time would be a conflict wherever two changes meet.
    begun = before.creation_date
    new = Catalog(language, project="Legation", header_comment="", creation_date=begun, fuzzy=False)
    for message, place in current.items():
        known = old.get(message)
        forms = ("",) * new.num_plurals if place == COUNTED else ""
        key = (message, f"{message}s") if place == COUNTED else message
        new.add(key, known.string if known else forms, auto_comments=[place], flags=known.flags if known else ())
    lacking = [message for message in current if not (known := old.get(message)) or not _whole(known)]
    unused = len(old.keys() - current)
    sys.stdout.write(f"{language}: {len(current)} messages, {len(lacking)} without a text, {unused} not used\n")
    if check:
        for message in lacking:
            sys.stdout.write(f"  {current[message]}: {message}\n")
    else:
        with path.open("wb") as file:
            write_po(file, new, width=10_000, omit_header=False, include_lineno=False, sort_output=False)
    return len(lacking)


def _whole(message: Message) -> bool:
    forms = message.string if isinstance(message.string, list | tuple) else [message.string]
    return not message.fuzzy and all(forms)


def _id(message: Message) -> str:
    return str(message.id[0] if message.pluralizable else message.id)


if __name__ == "__main__":
    main()
