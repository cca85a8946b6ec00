"""Everything on paper: what it says, how large it is, and that text of people is nothing but text."""

import unicodedata
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from legation.atlas import for_variant
from legation.bots import BOTS
from legation.bots.matches import match
from legation.judge import Resolution, resolve
from legation.orders import Sheet
from legation.position import Phase
from legation.print.games import map_set
from legation.print.letters import YearEnd, year_end_letter
from legation.print.packets import turn_packet
from legation.print.post import ENVELOPES, LABELS, Envelope, envelopes, labels
from legation.print.records import Address, Directions, GameName, Party, deadline
from legation.print.roster import roster
from legation.print.typesetting import UnprintableError
from legation.rules.supply_transfer import Send
from legation.variants import load, names
from tests.print.papers import address, pages_of, roster_of, text_of
from tests.sampling import some

DAY = date(2026, 11, 21)
GAME = GameName("Powick Bridge", "powick-bridge", "Wars of the Three Kingdoms")
HOME = Address("Ada O'Brien", ("12 Mill Lane", "Worcester", "WR2 4RP"), "United Kingdom")
AWAY = Address(
    "María-José Łukasiewicz #1", ("c/o $100 & Söhne @home", "ul. Świętokrzyska 14/3", "00-050 Warszawa"), "Poland"
)
COORDINATOR = Party("The Coordinator", "Ada O'Brien", HOME)
CROWN = Party("Crown", "María-José Łukasiewicz #1", AWAY)


@pytest.fixture(scope="module")
def year() -> list[Resolution]:
    rules = load("three-kingdoms")
    turns: list[Resolution] = []
    for resolution in match(rules, dict.fromkeys(rules.powers, BOTS["dumbbot"]), "a seed", 30):
        turns.append(resolution)
        if resolution.before.turn.phase is Phase.ADJUSTMENTS:
            return turns
    raise AssertionError("a year has adjustments")


@pytest.mark.clause("W-28")
def test_a_year_end_letter_has_what_the_style_guide_and_the_rulebook_ask(year: list[Resolution]) -> None:
    rules = load("three-kingdoms")
    due = deadline("Movement orders", datetime(2026, 12, 3, 7, tzinfo=ZoneInfo("Europe/London")), "2026-11-27")
    before = year[0].before.owners
    report = YearEnd(tuple(year), (due,), "It was hard.\n\nNames of *positions* on all post.")
    pdf = year_end_letter(GAME, rules, for_variant("three-kingdoms"), report, COORDINATOR, CROWN, DAY)
    front = text_of(pdf, 1)
    for part in (*AWAY.block, *HOME.block, "21 November 2026", "Crown Powick Bridge Winter 1643", "To Crown,"):
        assert part in front
    assert "Thursday 3 December 2026, 07:00 GMT" in front
    assert "post by Friday 27 November 2026" in front
    assert "Names of *positions* on all post." in front
    whole = text_of(pdf)
    after = year[-1].after
    for power in rules.powers:
        centers = len(after.centers_of(power))
        change = centers - sum(owner == power for owner in before.values())
        shown = f"+{change}" if change > 0 else f"\u2013{-change}" if change else "0"
        assert f"{power} {centers} {shown} {len(after.units_of(power))}" in whole
    assert "Summer 1642 Movement" in whole
    assert "Winter 1643 Adjustments" in whole
    taken = next(c for c, owner in after.owners.items() if before.get(c) != owner)
    assert f"{rules.board.name_of(taken)}: {before.get(taken, 'neutral')} → {after.owners[taken]}" in whole
    assert set(pages_of(pdf)) == {(210.0, 297.0)}


@pytest.mark.clause("W-13a", "W-21a")
def test_the_table_of_the_powers_says_who_sent_supply_and_who_received_it(year: list[Resolution]) -> None:
    rules = load("three-kingdoms")
    ended = year[-1].before
    sent = {"Crown": [("Argyll", 1), ("Ormond", 2)], "Ormond": [("Argyll", 1)]}
    sheets = {power: Sheet(power, tuple(Send(n, to) for to, n in gifts)) for power, gifts in sent.items()}
    winter = resolve(rules, ended, tuple(sheets.get(power, Sheet(power, ())) for power in rules.powers), "a seed")
    report = YearEnd((winter,))
    told = text_of(year_end_letter(GAME, rules, for_variant("three-kingdoms"), report, COORDINATOR, CROWN, DAY))
    assert "sent supply for 1 unit to Argyll; sent supply for 2 units to Ormond" in told
    assert "sent supply for 1 unit to Argyll; received supply for 2 units from Crown" in told
    assert "received supply for 1 unit from Crown; received supply for 1 unit from Ormond" in told


