"""The drawing table: a board as one document, grown while it is drawn.

The document maps one to one to the files of a board folder, and what is grown of it is what the commands would make of
that folder, byte for byte. :mod:`~legation.atlas.table.document` turns one into the other,
:mod:`~legation.atlas.table.answering` grows it, :mod:`~legation.atlas.table.starting` makes documents to start from.
Growing needs the extra ``authoring``."""
