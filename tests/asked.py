"""Inquiries answered by real compiles: what a worker does with them, without queue or library."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from core.analysis.inquiry import Answer, Inquiry
from core.compilers import Limits, Running, Session, ToolMissing, registry
from core.hints import HintError
from core.jobs.claims import compact
from core.kernel import KernelError
from core.readers import ReadError, open_trace
from core.request import Request

T = TypeVar("T")

_AT_A_TIME = 2  # compiles


class Sessions:
    """Warm compilers by name and version, each begun when it is first asked for."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Session] = {}
        self._known: dict[str, Answer] = {}

    def close(self) -> None:
        for session in self._open.values():
            session.close()

    def answers(self, requests: Sequence[Request]) -> list[Answer]:
        """An answer to each, in that order. Nothing is compiled twice."""
        new = {r.digest: r for r in requests if r.digest not in self._known}
        begun: list[tuple[Request, Path, Running]] = []
        for request in new.values():
            folder = Path(tempfile.mkdtemp())
            try:
                running = self._session(request).start(
                    folder, request.kernel, request.hints, Limits(), full=False
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
        name = request.compiler or registry.compiler_for(request.kernel).name
        key = (name, request.version)
        if key not in self._open:
            self._open[key] = registry.compiler(name, request.version).session()
        return self._open[key]

    def _take(self, request: Request, folder: Path, running: Running) -> None:
        running.wait()
        try:
            answer = Answer(request, compact(open_trace(folder).trace))
        except ReadError as unread:
            answer = Answer(request, None, str(unread))
        self._known[request.digest] = answer
        shutil.rmtree(folder)


@contextmanager
def sessions() -> Iterator[Sessions]:
    """Compilers for as long as they are asked."""
    opened = Sessions()
    try:
        yield opened
    finally:
        opened.close()


def run(inquiry: Inquiry[T], asked: Sessions) -> tuple[T, list[Answer]]:
    """Drive an inquiry to its end: what it found, and every answer that it was given."""
    given: list[Answer] = []
    answers: list[Answer] | None = None
    try:
        while True:
            requests = inquiry.send(answers) if answers is not None else next(inquiry)
            answers = asked.answers(requests)
            given += answers
    except StopIteration as ended:
        return ended.value, given
