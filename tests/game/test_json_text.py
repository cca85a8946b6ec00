"""Keys that stand twice are told."""

import contextlib

import msgspec
import pytest

from legation.game import DocumentError
from legation.game.json_text import decode


def test_a_key_that_stands_twice_is_told() -> None:
    for text in (
        '{"orders": {"France": ["A par H"], "France": ["A mar H"]}}',
        '{"a" : 1, "a" : 2}',
        '[{"b": {"c": 1, "c": 1}}]',
        '[1, {"c": 1, "c": 1}]',
        '{"a": {"b": 1}, "a": "\\u003a \\u003a"}',
    ):
        with pytest.raises(DocumentError, match="twice"):
            decode(text.encode())


def test_texts_with_such_signs_are_no_keys() -> None:
    assert decode(b'"a text with \\": in it"') == 'a text with ": in it'
    assert decode(b'{"a": "x\\": y", "b": ["\\":", {"a": "\\" :"}]}') == {"a": 'x": y', "b": ['":', {"a": '" :'}]}


def test_what_is_nested_too_deeply_is_told() -> None:
    for depth in range(980, 1010):
        with contextlib.suppress(msgspec.DecodeError):
            decode(b"[" * depth + b"]" * depth)
