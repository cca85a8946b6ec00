"""Ways to tamper with a transcript: in the file alone, by an office that lies, by office and keeper together.

One value of each shape is changed, each by itself (trying every single value would take far longer than a
test may), and whoever lies makes the rest fit as far as their keys go: chain, heads, countersignatures, commitments."""

import copy
import importlib.util
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from legation.proofs import chain
from legation.proofs.canonical import digest, encode
from legation.proofs.kinds import SIGNED
from legation.proofs.receipts import KeptSignature, receipt_text
from legation.proofs.records import field_hash
from legation.proofs.report import Report
from legation.proofs.signing import public_key, sign
from legation.proofs.verifying import verify
from legation.variants import USUAL
from tests.proofs import games
from tests.proofs.building import Office

Rows = list[dict[str, Any]]
Path_ = tuple[Any, ...]

SCRIPT = Path(__file__).parents[2] / "docs" / "verify.py"
_spec = importlib.util.spec_from_file_location("second_verifier", SCRIPT)
assert _spec is not None and _spec.loader is not None
second: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(second)


def rows_of(office: Office) -> Rows:
    """A transcript as the values of its rows."""
    return [json.loads(row) for row in office.file().splitlines()]


def written(rows: Rows) -> bytes:
    return b"".join(encode(row) + b"\n" for row in rows)


def first_check(office: Office, data: bytes, receipts: Sequence[KeptSignature] = (), *, known: bool = True) -> Report:
    variants = games.fog_registry() if office.hides else USUAL
    return verify(data, [public_key(office.office)] if known else [], receipts, variants)


def second_game(key: str, data: bytes, receipts: Sequence[KeptSignature] = ()) -> Any:
    """A game as the second verifier has it, who knows a key of its office."""
    game = second.Game(*second.read(data), [key])
    for receipt in receipts:
        game.receipt(receipt_text(receipt))
    return game


def second_check(office: Office | None, data: bytes, receipts: Sequence[KeptSignature] = (), *, key: str = "") -> str:
    """What the second verifier finds; empty if all holds."""
    try:
        second_game(key if office is None else public_key(office.office), data, receipts)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


# Places


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The paths of all values, lists and objects among them."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from places(entry, (*path, index))


def shape(row: dict[str, Any], path: Path_) -> str:
    """What a place is, without the numbers: ``sent.records[].commitment``."""
    name = next(iter(row)) if len(row) == 1 else "header"
    kind = row[name].get("kind", "") if name in ("line", "private") else ""
    steps = path[1:] if name != "header" else path
    if name in ("line", "private") and steps[:1] == ("data",):
        name, steps = ("private " if name == "private" else "") + kind, steps[1:]
    elif name == "line":
        name = "line"
    return name + "".join("[]" if isinstance(step, int) else f".{step}" for step in steps)


