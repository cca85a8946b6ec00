"""The office: the server that runs games with sealed orders and deadlines.

A subject is a module, what people do is a function in it. Every command is one transaction: permission
(``permissions``), journal, changed rows, due work and outbox rows, then the answer (``records``). Queries take the
actor too and leave out what that reader may not see. Time and randomness are passed in.

>>> from legation.office.game import seats
>>> from legation.office.hosting import games
>>> from legation.office.identity import people
>>> from legation.office.office import open_office
>>> from legation.office.operation import work
>>> from legation.office.orders import submissions
>>> office = open_office("folder")                                                # doctest: +SKIP
>>> anna = people.by_secret(office, "the secret of a session or token")           # doctest: +SKIP
>>> games.create(office, anna, {"name": "Powick Bridge", "variant": "hundred"})   # doctest: +SKIP
>>> submissions.submit(office, anna, "powick-bridge", "France", "A par - orl")    # doctest: +SKIP
>>> work.run_due(office)  # what is due: deadlines, judging, the next turn        # doctest: +SKIP"""
