"""A trace as one HTML file, made by a process apart: drawing graphs must not slow the pages."""

from __future__ import annotations

import html
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from pages import _rooms as rooms

_PROJECT = Path(__file__).resolve().parent.parent
_SECONDS = 180.0


def page(id: str) -> bytes:
    """The file; where it could not be made, a page of one sentence that says so."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "handout.html"
        command = [sys.executable, "-m", "core", "handout", id, "-o", str(file)]
        try:
            done = subprocess.run(
                command,
                cwd=_PROJECT,
                env={**os.environ, "TILESCOPE_HOME": str(rooms.library().home)},
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _said(f"This trace takes longer than {_SECONDS:g} s to write as one page.")
        if not file.exists():
            last = done.stderr.strip().splitlines()[-1:]
            return _said(last[0] if last else "This trace could not be written as one page.")
        return file.read_bytes()


def _said(sentence: str) -> bytes:
    return f"<!doctype html><meta charset=utf-8><p>{html.escape(sentence)}</p>".encode()
