"""Damaged documents through every upload: ``python -m tests.service.damaged --count 20000`` is the long run.

Positions, saved games, whole games, boards, variants, pictures, receipts and calls of the interface are damaged by
chance from a seed, or blown up, and sent to a site that is served with its office. Each answer is a page or a refusal,
never a failure; the slowest is told by entrance, with the memory that the serving process and its children took. At the
end an undamaged document is taken by each entrance."""

import argparse
import io
import json
import logging
import resource
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
import structlog
from fastapi.testclient import TestClient

from legation.board import board_document
from legation.game import Game, adjudicate, position_document, save_game
from legation.interop.tracing import trace_svg
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.hosting import games, transfer
from legation.office.hosting.catalog import CHECKERS
from legation.office.identity import people
from legation.office.office import open_office
from legation.office.orders import submissions
from legation.office.orders.pictures import DECODERS
from legation.office.settings import Settings
from legation.variants import find_boards, load
from legation.web import WebSettings, create_app
from legation.web.designer.checking import EXAMPLE
from legation.web.designer.pasting import READERS
from legation.web.designer.table import COARSE, WHOLE
from legation.web.designer.uploads import BUILDERS, IMPORTERS
from tests.interop import played, toy
from tests.interop.fuzz import damaged
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, begin, picture
from tests.office.test_archive import old_game
from tests.office.test_catalog import packed as proposed
from tests.service.poison import peak
from tests.web.clients import unbound

OURS = {"origin": "https://testserver"}
NOBODY: Mapping[str, str] = MappingProxyType({})
SIZES = (50, 2000, 60_000)
BOMBS: tuple[Callable[[int], bytes], ...] = (
    lambda n: b"[" * n,
    lambda n: b'{"a":' * n,
    lambda n: b"{" + b'"a": [[],[]],' * n,
    lambda n: b"a = [" + b"[" * n,
    lambda n: b"[" + b"[a]\n" * n,
    lambda n: b"a." * n + b"b = 1",
    lambda n: b'{"variant": "standard", "turn": "Spring 1901 Movement", "units": {"France": [' + b'"A par",' * n,
    lambda n: b'{"variant": "standard", "seed": "' + b"x" * n + b'"}',
    lambda n: b'{"variant": ' + b"9" * n + b"}",
    lambda n: b"Spring 1901 Movement\n" + b"Frnace: A par, " * n,
    lambda n: b"France: " + b"A " * n + b"\n" + b"> " * n,
    lambda n: b"\xff\xfe" * n,
    lambda n: b"-----BEGIN LEGATION RECEIPT-----" + b"e30K" * n,
    lambda n: b"\x89PNG\r\n\x1a\n" + b"\0" * n,
    lambda n: b"%PDF-1.7\n" + b"1 0 obj <<" * n,
    lambda n: b"<svg xmlns='http://www.w3.org/2000/svg'>" + b"<g>" * n,
)

SVG = """<svg xmlns="http://www.w3.org/2000/svg"><g id="provinces">
  <rect id="norland" x="0" y="0" width="100" height="60" fill="#eecc99"/>
  <path id="sou" d="M0 140 h100 v60 H0 Z" style="stroke:red;fill:#ec9"><title>South Shore</title></path>
  <g fill="lightblue" transform="translate(0 60) scale(1 0.8)"><rect id="mid-sea" width="200" height="100"/></g>
</g></svg>"""

POOLS = (READERS, BUILDERS, COARSE, WHOLE, IMPORTERS, CHECKERS, DECODERS)
Entrance = Callable[[bytes], Any]  # the answer to a document


