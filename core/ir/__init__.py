"""IR text to tree: one small parser per language, each keeping line numbers."""

#: The largest text that becomes a tree. The largest pass seen has 1.6 MB and 31,000 lines; a tree
#: takes some thirty times the memory of its text.
LARGEST_TEXT = 6 << 20
MOST_LINES = 150_000


def too_large(text: str) -> str:
    """Why a text is not made a tree, as the end of a sentence; "" where it is small enough."""
    if len(text) > LARGEST_TEXT:
        return f"it has more than {LARGEST_TEXT >> 20} MiB, which no pass leaves."
    if text.count("\n") > MOST_LINES:
        return f"it has more than {MOST_LINES:,} lines, which no pass leaves."
    return ""
