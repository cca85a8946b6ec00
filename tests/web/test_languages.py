"""Pages in other languages: templates say the same with their messages put back, and nothing but text changes."""

import itertools
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import process_time

import pytest
from jinja2 import Environment, nodes
from starlette.testclient import TestClient

from legation.formats import read_toml
from legation.languages import ENGLISH, Catalog, catalog, languages
from legation.notation import capital
from legation.position import Phase, Turn
from legation.variants import STANDARD, USUAL, all_clauses, rulebook
from legation.web import create_app
from legation.web.catalog_building import COUNTED, messages
from legation.web.languages.messages import Translator
from legation.web.languages.scripts import translated_script, without_comments
from legation.web.serving import pages
from legation.web.serving.assets import assets
from legation.web.serving.pages import left_in_words, templates
from tests.sampling import some
from tests.web.clients import client_of

PAGES = (
    "/", "/games", "/variants", "/variants/hundred", "/variants/hundred/rules", "/variants/1000ad/rules/K-9b", "/rules",
    "/rules/orders", "/rules/verdicts", "/rules/scoring",
    "/lessons", "/lessons/cut/1", "/sandbox/start", "/designer", "/table",
    "/nowhere", "/variants/hundred/moves?place=Paris", "/variants/hundred/balance",
)  # fmt: skip
SENTENCES = read_toml(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))["sentences"]
PLACES = re.compile(r"\{\w+\}|</?\w+>")


def parsed(environment: Environment, name: str) -> nodes.Template:
    assert environment.loader is not None
    return environment.parse(environment.loader.get_source(environment, name)[0])


def joined(tree: nodes.Template) -> nodes.Template:
    """A tree in which texts that follow each other are one."""
    for output in tree.find_all(nodes.Output):
        parts: list[nodes.Expr] = []
        for part in output.nodes:
            if isinstance(part, nodes.TemplateData) and parts and isinstance(parts[-1], nodes.TemplateData):
                parts[-1] = nodes.TemplateData(parts[-1].data + part.data)
            elif not isinstance(part, nodes.TemplateData) or part.data:
                parts.append(part)
        output.nodes = parts
    return tree


def spaced(tree: nodes.Template) -> str:
    """What a tree says, however its words are spaced."""
    return re.sub(r"(\\n|\s)+", " ", repr(joined(tree)))


@pytest.mark.parametrize("name", templates(ENGLISH).list_templates(extensions=["html"]))
def test_a_template_says_the_same_with_its_own_messages(name: str) -> None:
    tree = parsed(templates(ENGLISH), name)
    Translator(lambda message: message).walk(tree)
    assert spaced(tree) == spaced(parsed(templates(ENGLISH), name))


