"""Where Tilescope keeps what it compiles and installs."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """$TILESCOPE_HOME, or `tilescope` in the user's data folder (XDG); made where it is absent."""
    chosen = os.environ.get("TILESCOPE_HOME")
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(chosen).expanduser() if chosen else Path(data) / "tilescope"
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()
