"""What strangers may send: nothing of it is run, read or written outside the target, and each is refused in a line."""

import time
import zipfile
from pathlib import Path

import pytest

from legation.interop import ForeignFileError
from legation.interop import sources as source_bounds
from legation.interop.games import java_objects
from legation.interop.webdiplomacy.php import NOTHING, Php
from legation.interop.xml_tree import XmlRefused, parse_xml
from tests.interop import fuzz, toy
from tests.interop.bringing import brought, brought_all


def refused(path: Path, words: str) -> None:
    with pytest.raises(ForeignFileError, match=words):
        brought_all(path)
    assert not path.with_name(f"{path.name}-out").exists()


def test_a_zip_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_bounds, "LARGEST_FILE", 1_000_000)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("variants.xml", b" " * 30_000_000)
    refused(tmp_path / "bomb.zip", "unpacks to more than")


def test_an_archive_of_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_bounds, "MOST_FILES", 50)
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(60):
            archive.writestr(f"{number}.map", "")
    refused(tmp_path / "many.zip", "more than 50 files")


@pytest.mark.parametrize("name", ["../variants.xml", "/etc/variants.xml", "a/../../variants.xml", "C:/variants.xml"])
def test_an_archive_that_leads_out(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as archive:
        archive.writestr(name, toy.VARIANTS_XML)
    refused(tmp_path / "out.zip", "is outside")


def test_a_link_that_leads_out_is_not_there(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    (tmp_path / "secret.xml").write_text(toy.ADJACENCY_XML)
    (folder / "toy_adjacency.xml").unlink()
    (folder / "toy_adjacency.xml").symlink_to(tmp_path / "secret.xml")
    refused(folder, "no such file")


@pytest.mark.parametrize("name", ["../secret.xml", "/etc/passwd", "file:///etc/passwd", "http://example.org/x.xml"])
def test_references_that_lead_out(name: str, tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    (tmp_path / "secret.xml").write_text(toy.ADJACENCY_XML)
    (folder / "variants.xml").write_text(toy.VARIANTS_XML.replace("toy_adjacency.xml", name))
    refused(folder, "is outside")
    path = toy.write(tmp_path / "judge", "dpjudge")
    path.write_text(f"USE {name.replace('http:', '')}\n{toy.JUDGE}")
    refused(path, "is outside|no such file")


@pytest.mark.parametrize(
    "entities",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY b SYSTEM "file:///etc/passwd">',
        '<!ENTITY b SYSTEM "http://example.org/">',
        f'<!ENTITY b "{"x" * 5000}">',
    ],
)
def test_entities(entities: str, tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    text = toy.VARIANTS_XML.replace('SYSTEM "variants.dtd"', f"[{entities}]").replace("<b>", "&b;<b>")
    (folder / "variants.xml").write_text(text.replace("<![CDATA[A &b;<b>toy</b> board.]]>", "&b;"))
    refused(folder, "entity")


def test_a_document_nested_deeply_or_without_end() -> None:
    with pytest.raises(ForeignFileError, match="nested"):
        parse_xml(b"<a>" * 500 + b"</a>" * 500, "x.xml")
    with pytest.raises(ForeignFileError, match="elements"):
        parse_xml(b"<a>" + b"<b/>" * 200_000 + b"</a>", "x.xml")


def test_scripts_and_links_of_a_picture_are_never_looked_at(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    evil = '<a href="javascript:alert(1)"><path id="_evil" onload="x()" d="M0,0 L1,1 L2,0 z"/></a><image href="file:///etc/passwd"/>'
    (folder / "toy.svg").write_text(toy.SVG.replace("</svg>", f"{evil}</svg>"))
    written = brought(folder, picture=True).written
    assert written.origin == "shapes"
    for file in (tmp_path / "in-out").rglob("*"):
        if file.is_file():
            text = file.read_text()
            assert "javascript" not in text and "script" not in text and "passwd" not in text and "evil" not in text


def test_constants_of_php_do_not_grow_by_their_names(tmp_path: Path) -> None:
    tables = "const T0 = array('x');" + "".join(f"const T{n} = array({f'T{n - 1},' * 20});" for n in range(1, 12))
    doubled = "const S0 = 'abcdefgh';" + "".join(f"const S{n} = S{n - 1} . S{n - 1};" for n in range(1, 30))
    php = Php(f"<?php {tables} {doubled} $a = T11; $b = S29; $c = S3;", "x")
    assert [value for _, value, _ in php.assigned("a", "b")] == [NOTHING, NOTHING]
    assert php.assigned("c")[0][1] == "abcdefgh" * 8
    assert sum(len(str(value)) for value in php.constants.values()) < 1000


def test_heredocs_without_end_cost_little() -> None:
    begun = time.process_time()
    Php("<?php " + "<<<A\n" * 20_000, "x")
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "code",
    [
        "system('touch pwned')",
        "`touch pwned`",
        "$GLOBALS['x']",
        "file_get_contents('/etc/passwd')",
        "1+1",
        "'a'.$b",
        "FOO",
    ],
)
def test_php_that_is_more_than_data_is_no_value(code: str, tmp_path: Path) -> None:
    [(_, value, _)] = Php(f"<?php $territoryRawData = array(array({code}, 'Land'));", "x").assigned("territoryRawData")
    assert value is NOTHING
    folder = toy.write(tmp_path / "in", "webdiplomacy")
    (folder / "install.php").write_text(toy.INSTALL_PHP.replace("'Bay', 'Sea'", f"{code}, 'Sea'", 1))
    refused(folder, "more than data")
    assert not (tmp_path / "pwned").exists()


def test_names_become_neither_paths_nor_tables(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    nasty = "../../x&quot;]&#10;[rules.evil]&#10;a = &quot;"
    text = toy.VARIANTS_XML.replace('name="Toy"', f'name="{nasty}"').replace('name="North"', 'name="No&quot;rth"')
    (folder / "variants.xml").write_text(text)
    found = brought(folder)
    files = sorted(p.relative_to(tmp_path / "in-out").as_posix() for p in (tmp_path / "in-out").rglob("*.toml"))
    assert files == ["toy-adjacency/board.toml", "x-rules-evil-a.toml"]
    assert "evil" not in found.said


def test_maps_that_use_themselves(tmp_path: Path) -> None:
    path = toy.write(tmp_path / "in", "dpjudge")
    path.write_text(f"USE toy\n{toy.JUDGE}")
    assert "used a second time" in brought(path).report


def test_a_path_without_end_in_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from legation.interop import svg

    monkeypatch.setattr(svg, "MOST_POINTS", 2000)
    folder = toy.write(tmp_path / "in", "jdip")
    (folder / "toy.svg").write_text(toy.SVG.replace("h-100 z", "h-1 v1 " * 3000 + "z"))
    assert "more than 2000 points" in brought(folder).report


@pytest.mark.long
def test_damaged_files_come_in_or_are_refused() -> None:
    tried = fuzz.try_all(12, seed=3)
    assert tried.came
    assert tried.raised == []


@pytest.mark.parametrize("text", ["²", "--5", "5-", ""])
def test_what_looks_like_a_number_in_java_and_is_none_is_refused(text: str) -> None:
    assert java_objects._primitive("int", "-5") == -5
    with pytest.raises(XmlRefused, match="isn't a whole number"):
        java_objects._primitive("int", text)
