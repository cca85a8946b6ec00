"""Coasts by any of their names (ours are eight codes: ``nc``, ``sc`` ...), and coasts whose fleets convoy."""

from legation.board import COAST_NAMES
from legation.interop.record import ForeignVariant

WORDS = {
    word: code
    for code, name in COAST_NAMES.items()
    for way in (name.partition(" ")[0],)
    for word in (code, code[:-1], f"{code}s", name, way, f"{way}ern", f"{way[:5]} {way[5:]}".strip())
}


def location(written: str) -> str:
    """An id of a picture as a location: ``_stp``, ``stp-nc``, ``stp/nc``."""
    plain = written.strip().lower().lstrip("_")
    for mark in ("/", "-", "("):
        key, found, coast = plain.partition(mark)
        coast = coast.rstrip(")")
        if found and coast in WORDS:
            return f"{key}/{WORDS[coast]}"
    return plain


def coast_codes(variant: ForeignVariant, place: str, names: list[str]) -> dict[str, str]:
    """Our code for each name of a place's coasts; names of another kind get a free code, which is told."""
    codes: dict[str, str] = {}
    strange: list[str] = []
    for name in names:
        word = " ".join(name.lower().replace("-", " ").replace("coast", " ").split()) or name.lower()
        code = WORDS.get(word) or WORDS.get(name.lower())
        if code is None or code in codes.values():
            strange.append(name)
        else:
            codes[name] = code
    free = [code for code in COAST_NAMES if code not in codes.values()]
    for name, code in zip(strange, free, strict=False):
        codes[name] = code
        variant.guess(f"{place} ({name})", f"a coast of a name of its own; here it is the {COAST_NAMES[code]}")
    for name in strange[len(free) :]:
        variant.left(f"{place} ({name})", "more coasts than there are names here")
    return codes


def convoying(variant: ForeignVariant, word: str) -> None:
    """Take the places whose fleets convoy; one of several coasts does not reach from sea to sea."""
    keys = [place.key for place in variant.places.values() if place.convoys]
    coasts = [key for key in keys if variant.places[key].shore and not variant.places[key].coasts]
    if coasts:
        variant.rules["convoying_coasts"] = {"provinces": [f"@{key}" for key in coasts]}
        variant.took(word, f"fleets convoy from these coasts: {', '.join(coasts[:12])}: the rule convoying_coasts")
    if others := [key for key in keys if key not in coasts]:
        variant.left(
            f"{word}: {', '.join(others[:12])}", "fleets convoy from provinces of one coast only, not from these"
        )
