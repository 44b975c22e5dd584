"""The exact command of a compile, as one would type it without Tilescope."""

from __future__ import annotations

import shlex
from pathlib import Path

from core.analysis.tiling import asked_attributes, asked_tiles
from core.compilers.ascendnpu_ir import command as bishengir
from core.compilers.ascendnpu_ir.releases import NEWEST, RELEASES
from core.hints import HintError, Hints
from core.kernel import Kernel, KernelError
from core.trace import Trace


def command(trace: Trace, kernel: Kernel) -> str:
    """Shell or Python text, to be run where the kernel's file is."""
    hints = Hints(tuple(sorted(asked_tiles(trace).values())), asked_attributes(trace))
    match kernel.kind:
        case "composite":
            return _composite(kernel, hints)
        case "python":
            return _python(kernel, hints)
        case _:
            return _bishengir(trace, kernel, hints)


def _composite(kernel: Kernel, hints: Hints) -> str:
    return "\n".join(
        (
            "MS_DEV_DUMP_IR=on MS_DEV_DUMP_CODE=on python3 - <<'END'",
            "from akg.composite import build_module",
            f"text = open({kernel.name + '.json'!r}).read()",
            f"build_module.build(text, {hints.as_dict()!r})",
            "END",
        )
    )


def _python(kernel: Kernel, hints: Hints) -> str:
    return "\n".join(
        (
            "MS_DEV_DUMP_IR=on MS_DEV_DUMP_CODE=on python3 - <<'END'",
            "from akg.utils import kernel_exec",
            f"from {kernel.name} import CASES, kernel",
            f"case = CASES[{kernel.case!r}]",
            "kernel_exec.op_build(",
            "    kernel, case['shapes'], case['dtypes'], op_attrs=case.get('attributes', []),",
            f"    kernel_name={kernel.name!r}, attrs={hints.as_dict()!r}, dump_ir=True,",
            ")",
            "END",
        )
    )


def _bishengir(trace: Trace, kernel: Kernel, hints: Hints) -> str:
    release = RELEASES.get(trace.compiler.version, NEWEST)
    try:
        plan = bishengir.plan(kernel, hints, trace.target, Path(), full=True, release=release)
    except (HintError, KernelError):
        return ""
    words = [Path(plan.program).name, *(each.replace(plan.here, "./") for each in plan.arguments)]
    lines = ["# addresses must not be random: setarch -R", f"setarch -R {shlex.join(words)}"]
    if plan.triton:
        lines.insert(0, "# Triton for Ascend first lowers the kernel: see tilescope/core/compilers")
    return "\n".join(lines)
