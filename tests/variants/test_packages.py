"""Packages: what is packed comes out again, and nothing that a stranger sends does more than it says."""

import io
import zipfile
from pathlib import Path

import pytest

from legation.variants import Registry
from legation.variants.comparing import compare_variants
from legation.variants.packages import (
    MOST_BYTES,
    About,
    Package,
    PackageError,
    about_of,
    collect,
    install,
    read_package,
    write_package,
)
from tests.rules.manual_folder import EXAMPLES

VARIANT = """title = "Two"
board = "standard"
rules_of = "standard"

[[powers]]
name = "France"
homes = ["par"]
units = ["A par"]

[[powers]]
name = "Germany"
homes = ["mun"]
units = ["A mun"]
"""


def package() -> bytes:
    return write_package(About(name="two", title="Two"), {"two.toml": VARIANT})


def archive(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return made.getvalue()


def test_what_is_packed_is_installed_and_packed_again_alike(tmp_path: Path) -> None:
    content = package()
    assert content == package()
    assert install(read_package(content), tmp_path / "here") == ["two"]
    registry = Registry(tmp_path / "here")
    assert [str(unit) for unit in registry.load("two").start] == ["A par", "A mun"]
    again = write_package(About(name="two", title="Two"), collect(registry, "two"))
    assert again == content
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == ["packages", "two.toml"]


def test_a_variant_goes_with_its_board_and_those_it_builds_on(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "isle").mkdir(parents=True)
    for name, text in {
        "board.toml": 'name = "isle"\ntitle = "Isle"\n',
        "land.csv": "id,name,center,coasts\nnor,North,1,single\nsou,South,1,single\n",
        "sea.csv": "id,name\nsea,The Sea\n",
        "borders.csv": "a,b,army,fleet\nnor,sou,1,1\nnor,sea,0,1\nsou,sea,0,1\n",
    }.items():
        (folder / "isle" / name).write_text(text)
    isle = (
        VARIANT.replace('"standard"\nrules_of', '"isle"\nrules_of').replace('"par"', '"nor"').replace('"mun"', '"sou"')
    )
    isle = isle.replace("A par", "A nor").replace("A mun", "A sou") + "\n[rules.solo]\ncenters = 2\n"
    (folder / "isle-game.toml").write_text(isle)
    (folder / "more.toml").write_text('title = "More"\nextends = "isle-game"\n\n[rules.solo]\ncenters = 1\n')
    registry = Registry(folder)
    files = collect(registry, "more")
    assert set(files) >= {"more.toml", "isle-game.toml", "isle/board.toml", "isle/borders.csv"}
    there = tmp_path / "there"
    assert install(Package(About(name="more"), files), there) == ["isle-game", "more"]
    assert Registry(there).load("more").board.name == "isle"


def test_what_is_there_is_not_replaced_unless_asked_and_a_faulty_package_changes_nothing(tmp_path: Path) -> None:
    install(read_package(package()), tmp_path)
    with pytest.raises(PackageError, match="is there already; --replace"):
        install(read_package(package()), tmp_path)
    broken = Package(About(name="two"), {"two.toml": VARIANT.replace("A mun", "A nowhere")})
    before = (tmp_path / "two.toml").read_text()
    with pytest.raises(PackageError, match="nowhere") as raised:
        install(broken, tmp_path, replace=True)
    assert str(tmp_path) not in str(raised.value)
    assert (tmp_path / "two.toml").read_text() == before
    changed = Package(About(name="two"), {"two.toml": VARIANT.replace("A mun", "F kie")})
    assert install(changed, tmp_path, replace=True) == ["two"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["packages", "two.toml"]


def test_rules_in_python_are_run_only_where_they_are_trusted(tmp_path: Path) -> None:
    rule = (EXAMPLES / "rules" / "digging_in.py").read_text(encoding="utf-8")
    text = VARIANT + "\n[rules.digging_in]\nstrength = 2\n"
    trenches = write_package(About(name="two"), {"two.toml": text, "rules/digging_in.py": rule})
    ran = Package(About(name="two"), {"two.toml": VARIANT, "rules/bad.py": f"open({str(tmp_path / 'ran')!r}, 'w')"})
    with pytest.raises(PackageError, match=r"brings Python that is run: rules/bad.py.*--trust"):
        install(ran, tmp_path / "here")
    assert not (tmp_path / "ran").exists() and not (tmp_path / "here").exists()
    assert install(read_package(trenches), tmp_path / "here", trust=True) == ["two"]
    assert "digging_in" in {rule.key for rule in Registry(tmp_path / "here").load("two").modules}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"no zip", "isn't a zip archive"),
        (archive(two_dot_toml=b""), "there is no package.json"),
        (archive(package_dot_json=b"[]"), "package.json"),
        (archive(package_dot_json=b'{"name": "two"}'), "there is no two.toml"),
        (archive(**{"../two.toml": b""}), "isn't a name of a file in a package"),
        (archive(**{"/etc/two.toml": b""}), "isn't a name of a file in a package"),
        (archive(**{"a/b/two.toml": b""}), "isn't a name of a file in a package"),
        (archive(**{"packages/other.json": b""}), "isn't a name of a file in a package"),  # others' own words
        (archive(**{"two.exe": b""}), "isn't a name of a file in a package"),
        (archive(two_dot_csv=bytes(MOST_BYTES + 1)), "unpacked more than"),
        (archive(**{f"{n}.csv": b"" for n in range(201)}), "more than 200 files"),
        (archive(two_dot_csv=b"\xff\xfe\x00"), "is not UTF-8"),
    ],
)
def test_what_is_no_package_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(PackageError, match=told):
        read_package(content)


def test_a_package_says_its_version_in_numbers() -> None:
    with pytest.raises(PackageError, match="numbers with points between"):
        write_package(About(name="two", version="new"), {"two.toml": VARIANT})
    with pytest.raises(PackageError, match="isn't a name of a file"):
        write_package(About(name="two"), {"a/b/c.toml": VARIANT})


def test_two_variants_are_compared_in_words_and_by_province(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(VARIANT)
    (tmp_path / "other.toml").write_text(
        VARIANT.replace('"A mun"', '"F kie"').replace('name = "France"', 'name = "Gaul"')
        + "\n[rules.solo]\ncenters = 3\n"
    )
    registry = Registry(tmp_path)
    found = compare_variants(registry.load("two"), registry.load("other"))
    assert [(d.about, d.text, d.provinces) for d in found] == [
        ("powers", "France is gone", ()),
        ("powers", "Gaul is new", ("par",)),
        ("powers", "Germany: units at the start without A mun and with F kie", ("kie", "mun")),
        ("rules", "solo: centers was 18 and is 3", ()),
    ]
    assert compare_variants(registry.load("two"), registry.load("two")) == []


def test_what_a_package_said_of_itself_stays_with_its_variant(tmp_path: Path) -> None:
    about = About(name="two", title="Two", version="1.3", license="CC0-1.0", notes="Germany has a fleet.")
    install(read_package(write_package(about, {"two.toml": VARIANT})), tmp_path)
    kept = about_of(Registry(tmp_path), "two")
    assert kept is not None and (kept.version, kept.license, kept.notes) == ("1.3", "CC0-1.0", "Germany has a fleet.")
    assert about_of(Registry(tmp_path), "standard") is None
    (tmp_path / "packages" / "two.json").write_text("damaged")
    assert about_of(Registry(tmp_path), "two") is None