def packed(files: Mapping[str, bytes]) -> bytes:
    """A zip archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def record_of_game() -> bytes:
    """A whole record of another system, with who played in it."""
    return json.dumps({**old_game(), "names": {"France": "Anna", "England": "B. B."}, "rated": True}).encode()


class Site:
    """A site with its office, a game in it, and what can be sent to each of its entrances."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.office = open_office(folder, Settings(settling=0), SimulatedClock(START), SeededRandomSource("damaged"))
        record, players, boss = begin(self.office, "hundred", coordinated=True)
        people.make_administrator(self.office, CONSOLE, boss.person or 0)
        self.at = f"/api/v1/games/{record.key}/seats/France"
        self.tokens = {who: self._token(actor) for who, actor in (("player", players["France"]), ("boss", boss))}
        unbound(patch)  # else most would be refused unread
        self.http = TestClient(
            create_app(self.office, WebSettings(bounded=False, warm=False)),
            base_url="https://testserver",
            raise_server_exceptions=False,
            follow_redirects=False,
        )
        receipt = submissions.submit(self.office, players["France"], record.key, "France", "A par H").proof
        whole = msgspec.json.encode(transfer.whole_game(self.office, CONSOLE, record.key))
        rules = load("standard")
        opening = {"variant": "standard", **position_document(rules, rules.opening())}
        saved = Game(rules)
        saved.play([])
        board = find_boards()["hundred"]
        files = {path.name: path.read_bytes() for path in sorted(board.iterdir()) if path.suffix in (".toml", ".csv")}
        document = {"board": board_document(board), "borders": "picture", "variant": {}, "files": {}}
        self.samples: dict[str, tuple[Entrance, list[bytes]]] = {
            "sandbox": (
                self._form("/sandbox", "text"),
                [
                    json.dumps(opening, indent=1).encode(),
                    json.dumps(adjudicate({**opening, "orders": {"France": ["A par - bur"]}}), indent=1).encode(),
                    json.dumps(save_game(saved), indent=1).encode(),
                    b"Spring 1902 Movement\nFrance: A par, F bre; centers par, bre\nGermany: A mun\n",
                ],
            ),
            "designer, a text": (self._form("/designer", "text"), [EXAMPLE.encode()]),
            "designer, a zip": (self._file("/designer", "files", "mine.zip"), [packed(files)]),
            "table": (self._body("/table/files"), [json.dumps({"document": document}, indent=1).encode()]),
            "table, files": (
                self._body("/table/read"),
                [json.dumps({"files": {name: text.decode() for name, text in files.items()}}).encode()],
            ),
            "table, a pack": (self._file("/table/open", "files", "mine.legation"), [packed(files)]),
            "table, growth": (
                self._body("/table/grow"),
                [json.dumps({"document": document, "stage": "coarse", "kept": {}}).encode()],
            ),
            "table, packing": (
                self._body("/table/pack"),
                [json.dumps({"document": trace_svg(SVG)["document"]}).encode()],
            ),
            "table, rulebook": (self._body("/table/rulebook"), [json.dumps({"document": document}).encode()]),
            "tracing": (self._body("/table/start"), [json.dumps({"svg": SVG}).encode()]),
            "sheet, looked over": (
                self._form(f"/games/{record.key}/sheet/check", "text", self._session(players["France"])),
                [b"A par - orl\nA dau H\n"],
            ),
            "pictures": (
                self._file(f"{self.at}/pictures", "pictures", "sheet.png", "player"),
                [
                    picture(form="PNG"),
                    picture(),
                    picture(form="WEBP"),
                    b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n",
                ],
            ),
            "orders": (
                self._body(f"{self.at}/submissions", "player"),
                [json.dumps({"text": "A par - orl\nA dau H # a note"}).encode()],
            ),
            "whole games": (self._body("/api/v1/archives", "boss"), [whole]),
            "records": (self._body("/api/v1/records", "boss"), [record_of_game()]),
            "receipts": (self._form(f"/games/{record.key}/receipt", "receipt"), [receipt.encode()]),
            "new games": (self._body("/api/v1/games", "boss"), [b'{"name": "Marston Moor", "variant": "hundred"}']),
            "games of other systems": (
                self._file("/games/import", "file", "game.txt", session=self._session(boss)),
                [content.encode() for content in (played.FILES["short.txt"], *played.FILES.values())],
            ),
            "variants of other systems": (
                self._file("/designer", "files", "theirs.zip"),
                [toy.write(folder / "theirs", "jdip-zip").read_bytes()],
            ),
            "godip's sources": (self._file("/designer", "files", "toy.go"), [toy.GO.encode()]),
            "proposals": (
                self._file("/proposals", "package", "duel.legation", session=self._session(boss)),
                [proposed(version="1.0", license="CC0-1.0")],
            ),
        }

    def _token(self, actor: Actor) -> str:
        return people.token_for(self.office, CONSOLE, actor.person or 0, "damaged").secret

    def _headers(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[who]}"} if who else OURS

    def _session(self, actor: Actor) -> dict[str, str]:
        """What a browser sends of somebody who has signed in."""
        secret = people.start_session(self.office, Actor.clock(), actor.person or 0, "damaged", 1).secret
        return {**OURS, "cookie": f"session={secret}"}

    def _form(self, path: str, field: str, headers: Mapping[str, str] = OURS) -> Entrance:
        return lambda data: self.http.post(path, data={field: data.decode("utf-8", "replace")}, headers=dict(headers))

    def _file(self, path: str, field: str, name: str, who: str = "", session: Mapping[str, str] = NOBODY) -> Entrance:
        headers = {**self._headers(who), **session}
        return lambda data: self.http.post(path, files=[(field, (name, data))], headers=headers)

    def _body(self, path: str, who: str = "") -> Entrance:
        headers = {"content-type": "application/json"}
        return lambda data: self.http.post(path, content=data, headers=headers | self._headers(who))


