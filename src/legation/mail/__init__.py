"""The mail counter: orders, pictures and commands that come in by e-mail, and everything that the office sends out.

It holds no rules of its own: what a mail asks for is done by the office's commands, as any other counter does it.
"""