def test_the_same_facts_give_the_same_file(year: list[Resolution]) -> None:
    rules, atlas = load("three-kingdoms"), for_variant("three-kingdoms")
    made = [year_end_letter(GAME, rules, atlas, YearEnd(tuple(year)), COORDINATOR, CROWN, DAY) for _ in range(2)]
    assert made[0] == made[1]
    with pytest.raises(ValueError, match="at least one turn"):
        year_end_letter(GAME, rules, atlas, YearEnd(()), COORDINATOR, CROWN, DAY)


@pytest.mark.clause("W-28")
def test_a_movement_packet_lists_units_moves_and_lines_to_write_on() -> None:
    rules, atlas = load("three-kingdoms"), for_variant("three-kingdoms")
    due = deadline("Movement orders", datetime(2026, 12, 3, 7, tzinfo=UTC))
    packet = turn_packet(GAME, rules, atlas, rules.opening(), CROWN, DAY, Directions([due], "orders@example.org"))
    units = text_of(packet, 2)
    assert "You own 7 centers and have 7 units." in units
    assert "Army Wiltshire to Berkshire, Dorset, Gloucestershire, Hampshire, Somerset" in units
    assert "Fleet Glamorganshire to Bristol Channel, Gower, the Lundy Sea Area, Monmouthshire, Severn Mouth" in units
    assert "also convert to army" in units
    sheet = text_of(packet, 3)
    for unit in rules.opening().units_of("Crown"):
        assert f"{rules.kinds[unit.kind].name.capitalize()} {rules.board.name_of(unit.at)}" in sheet
    assert "Powick Bridge - Crown - Summer 1642 - Movement Orders - v1" in sheet
    assert "orders@example.org" in sheet


@pytest.mark.parametrize("variant", some(names(), 3))
def test_every_phase_of_every_variant_has_its_packet(variant: str) -> None:
    """Each phase that comes, for the first power that has something to order in it; a page is never empty."""
    rules, atlas = load(variant), for_variant(variant)
    seen: set[Phase] = set()
    positions = [
        rules.opening(),
        *(r.after for r in match(rules, dict.fromkeys(rules.powers, BOTS["random"]), "x", 25)),
    ]
    for position in positions:
        phase = position.turn.phase
        if phase in seen:
            continue
        seen.add(phase)
        power = position.dislodged[0].unit.power if phase is Phase.RETREATS else next(iter(rules.powers))
        pdf = turn_packet(GAME, rules, atlas, position, Party(power), DAY)
        for page in range(1, len(pages_of(pdf)) + 1):
            assert len(text_of(pdf, page)) > 60
    assert Phase.MOVEMENT in seen


def test_labels_stand_where_the_sheet_has_them() -> None:
    for name, form in LABELS.items():
        across = form.left + (form.columns - 1) * form.across + form.width
        down = form.top + (form.rows - 1) * form.down + form.height
        assert abs(210 - across - form.left) < 0.2, name
        assert abs(297 - down - form.top) < 0.2, name
        pdf = labels([HOME] * form.columns * form.rows, DAY, name)
        assert len(pages_of(pdf)) == 1
        assert text_of(pdf).count("Ada O'Brien") == form.columns * form.rows
    pdf = labels([HOME] * 21, DAY, skip=20)
    assert len(pages_of(pdf)) == 2
    assert text_of(pdf, 1).count("Ada O'Brien") == 1
    with pytest.raises(ValueError, match="0 to 20"):
        labels([HOME], DAY, skip=21)


def test_what_is_no_address_is_told() -> None:
    with pytest.raises(UnprintableError, match="nobody has no address"):
        labels([Address("")], DAY)
    with pytest.raises(UnprintableError, match="12 lines; at most 9"):
        labels([Address("X", tuple("abcdefghijk"))], DAY)
    with pytest.raises(UnprintableError, match="characters in a line"):
        labels([Address("X" * 1000)], DAY)
    with pytest.raises(UnprintableError, match="Crown has no address"):
        envelopes([Envelope(COORDINATOR, Party("Crown"), GAME, "Winter 1643")], DAY)


