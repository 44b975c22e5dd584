"""IR text to tree: one small parser per language, each keeping line numbers."""

from __future__ import annotations

import re

#: The largest text that becomes a tree. The largest pass seen has 1.6 MB and 31,000 lines; a tree
#: takes some thirty times the memory of its text.
LARGEST_TEXT = 6 << 20
MOST_LINES = 150_000
MOST_NESTED = 500  #: blocks in one another, and arms of one `if`
_LONG_NUMBER = re.compile(r"[0-9]{401}")  # Python itself converts some thousands of digits
_SAMPLED = re.compile(r"[0-9]{4}")  # of such a number, every hundredth character


def refusal(text: str) -> str:
    """Why a text is not made a tree, as the end of a sentence; "" where it may well be one."""
    if len(text) > LARGEST_TEXT:
        return f"it has more than {LARGEST_TEXT >> 20} MiB, which no pass leaves."
    if text.count("\n") > MOST_LINES:
        return f"it has more than {MOST_LINES:,} lines, which no pass leaves."
    if _SAMPLED.search(text[::100]) and _LONG_NUMBER.search(text):
        return "it holds a number of more than 400 digits."
    if not text.isascii() and any(c.isdigit() and not c.isdecimal() for c in set(text)):
        return "it holds digits that make no number, such as a raised two."
    return ""
