"""Static assets of the pages: the stylesheet, scripts, fonts, the mark.

Their address holds a digest of them all, so browsers keep them for good."""

import posixpath
import re
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from legation.languages import catalog
from legation.web.languages.scripts import translated_script, without_comments
from legation.web.serving.answers import Packed

STATIC = Path(__file__).parents[1] / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
IMPORTS = re.compile(r'^(?:import\b|}).*?"\./([^"]+)";$', re.MULTILINE)
OTHERS = ("htmx.js", "hx-sse.js")
"""Scripts by others, sent as they are; what they say is for programmers."""
GARAMOND = {
    f"fonts/garamond-{face}{part}.woff2": f"{face}-{part.strip('-') or 'common'}.woff2"
    for face in ("regular", "italic", "bold")
    for part in ("", "-more")
}
"""The maps' own letters, under the names that the stylesheet uses."""


class Assets:
    """Static files by path, read once."""

    @cached_property
    def files(self) -> dict[str, Packed]:
        """Every file, by its path below the address of all."""
        kept = sorted(path for path in STATIC.rglob("*") if path.is_file())
        static = {path.relative_to(STATIC).as_posix(): _packed(path) for path in kept}
        fonts = files("legation.atlas.fonts")
        return static | {path: _packed(fonts / name) for path, name in GARAMOND.items()}

    @cached_property
    def digest(self) -> str:
        """Return a digest that changes when any file does."""
        digests = "".join(f"{path}\0{packed.digest}\0" for path, packed in sorted(self.files.items()))
        return sha256(digests.encode()).hexdigest()[:12]

    def address(self, path: str, language: str = "") -> str:
        """Return the address of a file; of a script, in a language (KeyError: when there is no such file)."""
        self.files[path]
        spoken = f".{language}" if language and path.endswith(".js") else ""
        return f"/assets/{self.digest}{spoken}/{path}"

    @cached_property
    def imports(self) -> dict[str, list[str]]:
        """Every script with all that it imports, by way of others too, so that a page can ask for all of it at once."""
        imports = {}
        for path in filter(lambda path: path.endswith(".js"), self.files):
            found, folder = [path], posixpath.dirname(path)
            for script in found:  # it grows meanwhile
                named = IMPORTS.findall(self.files[script].content.decode())
                found += [there for name in named if (there := posixpath.join(folder, name)) not in found]
            imports[path] = found[1:]
        return imports


assets = Assets()


@lru_cache(maxsize=512)
def script_in_language(path: str, language: str) -> Packed:
    """Return a script with its messages in a language."""
    script = assets.files[path].content.decode()
    return Packed(translated_script(script, catalog(language).text).encode(), TYPES[".js"])


def _packed(file: Traversable) -> Packed:
    ending = "." + file.name.rpartition(".")[2]
    content = file.read_bytes()
    if ending == ".js" and file.name not in OTHERS:  # a third of our scripts' bytes are comments
        content = without_comments(content.decode()).encode()
    return Packed(content, TYPES[ending])