@pytest.mark.clause("W-28")
def test_an_envelope_is_innocuous_in_front_and_says_what_it_is_behind() -> None:
    """Annexe 3: real names and addresses in front; position, game, season, year and "Orders" on the back."""
    for name, form in ENVELOPES.items():
        pdf = envelopes([Envelope(CROWN, COORDINATOR, GAME, "Autumn 1642", orders=True)], DAY, name)
        assert pages_of(pdf) == [(form.width, form.height)] * 2
        front, back = text_of(pdf, 1), text_of(pdf, 2)
        assert all(line in front for line in (*AWAY.block, *HOME.block))
        assert not any(word in front for word in ("Crown", "Powick", "1642", "Orders"))
        assert "Crown Powick Bridge Autumn 1642 Orders" in back
    plain = envelopes([Envelope(COORDINATOR, CROWN, GAME, "Winter 1643")], DAY)
    assert "Orders" not in text_of(plain)


@pytest.mark.clause("W-23")
def test_the_roster_marks_todays_address_and_that_for_a_letter_on_its_way() -> None:
    home = address(1, HOME.lines, HOME.country)
    away = address(2, AWAY.lines, AWAY.country, "2026-11-25", "2026-12-02")
    crown = roster_of(("Crown", "Ada", (home, away)), powers=("Argyll",))
    text = text_of(roster([crown], GAME.title, DAY, 7))
    assert "from 25 November 2026 to 2 December 2026" in text
    assert "POLAND ✉" in text
    assert "KINGDOM ✉" not in text
    assert "Argyll nobody no address" in text
    assert "✉" not in text_of(roster([crown], GAME.title, DAY))
    open_ended = (
        home,
        address(2, HOME.lines, "France", first="2026-03-05"),
        address(3, HOME.lines, "Spain", "", "2026-03-01"),
    )
    text = text_of(roster([roster_of(("Crown", "Ada", open_ended))], GAME.title, DAY))
    assert "from 5 March 2026" in text and "until 1 March 2026" in text


def test_the_map_set_of_annexe_2() -> None:
    maps = map_set(load("hundred"), for_variant("hundred"))
    sizes = {name: {tuple(sorted(size)) for size in pages_of(pdf)} for name, pdf in maps.items()}
    assert sizes["board-A3"] == {(297.0, 420.0)}
    assert sizes["board-A2"] == {(420.0, 594.0)}
    assert sizes["start"] == sizes["start-units"] == {(210.0, 297.0)}
    assert len(set(maps.values())) == 4


def printable(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def letters_of(line: str) -> str:
    """What is found of a line in a PDF's text: a hyphen that ends one is taken for a word's that goes on below."""
    return "".join(printable(line).split()).rstrip("-")


SHOWN = st.characters(codec="utf-8", max_codepoint=0x17F, exclude_categories=("Cc", "Cf", "Zl", "Zp", "Sk", "So"))
NASTY = '#import "/etc/passwd" $x$ \\ @ref <lab> *b* _i_ `c` // -- ~ "q" [x] #{1} \'s = - + /'


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(SHOWN, min_size=1, max_size=24), min_size=1, max_size=5))
@example([NASTY])
@example(["-", "0"])
@example(["= heading", "- item", "+ item", "/ term: x", "https://example.org", "a\\"])
def test_text_comes_out_as_it_was_typed(lines: list[str]) -> None:
    name, *rest = lines
    if not printable(name):
        name = "x" + name
    stranger = Party("Crown", name, Address(name, tuple(rest)))
    pdf = envelopes([Envelope(stranger, stranger, GameName(name, "k"), name)], DAY)
    letters = "".join(text_of(pdf, 1).split())
    for line in (name, *rest):
        assert letters_of(line) in letters
    assert letters_of(name) in "".join(text_of(pdf, 2).split())


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_printed_or_told_as_unprintable(text: str) -> None:
    try:
        assert labels([Address("A " + text)], DAY).startswith(b"%PDF")
    except UnprintableError as error:
        assert "no font here can show" in str(error)
