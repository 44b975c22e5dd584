"""Inquiries answered in this process, without a queue and keeping nothing: for a command line."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from core.analysis.inquiry import Answer, Inquiry
from core.compilers import Limits, Running, Session, SessionLost, ToolMissing
from core.compilers.registry import compiler, compiler_for
from core.hints import HintError
from core.jobs.claims import compact
from core.kernel import KernelError
from core.readers import ReadError, open_trace
from core.request import Request

T = TypeVar("T")

_AT_A_TIME = 2  # compiles


class Sessions:
    """Warm compilers by name and version, each begun when it is first asked for."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._open: dict[tuple[str, str], Session] = {}
        self._known: dict[str, Answer] = {}

    def close(self) -> None:
        for session in self._open.values():
            session.close()

    def answers(self, requests: Sequence[Request]) -> list[Answer]:
        """An answer to each, in that order. Nothing is compiled twice."""
        begun: list[tuple[Request, Path, Running]] = []
        for request in {r.digest: r for r in requests if r.digest not in self._known}.values():
            folder = Path(tempfile.mkdtemp())
            try:
                running = self._session(request).start(
                    folder, request.kernel, request.hints, self._limits, full=False
                )
            except (HintError, KernelError, ToolMissing) as refused:
                self._known[request.digest] = Answer(request, None, str(refused))
                shutil.rmtree(folder)
                continue
            begun.append((request, folder, running))
            if len(begun) == _AT_A_TIME:
                self._take(*begun.pop(0))
        for each in begun:
            self._take(*each)
        return [self._known[request.digest] for request in requests]

    def _session(self, request: Request) -> Session:
        key = (request.compiler or compiler_for(request.kernel).name, request.version)
        if key not in self._open:
            self._open[key] = compiler(*key).session()
        return self._open[key]

    def _take(self, request: Request, folder: Path, running: Running) -> None:
        try:
            running.wait()
            answer = Answer(request, compact(open_trace(folder).trace))
        except (ReadError, SessionLost) as wrong:
            answer = Answer(request, None, str(wrong))
        self._known[request.digest] = answer
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def sessions(limits: Limits | None = None) -> Iterator[Sessions]:
    """Compilers for as long as they are asked."""
    opened = Sessions(limits)
    try:
        yield opened
    finally:
        opened.close()


def run(
    inquiry: Inquiry[T], asked: Sessions, tell: Callable[[list[Answer]], None] = lambda _: None
) -> tuple[T, list[Answer]]:
    """Drive an inquiry to its end: what it found, and every answer that it was given.

    `tell` is called with all answers so far whenever some are new.
    """
    given: list[Answer] = []
    try:
        requests = next(inquiry)
        while True:
            answers = asked.answers(requests)
            given += answers
            tell(given)
            requests = inquiry.send(answers)
    except StopIteration as ended:
        result: T = ended.value
        return result, given