class Seen(msgspec.Struct):
    """What came of one entrance: answers by status, the slowest (milliseconds), and whether a good document is taken at
    the end."""

    statuses: dict[int, int] = {}
    slowest: int = 0
    good: int = 0


def bombard(folder: Path, count: int, seed: int = 1, most: float = 2) -> tuple[dict[str, Seen], dict[str, int]]:
    """Send so many documents; what came of them by entrance, and the most memory (MB) of the process and its children.

    :raises AssertionError: for an answer that is a failure, or that took more than ``most`` seconds of processor time.
    """
    with pytest.MonkeyPatch.context() as patch:
        return _bombard(Site(folder, patch), count, Random(seed), most)


def _bombard(site: Site, count: int, chance: Random, most: float) -> tuple[dict[str, Seen], dict[str, int]]:
    seen = {name: Seen() for name in site.samples}
    children = 0
    for number in range(count):
        name = chance.choice(list(site.samples))
        entrance, samples = site.samples[name]
        data = damaged(chance.choice(samples), chance)
        if chance.random() < 0.1:
            data = chance.choice(BOMBS)(chance.choice(SIZES))
        begun, used = time.perf_counter(), time.process_time()
        answer = entrance(data)
        used = time.process_time() - used
        one = seen[name]
        one.statuses[answer.status_code] = one.statuses.get(answer.status_code, 0) + 1
        one.slowest = max(one.slowest, int((time.perf_counter() - begun) * 1000))
        assert answer.status_code < 500 or answer.status_code == 503, (number, name, data[:2000], answer.text[:500])
        assert used < most, (number, name, used, data[:2000])
        children = max([children, *(peak(p) for pool in POOLS for p in pool.processes)])
    for name, (entrance, samples) in site.samples.items():
        seen[name].good = entrance(samples[0]).status_code
    key = site.at.split("/")[4]
    assert games.game(site.office, CONSOLE, key).state == "running"
    site.office.close()
    memory = {"process": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, "children": children}
    return seen, memory


def main() -> None:
    """The long run."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    begun = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        seen, memory = bombard(Path(folder), given.count, given.seed)
    for name, one in seen.items():
        print(f"{name}: {dict(sorted(one.statuses.items()))}, slowest {one.slowest} ms; a good one: {one.good}")
    print(f"memory: {memory} MB; {time.process_time() - begun:.0f} s of processor time without children")


if __name__ == "__main__":
    main()
