"""Record what real programs print when a compile fails: `python -m tests.record_logs [NAME …]`.

Into tests/logs: MindSpore networks that are wrong, that AKG cannot fuse or that are compiled again
for each shape (MindSpore 2.10 with `decorator` in this Python); scripts that call AKG; Triton's own
compile, and bishengir-compile from a shell. Needs the toolchains akg, ascendnpu-ir, triton-ascend.
The machine's own paths are replaced; nothing else is.
"""

from __future__ import annotations

import gzip
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from core.compilers.akg import RECIPE as AKG_RECIPE
from core.compilers.ascendnpu_ir.recipes import RECIPE, TRITON_RECIPE, binaries
from core.compilers.toolchain import Recipe
from core.home import home

PROJECT = Path(__file__).resolve().parents[1]
KERNELS = PROJECT / "data" / "kernels"
LOGS = PROJECT / "tests" / "logs"

NETS = """import mindspore as ms
import numpy as np
from mindspore import nn, ops


class Shapes(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = ms.Parameter(ms.Tensor(np.ones((9, 4), np.float32)))

    def construct(self, x):
        y = ops.relu(x)
        return ops.matmul(y, self.weight)


class Name(nn.Cell):
    def construct(self, x):
        return undefined_function(x) + 1


class Branches(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            return x
        return (x, x)


class Rows(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm((64,))

    def construct(self, x):
        y = self.norm(x)
        return ops.softmax(ops.transpose(y, (1, 0)) * 2 + 1, -1)


class Gated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(16, 8)

    def construct(self, x):
        return ops.gelu(self.dense(x))
"""
RUN = """import sys
import numpy as np
import mindspore as ms
import nets

ms.set_context(mode=ms.GRAPH_MODE)
ms.set_device("CPU")
net = getattr(nets, sys.argv[1])()
if "dynamic" in sys.argv:
    net.set_inputs(ms.Tensor(shape=[None, int(sys.argv[3])], dtype=ms.float32))
net(ms.Tensor(np.ones([int(n) for n in sys.argv[2:4]], np.float32)))
"""
RECOMPILED = """import mindspore as ms
import numpy as np
from nets import Gated

ms.set_context(mode=ms.GRAPH_MODE)
ms.set_device("CPU")
net = Gated()
for batch in (4, 5, 6, 5, 7, 4):
    net(ms.Tensor(np.ones((batch, 16), np.float32)))


@ms.jit
def scaled(x, y):
    return x * 2 + y


for rows, columns in ((3, 8), (4, 8), (3, 8), (4, 9)):
    scaled(
        ms.Tensor(np.ones((rows, columns), np.float32)),
        ms.Tensor(np.ones((columns,), np.float32)),
    )


def doubled(x):
    return x + x


for _ in range(3):
    ms.jit(doubled)(ms.Tensor(np.ones((4, 16), np.float32)))
    Gated()(ms.Tensor(np.ones((4, 16), np.float32)))
"""
SEVERAL = """import json, sys, traceback
from akg.composite import build

for name, hints in json.loads(sys.argv[1]):
    try:
        build(open(name + ".json").read(), dict(hints))
        print("built", name)
    except Exception:
        traceback.print_exc()
"""
TRITON = """import sys
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


class Chip:  # the backend asks a driver for it
    def get_arch(self):
        return "Ascend910B1"

    def get_aicore_num(self):
        return 24


triton.backends.backends["ascend"].compiler.add_stages.__globals__["NPUUtils"] = Chip


@triton.jit
def gated(x, y, out, n, BLOCK: tl.constexpr):
    where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    left = tl.load(x + where, mask=inside)
    right = tl.load(y + where, mask=inside)
    tl.store(out + where, tl.exp(left) * right + left, mask=inside)


@triton.jit
def misspelt(x, out, n, BLOCK: tl.constexpr):
    where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.lode(x + where, mask=where < n)
    tl.store(out + where, left, mask=where < n)


@triton.jit
def open_ended(x, out, n, BLOCK: tl.constexpr):
    where = tl.arange(0, n)
    tl.store(out + where, tl.load(x + where))


def compile(function, block, **signature):
    source = ASTSource(function, signature={**signature, "n": "i32"}, constants={"BLOCK": block})
    triton.compile(source, target=GPUTarget("npu", "Ascend910B1", 0))
    print("compiled", function.__name__, block)


if sys.argv[1] == "gated":
    for block in (1024, 65536):
        compile(gated, block, x="*fp32", y="*fp32", out="*fp32")
else:
    compile(globals()[sys.argv[1]], 1024, x="*fp32", out="*fp32")
"""
#: Stands for CANN's own last tool, so that what fits compiles.
HIVMC = """#!/bin/sh
if [ "$1" = "--version" ]; then echo "hivmc 0.2.0 (abcdef1 2026-01-01)"; exit 0; fi
in="$1"; out=""; while [ $# -gt 0 ]; do [ "$1" = "-o" ] && out="$2"; shift; done
[ -n "$out" ] && cp "$in" "$out" && cp "$in" "$out.o"; exit 0
"""
MAXPOOL = """from akg.ops.nn.ascend.maxpool import maxpool
from akg.utils import kernel_exec

kernel_exec.op_build(
    maxpool, [(1, 4, 56, 56, 16)], ["float16"], op_attrs=[(3, 3), (2, 2), (1, 1, 1, 1)],
    kernel_name="maxpool", attrs={},
)
"""
_PLACES = (
    (r"/[^\s\"':]*?/site-packages", "/opt/venv/lib/python3.11/site-packages"),
    (r"/[^\s\"':]*?/lib/python3\.11/(?!site-packages)", "/usr/lib/python3.11/"),
    (r"/tmp/tmp[\w]+", "/tmp/tmpdir"),
)

