"""Inquiries answered by real compiles: what a worker does with them, without queue or library."""

from __future__ import annotations

from core.jobs.at_once import Sessions, run, sessions

__all__ = ["Sessions", "run", "sessions"]
