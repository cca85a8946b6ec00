"""Every turn that is judged here is judged again with units, powers and sheets listed otherwise."""

from tests.judge.shuffling import shuffled_listings

__all__ = ["shuffled_listings"]
