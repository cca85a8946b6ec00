"""What goes on paper: letters, turn packets, order sheets that file themselves, labels, envelopes, the roster, and the
set of maps.

Pure functions from plain records to PDF. Text comes as data and never as markup, so nothing that people write can act
in a template; what no font at hand can show is told (:class:`~legation.print.typesetting.UnprintableError`). Needs the
extra ``legation[office]``."""
