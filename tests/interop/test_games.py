"""The short game from every format, judged again; what differs and which option explains it; round trips."""

import gzip
import json
import os
from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from legation.bots.chance import plausible_sheets
from legation.cli.app import app
from legation.formats import read_toml
from legation.game import Game, load_game, replay, save_game
from legation.interop import ForeignFileError, open_source
from legation.interop.games import (
    READERS,
    WRITERS,
    JudgedRecord,
    RecordedGame,
    export_game,
    formats,
    histories,
    judge_again,
    judge_as_recorded,
    judged_text,
    read_games,
)
from legation.interop.games.record import RecordedUnit
from legation.interop.games.written import read_written
from legation.notation import write
from legation.orders import Sheet
from legation.position import Phase, Position, Turn
from legation.variants import load
from tests.interop import jdip_save, played
from tests.sampling import some


def judged_as(record: RecordedGame, variant: str = "standard") -> JudgedRecord:
    return judge_again(record, load(variant), lambda options: load(variant, options))


def again(name: str, text: str, folder: Path) -> tuple[RecordedGame, JudgedRecord]:
    file = folder / name
    file.write_text(text)
    [record] = read_games(open_source(file))
    return record, judged_as(record)


MILA = json.loads(played.FILES["mila.json"])
SPRING, FALL = MILA["phases"]


def of_mila(folder: Path, *phases: dict[str, Any]) -> tuple[RecordedGame, JudgedRecord]:
    """MILA's file of the short game with these phases in place of its two."""
    return again("x.json", json.dumps({**MILA, "phases": phases}), folder)


def orders_of(sheets: Iterable[Sheet]) -> dict[str, str]:
    """The orders of a turn by power, as one writes them."""
    return {sheet.power: "; ".join(map(write, sheet.orders)) for sheet in sheets if sheet.orders}


def units_of(position: Position, power: str = "") -> str:
    """The units of a power, or of all, in alphabetical order."""
    return ", ".join(sorted(str(unit) for unit in position.units if power in ("", unit.power)))


def phases_of(record: RecordedGame) -> str:
    return ", ".join(phase.name for phase in record.phases)


def turns_of(game: Game) -> str:
    return ", ".join(str(turn.resolution.before.turn) for turn in game.turns)


@pytest.mark.parametrize("name", played.FILES)
def test_one_game_from_every_format(name: str, tmp_path: Path) -> None:
    record, judged = again(name, played.FILES[name], tmp_path)
    assert judged.differences == []
    assert judged.agreed >= 1
    first = judged.game.turns[0].resolution
    assert {(u.power, u.at) for u in first.after.units} >= {("France", "bur"), ("Germany", "mun"), ("Germany", "den")}
    told = judged_text(record, judged)
    assert "No differences" in told and ("1 messages" in told) is (name == "mila.json")
    assert "SECRETWORD" not in told + json.dumps(save_game(judged.game)), "messages of players are never shown"


BOTH_WAYS = [name for name in WRITERS if name in READERS]
RECORDS = {file.name: file.read_text() for file in Path(__file__).with_name("records").iterdir()}
PASTES = read_toml(Path(__file__).with_name("pastes.toml").read_text())


@pytest.mark.parametrize("style", PASTES["styles"])
def test_pastes_of_many_styles_are_one_turn(style: str, tmp_path: Path) -> None:
    record, judged = again("paste.txt", PASTES["styles"][style], tmp_path)
    assert (record.not_taken, judged.unread) == ([], [])
    [phase] = record.phases
    assert phase.name == "Spring 1901 Movement"
    rules = load("standard")
    written = read_written(rules, Phase.MOVEMENT, phase.text, rules.opening())
    assert {sheet.power: len(sheet.orders) for sheet in written.sheets} == {"France": 3, "Germany": 2}
    # the record says of both that they bounced, and Paris had support
    told = "A par - bur succeeds: strength 2 against A mun - bur, strength 1; in the record it failed"
    assert [difference.text for difference in judged.differences] == [told]


