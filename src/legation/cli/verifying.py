"""``legation verify``: check a game from its transcript, without trusting the office."""

import re
from typing import Annotated

import msgspec
import typer

from legation.cli.app import Json, app
from legation.cli.terminal import fail, faults_as_lines, known_variants, read_bytes, say, shown, wrapped, write_json
from legation.proofs.receipt_checks import compare_kept
from legation.proofs.receipts import KeptSignature, ReceiptError, SignedHead, read_heads, read_receipt
from legation.proofs.report import Report
from legation.proofs.verifying import verify

KEY = re.compile(r"[0-9a-fA-F]{64}")


@app.command(
    "verify",
    epilog="Example: legation office proof powick-bridge > game.jsonl; legation verify game.jsonl --receipt mine.txt",
)
def verify_file(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The transcript of a game; '-' is standard input.")],
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="The office's public key, from a mail with results; repeat it for more."),
    ] = None,
    receipt: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A receipt, refusal or signed head that you saved; repeat it for more."),
    ] = None,
    heads: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Heads that the office published (/api/v1/heads); repeat it for more."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a game from its transcript.

    Checks the closing of each turn, the orders that counted, and every result."""
    keys = key or []
    for given in keys:
        if not KEY.fullmatch(given):
            fail(f"--key {given[:20]}: a key has 64 digits and letters from a to f; copy it from a mail with results")
    kept = [_receipt(name) for name in receipt or []]
    published = [head for name in heads or [] for head in _heads(name)]
    show(verify(read_bytes(file), keys, kept, known_variants(), heads=published), as_json)


@app.command(epilog="Example: legation compare head-powick-bridge-3.txt theirs.txt")
def compare(
    mine: Annotated[str, typer.Argument(metavar="MINE", help="A signed head or receipt, such as from a results mail.")],
    theirs: Annotated[
        str, typer.Argument(metavar="THEIRS", help="The same of another player, or heads that the office published.")
    ],
) -> None:
    """Compare what two players were told of a game's journal.

    If an office shows different players different journals, this proves it."""
    one = _receipt(mine)
    data = read_bytes(theirs)
    others = _heads(theirs) if data.lstrip().startswith(b"[") else [_receipt(theirs)]
    found = [compare_kept(one, other) for other in others if len(others) == 1 or other.game == one.game]
    none: tuple[bool | None, str] = (None, "No head in this file is of the game of yours.")
    same, what = min(found, key=lambda compared: (False, True, None).index(compared[0]), default=none)
    say(wrapped(what))
    if same is not True:
        raise typer.Exit(1 if same is False else 3)


def show(report: Report, as_json: bool) -> None:
    """Print what was found. Status 1 if anything failed; 3 if all holds and something that decides is only the office's
    word."""
    if as_json:
        write_json({**msgspec.to_builtins(report), "holds": report.holds, "status": report.status})
    else:
        _say(report)
    if report.status:
        raise typer.Exit(report.status)


def _receipt(source: str) -> KeptSignature:
    with faults_as_lines(ReceiptError, of=shown(source)):
        return read_receipt(read_bytes(source).decode("utf-8", "replace"))


def _heads(source: str) -> list[SignedHead]:
    with faults_as_lines(ReceiptError, of=shown(source)):
        return read_heads(read_bytes(source))


def _say(report: Report) -> None:
    if report.failures:
        first = report.failures[0]
        say(wrapped(f"This does not hold. {first.place}: {first.what}.".replace("..", ".")))
        say(wrapped(f"It proves {first.proves}. {first.meaning}"))
        for failure in report.failures[1:]:
            say(wrapped(f"Also {failure.place}: {failure.what}.", "- "))
    else:
        rest = " What only the office says is listed below: no player's key signed it." if report.words else ""
        say(wrapped(f"Everything that can be checked holds.{rest}"))
    for title, lines in (
        ("Receipts:", [receipt.what for receipt in report.receipts]),
        ("Only the office says this (if you know otherwise, it lies):", report.words),
        ("Checked:", report.checked),
        ("To know:", report.told),
        ("Not checked:", report.unchecked),
    ):
        if lines:
            say(f"\n{title}")
            for line in lines:
                say(wrapped(line, "- "))
    if report.office:
        say(f"\nThe office's key: {report.office}" + ("" if report.key_known else " (compare it with your mails)"))
