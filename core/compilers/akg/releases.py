"""What the versions of AKG read: the names that an older one does not have.

Found by looking for every name of the catalogue in a version's Python files and in its libakg.so.
"""

from __future__ import annotations

from collections.abc import Mapping

#: Of each version, the names of the catalogue that are nowhere in it; AKG ignores such names.
UNREAD: Mapping[str, frozenset[str]] = {
    "1.6.2": frozenset(
        {
            "FORCE_SYMBOLIC_TILING",
            "SYMBOLIC_TILING",
            "enable_approximate_read",
            "enable_polytops",
            "enable_symbolic_tiling",
            "pragma_enable_reschedule",
            "pragma_enable_schedule_maximize_coincidence",
            "remove_store_dependency",
        }
    ),
}


def unread(version: str) -> frozenset[str]:
    """The names of the catalogue that a version does not read."""
    return UNREAD.get(version, frozenset())


def searches_always(version: str) -> bool:
    """True where the classic search decides every tile, as there is no newer tiler yet."""
    return "SYMBOLIC_TILING" in unread(version)