class Report(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A text, and what it comes to: the orders of the last turn, the units at the end, the phases, the places whose
    orders failed, notes of what was not taken, and lines that were not understood."""

    text: str
    orders: dict[str, str] = {}
    stands: dict[str, str] = {}
    phases: str = ""
    failed: set[str] | None = None
    notes: set[str] | None = None
    unread: list[str] = []


@pytest.mark.parametrize("report", msgspec.convert(PASTES["report"], list[Report]))
def test_reports_of_many_hands(report: Report, tmp_path: Path) -> None:
    record, judged = again("told.txt", report.text, tmp_path)
    assert judged.differences == []
    assert len(judged.unread) == len(report.unread)
    assert all(told in line for line, told in zip(judged.unread, report.unread, strict=True))
    assert orders_of(judged.game.turns[-1].sheets) == report.orders or not report.orders
    assert {power: units_of(judged.stands, power) for power in report.stands} == report.stands
    assert phases_of(record) == report.phases or not report.phases
    assert record.phases[0].failed == report.failed or report.failed is None
    assert report.notes is None or {note.what for note in record.not_taken} == report.notes
    meant = [note.what for note in record.not_taken if note.text.startswith("was read as")]
    assert meant == sorted(meant)


def test_a_page_that_is_given_by_itself_is_a_report(tmp_path: Path) -> None:
    rows = "<tr><th>France</th><td><s>A Par&rarr;Bur</s><br>F Bre&rarr;MAO</td></tr><tr><th>Germany<td>A Mun H</tr>"
    record, judged = again("page.html", f"<h1>Spring 1901</h1><table>{rows}</table>", tmp_path)
    assert (record.not_taken, judged.unread, record.phases[0].failed) == ([], [], {"par"})
    assert orders_of(judged.game.turns[0].sheets) == {"France": "A par - bur; F bre - mao", "Germany": "A mun H"}
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "rules.html").write_text("<h1>Spring 1901</h1>\nA Par - Bur\nA Mun - Bur\n")
    assert read_games(open_source(tmp_path / "folder")) == []


def test_orders_of_the_middle_game_under_no_power_are_of_different_ones(tmp_path: Path) -> None:
    text = "A Vienna - Galicia\nA Galicia H\nA Greece - Serbia\nA Warsaw S A Vienna - Galicia\n"
    record, judged = again("moves.txt", text, tmp_path)
    assert judged.unread == [] and "powers" in [note.what for note in record.not_taken]
    [turn] = judged.game.turns
    powers = {unit.at: unit.power for unit in turn.resolution.before.units}
    assert powers["gal"] not in (powers["vie"], powers["war"])
    assert [str(d.unit) for d in turn.resolution.dislodged] == ["A gal"]


def test_orders_of_units_that_are_not_there_are_no_difference_where_all_comes_out_as_recorded(tmp_path: Path) -> None:
    text = played.FILES["mila.json"]
    _, judged = again("game.json", text.replace('"F BRE - MAO"', '"F BRE - MAO", "A PIC - BEL"'), tmp_path)
    assert (judged.unread, judged.differences) == ([], [])
    assert judged.misgiven == ["Spring 1901 Movement: France: A pic - bel: the unit isn't there"]


def test_a_mailbox_of_results_and_json_with_a_mark_of_its_encoding_are_read(tmp_path: Path) -> None:
    head = "From judge Tue Jan  6 2004\nContent-Transfer-Encoding: quoted-printable\n\n"
    mail = head + played.FILES["mail.txt"].replace("Mid-Atlantic", "Mid-Atlan=\ntic")
    _, judged = again("results.mbox", mail, tmp_path)
    assert (judged.unread, judged.differences, len(judged.game.turns[0].sheets)) == ([], [], 2)
    _, judged = again("mila.json", "\ufeff" + played.FILES["mila.json"], tmp_path)
    assert judged.differences == []


def test_a_report_of_another_variant_names_turns_by_years(tmp_path: Path) -> None:
    game = Game("hundred", name="by years")
    game.play({"France": "A par - cha", "England": "F lon - dov"})
    (tmp_path / "x.txt").write_text("1425 Movement\nFrance: A(Paris)-Charolais\nENGLAND (Bob): F(London)-Dover.\n")
    [record] = read_games(open_source(tmp_path / "x.txt"))
    judged = judged_as(record, "hundred")
    assert (judged.unread, judged.differences, record.not_taken) == ([], [], [])
    assert judged.game.position == game.position


def test_a_list_of_cases_is_a_game_for_each(tmp_path: Path) -> None:
    (tmp_path / "cases.html").write_text(played.CASES)
    records = read_games(open_source(tmp_path / "cases.html"))
    titles = ["6.A.1 TEST CASE, TOO FAR", "6.H.7 TEST CASE, TWO RETREATS", "6.I.1 TEST CASE, BUILDS"]
    assert [record.title for record in records] == titles
    judged = [*map(judged_as, records)]
    assert [(len(j.game.turns), j.unread, j.differences) for j in judged] == [(1, [], []), (2, [], []), (1, [], [])]
    assert [units_of(j.stands) for j in judged] == ["F nth", "A bud, A tyr, A vie", "A kie"]


def test_case_files_of_jdip_are_judged_against_the_positions_after_them(tmp_path: Path) -> None:
    (tmp_path / "cases.txt").write_text(played.JDIP_CASES)
    records = read_games(open_source(tmp_path / "cases.txt"))
    assert {record.board for record in records} == {"standard"}
    judged = [*map(judged_as, records)]
    [difference] = [str(difference) for one in judged[1:] for difference in one.differences]
    assert difference == "Fall 1901 Movement: dislodged here: nobody; in the record: ven"
    assert "A boh" not in units_of(judged[0].stands), "there was a standoff"


def test_retreats_in_which_nobody_can_retreat_are_no_difference(tmp_path: Path) -> None:
    """As a heading and nothing more, and with a position."""
    document = {**MILA, "phases": [SPRING, {**FALL, "name": "S1901R"}, FALL]}
    text = played.FILES["short.txt"] + "\nSpring 1901 Retreats\n\nFall 1901 Movement\nFrance: A bur h\n"
    start, _, after = played.FILES["server.log"].partition("<- NOW ( FAL 1901 )")
    log = start + "<- NOW ( SUM 1901 )" + after + after.join(["<- NOW ( FAL 1901 )", ""])
    for name, listed in (("mila.json", json.dumps(document)), ("short.txt", text), ("server.log", log)):
        _, judged = again(name, listed, tmp_path)
        assert (judged.differences, len(judged.spans), judged.not_judged) == ([], 1, 0)
        assert judged.agreed >= 1


DISLODGED = """[Variant "standard"]

Spring 1901 Movement
Austria: A vie - tyr; F tri - ven
Italy: A ven - pie

Fall 1901 Movement
Austria: A tyr - pie; F ven S A tyr - pie
France: A mar S A tyr - pie
"""


def test_a_phase_that_is_only_here_or_only_in_the_record_is_merged_and_told(tmp_path: Path) -> None:
    only_here = DISLODGED + "\nSpring 1902 Movement\nAustria: A pie h\n"
    _, judged = again("game.txt", only_here, tmp_path)
    assert judged.merged[0] == "Fall 1901 Retreats: isn't in the record; nobody orders anything in it"
    assert judged.differences == []
    more = "\nSpring 1901 Retreats\nItaly: A pie disband\n\nFall 1901 Movement"
    record, judged = again("game.txt", DISLODGED.replace("\nFall 1901 Movement", more), tmp_path)
    told = "Spring 1901 Retreats: nobody has anything to order here; the phase is one with that before it"
    assert (judged.merged, judged.differences) == ([told], [])
    assert told in judged_text(record, judged)
    more = more.replace("disband", "- tus")
    _, judged = again("game.txt", DISLODGED.replace("\nFall 1901 Movement", more), tmp_path)
    assert "in the record: A pie - tus" in str(judged.differences[0])


def test_a_dislodged_unit_that_is_ordered_and_not_listed_is_there(tmp_path: Path) -> None:
    start = {"AUSTRIA": ["A TRI", "A TYR"], "ITALY": ["A VEN"], "GERMANY": ["A MUN", "A BUR"], "FRANCE": ["A RUH"]}
    orders = {"AUSTRIA": ["A TRI - VEN", "A TYR S A TRI - VEN"], "GERMANY": ["A MUN - RUH", "A BUR S A MUN - RUH"]}
    units = {"AUSTRIA": ["A VEN", "A TYR"], "GERMANY": ["A RUH", "A BUR"], "FRANCE": ["*A RUH"]}
    given = {"ITALY": ["A VEN D"], "FRANCE": ["A RUH R KIE"]}
    _, judged = of_mila(
        tmp_path,
        {**SPRING, "state": {**SPRING["state"], "units": start}, "orders": orders, "results": {}},
        {"name": "S1901R", "state": {**SPRING["state"], "units": units}, "orders": given},
    )
    assert "Italy A ven is ordered in the record, and not listed as dislodged" in judged.merged[0]
    assert (judged.differences, judged.unread) == ([], [])


def test_a_record_that_cannot_be_followed_goes_on_from_its_own_position(tmp_path: Path) -> None:
    later = {**FALL, "name": "F1903M", "orders": {"FRANCE": ["A BUR - MUN"]}}
    record, judged = of_mila(tmp_path, SPRING, later, {**FALL, "name": "S1904M", "orders": {}})
    assert "judging goes on from the record's position" in str(judged.differences[0])
    assert judged.spans == [["Spring 1901 Movement"] * 2, ["Fall 1903 Movement"] * 2]
    told = "Judged from {0} to {0}, and from {1} to {1}.".format("Spring 1901 Movement", "Fall 1903 Movement")
    assert told in judged_text(record, judged)
    assert turns_of(judged.game) == "Spring 1901 Movement, Fall 1903 Movement, Winter 1903 Adjustments"
    assert [bool(turn.resumed) for turn in judged.game.turns] == [False, True, False]
    assert "Turns that begin with the record's own position: Fall 1903 Movement." in told_of(record, judged)


def test_the_last_turn_of_a_game_that_milas_file_calls_over_is_played(tmp_path: Path) -> None:
    _, judged = of_mila(tmp_path, SPRING, FALL, {**FALL, "name": "COMPLETED"})
    assert turns_of(judged.game) == "Spring 1901 Movement, Fall 1901 Movement"


def told_of(record: RecordedGame, judged: JudgedRecord) -> str:
    """The report of a game that is saved, opened again and replayed without a difference."""
    document = save_game(judged.game)
    assert replay(document)[1] == []
    assert load_game(document).position == judged.game.position
    return judged_text(record, judged)


def test_a_game_goes_on_after_a_difference_and_stands_where_the_record_does(tmp_path: Path) -> None:
    lost = {**FALL["state"]["units"], "FRANCE": ["A BUR", "A MAR", "F ENG"]}
    fall = {**FALL, "state": {**FALL["state"], "units": lost}, "orders": {"FRANCE": ["F ENG - BEL"]}}
    record, judged = of_mila(tmp_path, SPRING, fall, {**fall, "name": "S1902M", "orders": {}})
    assert turns_of(judged.game).startswith("Spring 1901 Movement, Fall 1901 Movement")
    assert "only here: France F mao; only in the record: France F eng" in judged.game.turns[1].resumed
    assert units_of(judged.game.position, "France") == "A bur, A mar, F eng"
    assert judged.game.resumed, "the record stands elsewhere"
    assert "Fall 1901 Movement" in told_of(record, judged)


def test_a_position_that_cannot_be_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    impossible = {**FALL, "state": {**FALL["state"], "units": {"FRANCE": ["F PAR"]}}, "orders": {"FRANCE": ["A BUR H"]}}
    last = {**FALL, "name": "S1902M", "orders": {"GERMANY": ["A MUN H"]}}
    record, judged = of_mila(tmp_path, SPRING, impossible, last)
    assert "Fall 1901 Movement: the record's position cannot be taken: short: F PAR" in str(judged.differences[0])
    assert judged.spans[-1][1] == "Spring 1902 Movement"
    assert "3 phases on Diplomacy, 2 judged alike" in judged_text(record, judged)


def test_orders_that_are_not_understood_come_first_and_are_counted(tmp_path: Path) -> None:
    text = "Spring 1901\nFrance\nA Par - Bur\nA Mar gazes at the sea\nGermany\nxyzzy plugh\n"
    record, judged = again("paste.txt", text, tmp_path)
    lines = judged_text(record, judged).splitlines()
    assert lines[0].endswith("1 phases on Diplomacy, 0 judged alike")
    assert lines[1] == "Orders that weren't understood: 2"
    assert "No differences." not in lines


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("text", "Austria: A vie - gal; A bud S A vie - gal"),
        ("mila", '"A BUD S A VIE - GAL"'),
        ("godip-game", "Austria: army vie move gal"),
        ("judge-mail", "Austria: Army Budapest SUPPORT Army Vienna -> Galicia."),
        ("diplicity-game", '"gal"'),
    ],
)
def test_an_order_without_its_letter_is_written_with_it(wanted: str, said: str, tmp_path: Path) -> None:
    game = Game("standard", name="no letters")
    game.play({"Austria": "vie - gal; bud s vie - gal"})
    assert said in export_game(game, wanted)[0]
    judged, _ = through(wanted, game, tmp_path)
    assert (judged.unread, judged.game.position) == ([], game.position)


def test_a_log_of_daide_has_retreats_builds_convoys_and_lines_that_are_none(tmp_path: Path) -> None:
    record, judged = again("client.log", RECORDS["client.log"], tmp_path)
    assert phases_of(record) == (
        "Fall 1901 Movement, Fall 1901 Retreats, Winter 1901 Adjustments, Spring 1902 Movement"
    )
    assert record.phases[1].dislodged == [RecordedUnit("ITA", "A", "ven")]
    assert record.board == "standard" and "XYZ" in record.unread[0]
    assert (judged.differences, judged.unread, judged.agreed) == ([], [], 3)


def test_a_listing_that_was_passed_on_is_read_without_the_marks_of_quoting(tmp_path: Path) -> None:
    quoted = "".join(f"> > {line}" for line in played.FILES["mail.txt"].splitlines(keepends=True))
    _, judged = again("mail.txt", quoted, tmp_path)
    [france] = [sheet for sheet in judged.game.turns[0].sheets if sheet.power == "France"]
    assert len(france.orders) == 3 and judged.differences == []


def test_a_retreat_below_an_order_is_of_that_unit(tmp_path: Path) -> None:
    record, judged = again("paste.txt", RECORDS["retreats-below-orders.txt"], tmp_path)
    assert [phase.name for phase in record.phases[1:3]] == ["Fall 1901 Movement", "Fall 1901 Retreats"]
    assert record.phases[2].text == "Italy:\nA Ven R Apu\n"
    assert [note.what for note in record.not_taken] == ["Retreat to Apu SUCCEEDS"]  # of nobody
    assert (judged.differences, judged.unread) == ([], [])
    assert {(u.power, u.at) for u in judged.stands.units} >= {("Italy", "apu"), ("Austria", "ven"), ("Austria", "bud")}
    _, disbanded = again(
        "paste.txt", RECORDS["retreats-below-orders.txt"].replace("\u00bb Retreat to Apu", "Disband"), tmp_path
    )
    assert (disbanded.differences, disbanded.unread) == ([], [])
    assert ("Italy", "apu") not in {(u.power, u.at) for u in disbanded.stands.units}


def backstabbr_game(folder: Path) -> Path:
    """The pages of a game: Austria dislodges Venice, and builds; the page of the turn that is played shows orders."""
    game = Game("standard")
    game.play({"Austria": "A vie - tyr; A bud - tri; F tri - alb"})
    game.play({"Austria": "A tyr - ven; A tri S A tyr - ven", "Italy": "A ven H", "Russia": "F stp/sc S A mos"})
    game.play({"Italy": "A ven - apu"})
    game.play({"Austria": "build A bud", "Italy": "remove apu"})
    played.pages(game, folder)
    order: played.Orders = {"Austria": {"Ven": {"type": "MOVE", "to": "Pie"}}}
    page = played.backstabbr("Spring", 1902, "NEEDS_ORDERS", played.by_power([*game.position.units]), order)
    (folder / "1902-Spring.html").write_text(page)
    return folder


def test_the_pages_of_a_game_of_backstabbr_are_one_game_which_may_begin_in_its_midst(tmp_path: Path) -> None:
    [record] = read_games(open_source(backstabbr_game(tmp_path)))
    retreats = "Fall 1901 Movement, Fall 1901 Retreats, Winter 1901 Adjustments"
    assert phases_of(record) == f"Spring 1901 Movement, {retreats}, Spring 1902 Movement"
    assert record.phases[1].orders["Russia"] == ["F Stp/sc S A Mos"]
    assert [note.what for note in record.not_taken] == ["orders of Spring 1902"]
    assert record.title == "Short & sharp"
    judged = judged_as(record)
    assert (judged.differences, judged.unread) == ([], [])
    assert str(judged.stands.turn) == "Spring 1902 Movement"
    assert ("Austria", "bud") in {(u.power, u.at) for u in judged.stands.units}
    assert "SECRETWORD" not in judged_text(record, judged)
    (tmp_path / "1901-Spring.html").unlink()
    [record] = read_games(open_source(tmp_path))
    judged = judged_as(record)
    assert (judged.differences, judged.unread) == ([], [])
    assert str(judged.game.opening.turn) == "Fall 1901 Movement"


def test_a_page_of_orders_goes_from_the_last_turn_to_the_first_and_has_slips(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text(RECORDS["page-of-orders.txt"])
    [record] = read_games(open_source(tmp_path / "page.txt"))
    assert phases_of(record) == "Spring 1901 Movement, Fall 1901 Movement, Fall 1901 Retreats, Fall 1901 Adjustments"
    rules = load("standard")
    phases = [Phase.MOVEMENT, Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS]
    read = [read_written(rules, phase, p.text, rules.opening()) for phase, p in zip(phases, record.phases, strict=True)]
    assert (read[0].failed, read[0].dislodged, read[1].failed) == ({"lvp"}, {"lvp"}, {"war"})
    assert [orders_of(turn.sheets) for turn in read[1:]] == [
        {
            "England": "F nth C A yor - nwy; F nwg S yor - nwy; A yor - nwy via convoy",
            "Russia": "A war - gal; A ukr S sev",
        },
        {"Russia": "A rum disband"},
        {"England": "build F lon", "Russia": "waive; remove war"},
    ]
    assert [note.what for note in record.not_taken] == ["Nobody is here, 12"]
    [unread] = read[3].unread
    assert "The army at Moscow support move to Galicia" in unread
    # as a browser saves it
    items = "".join(f"<li>{line.strip()}</li>\n" for line in RECORDS["page-of-orders.txt"].splitlines())
    (tmp_path / "page.html").write_text(f"<html><body><ul>{items}</ul></body></html>")
    [saved] = read_games(open_source(tmp_path / "page.html"))
    assert [(p.name, p.text) for p in saved.phases] == [(p.name, p.text) for p in record.phases]


@pytest.mark.parametrize("wanted", WRITERS)
def test_an_order_for_a_unit_that_is_not_there_is_written_in_every_format(wanted: str, tmp_path: Path) -> None:
    _, judged = again("page.txt", RECORDS["page-of-orders.txt"], tmp_path)
    assert write(judged.game.turns[-1].resolution.verdicts[-1].order) == "remove war"  # nobody's there, so of no kind
    text, _ = export_game(judged.game, wanted)
    if wanted == "judge-mail":
        assert "Russia: Removes the unit in Warsaw." in text.splitlines()


def test_a_page_of_orders_tells_who_was_dislodged(tmp_path: Path) -> None:
    text = "Autumn, 1901\nAustria:\nThe army at Tyrolia move to Venice.\n"
    text += "The army at Trieste support move to Venice from Tyrolia.\nItaly:\nThe army at Venice hold. (dislodged)\n"
    _, judged = again("page.txt", text, tmp_path)
    assert (judged.differences, judged.unread) == ([], [])
    _, judged = again("page.txt", text.replace(" (dislodged)", ""), tmp_path)
    assert [d.text for d in judged.differences] == ["dislodged here: ven; in the record: nobody"]


def test_a_listing_is_read_as_it_is_written_and_what_is_no_order_is_told(tmp_path: Path) -> None:
    record, judged = again("listing.txt", RECORDS["listing.txt"], tmp_path)
    fall, winter = record.phases
    assert fall.units is not None
    assert [(u.power, u.at) for u in fall.units][:2] == [("Austria", "Budapest"), ("Russia", "Rumania")]
    rules = load("standard")
    read = [read_written(rules, Phase(p.phase), p.text, rules.opening()) for p in (fall, winter)]
    assert [orders_of(turn.sheets) for turn in read] == [
        {"Austria": "A bud H", "Russia": "A rum H; F bla C Turkey A con - sev", "Turkey": "A con - bla - sev"},
        {"Austria": "build A vie; waive", "Russia": "waive; waive", "Turkey": "remove F aeg"},
    ]
    told = str([*(note.what for note in record.not_taken), *record.unread, *judged.unread, *read[1].remarks])
    assert all(word in told for word in ("Wing", "Garrison", "Movement orders", "wing over")), told


@pytest.mark.parametrize("name", ["mila.json", "mail.txt", "diplicity.json", "webdip.json", "game_1.txt"])
def test_a_record_that_says_otherwise_is_told(name: str, tmp_path: Path) -> None:
    text = played.FILES[name]
    for old, new in (
        ('"A MUN": ["bounce"]', '"A MUN": []'),
        ("Army Munich -> Burgundy.  (*bounce*)", "Army Munich -> Burgundy."),
        ('"A BUR"', '"A PAR"'),
        ('"province": "bur"', '"province": "par"'),
        ("France: army bur", "France: army par"),
        ('"terrID": 48, "countryID": 2, "retreating"', '"terrID": 47, "countryID": 2, "retreating"'),
    ):
        text = text.replace(old, new)
    assert text != played.FILES[name]
    _, judged = again(name, text, tmp_path)
    assert judged.differences


def test_the_option_that_explains_a_difference_is_named_and_taken(tmp_path: Path) -> None:
    units = {**played.START, "ENGLAND": ["A LON", "F NTH", "F EDI"], "FRANCE": ["A YOR", "A MAR", "A PAR"]}
    moved = {**units, "ENGLAND": ["A WAL", "F NTH", "F EDI"]}
    spring = {**SPRING, "state": {**SPRING["state"], "units": units}, "results": {}}
    fall = {**FALL, "state": {**FALL["state"], "units": moved}, "orders": {}}
    record, plain = of_mila(tmp_path, {**spring, "orders": {"ENGLAND": ["A LON - WAL VIA"]}}, fall)
    assert [d.options for d in plain.differences] == [("via_convoy_fallback = True",)]
    judged, took = judge_as_recorded(record, lambda o: load("standard", o))
    assert took == ["via_convoy_fallback = True"]
    assert judged.differences == []
    assert judged.game.rules.options["via_convoy_fallback"] is True


def test_a_paste_tells_what_is_no_order_and_a_power_under_two_spellings_has_one_sheet(tmp_path: Path) -> None:
    record, judged = again("paste.txt", played.FILES["paste.txt"], tmp_path)
    told = judged_text(record, judged)
    assert "Germany: something that isn't an order at all: read as a remark" in told
    assert "No differences." not in told
    text = played.FILES["paste.txt"].replace("A Mar S", "FRANCE\nA Mar S")
    _, judged = again("paste.txt", text, tmp_path)
    assert len(judged.game.turns[0].sheets[0].orders) == 3


@pytest.mark.parametrize("packed", [True, False])
def test_a_saved_game_of_jdip(packed: bool, tmp_path: Path) -> None:
    """Of the turn that is not over the orders stay where they are, as do names and addresses."""
    text = jdip_save.short_game().encode()
    (tmp_path / "game.jdip").write_bytes(gzip.compress(text) if packed else text)
    [record] = read_games(open_source(tmp_path / "game.jdip"))
    assert (record.title, record.board, len(record.phases)) == ("short", "standard", 2)
    judged = judged_as(record)
    assert (judged.differences, judged.unread, judged.agreed) == ([], [], 1)
    assert {(u.power, u.at) for u in judged.stands.units} >= {("France", "bur"), ("Russia", "stp/sc")}
    told = judged_text(record, judged)
    assert "1 orders of a turn that is not over" in told
    assert "example.org" not in told


def test_a_build_that_is_waived_in_jdip(tmp_path: Path) -> None:
    """All other orders are in the whole games."""
    save = jdip_save.Save()
    opening = load("standard").opening()
    units = tuple(unit for unit in opening.units if unit.at != "mun")
    winter, spring = (
        msgspec.structs.replace(opening, turn=Turn.parse(turn), units=units)
        for turn in ("Winter 1901 Adjustments", "Spring 1902 Movement")
    )
    given = {"Germany": [save.order("Germany", "Waive", "A", "mun")]}
    turns = [save.turn(winter, given, {}), save.turn(spring, {}, None)]
    record, judged = again("game.jdip", save.text(turns), tmp_path)
    assert phases_of(record) == "Fall 1901 Adjustments, Spring 1902 Movement"
    assert (judged.differences, judged.unread, judged.agreed) == ([], [], 1)
    assert orders_of(judged.game.turns[0].sheets) == {"Germany": "waive"}


SOURCES = {
    **{name: played.FILES[name] for name in ("short.txt", "mail.txt")},
    "page.html": played.FILES["spring.html"].replace("(Fall 1901)", ""),
    "page.txt": "England:\nThe army at Paris hold.\n",
    "variations.txt": '[Variant "standard"]\nSpring 1901 Movement\n(\n',
    "game.jdip": jdip_save.short_game(),
    "entity.jdip": jdip_save.short_game().replace("<jsx ", "<!DOCTYPE jsx [<!ENTITY a SYSTEM 'file:///x'>]><jsx "),
}


@pytest.mark.parametrize(
    ("name", "old", "new", "why"),
    [
        ("short.txt", "Germany", "Ruritania", "isn't a power"),
        # a coast that a place has not is read as written, and an army's place may be a sea
        ("mail.txt", "Army  Marseilles.", "Army  Marseille/s.", "can stand there"),
        ("mail.txt", "Army  Marseilles.", "Army  Gulf of Lyon.", "can stand there"),
        ("page.html", '"MAO"', "MAO", "orders isn't data"),
        ("page.html", "spring 1901 </a>", "</a>", "does not say which season"),
        ("page.html", "var unitsByPlayer", "x = 1; var unitsByPlayer", "units are in no form"),
        ("page.txt", "hold", "move to Gascony", "holds no order under a turn and a country"),
        ("variations.txt", "Spring", "Fall", "isn't closed; write [)]"),
        ("variations.txt", "Spring 1901 Movement\n", "", "variations.txt:2: is neither"),
        ("game.jdip", '<string id="s', '<script id="s', "which is none of such a file"),
        ("game.jdip", 'idref="i', 'idref="x', "no object before is called so"),
        ("game.jdip", "dip.world.World", "dip.world.Word", "holds no game"),
        ("game.jdip", "dip.gui.order.GUIMove", "java.lang.ProcessBuilder", "isn't a known order"),
        ("game.jdip", 'value="1901"', 'value="19O1"', "isn't a whole number"),
        ("game.jdip", 'value="MOVEMENT"', 'value="x"', "a turn without a phase"),
        ("entity.jdip", "</jsx>", "&a;</jsx>", "uses an entity of another file"),
    ],
)
def test_what_is_damaged_is_refused(name: str, old: str, new: str, why: str, tmp_path: Path) -> None:
    assert old in SOURCES[name]
    with pytest.raises(ForeignFileError, match=why):
        again(name, SOURCES[name].replace(old, new), tmp_path)


def test_numbers_where_lists_stand_in_milas_file_are_no_orders_and_no_units(tmp_path: Path) -> None:
    state = {"units": {"FRANCE": 7}, "centers": {"FRANCE": 7}}
    phase = {"name": "S1901M", "state": state, "orders": {"FRANCE": 7}, "results": 7}
    (tmp_path / "x.json").write_text(json.dumps({"id": "x", "rules": 7, "phases": [phase]}))
    [record] = read_games(open_source(tmp_path / "x.json"))
    assert [(phase.units, phase.owners, phase.orders) for phase in record.phases] == [([], {}, {})]


def test_a_game_of_jdip_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    text = b'<?xml version="1.0"?>\n<jsx>' + b" " * 70_000_000 + b"</jsx>"
    packed = gzip.compress(text, 1)
    for data, why in ((packed, "unpacks to more than 64 MB"), (packed[:60_000], "its end is missing")):
        (tmp_path / "game.dat").write_bytes(data)
        with pytest.raises(ForeignFileError, match=why):
            read_games(open_source(tmp_path / "game.dat"))
    (tmp_path / "game.dat").write_text("<jsx>" + '<object class="x">' * 20_001)
    with pytest.raises(ForeignFileError, match="is nested deeper"):
        read_games(open_source(tmp_path / "game.dat"))


def a_game() -> Game:
    """Two years, with a dislodgement, a retreat, a build, a waived build and a coast."""
    game = Game("standard", name="round trip", seed="x")
    game.play({"Germany": "A mun - bur; F kie - den", "France": "A par - pic", "Russia": "F stp/sc - bot; A war - gal"})
    game.play(
        {
            "Germany": "F den - swe",  # and the army that is dislodged has no order
            "France": "A pic - bur; A mar s A pic - bur; F bre - mao",
            "Russia": "F bot h",
        }
    )
    game.play({"Germany": "A bur - ruh"})
    game.play({"Germany": "build F kie"})
    game.play({"France": "F mao - spa/nc; A bur - mun", "Italy": "A ven - tri"})
    return game


def a_game_that_opens_with_builds() -> Game:
    """Units are placed first, and one power's name has more than letters in it."""
    game = Game("1000ad", name="placed first", seed="x")
    kinds = {"Byzantines": "A edi; A kho", "Magyars & Polacks": "A dan; A crk", "Vikings": "F jor"}
    game.play({power: "; ".join(f"build {unit}" for unit in units.split("; ")) for power, units in kinds.items()})
    for unit in game.position.units[:2]:
        game.play({unit.power: f"{unit.kind} {unit.at} H"})
    return game


def a_game_without_letters() -> Game:
    """Units are ordered by their places alone, and builds are waived beside others."""
    game = Game("standard", name="no letters")
    game.play({"Austria": "vie - gal", "Russia": "war - gal", "Germany": "kie - den; mun - ruh"})
    game.play({"Germany": "ruh - hol", "Russia": "sev - rum"})
    game.play({"Germany": "waive; build A mun; build A ber; build F kie", "Russia": "waive"})
    game.play({})
    return game


def through(wanted: str, game: Game, folder: Path) -> tuple[JudgedRecord, list[str]]:
    """A game written in a format and read again, and what was told to be missing."""
    text, missing = export_game(game, wanted)
    file = folder / ("g.json" if text.startswith("{") else "g.txt")
    file.write_text(text)
    [record] = read_games(open_source(file))
    return judged_as(record, game.rules.name), missing


def test_a_format_may_be_written_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It isn't read again to tell what is missing."""
    written = ("turn,power,order\n", ["the position"])
    monkeypatch.setattr(formats, "WRITERS", {"table": lambda game: written})
    assert export_game(Game("standard"), "table") == written


@pytest.mark.parametrize("make", [a_game, a_game_that_opens_with_builds, a_game_without_letters])
@pytest.mark.parametrize("wanted", BOTH_WAYS)
def test_round_trips(wanted: str, make: Callable[[], Game], tmp_path: Path) -> None:
    game = make()
    judged, missing = through(wanted, game, tmp_path)
    assert missing
    assert judged.differences == []
    assert judged.unread == []
    assert judged.agreed >= len(game.turns)
    assert judged.game.position == game.position
    for ours, theirs in zip(game.turns, judged.game.turns, strict=True):
        assert ours.resolution.after == theirs.resolution.after
    assert load_game(save_game(judged.game)).position == game.position


@pytest.mark.parametrize("variant", some(["1897", "1000ad", "three-kingdoms", "hundred3"]))
@pytest.mark.parametrize("wanted", BOTH_WAYS)
def test_round_trips_of_other_variants_are_equal_or_told(wanted: str, variant: str, tmp_path: Path) -> None:
    game, chance = Game(variant, name="by chance"), Random(3)
    for _ in range(6):
        game.play(plausible_sheets(game.rules, game.position, chance))
    judged, missing = through(wanted, game, tmp_path)
    pairs = zip_longest(game.turns, judged.game.turns)
    alike = [a is not None and b is not None and a.resolution.after == b.resolution.after for a, b in pairs]
    told = [line for line in missing if line.startswith("what decides ")]
    assert all(alike) if not told else str(game.turns[alike.index(False)].resolution.before.turn) in told[0]
    assert not (told and wanted in ("text", "mila"))


def test_variations_of_a_text_are_games_that_go_out_as_variations_again(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(RECORDS["variations.txt"])
    records = read_games(open_source(tmp_path / "x.txt"))
    titles = ["Two ways", "Two ways, to Picardy", "Two ways, to Picardy, variation 2"]
    assert [record.title for record in records] == titles
    main, picardy, back = (judged_as(record).game for record in records)
    assert units_of(main.position, "France") == "A bur, A mar, F spa/sc"
    assert units_of(picardy.position, "France") == "A bel, A mar, F bre"
    assert units_of(back.position, "France") == "A mar, A par, F bre"
    assert [turn.comments for turn in main.turns] == [("to watch Germany",), ()]
    assert [turn.comments for turn in load_game(save_game(main)).turns] == [("to watch Germany",), ()]
    assert "comments" in export_game(main, "mila")[1]
    text, missing = export_game(main, "text", [picardy, back])
    assert missing == []
    (tmp_path / "x.txt").write_text(text)
    again = read_games(open_source(tmp_path / "x.txt"))
    assert [[(p.orders, p.comments) for p in r.phases] for r in again] == [
        [(p.orders, p.comments) for p in r.phases] for r in records
    ]
    with pytest.raises(ForeignFileError, match="mila has no variations"):
        export_game(main, "mila", [picardy])
    with pytest.raises(ForeignFileError, match="a format"):
        export_game(main, "stone")


@pytest.mark.parametrize("wanted", ["diplicity-game", "godip-game", "judge-mail"])
def test_orders_for_which_a_format_has_no_words_are_told(wanted: str) -> None:
    game = Game("three-kingdoms", name="sent", seed="x")
    game.play({})
    while game.position.turn.phase is not Phase.ADJUSTMENTS:
        game.play({})
    game.play({"Crown": "send 1 to Hamilton"})
    _, missing = export_game(game, wanted)
    (told,) = [one for one in missing if "no words" in one]
    assert told == "an order that has no words there, as 'send 1 to Hamilton'; turns come out otherwise without"


def test_two_units_in_one_province_are_refused_and_one_that_is_listed_twice_is_one(tmp_path: Path) -> None:
    listed = "PHASE 1901 Spring Movement\nPOSITIONS\nAustria: army vie\n{}\nORDERS\nAustria: army vie hold\n"
    _, judged = again("game_1.txt", listed.format("Austria: army vie"), tmp_path)
    assert [str(unit) for unit in judged.game.opening.units] == ["A vie"]
    for other in ("Italy: army vie", "Austria: fleet tri\nItaly: army tri"):
        with pytest.raises(ForeignFileError, match=r"Spring 1901 Movement: .* stand in one province"):
            again("game_1.txt", listed.format(other), tmp_path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_history_comes_in_past_what_cannot_be_read(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(histories, "AT_ONCE", 2)
    club = tmp_path / "club"
    for name in ("mila.json", "short.txt", "mail.txt", "spring.html"):
        (club / name.partition(".")[0]).mkdir(parents=True)
        (club / name.partition(".")[0] / name).write_text(played.FILES[name])
    (club / "bad.json").write_text('{"phases": 3, "state": 1}')
    (club / "readme.txt").write_text("hello")
    lines = [json.dumps({**MILA, "id": "one"}), "{broken", json.dumps({**MILA, "id": "two", "map": ""})]
    (club / "dump.jsonl").write_text("\n".join(lines))
    parts = histories.parts_of(open_source(club))
    files = list(histories.bring_all(parts, "", "", load, jobs))
    titles = sorted(game.title for file in files for game in file.games)
    assert titles == ["Short & sharp", "mail/mail.txt", "one", "short", "short"]
    refused = [fault for file in files for fault in file.refused]
    assert [fault.partition(":")[0] for fault in refused] == ["bad.json", "dump-2.jsonl", "two"]
    assert [file.name for file in files if not (file.games or file.refused)] == ["readme.txt"]
    for file in files:
        for brought in file.games:
            assert load_game(json.loads(brought.document)).turns


def test_a_process_that_dies_takes_only_its_file_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "AT_ONCE", 2)
    monkeypatch.setattr(histories, "AHEAD", 1)
    for number in range(4):
        (tmp_path / f"{number}.json").write_text(played.FILES["mila.json"])
    parts = histories.parts_of(open_source(tmp_path))
    parts[1] = lambda: os._exit(3)
    files = list(histories.bring_all(parts, "", "", load, 2))
    assert [len(file.games) for file in files] == [1, 0, 1, 1]
    assert files[1].refused == ["file 2: the process that read it died"]


def test_no_game_of_a_history_is_written_over_another(tmp_path: Path) -> None:
    """The third game called 'a' was written over one called 'a-3'."""
    titles = ["a-3", "a", "a", "a"]
    (tmp_path / "dump.jsonl").write_text("\n".join(json.dumps({**MILA, "id": title}) for title in titles))
    done = CliRunner().invoke(app, ["import", str(tmp_path / "dump.jsonl"), "-o", str(tmp_path / "out"), "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert len(list((tmp_path / "out").glob("*.json"))) == len(titles)
