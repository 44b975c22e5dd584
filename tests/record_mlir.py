"""Record the MLIR that tests read without a compiler: `python -m tests.record_mlir`.

Compiles kernels of data/kernels with the installed AscendNPU IR, once in every form that it can
print, and keeps the passes named here in tests/dumps/mlir/<name>/, as the compiler printed them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.compilers import Limits
from core.compilers.ascendnpu_ir import RECIPE, TRITON_RECIPE, AscendNpuIr, command
from core.compilers.ascendnpu_ir.recipes import binaries, environment
from core.hints import Hints, HintValue
from core.kernel import Kernel, example_kernels

PROJECT = Path(__file__).resolve().parents[1]
DUMPS = PROJECT / "tests" / "dumps" / "mlir"
TARGET = "Ascend910B1"

#: What the names of recorded files end with, and the options that print them.
FORMS = {
    "pretty": ("--mlir-print-ir-module-scope",),
    "generic": ("--mlir-print-ir-module-scope", "--mlir-print-op-generic"),
    "located": ("--mlir-print-ir-module-scope", "--mlir-print-debuginfo"),
    "function": (),
}
_HEAD = re.compile(r"(?m)^// -----// IR Dump After (\S+)(?: Failed)? .*//----- //\n")
_TAIL = re.compile(r'(?m)^(?:loc\("|<unknown>|\[|PLEASE submit|LLVM ERROR|Stack dump)')


@dataclass(frozen=True)
class Recording:
    name: str
    kernel: str  #: name of an example kernel
    passes: Sequence[str]  #: names of passes, the last dump of each
    hints: dict[str, HintValue]
    forms: Sequence[str] = ("pretty", "generic")


RECORDINGS = (
    Recording(
        "vadd",
        "hivm_vadd",
        ("AppendTargetDeviceSpec", "PlanMemory", "ConvertHIVMToStandard"),
        {"TILE": 1024},
        ("pretty", "generic", "located", "function"),
    ),
    # planning fails: buffers without a place
    Recording("vadd_32768", "hivm_vadd", ("PlanMemory",), {"TILE": 32768}, ("pretty", "located")),
    # the tiling function of the host, loops that carry tensors, bodies in brief
    Recording("reduce", "hfusion_reduce", ("AutoSchedule", "OneShotBufferize", "PlanMemory"), {}),
    # cube and vector functions in one module
    Recording("mix", "hfusion_matmul_add", ("PlanMemory",), {"enable-auto-multi-buffer": True}),
)
#: Kernels of Triton: the folder, and which passes are kept, as a job prints them.
TRITON = (
    ("attention", "triton_flash_attention", ("PlanMemory",)),
    ("matmul", "triton_matmul", ("PlanMemory",)),
)
#: What Triton for Ascend leaves of a kernel before the compiler begins.
LOWERED = ("ttir", "ttadapter")


def main() -> None:
    examples = example_kernels(PROJECT / "data" / "kernels")
    kernels = {kernel.name: kernel for kernel in reversed(examples)}  # the first case of each
    shutil.rmtree(DUMPS, ignore_errors=True)
    for recording in RECORDINGS:
        folder = DUMPS / recording.name
        folder.mkdir(parents=True)
        for form in recording.forms:
            for name, text in dumps(kernels[recording.kernel], recording.hints, form, folder):
                if name in recording.passes:
                    (folder / f"{name}.{form}.mlir").write_text(text)
        print(recording.name, len(list(folder.iterdir())))
    for folder_name, kernel, passes in TRITON:
        triton(kernels[kernel], DUMPS / folder_name, passes)


def dumps(
    kernel: Kernel, hints: dict[str, HintValue], form: str, folder: Path
) -> Iterator[tuple[str, str]]:
    """Names and texts of the passes that changed something; `folder` gets the planner's records."""
    plan = command.plan(kernel, Hints((), hints), TARGET, binaries(RECIPE.folder), full=True)
    arguments = [a for a in plan.arguments if not a.startswith("--mlir-print")]
    printing = ("--mlir-print-ir-after-all", "--mlir-print-ir-after-change", *FORMS[form])
    with tempfile.TemporaryDirectory() as work:
        for name, text in plan.files.items():
            (Path(work) / name).write_text(text)
        ran = subprocess.run(
            ["setarch", "-R", plan.program, *arguments, *printing],
            cwd=work,
            env=environment(RECIPE.folder),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        for records in sorted(Path(work).glob("memory_info*.json")):
            shutil.copy(records, folder / records.name)
    yield from split(ran.stderr)


def split(log: str) -> Iterator[tuple[str, str]]:
    """Names and texts of the passes in what was printed."""
    heads = list(_HEAD.finditer(log))
    ends = [*(head.start() for head in heads[1:]), len(log)]
    for head, end in zip(heads, ends, strict=True):
        text = log[head.end() : end]
        tail = _TAIL.search(text)
        yield head[1], f"{text[: tail.start() if tail else len(text)].strip()}\n"


def triton(kernel: Kernel, folder: Path, passes: Sequence[str]) -> None:
    """What the front end makes of a Triton kernel, and passes of the compile behind it."""
    folder.mkdir()
    session = AscendNpuIr().session()
    with tempfile.TemporaryDirectory() as job:
        session.start(Path(job), kernel, Hints(), Limits()).wait()
        texts = {
            stage: (Path(job) / "dump" / f"{kernel.name}.{stage}.mlir").read_text()
            for stage in LOWERED
        }
        for name, text in split((Path(job) / "printed.log").read_text()):
            if name in passes:
                texts[f"{name}.job"] = text
    session.close()
    for name, text in texts.items():
        # Triton's own functions are where it is installed
        (folder / f"{name}.mlir").write_text(text.replace(f"{TRITON_RECIPE.folder}/", ""))
    print(folder.name, len(texts))


if __name__ == "__main__":
    main()