Recorder = Callable[[Path], str]


def main(names: list[str]) -> None:
    LOGS.mkdir(exist_ok=True)
    for name, recorder in RECORDERS.items():
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            text = recorder(Path(folder)).replace(sys.executable, "/opt/venv/bin/python")
            for place, other in (
                (folder, "/path/to/work"),
                (str(PROJECT), "/path/to/tilescope"),
            ):
                text = text.replace(place, other)
            for tool in sorted((home() / "toolchains").iterdir()):
                for place in {str(tool), str(tool.resolve())}:
                    text = text.replace(place, f"/opt/toolchains/{tool.name}")
            for pattern, other in _PLACES:
                text = re.sub(pattern, other, text)
        data = text.encode()
        if len(data) > 60_000:
            (LOGS / f"{name}.log.gz").write_bytes(gzip.compress(data, 9, mtime=0))
        else:
            (LOGS / f"{name}.log").write_bytes(data)
        print(f"{name}: {len(data):,} bytes")


def _printed(command: list[str], folder: Path, **environment: str) -> str:
    """What a program prints, both streams into one file as a shell would."""
    log = folder / "printed.log"
    with log.open("wb") as file:
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=300,
        )
    return log.read_text(errors="replace")


def _network(*arguments: str, **environment: str) -> Recorder:
    def record(folder: Path) -> str:
        (folder / "nets.py").write_text(NETS)
        (folder / "run.py").write_text(RUN)
        environment.setdefault("MS_COMPILER_CACHE_PATH", str(folder))
        return _printed([sys.executable, "run.py", *arguments], folder, **environment)

    return record


def _recompiled(**environment: str) -> Recorder:
    def record(folder: Path) -> str:
        (folder / "nets.py").write_text(NETS)
        (folder / "run.py").write_text(RECOMPILED)
        return _printed([sys.executable, "run.py"], folder, **environment)

    return record


def _akg(script: str, *arguments: str, shell: str = "") -> Recorder:
    """A script that calls AKG, run by Python or in a shell's script."""

    def record(folder: Path) -> str:
        tool = _toolchain(AKG_RECIPE)
        (folder / "run.py").write_text(script)
        for kernel in KERNELS.glob("*.json"):
            (folder / kernel.name).write_text(kernel.read_text())
        root = tool / "mindspore" / "_akg"
        environment = {
            "PYTHONPATH": f"{root / 'akg'}:{root}",
            "PATH": f"{tool / 'stand-in'}:{os.environ['PATH']}",
        }
        command = [sys.executable, "-W", "ignore", "run.py", *arguments]
        if shell:
            (folder / "run.sh").write_text(shell.replace("PYTHON", sys.executable))
            command = ["bash", "run.sh"]  # which says how its programs died
        return _printed(command, folder, **environment)

    return record


