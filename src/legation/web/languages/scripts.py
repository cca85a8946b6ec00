"""Scripts as they are sent: without comments, and with the texts in their literals in the reader's language.

A message is a literal of several words that nothing is compared with, of three if it has no capital, or one that
becomes the text of an element. What a template literal puts in is ``{name}``."""

import re
from collections.abc import Callable, Container, Iterator, Mapping

_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`"""
    r"""|[(,=:[!&|?{};>]\s*/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^]\\\n]|\\.)*\])+/""",
    re.DOTALL,
)
"""A comment, a string, where a template literal begins, or a regular expression after what comes before one."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
_NAME = re.compile(r"[a-zA-Z_]\w*")
_PLACE = re.compile(r"\{(\w+)\}")
_WORDS = re.compile(r"[A-Z{][\w’'{}]*[,:]? (?:[^<>=;]|; )*[^\W\d_{}](?:[^<>=;]|; )*")
_CLAUSE = re.compile(r"(?:; )?[a-z](?:[^<>=;#]|; )*")
_IN_A_ROW = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2}")
_BECOMES_TEXT = re.compile(
    r"(?:\btext: |\.textContent = |\b(?:say|tell|button)\(\s*|\bfield\(\s*[\"\w-]+,\s*"
    r"|\bel\(\s*\"(?!code\")\w+\",\s*\{[^{}]*\},\s*)$"
)
_COMPARED = re.compile(r"(?:[!=]==? |case )$")


def translated_script(script: str, translate: Callable[[str], str]) -> str:
    """Return a script with its messages translated."""
    made, at = "", 0
    for start, end, message, places in _literals(script):
        core = message.strip()
        text = message.replace(core, translate(core))
        if text != message and set(_PLACE.findall(text)) == places.keys():
            made += script[at:start] + _quoted(text, script[start], places)
            at = end
    return made + script[at:]


def without_comments(script: str) -> str:
    """Return a script without comments and their lines, except those that ask to be kept (``/*!``)."""
    made, at, here = "", 0, 0
    while found := _TOKEN.search(script, here):
        here = found.end()
        if found[0] == "`":
            here = _template(script, here, {})[1]
        elif found[0][0] == "/" and not found[0].startswith("/*!"):
            made += script[at : found.start()].rstrip(" ")
            at = here = here + (made.endswith("\n") and script.startswith("\n", here))
    return made + script[at:]


def _quoted(text: str, mark: str, places: Mapping[str, str]) -> str:
    """A literal with the quotation mark of the one whose place it takes."""
    text = text.replace("\\", "\\\\").replace(mark, f"\\{mark}").replace("\n", "\\n")
    if mark == "`":
        text = _PLACE.sub(lambda found: "${" + places[found[1]] + "}", text.replace("${", "\\${"))
    return f"{mark}{text}{mark}"


def messages_of(script: str) -> Iterator[str]:
    """The messages of a script."""
    return (message.strip() for _, _, message, _ in _literals(script))


def _literals(script: str) -> Iterator[tuple[int, int, str, dict[str, str]]]:
    """Where each message stands, what it says, and the code of each of its places."""
    at = 0
    while found := _TOKEN.search(script, at):
        at = found.end()
        if found[0][0] not in "\"'`":
            continue
        places: dict[str, str] = {}
        if found[0] == "`":
            message, at = _template(script, at, places)
        else:
            message = found[0][1:-1].replace('\\"', '"').replace("\\'", "'")
        before = script[max(0, found.start() - 120) : found.start()]
        tells = _BECOMES_TEXT.search(before) and _LETTERS.search(_PLACE.sub("", message))
        if "\\" not in message and (tells or (_told(message.strip()) and not _COMPARED.search(before))):
            yield found.start(), at, message, places


def _told(message: str) -> bool:
    if _CLAUSE.fullmatch(message):
        return _IN_A_ROW.search(message) is not None
    words = len(_LETTERS.findall(_PLACE.sub("", message)))
    return _WORDS.fullmatch(message) is not None and words > (not message.startswith("{"))


def _template(script: str, at: int, places: dict[str, str]) -> tuple[str, int]:
    """The text of a template literal from ``at``, and where it ends."""
    text = ""
    while script[at] != "`":
        if script.startswith("${", at):
            end = _closing(script, at + 2)
            code = script[at + 2 : end]
            name = free_name(next(reversed(_NAME.findall(code)), "value"), places)
            places[name] = code
            text += f"{{{name}}}"
            at = end + 1
        else:
            step = 2 if script[at] == "\\" else 1
            text += script[at : at + step]
            at += step
    return text, at + 1


def free_name(name: str, taken: Container[str]) -> str:
    """A name for a place, with a number where others of the message have it already."""
    return next(free for free in (name, *(f"{name}{n}" for n in range(2, 99))) if free not in taken)


def _closing(script: str, at: int) -> int:
    """Where the brace closes that was opened before ``at``."""
    depth = 1
    while True:
        if script[at] in "\"'`":
            found = _TOKEN.match(script, at)
            assert found is not None
            at = _template(script, at + 1, {})[1] if found[0] == "`" else found.end()
            continue
        depth += {"{": 1, "}": -1}.get(script[at], 0)
        if not depth:
            return at
        at += 1
