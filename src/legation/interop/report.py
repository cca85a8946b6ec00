"""The report of an import, for people."""

from __future__ import annotations

from legation.interop.record import Note
from legation.interop.writing import Written

HEADINGS = (("taken", "Taken"), ("not_taken", "Not taken"), ("guessed", "Guessed"))


def report_text(written: Written) -> str:
    """What was taken, what was not, and what was guessed."""
    variant = written.variant
    centers = sum(1 for place in variant.places.values() if place.center)
    lines = [
        f"{variant.title}, from {variant.file} ({variant.format})",
        f"  {written.file}: {len(variant.places)} provinces, {centers} centers, "
        f"{len(variant.nations)} powers, {sum(len(n.units) for n in variant.nations)} units",
    ]
    for field, heading in HEADINGS:
        notes: list[Note] = getattr(variant, field)
        if notes:
            lines.append(f"{heading}:")
            lines += [f"  {note.what}: {note.text}" for note in notes]
        elif field == "not_taken":
            lines.append("Not taken: nothing; everything in the source has a counterpart.")
    return "\n".join(lines) + "\n"
