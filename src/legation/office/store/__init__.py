"""The store: the only room of the office that knows SQL."""

from legation.office.store.opening import open_store
from legation.office.store.packing import pack, unpack, unpack_facts
from legation.office.store.store import Store
from legation.office.store.transaction import DuplicateRowError, Transaction

__all__ = ["DuplicateRowError", "Store", "Transaction", "open_store", "pack", "unpack", "unpack_facts"]
