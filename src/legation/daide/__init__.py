"""Games for programs that speak DAIDE (the Diplomacy AI Development Environment, 2002): a server over TCP.

The facts of the protocol were read in the public implementation of MILA's package and its recorded dialogues."""

from legation.daide.hosting import Hosting, host_game
from legation.daide.language import UnspeakableError

__all__ = ["Hosting", "UnspeakableError", "host_game"]
