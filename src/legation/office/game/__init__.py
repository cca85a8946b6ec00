"""The course of a game: who holds its seats, and each of its turns, from its opening to its results.

A turn is ``open`` (or ``waiting``, past the deadline for orders that are awaited) -> ``closed`` for good, and the
keeper told (``closing``) -> ``opened`` (``unsealing``: the seals are open; pictures are transcribed and versions chosen
at the desk) -> ``judged`` (``judging``) -> ``draft`` -> ``final`` (``publishing``). ``aside`` is a turn that was opened
after draft results that were taken back.

Each arrow is a piece of due work of its own, done in one transaction with the change of the turn's state and its line
in the journal; a crash between any two goes on from there."""