def _triton(*arguments: str) -> Recorder:
    def record(folder: Path) -> str:
        (folder / "run.py").write_text(TRITON)
        stand_in = folder / "bin" / "hivmc"
        stand_in.parent.mkdir()
        stand_in.write_text(HIVMC)
        stand_in.chmod(0o755)
        environment = {
            "HOME": str(folder),
            "PYTHONPATH": str(_toolchain(TRITON_RECIPE)),
            "PATH": f"{stand_in.parent}:{binaries(_toolchain(RECIPE))}:{os.environ['PATH']}",
        }
        return _printed([sys.executable, "run.py", *arguments], folder, **environment)

    return record


def _bishengir(*arguments: str, kernel: str = "hivm_vadd.mlir", tile: int = 8192) -> Recorder:
    """bishengir-compile without CANN's last tool, as on a machine that has no CANN."""

    def record(folder: Path) -> str:
        text = (KERNELS / kernel).read_text().replace("${TILE}", str(tile))
        (folder / kernel).write_text(text)
        program = str(binaries(_toolchain(RECIPE)) / "bishengir-compile")
        return _printed(
            [program, kernel, *arguments, "-o", "kernel.o"], folder, PATH="/usr/bin:/bin"
        )

    return record


def _toolchain(recipe: Recipe) -> Path:
    return home() / "toolchains" / f"{recipe.name}-{recipe.version}"


def _flags(value: str) -> str:
    return f"--opt_level=2 {value}"


WHOLE = _flags(
    "--enable_expand_ops=LayerNorm,Softmax,ReduceMean,BiasAdd,GeLU "
    "--disable_pass=split.graph_kernel_splitter,split.shape_ops_splitter"
)
KINDS = """[["elementwise_chain", {}], ["softmax_fp32", {}],
["elementwise_chain", {"dim": "0 0 262144 1"}], ["softmax_fp16", {"dim": "0 0 512"}]]"""
ABORTS = """[["elementwise_chain", {"dim": "0 0 131072 1"}]]"""

RECORDERS: Mapping[str, Recorder] = {
    "mindspore_shapes": _network("Shapes", "4", "8"),
    "mindspore_name": _network("Name", "4", "8"),
    "mindspore_branches": _network("Branches", "4", "8"),
    "mindspore_akg": _network("Rows", "48", "64", MS_DEV_GRAPH_KERNEL_FLAGS=WHOLE),
    "mindspore_akg_v2": _network(
        *("Gated", "4", "16", "dynamic"),
        MS_DEV_GRAPH_KERNEL_FLAGS=_flags("--enable_dynamic_shape_fusion=true"),
    ),
    "mindspore_recompiles": _recompiled(MS_SUBMODULE_LOG_v="{PIPELINE:1}"),
    "mindspore_recompiles_quiet": _recompiled(),
    "akg_several": _akg(SEVERAL, KINDS),
    "akg_aborted": _akg(SEVERAL, shell=f"PYTHON -W ignore run.py '{ABORTS}'\n"),
    "akg_segfault": _akg(MAXPOOL, shell="PYTHON -W ignore run.py\necho done with $?\n"),
    "triton_overflow": _triton("gated"),
    "triton_misspelt": _triton("misspelt"),
    "triton_open_ended": _triton("open_ended"),
    "bishengir_overflow": _bishengir(tile=32768),
    "bishengir_to_the_last_tool": _bishengir(),
    "bishengir_chip": _bishengir("--target=Ascend310P1"),
    "bishengir_crashed": _bishengir(
        "--enable-hfusion-compile=true", kernel="host_elementwise.mlir"
    ),
}


if __name__ == "__main__":
    if importlib.util.find_spec("mindspore") is None:
        sys.exit("MindSpore is not in this Python; install mindspore==2.10.0 and decorator.")
    main(sys.argv[1:])
