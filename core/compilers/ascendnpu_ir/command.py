"""From a kernel and its hints to the files and the command line of one compile.

What is asked for stands in `command.json` of the job's folder:

    level      what the module is made of, which decides the pipeline: hivm, hfusion, triton, torch
    program    the binary that serves the chip
    arguments  its arguments, run in `dump/`; the input is the kernel's own text there
    before     the arguments of a second run that names the pass of a crash
    printer    null, or the program and arguments of a run that prints the passes, where this
               version of the compiler does not
    module     the file in `dump/` that holds the finished module, as handed to CANN's hivmc
    here       the path of `dump/` in what the compiler prints
    traces     whether the passes are printed
    triton     null, or which function of which file to lower first, and how

What a compile leaves: `printed.log` beside it, and in `dump/` the input, the finished module,
`memory_info*.json` where the compiler wrote one, of a crash `crashed_before.log` with the last pass
that began, and of Triton NAME.ttir.mlir, NAME.ttadapter.mlir and what printed each, as .log. A file
`random_addresses` says that the machine did not let addresses be fixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.compilers.ascendnpu_ir import mlir_kernel, triton_kernel
from core.compilers.ascendnpu_ir.catalogue import FLAGS, flag_value
from core.compilers.ascendnpu_ir.releases import NEWEST, Release
from core.compilers.ascendnpu_ir.targets import is_a5, program
from core.hints import HintError, Hints, HintValue
from core.kernel import Kernel

#: Switches of the pipeline for each level, as the compiler's own tests have them.
_PIPELINE: Mapping[mlir_kernel.Level, tuple[str, ...]] = {
    "hivm": (),
    "hfusion": ("--enable-hfusion-compile=true",),
    "triton": ("--enable-hfusion-compile=true", "--enable-triton-kernel-compile=true"),
    "torch": ("--enable-hfusion-compile=true", "--enable-torch-compile=true"),
}
#: The folder a process runs in, for any process; taken out again of what the compiler printed.
HERE = "/proc/self/cwd/"
_MODULE = "module.hivm.opt.mlir"  # the compiler's own name for what --save-temps keeps
_ALWAYS = (
    "--mlir-disable-threading",  # with threads, passes print into each other
    "--mlir-print-debuginfo",
    "--mlir-print-local-scope",  # a line that did not change then reads the same
)
_DISPLAY = "--enable-memory-display"
_SAVE = f"--save-temps={HERE}"
#: Not with --mlir-print-ir-after-failure, which makes every pass that did not fail silent.
_TRACE = ("--mlir-print-ir-after-all", "--mlir-print-ir-after-change")
_OUTCOME = ("--mlir-print-ir-after-failure",)
_BEFORE = ("--mlir-print-ir-before-all",)


@dataclass(frozen=True, slots=True)
class Plan:
    """One compile, ready to run."""

    level: mlir_kernel.Level
    program: str
    arguments: tuple[str, ...]
    before: tuple[str, ...]
    module: str
    here: str
    traces: bool
    triton: Mapping[str, Any] | None
    printer: Mapping[str, Any] | None = None
    files: Mapping[str, str] = field(default_factory=dict)  #: to write into dump/ first

    def as_dict(self) -> dict[str, Any]:
        """Its form in command.json."""
        facts = asdict(self)
        del facts["files"]
        return facts


def plan(
    kernel: Kernel,
    hints: Hints,
    target: str,
    binaries: Path,
    *,
    full: bool,
    release: Release = NEWEST,
) -> Plan:
    """How to compile a kernel for a chip. Hints are those that `check_hints` let pass.

    Raises HintError where the parameters cannot fill the places of the text, or are flags that
    this version of the compiler has not.
    """
    values = parameters(kernel, hints)
    task = None
    if kernel.kind == "triton":
        chosen = triton_kernel.specialise(kernel.source, kernel.case, values)
        level: mlir_kernel.Level = "triton"
        file, text = f"{kernel.name}.py", kernel.source
        given = f"{kernel.name}.ttadapter.mlir"
        task = {
            "file": file,
            "function": chosen.function,
            "signature": dict(chosen.signature),
            "constants": dict(chosen.constants),
            "arch": target,
            "options": _triton_options(target),
            "traces": full,
        }
    else:
        text = mlir_kernel.instantiate(kernel.source, values)
        level = mlir_kernel.level(text)
        file = given = f"{kernel.name}.mlir"
    flags = {**(_triton_flags(target) if task else {}), **_flags(kernel, hints)}
    if unknown := sorted(flags.keys() & release.unknown_flags):
        raise HintError(
            f"The kernel declares the flag {unknown[0]}, which bishengir-compile "
            f"{release.version} has not."
        )
    # The compiler writes the path of its input into every location: this one is the same in
    # every folder, so equal compiles print equal texts.
    given, made = f"{HERE}{given}", f"{HERE}kernel.o"
    switches = [
        f"--target={target}",
        *_PIPELINE[level],
        *(f"--{name}={value}" for name, value in flags.items()),
    ]
    common = [given, "-o", made, *switches, *_ALWAYS]
    before: tuple[str, ...] = ()
    printer = None
    if release.saves_module:
        common.append(_SAVE)
    if release.prints_passes:
        common.append(_DISPLAY)
        before = (*common, *_BEFORE)
        common += _TRACE if full else _OUTCOME
    else:
        inner = " ".join(switch.removeprefix("--") for switch in (*switches, f"o={made}"))
        run = (given, "-o", f"{HERE}printed.mlir", f"--bishengir-compile={inner}", *_ALWAYS)
        before = (*run, *_BEFORE)
        printer = {
            "program": str(binaries / "bishengir-opt"),
            "arguments": [*run, *(_TRACE if full else _OUTCOME)],
        }
    return Plan(
        level,
        str(program(binaries, target, release)),
        tuple(common),
        before,
        _MODULE,
        HERE,
        full,
        task,
        printer,
        {file: text},
    )


def parameters(kernel: Kernel, hints: Hints) -> dict[str, HintValue]:
    """The kernel's parameters that are no flags, each with its value for this compile."""
    return {
        parameter.name: hints.attributes.get(parameter.name, parameter.default)
        for parameter in kernel.parameters
        if parameter.name not in FLAGS
    }


def _flags(kernel: Kernel, hints: Hints) -> dict[str, str]:
    declared = {p.name: p.default for p in kernel.parameters if p.name in FLAGS}
    asked = {name: value for name, value in hints.attributes.items() if name in FLAGS}
    return {
        name: flag_value(FLAGS[name], value)
        for name, value in sorted({**declared, **asked}.items())
    }


def _triton_options(target: str) -> dict[str, object]:
    # Triton finds these out from the driver of the chip it runs on.
    return {"compile_on_910_95": True, "enable_select_analysis": True} if is_a5(target) else {}


def _triton_flags(target: str) -> dict[str, str]:
    """What Triton's Ascend backend passes when nothing is set (its `NPUOptions`)."""
    on = "false" if is_a5(target) else "true"
    return {"enable-auto-multi-buffer": on, "enable-auto-bind-sub-block": on}
