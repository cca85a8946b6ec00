"""A registry with the variants of a catalog beside those of another registry.

A catalog lists variants by name, each at an address (:class:`~legation.variants.keeping.KeptVariant`). What a name
stands for may change while games run: everything made of a variant is kept by its address, so nothing grows stale."""

from collections.abc import Mapping
from typing import Protocol

import msgspec

from legation.faults import near
from legation.variants.keeping import MARK, KeptVariant
from legation.variants.loader import VariantError
from legation.variants.registry import Registry, VariantSource


class Catalog(Protocol):
    """What a catalog tells a registry."""

    def addresses(self) -> Mapping[str, str]:
        """The address of each variant that is listed, by its name."""

    def read(self, address: str) -> KeptVariant | None:
        """The variant at an address; None where there is none."""


class ListedVariants(Registry):
    """The variants of ``shared``, and those that a catalog lists; where both have a name it means the former's."""

    def __init__(self, shared: Registry, catalog: Catalog) -> None:
        vars(self).update(vars(shared))  # what is known, read and made is one and the same for both
        self._shared = shared
        self._catalog = catalog
        self._known_as: dict[str, str] = {}  # by the address in the catalog, the name by which ``shared`` loads it

    @property
    def shared(self) -> Registry:
        return self._shared

    def _address(self, text: str) -> str:
        """The name by which ``shared`` knows a variant: its own, or an address, once that was read."""
        wanted = text.strip()
        if self._shared.finds(wanted):
            return wanted
        listed = {name.casefold(): address for name, address in self._catalog.addresses().items()}
        address = listed.get(wanted.casefold()) if MARK not in wanted else wanted
        if address is None:
            known = {*self._shared.names(), *self._catalog.addresses()}
            raise VariantError([f"unknown variant {wanted[:60]!r}{near(wanted[:60], known)}"])
        known_as = self._known(address)
        if known_as is None:
            raise VariantError([f"unknown variant {wanted[:60]!r}"])
        return known_as

    def _known(self, address: str) -> str | None:
        """The name by which ``shared`` knows the variant at an address; None where it cannot be read."""
        if address not in self._known_as:
            kept = self._catalog.read(address)
            if kept is None:
                return None
            rules = self._shared.rules()  # in their present versions: new games are judged as all others are
            versions = {key: rules[key].version if key in rules else old for key, old in kept.versions.items()}
            self._known_as[address] = self._shared.add_kept(msgspec.structs.replace(kept, versions=versions))
        return self._known_as[address]

    def names(self) -> list[str]:
        listed = (name for name, address in self._catalog.addresses().items() if self._known(address) is not None)
        return sorted({*self._shared.names(), *listed})

    def knows(self, name: str) -> bool:
        if self._shared.knows(name):
            return True
        if MARK not in name:
            return name in self._catalog.addresses()
        try:
            return bool(self._address(name))
        except VariantError:
            return False

    def finds(self, name: str) -> bool:
        return self.knows(name)

    def find_source(self, text: str) -> VariantSource:
        return self._shared.find_source(self._address(text))
