"""What the versions of bishengir-compile can do, and which flags each of them does not know.

Read from their own help (`--help-hidden`), and tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Release:
    """One version of the compiler."""

    version: str
    #: It has --save-temps. Where not, the finished module is caught on its way to hivmc.
    saves_module: bool = True
    #: It prints passes and plans of memory. Where not, bishengir-opt of the same version does: its
    #: pass `bishengir-compile` runs the same pipeline, and its switches are those of the program.
    prints_passes: bool = True
    #: Chips of the A5 family have a program of their own, bishengir-compile-a5.
    second_build: bool = True
    unknown_flags: frozenset[str] = frozenset()  #: of those that 1.2.0 has


_AFTER_1_1 = frozenset({"enable-preload", "enable-legacy-insert-load-store-for-mix-cv"})
_AFTER_1_0 = frozenset(
    {
        "disable-size-align-for-cast",
        "enable-hivm-cross-core-gss",
        "enable-hivm-graph-sync-solver",
        "enable-ubuf-saving",
    }
)
RELEASES: Mapping[str, Release] = {
    each.version: each
    for each in (
        Release("1.2.0"),
        Release("1.1.0", saves_module=False, unknown_flags=_AFTER_1_1),
        Release(
            "1.0.0",
            saves_module=False,
            prints_passes=False,
            second_build=False,
            unknown_flags=_AFTER_1_1 | _AFTER_1_0,
        ),
    )
}
NEWEST = RELEASES["1.2.0"]


def known_by(flag: str) -> tuple[str, ...]:
    """The versions that know a flag of the catalogue."""
    return tuple(v for v, release in RELEASES.items() if flag not in release.unknown_flags)
