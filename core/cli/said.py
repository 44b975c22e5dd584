"""How commands speak: exit codes, sentences on the error channel."""

from __future__ import annotations

import sys

DONE, COMPILE_FAILED, BAD_INPUT, TOOL_MISSING = range(4)
STOPPED = 130  #: what a shell gives for Ctrl-C


def complain(sentence: str, code: int) -> int:
    """Say what is wrong; the exit code, for `return complain(…)`."""
    print(sentence, file=sys.stderr)
    return code


def say(sentence: str) -> None:
    """Say how it goes on, beside what is printed for others to read."""
    print(sentence, file=sys.stderr, flush=True)