def made_up(message: str) -> str:
    """A message in a language that has all its places, in another order, and twice as many letters."""
    return "".join(
        part if PLACES.fullmatch(part) else part + "é" * len(part) for part in re.split(f"({PLACES.pattern})", message)
    )


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A site in a language that is made up."""

    class MadeUp(Catalog):
        def text(self, message: str) -> str:
            return made_up(message)

    monkeypatch.setattr(pages, "catalog", lambda language: MadeUp(language, {}, {}, lambda number: 0))
    monkeypatch.setattr(
        pages, "chosen_language", lambda request: "xx" if request.cookies.get("language") == "xx" else "en"
    )
    pages.templates.cache_clear()
    yield client_of(create_app())
    pages.templates.cache_clear()


@pytest.mark.parametrize("path", some(PAGES))
def test_only_what_is_read_is_in_another_language(pseudo: TestClient, path: str) -> None:
    def skeleton(text: str) -> list[str]:
        tags: list[str] = re.findall(r"<[^>]+>", re.sub(r"<script.*?</script>|\.xx(?=/)", "", text, flags=re.DOTALL))
        return [
            re.sub(r'(lang|alt|aria-pressed|aria-label|placeholder|title|content|aria-description)="[^"]*"', "", tag)
            for tag in tags
        ]

    english = pseudo.get(path)
    other = pseudo.get(path, headers={"cookie": "language=xx"})
    assert other.status_code == english.status_code
    assert skeleton(other.text) == skeleton(english.text)
    assert "éééé" in other.text and 'lang="xx"' in other.text


@pytest.mark.parametrize("name", templates(ENGLISH).list_templates(extensions=["html"]))
def test_no_template_gives_a_script_words(name: str) -> None:
    """Such attributes are the same in every language; scripts have words of their own."""
    env = templates(ENGLISH)
    assert env.loader
    assert not re.findall(r'data-[a-z-]+="[A-Z][a-z]+ [^"]*"', env.loader.get_source(env, name)[0])


@pytest.mark.parametrize("language", [language for language in languages() if language != ENGLISH])
def test_every_translation_has_the_places_of_its_message(language: str) -> None:
    for message, text in catalog(language)._messages.items():
        assert sorted(set(PLACES.findall(text))) == sorted(set(PLACES.findall(message))), message


def test_a_language_is_chosen_or_asked_for() -> None:
    site = client_of(create_app())

    def lang(**headers: str) -> str:
        found = re.search(r'<html lang="(\w+)"', site.get("/lessons", headers=headers).text)
        assert found is not None
        return found[1]

    assert lang() == "en"
    assert lang(**{"accept-language": "pt, es-AR;q=0.7, en;q=0.3"}) == "es"
    assert lang(**{"accept-language": "pt;q=x, en-GB, es;q=0.9"}) == "en"
    assert lang(**{"accept-language": "es", "cookie": "language=en"}) == "en"
    assert lang(cookie="language=../../etc") == "en"
    chosen = site.post("/theme", data={"language": "es"}, headers={"referer": "http://testserver/rules"})
    assert chosen.headers["location"] == "/rules" and "language=es" in chosen.headers["set-cookie"]


@pytest.mark.parametrize(
    ("path", "language", "told"),
    [
        ("/variants/1000ad", "de", "Neutrale Zentren</h3>"),  # notes on a board
        ("/rules/datc/6.A.1", "de", ">Zug in eine Provinz, die nicht angrenzt</h1>"),  # an example's title
        pytest.param("/variants/1000ad/rules", "es", "Dumfries, Londres, Maldon", marks=pytest.mark.long),  # homelands
        pytest.param("/variants/three-kingdoms/rules", "es", "<dt>Mar de Irlanda</dt>", marks=pytest.mark.long),
    ],
)
def test_what_comes_with_a_variant_is_read_in_the_language_of_the_page(path: str, language: str, told: str) -> None:
    site = client_of(create_app())
    assert told in site.get(path, headers={"accept-language": language}).text and told not in site.get(path).text


@pytest.mark.parametrize(
    ("path", "english", "german", "french"),
    [
        ("/rules/datc/6.A.1", "Bohemia", "Böhmen", "Bohême"),
        ("/rules/verdicts", "Bohemia", "Böhmen", "Bohême"),
        ("/variants/hundred/rules/H3-2c", "Castile", "Kastilien", "Castille"),
    ],
)
def test_examples_of_rules_name_places_as_their_reader_does(path: str, english: str, german: str, french: str) -> None:
    site = client_of(create_app())

    def drawn(**headers: str) -> str:
        text = site.get(path, headers=headers).text
        picture = re.search(r'src="(/variants/[^"]+-light\.svg[^"]*)"', text)
        assert picture is not None
        return site.get(picture[1]).text

    assert english in drawn() and german not in drawn()
    assert german in drawn(**{"accept-language": "de"})
    assert french in drawn(**{"accept-language": "de", "cookie": "names=fr"})


def test_sentences_of_the_program_are_found_by_their_pattern() -> None:
    own = Catalog(
        "de", {"There is no {thing} at {place}.": "In {place} ist kein {thing}.", "Gone now.": "Weg."}, {}, lambda n: 0
    )
    assert own.told("There is no army at Paris.") == "In Paris ist kein army."
    assert own.told("There is no army at Paris. Gone now.") == "In Paris ist kein army. Weg."
    assert own.told("There is no army at St. Petersburg.") == "In St. Petersburg ist kein army."
    assert own.told("Gone now.") == "Weg." and own.told("There is one.") == "There is one." and own.told(7) == 7


def test_of_two_patterns_that_fit_alike_a_text_is_always_told_by_the_same() -> None:
    words = "able bold calm dark easy fast glad huge idle just keen late".split()
    pairs = list(itertools.pairwise(words))
    own = Catalog("de", {f"{a} {{x}}": "1" for a in words} | {f"{{x}} {a}": "2" for a in words}, {}, lambda n: 0)
    assert {own.said(f"{a} {b}") for a, b in pairs} == {"1"}


def test_marks_of_a_quotation_are_set_in_each_sentence_of_it() -> None:
    own = Catalog("de", {"“": "„", "”": "“", "It is said.": "Es heißt."}, {}, lambda n: 0)
    assert own.said("It is said. “No way. None.”") == "Es heißt. „No way. None.“"


POWERS = {
    "Turkey": ("Türkei", "die Türkei", "der Türkei"),
    "Vikings": ("Wikinger", "die Wikinger", "den Wikingern"),
    "Italy": ("Italien",),
}


def german(**messages: str) -> Catalog:
    said = {"after a word, the name of a power or place is": "von: von 2, als: als 0", **messages}
    return Catalog("de", said, {}, lambda n: 0, powers=POWERS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The orders of Turkey are here.", "Die Befehle von der Türkei sind da."),
        ("The orders of the Vikings and Turkey are here.", "Die Befehle von den Wikingern und der Türkei sind da."),
        ("The orders of Italy are here.", "Die Befehle von Italien sind da."),
        ("The orders of Paris are here.", "Die Befehle von Paris sind da."),
        ("The Vikings' fleet is gone.", "Weg ist die Flotte von den Wikingern."),
        ("Turkey, Spring 1901", "Türkei, Spring 1901"),
        ("Turkey has won.", "Die Türkei hat gewonnen."),
        ("Italy has won.", "Italien hat gewonnen."),
        ("Turkey", "Türkei"),
    ],
)
def test_a_power_stands_in_a_sentence_as_its_language_wants(text: str, told: str) -> None:
    own = german(
        **{
            "The orders of {powers} are here.": "Die Befehle von {powers} sind da.",
            "{whose} fleet is gone.": "Weg ist die Flotte von {whose}.",
            "{power}, {turn}": "{power}, {turn}",
            "{power} has won.": "{power} hat gewonnen.",
        }
    )
    assert own.said(text) == told


@pytest.mark.parametrize(("language", "names", "text", "told"), SENTENCES)
def test_a_sentence_is_told_as_its_language_wants(language: str, names: str, text: str, told: str) -> None:
    variant, _, language_of_names = names.partition("/")
    known = catalog(language)
    if variant:
        known = known.on(USUAL.load(variant).board, language_of_names)
    assert re.fullmatch(".*".join(map(re.escape, told.split("…"))), known.said(text)), known.said(text)


def test_a_template_says_a_turn_as_its_language_wants() -> None:
    shown = templates("fr").from_string(
        "<p>Orders for {{ turn }}</p><p>{{ turn }} opens {{ opens }}</p><td>{{ turn }}</td>"
    )
    turn = Turn("Fall", 1901, Phase.RETREATS)
    assert shown.render(turn=turn, opens="3 mai") == (
        "<p>Ordres pour l’automne 1901 (retraites)</p><p>L’automne 1901 (retraites) s’ouvre le 3 mai</p>"
        "<td>Automne 1901, Retraites</td>"
    )


def test_a_word_that_a_condition_shows_is_a_message() -> None:
    environment = Environment(autoescape=True)
    tree = environment.parse("<b class='{{ 'advice' if a }}'>{{ 'advice' if a else b or 'hidden' }}{{ ', ' if a }}</b>")
    Translator(str.upper).walk(tree)
    template = environment.from_string(tree)
    assert template.render(a=True) == "<b class='advice'>ADVICE, </b>"
    assert template.render(b="") == "<b class=''>HIDDEN</b>"


def test_what_is_read_aloud_is_in_the_language_too() -> None:
    own = german(**{"Map of {turn}": "Karte: {turn}", "counts": "gilt", "by hand": "von Hand"})
    environment = Environment(autoescape=True)
    environment.filters |= {"told": own.told, "stated": own.text}
    source = "<i title='Map of {{ turn }}'>{{ {'a': 'counts'}[a] | stated }}, {{ ('by hand',)[0] }}</i>"
    tree = environment.parse(source)
    Translator(own.text, told="told", after=own.after).walk(tree)
    text = environment.from_string(tree).render(turn="Turkey", a="a")
    assert text == "<i title='Karte: die Türkei'>gilt, von Hand</i>"


def test_a_template_says_a_power_as_its_language_wants() -> None:
    own = german(
        **{"Orders of <b>{power}</b> and {power2}": "Befehle von <b>{power}</b> und von {power2}", "It has": "hat"}
    )
    environment = Environment(autoescape=True)
    environment.filters["told"] = own.told
    tree = environment.parse("<p>Orders of <b>{{ power }}</b> and {{ other.power }}</p><td>{{ power }}</td>{{ n }}")
    Translator(own.text, told="told", after=own.after).walk(tree)
    template = environment.from_string(tree)
    text = template.render(power="Turkey", other={"power": "Vikings"}, n=3)
    assert text == "<p>Befehle von <b>die Türkei</b> und von den Wikingern</p><td>Türkei</td>3"
    assert "<i>A</i>" not in template.render(
        power="<i>A</i>", other={"power": "<i>A</i>"}, n=Turn("Fall", 1901, Phase.MOVEMENT)
    )


@pytest.mark.parametrize("language", [language for language in languages() if language != ENGLISH])
def test_powers_are_called_alike_in_catalogs_and_variants(language: str) -> None:
    """The catalog has their forms for sentences, variants what orders and maps call them."""
    known = catalog(language)
    for name in USUAL.names():
        for power in USUAL.load(name).powers.values():
            assert capital(known.power(power.name)) == power.name_in(language)


def test_what_is_left_and_a_day_are_told_in_a_language() -> None:
    left = timedelta(days=2, hours=4)
    assert [left_in_words(left, language) for language in ("en", "de", "fr")] == [
        "in 2 d 4 h", "noch 2 T 4 Std.", "dans 2 j 4 h"
    ]  # fmt: skip
    shown = templates("de").from_string("{{ '2027-05-14' | day }}; {{ turn }}")
    assert shown.render(turn=Turn("Fall", 1902, Phase.MOVEMENT)) == "Fr., 14. Mai 2027; Herbst 1902, Bewegung"


@pytest.mark.parametrize("language", [language for language in languages() if language != ENGLISH])
def test_a_rulebook_is_whole_in_a_language(language: str) -> None:
    """Whole texts, titles and summaries of clauses, options and rules that a built-in variant has."""
    known, name = catalog(language), {"de": "hundred", "fr": "three-kingdoms"}.get(language, "1000ad")
    book = rulebook(USUAL.load(name), USUAL.facts(name), USUAL.load(STANDARD))
    texts = [clause.summary for clause in all_clauses() if name in clause.variants]
    texts += [*(part["title"] for part in book["basics"]), *(option["summary"] for option in book["options"])]
    texts += [text for module in book["rules"] for text in module["text"] if "('" not in text]
    assert texts and [text for text in texts if known.said(text) == known.whole(text) == text] == []


@pytest.mark.parametrize("language", [language for language in languages() if language != ENGLISH])
def test_what_built_in_variants_say_of_themselves_is_whole_in_a_language(language: str) -> None:
    known, texts = catalog(language), set[str]()
    for name in USUAL.names():
        board, facts = USUAL.load(name).board, USUAL.facts(name)
        texts |= {board.credits, board.reconstructed, str(facts["summary"]), str(facts.get("credits", ""))}
    assert [text for text in texts if text and known.whole(text) == text] == []


def test_no_text_of_a_players_takes_long_to_be_found_no_sentence() -> None:
    """Letters that are almost a sentence with several names in it: a page of them took a minute."""
    for language in set(languages()) - {"en"}:
        known, begun = catalog(language), process_time()
        for number in range(40):
            known.told(("If a b is dislodged and nothing else is sent: " + f"{number} x " * 300)[:600])
            known.told(("If a b" + " x" * number + " is dislodged and nothing else is sent: y" * 30)[:600])
        assert process_time() - begun < 5


def test_things_are_counted_as_a_language_counts() -> None:
    assert catalog("fr").said("4 holds") == catalog("fr").counted(4, "hold")
    own = Catalog("de", {}, {"turn": ("Zug", "Züge")}, lambda number: int(number != 1))
    assert [own.counted(n, "turn") for n in (1, 1200)] == ["1 Zug", "1.200 Züge"]
    assert own.counted(2, "seat") == "2 seats"


@pytest.mark.long
def test_messages_are_found_where_people_read_them() -> None:
    found = messages()
    assert found["Skip to content"] == "base.html" and found["turn"] == COUNTED
    assert "There is no such lesson." in found and any(place == "lesson move" for place in found.values())
    assert found["lake"] == "atlas/legend.py" and not {"regular", "bold"} & found.keys()


SCRIPT = """const a = turn === "Retreats, all" ? 1 : 2; // say("Not this one")
say(`${this.describe(place)}: not to ${chart.name(to)}.`);
say("It’s over."); find("button, select"); box.textContent = "Undone"; const key = "sending letter";
say(`${n} unit${n === 1 ? "" : "s"} of “${who}” hold.`);
"""


def test_a_script_says_in_another_language_what_it_tells_people() -> None:
    told = {
        "{place}: not to {to}.": "{to} geht nicht von {place} aus.",
        "It’s over.": 'Es "ist" aus.',
        "Undone": "Zurück",
        "{n} unit{s} of “{who}” hold.": "no such place {x}",
    }
    assert translated_script(SCRIPT, lambda message: told.get(message, message)) == (
        SCRIPT.replace(
            "`${this.describe(place)}: not to ${chart.name(to)}.`",
            "`${chart.name(to)} geht nicht von ${this.describe(place)} aus.`",
        )
        .replace('"It’s over."', r'"Es \"ist\" aus."')
        .replace('"Undone"', '"Zurück"')
    )
    for path, file in assets.files.items():
        if path.endswith(".js"):
            script = file.content.decode()
            assert translated_script(script, lambda message: message) == script


def test_a_script_is_sent_without_its_comments() -> None:
    script = (
        '/*! kept */\n// gone\nconst a = "//"; // gone\n'
        "/** gone\n * @type {any} */\nconst b = `/* ${c} // */`;\n"
        "const d = e.replace(/[/\"]\\/\\//g, '/* */') / 2 /* gone */ / 3;\n"
    )
    assert without_comments(script) == (
        '/*! kept */\nconst a = "//";\nconst b = `/* ${c} // */`;\n'
        "const d = e.replace(/[/\"]\\/\\//g, '/* */') / 2 / 3;\n"
    )


def test_scripts_are_fetched_in_the_language_of_their_page(pseudo: TestClient) -> None:
    english = pseudo.get("/lessons/cut/1").text
    assert re.search(r'src="/assets/[0-9a-f]{12}/lesson\.js"', english)
    other = pseudo.get("/lessons/cut/1", headers={"cookie": "language=xx"}).text
    assert re.search(r'src="/assets/[0-9a-f]{12}\.xx/lesson\.js"', other) and "style.css" in other
