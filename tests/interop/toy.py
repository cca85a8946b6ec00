"""The toy board in every format, made for these tests (``toys``): five provinces, one of them with two coasts."""

import shutil
import zipfile
from pathlib import Path

TOYS = Path(__file__).with_name("toys")
MAIN = {
    "dpjudge": "toy.map",
    "njudge": "map.toy",
    "jdip": "",
    "jdip-zip": "toy.zip",
    "diplicity": "toy.json",
    "godip": "toy.json",
    "go": "toy.go",
    "webdiplomacy": "",
}
"""What is imported of each: a file, or the whole folder."""
FORMATS = tuple(MAIN)
JUDGE = (TOYS / "dpjudge/toy.map").read_text()
VARIANTS_XML = (TOYS / "jdip/variants.xml").read_text()
ADJACENCY_XML = (TOYS / "jdip/toy_adjacency.xml").read_text()
SVG = (TOYS / "jdip/toy.svg").read_text()
DOCUMENT = (TOYS / "diplicity/toy.json").read_text()
GO = (TOYS / "go/toy.go").read_text()
INSTALL_PHP = (TOYS / "webdiplomacy/install.php").read_text()
VARIANT_PHP = (TOYS / "webdiplomacy/variant.php").read_text()


def write(folder: Path, kind: str) -> Path:
    """The toy board's files in a format; the path to import."""
    own = TOYS / kind.removesuffix("-zip")
    shutil.copytree(own, folder, dirs_exist_ok=True)
    if kind == "jdip-zip":
        with zipfile.ZipFile(folder / "toy.zip", "w") as archive:
            for file in sorted(own.iterdir()):
                archive.write(file, f"toy/{file.name}")
    return folder / MAIN[kind]
