"""The proofs of a game that comes from another office: its transcript, held against the rest of the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from legation.office.turn.chosen import Chosen
from legation.proofs.lots import lot_seed
from legation.proofs.transcript import Transcript, TranscriptError, read_transcript
from legation.proofs.verifying import verify as verify_transcript
from legation.variants import Registry


def transcript_faults(text: str, deal: str, variants: Registry) -> tuple[Transcript | None, list[str]]:
    """A transcript that was read, and what is wrong with it and with the commitment to the deal."""
    try:
        transcript = read_transcript(text.encode("utf-8", "replace"))
    except TranscriptError as error:
        return None, [f"transcript: {error}"]
    report = verify_transcript(text.encode(), variants=variants)
    faults = [f"transcript: {failure.place}: {failure.what}" for failure in report.failures]
    first = transcript.lines[0].data if transcript.lines else {}
    if first.get("old") is None and first.get("deal") != deal:
        faults.append("the deal: deal of the powers: the transcript commits to another")
    return transcript, faults


def turn_faults(
    transcript: Transcript, name: str, commitment: str, seed: str, sheets: Mapping[str, Chosen]
) -> Iterator[str]:
    """Return what a turn of the document says otherwise than the transcript; nothing where that does not tell of it."""
    lines = [line for line in transcript.lines if line.data.get("turn") == name]
    last = {line.kind: line for line in lines}  # a turn whose key is lost opens anew with another
    if "turn opened" not in last or "results" not in last:
        return
    results, seals = last["results"].data, last.get("opened")
    texts = {o.commitment: o.opened["text"].value for o in transcript.openings if "text" in o.opened}
    part = seals.data["part"] if seals is not None else ""
    nonces_are_lost = seals is not None and any(
        line.kind == "reopened" and line.n > seals.n and name in line.data["lost"] for line in transcript.lines
    )
    if last["turn opened"].data["secret"] != commitment:
        yield f"{name}: seed of the lots: it was committed to another"
    elif nonces_are_lost:
        pass
    elif results["secret"] and seed != lot_seed(results["secret"], part, _nonces(transcript, name)):
        yield f"{name}: seed of the lots: the seed is another one"
    counted: list[dict[str, Any]] = next(
        (line.data["sheets"] for line in reversed(lines) if line.kind == "counted"), []
    )
    for sheet in counted:
        kept = sheets.get(sheet["seat"], Chosen())
        other = kept.commitment != sheet["commitment"]
        if other or (not kept.transcribed and kept.text and texts.get(kept.commitment, kept.text) != kept.text):
            yield f"{name}: orders of {sheet['seat']}: they are not those of the transcript"


def _nonces(transcript: Transcript, name: str) -> Iterator[str]:
    for opening in transcript.openings:
        fields = {field: entry.value for field, entry in opening.opened.items()}
        if fields.get("turn") == fields.get("given_in") == name and fields.get("entered_by") == "holder":
            yield str(fields.get("nonce", ""))
