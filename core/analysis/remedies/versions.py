"""The same compile in another version of the compiler."""

from __future__ import annotations

from collections.abc import Iterator

from core.analysis.remedies.case import Case, Proposal, proposal


def versions(case: Case) -> Iterator[Proposal]:
    """Each other version that is there, newest first."""
    for step, version in enumerate(case.versions):
        yield proposal(
            (52.0 if case.failure.kind in ("crash", "error") else 25.0) - step,
            "version",
            f"{case.trace.compiler.name} {version}",
            f"The failure may be one of {case.trace.compiler.version} alone.",
            case.request(version=version),
        )
