"""Runs inside the reference's own environment: times the ``diplomacy`` package on the turns of a JSON file."""

import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from diplomacy import Game  # not installed where the project is checked
from diplomacy.engine.power import Power  # noqa: F401 - warms the import

STARTED = time.process_time()
"""The processor time of a process that has begun and imported the package, in seconds."""
NAMES = {"lyo": "LYO", "mao": "MAO", "nao": "NAO", "nwg": "NWG", "tys": "TYS", "eng": "ENG", "hel": "HEL", "bot": "BOT"}


def place(code: str) -> str:
    """A location in the reference's spelling."""
    return NAMES.get(code, code.upper())


def order(text: str) -> str:
    """An order in the reference's spelling."""
    words = text.replace(" via convoy", " VIA").split()
    return " ".join(place(w) if w.islower() else w for w in words)


def prepare(document: dict[str, Any]) -> Game:
    """The reference's game in the position of a document, orders set."""
    game = Game()
    game.clear_units()
    for power, units in document["units"].items():
        game.set_units(power.upper(), [order(u) for u in units], reset=True)
    for power, orders in document["orders"].items():
        game.set_orders(power.upper(), [order(o) for o in orders])
    return game


def main() -> None:
    """Print the median times in seconds as JSON."""
    documents = json.loads(Path(sys.argv[1]).read_text())
    process, text, legal = [], [], []
    for document in documents:
        start = time.process_time()
        game = prepare(document)
        ready = time.process_time()
        game.process()
        done = time.process_time()
        process.append(done - ready)
        text.append(done - start)
        game = prepare(document)
        start = time.process_time()
        game.get_all_possible_orders()
        legal.append(time.process_time() - start)
    print(
        json.dumps(
            {
                "turn, typed": statistics.median(process),
                "turn, from text": statistics.median(text),
                "JSONL end to end": statistics.mean(text),  # of a whole file's time the mean is known, too
                "legal orders": statistics.median(legal),
                "legation --help": STARTED,
            }
        )
    )


if __name__ == "__main__":
    main()