def changed(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        if len(value) in (32, 64, 128) and set(value) <= set("0123456789abcdef"):
            return ("0" if value[0] != "0" else "1") + value[1:]
        return value + "x"
    if isinstance(value, list):
        return value[:-1] if value else ["x"]
    if isinstance(value, dict):
        return {key: entry for key, entry in value.items() if key != next(iter(value))} if value else {"x": 1}
    return "x"


def replaced(rows: Rows, row: int, path: Path_, value: Any) -> Rows:
    """The rows with one value replaced."""
    fresh = list(rows)
    fresh[row] = copy.deepcopy(rows[row])
    target: Any = fresh[row]
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    return fresh


def at(rows: Rows, row: int, path: Path_) -> Any:
    value: Any = rows[row]
    for step in path:
        value = value[step]
    return value


def by_shape(rows: Rows) -> dict[str, list[tuple[int, Path_]]]:
    """All places by their shape."""
    table: dict[str, list[tuple[int, Path_]]] = {}
    for number, row in enumerate(rows):
        for path in places(row):
            if number == 0 or len(path) > 1:
                table.setdefault(shape(row, path), []).append((number, path))
    return table


# An office that lies


def resigned(office: Office, rows: Rows, *, keeper: bool) -> Rows:
    """The rows made to fit again: hashes of private lines, the chain, the office's signatures and, if the keeper takes
    part, the keeper's."""
    header, *rest = copy.deepcopy(rows)
    journal = [row["line"] for row in rest if "line" in row]
    private = [row["private"] for row in rest if "private" in row]
    openings = [row["opening"] for row in rest if "opening" in row]
    for opened in private:
        line = journal[opened["n"] - 1] if 0 < opened["n"] <= len(journal) else {}
        hashes = line.get("data", {}).get("hashes", [])
        if isinstance(hashes, list) and opened["index"] < len(hashes):
            hashes[opened["index"]] = chain.private_hash(opened["kind"], opened["data"], opened["salt"])
    keys = dict(office.offices)
    key = office.offices[0][1]
    heads, prev = [], ""
    hashes_of: dict[int, str] = {}
    closings: dict[str, int] = {}
    for n, line in enumerate(journal, 1):
        data = line["data"]
        line["n"], line["prev"] = n, prev
        if line["kind"] == "closed":
            closings[str(data.get("turn"))] = n
        _sign_again(office, line, hashes_of, closings, keeper=keeper)
        old, key = key, keys.get(n, key)
        if line["kind"] == "office key" and data.get("signature"):
            data["signature"] = sign(old, "key", {"game": office.game, "n": n, "key": data.get("key")})
        prev = hashes_of[n] = digest("line", line)
        if line["kind"] in SIGNED or n == len(journal):
            statement = {"game": office.game, "n": n, "hash": prev, "at": line["at"]}
            head = {"n": n, "hash": prev, "at": line["at"], "signature": sign(key, "head", statement)}
            heads.append({"head": head})
    private.sort(key=lambda opened: (opened["n"], opened["index"]))
    return [
        header,
        *({"line": line} for line in journal),
        *({"private": opened} for opened in private),
        *({"opening": opening} for opening in sorted(openings, key=lambda o: str(o["commitment"]))),
        *heads,
    ]


def _sign_again(
    office: Office, line: dict[str, Any], hashes: dict[int, str], closings: dict[str, int], *, keeper: bool
) -> None:
    """A countersignature names the line as it is now; the keeper signs what it is told, if it takes part."""
    data, kind, game = line["data"], line["kind"], office.game
    if not keeper or kind not in ("turn opened", "deadline", "countersigned", "transferred"):
        return
    own = [key for since, key in office.keepers if since <= line["n"]][-1]
    if kind == "transferred":
        new = data["keeper"].get("key") if isinstance(data.get("keeper"), dict) else ""
        if data.get("signature"):
            data["signature"] = sign(own, "key", {"game": game, "n": line["n"], "key": new})
        return
    if kind == "countersigned":
        n = closings.get(str(data.get("turn")), 0)
        data["line"], data["head"] = n, hashes.get(n, "")
        said = {"game": game, "turn": data.get("turn"), "n": n, "head": data["head"], "at": data.get("at")}
        data["signature"] = sign(own, "closing", said)
    elif kind == "deadline":
        said = {"game": game, "turn": data.get("turn"), "due": data.get("due")}
        data["keeper"] = sign(own, "deadline", said)
    else:
        said = {"game": game, **{name: data.get(name) for name in ("turn", "key", "secret", "part", "due")}}
        data["keeper"] = sign(own, "turn", said)


def committed(rows: Rows, row: int) -> Rows:
    """A record that was changed in its opening gets a commitment that fits, everywhere in the journal."""
    fresh = copy.deepcopy(rows)
    opening = fresh[row]["opening"]
    old = opening["commitment"]
    hashes = {name: field_hash(name, e["salt"], e["value"]) for name, e in opening["opened"].items()}
    new = digest("submission", {**hashes, **opening["closed"]})
    changed: Rows = json.loads(json.dumps(fresh).replace(old, new))
    return changed


def swapped(rows: Rows, random: Random) -> Iterator[tuple[str, Rows]]:
    """Two values of one shape in each other's place: what stands there stays of the right form."""
    for shape_, listed in by_shape(rows).items():
        if len(listed) < 2:
            continue
        one, other = random.sample(listed, 2)
        here, there = at(rows, *one), at(rows, *other)
        if here != there:
            yield shape_, replaced(replaced(rows, *one, there), *other, here)
