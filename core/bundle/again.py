"""Compiles the kernel of an unpacked bundle again and compares the failures: what its script runs.

`python -m core.bundle.again BUNDLE WORK`: the compiler is installed below WORK where it is not yet.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.analysis.fingerprint import fingerprint
from core.analysis.signatures import explain
from core.compilers import Limits, ToolMissing
from core.compilers.registry import compiler, recipe
from core.compilers.toolchain import InstallError, install
from core.hints import HintError, Hints, parse_dim
from core.kernel import Kernel, KernelError, load_kernel
from core.readers import ReadError, open_trace
from core.trace import Trace

SAME, OTHER, CANNOT = range(3)


def main(arguments: Sequence[str]) -> int:
    """Compile and compare; the exit code of the script."""
    parser = argparse.ArgumentParser(prog="python -m core.bundle.again", description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--shrunk", action="store_true")
    options = parser.parse_args(arguments)
    facts = json.loads((options.bundle / "bundle.json").read_text())
    form = facts["shrunk" if options.shrunk else "given"]
    if form is None:
        print("This bundle has no smaller form of its kernel.", file=sys.stderr)
        return CANNOT
    try:
        kernel = load_kernel(options.bundle / form["file"], form["case"])
        trace = _compiled(kernel, form["hints"], facts["compiler"], options.work)
    except (InstallError, ToolMissing, KernelError, HintError, ReadError) as error:
        print(error, file=sys.stderr)
        return CANNOT
    return _compared(trace, facts)


def _compiled(
    kernel: Kernel, hints: Mapping[str, Any], named: Mapping[str, str], work: Path
) -> Trace:
    tool = compiler(named["name"], named["version"])
    while lacking := tool.lacks(kernel):
        install(recipe(lacking), lambda sentence: print(sentence, file=sys.stderr, flush=True))
    folder = work / "compile"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    attributes = {name: value for name, value in hints.items() if name != "dim"}
    asked = Hints(parse_dim(str(hints.get("dim", ""))), attributes)
    session = tool.session()
    try:
        session.start(folder, kernel, asked, Limits()).wait()
    finally:
        session.close()
    return open_trace(folder).trace


def _compared(trace: Trace, facts: Mapping[str, Any]) -> int:
    now = fingerprint(trace)
    failure = trace.failure
    print(f"compiler     {trace.compiler.name} {trace.compiler.version}, for {trace.target}")
    print(f"outcome      {trace.status}")
    if failure:
        print(f"pass         {failure.pass_name or f'after {failure.after}'}")
        print(f"signal       {failure.signal or 'none'}")
        print(f"message      {failure.message}")
        explained = explain(trace)
        named = explained.signature if explained else None
        print(f"signature    {named.id if named else 'none is known'}")
    print(f"fingerprint  {now or 'none: it compiles'}")
    print(f"recorded     {facts['fingerprint'] or 'none: it compiled'}")
    same = now == facts["fingerprint"]
    if not same:
        print("Another outcome than the one recorded.")
    else:
        print("Same failure." if now else "It compiles, as it did.")
    return SAME if same else OTHER


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
