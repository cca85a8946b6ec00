"""The office: the server that runs games with sealed orders and deadlines.

A subject is a module, what people do is a function in it. Every command is one transaction: permission
(``permissions``), journal, changed rows, due work and outbox rows, then the answer (``records``). Queries take the
actor too and leave out what that reader may not see. Time and randomness are passed in."""
