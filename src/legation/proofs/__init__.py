"""Proofs: what a game keeps so that anybody can check it without trusting the office, and the check itself.

``docs/proofs.md`` is the format, from which a verifier can be written without reading this."""
