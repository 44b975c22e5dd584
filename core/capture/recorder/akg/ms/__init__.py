"""The one entry that MindSpore calls."""

import json
import os


def compilewithjson(description: str, attributes: object = None) -> bool:
    """Append a kernel's description to the file that TILESCOPE_RECORD names."""
    line = json.dumps({"description": description, "attributes": attributes})
    # One write a line: MindSpore may have several builders.
    file = os.open(os.environ["TILESCOPE_RECORD"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, line.encode() + b"\n")
    os.close(file)
    return True
