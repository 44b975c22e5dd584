"""The command line: compile, sweep, read, capture, handout …; for people, --json for scripts.

Exit codes: 0 done, 1 the compile failed, 2 bad input, 3 a tool is missing.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from core.cli import (
    buckets,
    bundle,
    capture,
    compile,
    explain,
    handout,
    read,
    sweep,
    toolchain,
    versions,
)
from core.cli.said import BAD_INPUT, STOPPED, TOOL_MISSING, complain
from core.compilers import ToolMissing
from core.compilers.toolchain import InstallError
from core.hints import HintError
from core.jobs.queue import QueueError
from core.kernel import KernelError
from core.library import LibraryError
from core.readers import ReadError

#: One module a verb, in the order in which they are listed.
_VERBS = (compile, sweep, buckets, versions, read, explain, capture, handout, bundle, toolchain)


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Errors are one sentence on stderr."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except (HintError, KernelError, ReadError, LibraryError, QueueError) as error:
        return complain(str(error), BAD_INPUT)
    except (ToolMissing, InstallError) as error:
        return complain(str(error), TOOL_MISSING)
    except KeyboardInterrupt:
        return complain("Stopped.", STOPPED)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m core", description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    for verb in _VERBS:
        verb.add(verbs)
    return parser
