"""The mail service: orders, pictures and commands that come in by e-mail, and everything that the office sends out.

It holds no rules of its own: what a mail asks for is done by the office's commands, as any other channel does it.
:func:`legation.mail.service.serve` runs it. Nothing is imported here: the child process that takes a mail apart needs
none of the office."""
