"""Public press of finished games that anybody may see: letters to all, found by words; anonymous ones stay so."""

import re
from contextlib import suppress

from legation.office.context import CommandContext, GameContext, query
from legation.office.desk.letters import public_letter
from legation.office.errors import DamagedError, InvalidInputError, KeyNotReleasedError
from legation.office.hosting.ratings import name_of
from legation.office.keys import seals
from legation.office.permissions import Call
from legation.office.records import FoundLetter, record_of
from legation.office.store import queries
from legation.office.store.rows import GameRow, LetterRow, PressRow

MOST_WORDS = 8
AROUND = 300  # characters of a letter that are shown around the first of the words
LONGEST = 200


def keep(scene: GameContext) -> None:
    """Have the public letters of a game that is over be found."""
    for letter in scene.tx.all(LetterRow, game=scene.row.id, public=True):
        try:
            text = seals.unlock(scene.office.master_key, letter.locked).decode()
        except (KeyNotReleasedError, UnicodeDecodeError):
            continue
        if text.strip():
            scene.tx.add(PressRow(letter=letter.id, game=scene.row.id, text=text))


@query("read", "GET /press", Call(pages="id"), visitor="any")
def search(act: CommandContext, words: str, variant: str = "", after: int = 0, limit: int = 30) -> list[FoundLetter]:
    """Return public letters of finished games that have all of these words, the latest first; ``after``: those before
    the letter of this number.

    :raises InvalidInputError: for no words, or more than eight.
    :raises NotFoundError: for a variant that there is not."""
    if len(words) > LONGEST:
        raise InvalidInputError(f"Search for at most {LONGEST} characters.", faults=["words: too long"])
    asked = re.findall(r"\w+", words.casefold())
    if not 1 <= len(asked) <= MOST_WORDS:
        raise InvalidInputError(f"Search for 1 to {MOST_WORDS} words.", faults=["words: none, or too many"])
    last = act.tx.find(PressRow, letter=act.office.numbers.row("letter", after)) if after else None
    rows = queries.found_press(act.tx, asked, variant, last.id if last else 0, max(1, min(limit, 100)))
    games = {game.id: game for game in act.tx.all(GameRow, id=sorted({row.game for row in rows}), state="ended")}
    found: list[FoundLetter] = []
    for row in rows:
        with suppress(DamagedError):  # of a game that can't be read
            scene = GameContext(act, games[row.game]) if row.game in games else None
            if scene is not None and scene.settings.listed:
                found.append(_found(scene, row, asked))
    if variant and not (found or after or act.tx.count(GameRow, variant=variant)):
        name_of(act, variant)
    return found


def _found(scene: GameContext, row: PressRow, words: list[str]) -> FoundLetter:
    letter = public_letter(scene, row.letter)
    at = min((place for word in words if (place := row.text.casefold().find(word)) >= 0), default=0)
    start = max(0, at - AROUND // 3)
    part = row.text[start : start + AROUND]
    text = "…" * (start > 0) + part + "…" * (start + AROUND < len(row.text))
    game = scene.row
    return record_of(FoundLetter, letter, game=game.key, name=game.name, variant=game.variant, text=text)
