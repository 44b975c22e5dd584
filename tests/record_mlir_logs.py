"""Record what MLIR tools print, for the tests of the readers: `python -m tests.record_mlir_logs`.

Into tests/dumps/mlir_logs: logs (.log.gz) of the installed bishengir-compile over kernels of
data/kernels, each printed in another way; logs of `mlir-opt-19` (Debian: mlir-19-tools) over
modules below; tree folders and what Triton keeps of a kernel, zipped; and in jobs/ whole compiles
by the session, zipped. The machine's own paths are replaced. Arguments name those to record.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.compilers import Limits
from core.compilers.ascendnpu_ir import AscendNpuIr, AscendNpuIrSession, mlir_kernel
from core.compilers.ascendnpu_ir.recipes import RECIPE, TRITON_RECIPE, binaries, environment
from core.hints import Hints, HintValue
from core.home import home
from core.kernel import load_kernel, parse_kernel

PROJECT = Path(__file__).resolve().parents[1]
KERNELS = PROJECT / "data" / "kernels"
DUMPS = PROJECT / "tests" / "dumps" / "mlir_logs"
TEXTS = (".log", ".txt", ".json", ".mlir", ".ttir", ".ttadapter")

AFTER, BEFORE = "--mlir-print-ir-after-all", "--mlir-print-ir-before-all"
CHANGED, MODULES = "--mlir-print-ir-after-change", "--mlir-print-ir-module-scope"
LOCATIONS, ONE_THREAD = "--mlir-print-debuginfo", "--mlir-disable-threading"

#: A kernel with a buffer whose size is known at run time only, without a bound.
DYNAMIC = """func.func @dynamic(%x: memref<?xf32, #hivm.address_space<gm>>, %n: index)
    attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>} {
  %part = memref.alloc(%n) : memref<?xf32, #hivm.address_space<ub>>
  hivm.hir.load ins(%x : memref<?xf32, #hivm.address_space<gm>>)
    outs(%part : memref<?xf32, #hivm.address_space<ub>>)
  hivm.hir.store ins(%part : memref<?xf32, #hivm.address_space<ub>>)
    outs(%x : memref<?xf32, #hivm.address_space<gm>>)
  return
}
"""
#: What the compiler refuses, each in its own way.
REFUSED: Mapping[str, str] = {
    "undefined": """func.func @undefined() -> f32 {
  %sum = arith.addf %one, %one : f32
  return %sum : f32
}
""",
    "unknown_dialect": """func.func @unknown_dialect() {
  "shop.buy"() : () -> ()
  return
}
""",
    "two_types": """func.func @two_types(%x: memref<64xf16, #hivm.address_space<ub>>,
    %y: memref<64xf32, #hivm.address_space<ub>>) attributes {hacc.entry} {
  hivm.hir.vadd ins(%x, %x : memref<64xf16, #hivm.address_space<ub>>,
    memref<64xf16, #hivm.address_space<ub>>) outs(%y : memref<64xf32, #hivm.address_space<ub>>)
  return
}
""",
    "no_such_cast": """func.func @no_such_cast(%x: memref<64xi64, #hivm.address_space<ub>>,
    %y: memref<64xi8, #hivm.address_space<ub>>) attributes {hacc.entry} {
  hivm.hir.vcast ins(%x : memref<64xi64, #hivm.address_space<ub>>)
    outs(%y : memref<64xi8, #hivm.address_space<ub>>) round_mode = #hivm.round_mode<trunc>
  return
}
""",
    "no_lowering": """func.func @no_lowering(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>)
    -> tensor<64x64xf32> attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>,
    hfusion.fusion_kind = #hfusion.fusion_kind<PURE_ELEMWISE>} {
  %angle = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%y : tensor<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %turned = math.atan2 %in, %in : f32
      linalg.yield %turned : f32
  } -> tensor<64x64xf32>
  return %angle : tensor<64x64xf32>
}
""",
    "double": """func.func @double(%x: tensor<32x32xf64>, %y: tensor<32x32xf64>)
    -> tensor<32x32xf64> attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>,
    hfusion.fusion_kind = #hfusion.fusion_kind<PURE_ELEMWISE>} {
  %sum = linalg.elemwise_binary {fun = #linalg.binary_fn<add>}
    ins(%x, %x : tensor<32x32xf64>, tensor<32x32xf64>) outs(%y : tensor<32x32xf64>)
    -> tensor<32x32xf64>
  return %sum : tensor<32x32xf64>
}
""",
    "convolution": """func.func @convolution(%x: tensor<1x10x10x4xf32>, %w: tensor<3x3x4x8xf32>,
    %y: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> attributes {hacc.entry,
    hacc.function_kind = #hacc.function_kind<DEVICE>,
    hfusion.fusion_kind = #hfusion.fusion_kind<PURE_ELEMWISE>} {
  %z = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>,
    strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>)
    outs(%y : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %z : tensor<1x8x8x8xf32>
}
""",
}
#: A function for tools that know no dialect of Ascend.
FUNCTION = """  func.func @f{n}(%x: memref<8x{size}xf32>, %y: memref<8x{size}xf32>) {{
    linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}}
        ins(%x : memref<8x{size}xf32>) outs(%y : memref<8x{size}xf32>) {{
    ^bb0(%in: f32, %out: f32):
      %a = arith.addf %in, %out : f32
      %b = arith.addf %in, %out : f32
      %c = arith.mulf %a, %b : f32
      linalg.yield %c : f32
    }}
    return
  }}
"""
UPSTREAM = (
    "--pass-pipeline=builtin.module(func.func(convert-linalg-to-loops,cse,canonicalize,"
    "convert-scf-to-cf),convert-func-to-llvm)"
)
NOT_BUFFERIZED = """func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = math.exp %x : tensor<?xf32>
  %z = "test.opaque"(%y) : (tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}
"""
#: Triton compiles add for a chip that it is told of, and keeps every stage.
TRITON = """
import importlib.util, sys
sys.path.insert(0, sys.argv[1])
import triton, triton.backends
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
spec = importlib.util.spec_from_file_location("triton_add", "triton_add.py")
kernel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
class Driver:
    def get_arch(self):
        return "Ascend910B1"
backend = triton.backends.backends["ascend"].compiler
backend.add_stages.__globals__["NPUUtils"] = Driver
signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}
source = ASTSource(kernel.add, signature, constants={"BLOCK": 1024})
try:
    triton.compile(source, target=GPUTarget("npu", "Ascend910B1", 0), options={"debug": True})
except Exception as error:  # without CANN it cannot load what it made
    print(error)
"""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One log of bishengir-compile: a kernel of data/kernels, and how to print."""

    name: str
    kernel: str
    flags: tuple[str, ...]
    values: Mapping[str, HintValue] = field(default_factory=dict)
    target: str = "Ascend910B1"
    display: bool = False  #: keep what --enable-memory-display wrote beside the log, in a zip
    text: str = ""  #: instead of a file of data/kernels


_HFUSION = "--enable-hfusion-compile=true"
_SMALL, _LARGE = {"TILE": 1024}, {"TILE": 32768}
_BOTH_CHANGED = (AFTER, CHANGED, BEFORE, ONE_THREAD)
_OF_950 = (AFTER, CHANGED, ONE_THREAD, LOCATIONS)
LOGS = (
    Recipe("vadd", "hivm_vadd", (AFTER, ONE_THREAD), _SMALL),
    Recipe("vadd_before", "hivm_vadd", (BEFORE, ONE_THREAD), _SMALL),
    Recipe("vadd_both", "hivm_vadd", (AFTER, BEFORE, ONE_THREAD), _SMALL),
    Recipe("vadd_both_changed", "hivm_vadd", _BOTH_CHANGED, _SMALL),
    Recipe("overflow", "hivm_vadd", (AFTER, ONE_THREAD, LOCATIONS), _LARGE, display=True),
    Recipe("overflow_950", "hivm_vadd", _OF_950, _LARGE, "Ascend950PR_9579"),
    Recipe("mix", "hfusion_matmul_add", (_HFUSION, AFTER, ONE_THREAD)),
    Recipe("mix_modules", "hfusion_matmul_add", (_HFUSION, AFTER, MODULES, ONE_THREAD)),
    Recipe("mix_located", "hfusion_matmul_add", (_HFUSION, AFTER, LOCATIONS, ONE_THREAD)),
    Recipe("mix_changed", "hfusion_matmul_add", (_HFUSION, AFTER, CHANGED, ONE_THREAD)),
    Recipe("mix_threads", "hfusion_matmul_add", (_HFUSION, AFTER)),
    Recipe("host", "host_elementwise", (_HFUSION, AFTER, BEFORE, ONE_THREAD)),
    Recipe("dynamic", "dynamic", (AFTER, ONE_THREAD), text=DYNAMIC),
    Recipe("unknown_chip", "hivm_vadd", (AFTER,), _SMALL, "Ascend910X"),
    Recipe("unknown_option", "hivm_vadd", ("--enable-lir-compile=false",), _SMALL),
)
#: Whole compiles: kernel, case, hints, whether passes are printed.
JOBS: Mapping[str, tuple[str, str, Mapping[str, HintValue], bool]] = {
    "vadd": ("hivm_vadd.mlir", "", _SMALL, True),
    "vadd_fast": ("hivm_vadd.mlir", "", _SMALL, False),
    "overflow": ("hivm_vadd.mlir", "", _LARGE, True),
    "overflow_fast": ("hivm_vadd.mlir", "", _LARGE, False),
    "vadd_950": ("hivm_vadd.mlir", "", {**_SMALL, "target": "Ascend950PR_9579"}, True),
    "host": ("host_elementwise.mlir", "", {}, True),
    "rms_norm": ("hfusion_rms_norm.mlir", "", {}, True),
    "triton_add": ("triton_add.py", "fp32", {}, True),
    "triton_matmul": ("triton_matmul.py", "fp16", {"enable-auto-multi-buffer": True}, False),
    "saved": ("triton_matmul.py", "saved_by_a_retry", {"enable-auto-multi-buffer": True}, True),
    "l0c": ("triton_matmul.py", "l0c_overflow", {}, False),
    "triton_refused": ("triton_refused.py", "fp32", {}, True),
    **{name: (name, "", {}, True) for name in REFUSED},
}


def record_log(recipe: Recipe) -> None:
    """Run the compiler in an empty folder, its input there under its own name."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        text = recipe.text
        if not text:
            kernel = load_kernel(KERNELS / f"{recipe.kernel}.mlir")
            values = {p.name: p.default for p in kernel.parameters} | dict(recipe.values)
            text = mlir_kernel.instantiate(kernel.source, values)
        (folder / f"{recipe.kernel}.mlir").write_text(text)
        printed = folder / f"{recipe.name}.log"
        with printed.open("wb") as log:
            _bishengir(folder, log, f"{recipe.kernel}.mlir", recipe)
        data = _neutral(printed, made)
        if not recipe.display:
            _write(DUMPS / f"{recipe.name}.log.gz", gzip.compress(data, 9, mtime=0))
            return
        display = {p.name: _neutral(p, made) for p in folder.glob("memory_info*.json")}
        _zip(DUMPS / f"{recipe.name}.zip", {printed.name: data, **display})


def _bishengir(folder: Path, log: object, kernel: str, recipe: Recipe) -> None:
    command = ["setarch", "-R", str(binaries(RECIPE.folder) / "bishengir-compile"), kernel]
    command += [f"--target={recipe.target}", "--enable-memory-display", "-o", "made.o"]
    clean = environment(RECIPE.folder)
    subprocess.run(
        [*command, *recipe.flags],
        cwd=folder,
        # It starts another program of its own for some chips.
        env={**clean, "PATH": f"{binaries(RECIPE.folder)}:{clean['PATH']}"},
        stdout=log,  # type: ignore[call-overload]
        stderr=subprocess.STDOUT,
        check=False,
    )


def record_job(session: AscendNpuIrSession, name: str) -> None:
    """Compile, and zip the job's folder with its members in order and without times."""
    file, case, hints, full = JOBS[name]
    if name in REFUSED:
        kernel = parse_kernel(REFUSED[name], f"{name}.mlir")
    elif name == "triton_refused":
        text = (KERNELS / "triton_add.py").read_text().replace("tl.load", "tl.lode", 1)
        kernel = parse_kernel(text, file, case)
    else:
        kernel = load_kernel(KERNELS / file, case)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        session.start(folder, kernel, Hints(attributes=dict(hints)), Limits(), full=full).wait()
        paths = sorted(p for p in folder.rglob("*") if p.is_file())
        parts = {str(p.relative_to(folder)): _neutral(p, made) for p in paths}
    _zip(DUMPS / "jobs" / f"{name}.zip", parts)


def record_upstream() -> None:
    """Logs and a tree of MLIR's own mlir-opt."""
    tool = shutil.which("mlir-opt-19")
    if tool is None:
        print("mlir-opt-19 is absent, so its logs stay as they are")
        return
    functions = (FUNCTION.format(n=n, size=8 + n) for n in range(8))
    modules = {
        "one.mlir": f"module {{\n{FUNCTION.format(n=0, size=8)}{FUNCTION.format(n=1, size=16)}}}\n",
        "many.mlir": f"module {{\n{''.join(functions)}}}\n",
        "not_bufferized.mlir": NOT_BUFFERIZED,
    }
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, text in modules.items():
            (folder / name).write_text(text)

        def run(name: str, *arguments: str) -> subprocess.Popen[bytes]:
            with (folder / name).open("ab") as log:
                return subprocess.Popen(
                    [tool, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=log
                )

        run("upstream.log", "one.mlir", UPSTREAM, AFTER, ONE_THREAD).wait()
        run("upstream_threads.log", "many.mlir", UPSTREAM, AFTER).wait()
        both = [run("upstream_torn.log", "many.mlir", UPSTREAM, AFTER) for _ in range(2)]
        for each in both:
            each.wait()
        bufferize = "--one-shot-bufferize=bufferize-function-boundaries"
        foreign = "--allow-unregistered-dialect"
        run("upstream_failed.log", "not_bufferized.mlir", bufferize, AFTER, foreign).wait()
        tree = ("--mlir-print-ir-tree-dir=tree", AFTER, ONE_THREAD)
        run("nothing", "one.mlir", UPSTREAM, *tree).wait()
        for log in sorted(folder.glob("*.log")):
            _write(DUMPS / f"{log.name}.gz", gzip.compress(log.read_bytes(), 9, mtime=0))
        files = sorted(p for p in (folder / "tree").rglob("*") if p.is_file())
        parts = {str(p.relative_to(folder)): p.read_bytes() for p in files}
        _zip(DUMPS / "upstream_tree.zip", parts)


def record_tree() -> None:
    """The same compile as mix_changed.log.gz, as a folder of one file a pass."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        kernel = load_kernel(KERNELS / "hfusion_matmul_add.mlir")
        values = {p.name: p.default for p in kernel.parameters}
        (folder / "kernel.mlir").write_text(mlir_kernel.instantiate(kernel.source, values))
        flags = (_HFUSION, AFTER, CHANGED, ONE_THREAD, "--mlir-print-ir-tree-dir=tree")
        _bishengir(folder, subprocess.DEVNULL, "kernel.mlir", Recipe("mix", "", flags))
        files = sorted(p for p in (folder / "tree").rglob("*") if p.is_file())
        parts = {str(p.relative_to(folder)): p.read_bytes() for p in files}
    _zip(DUMPS / "mix_tree.zip", parts)


def record_triton() -> None:
    """Triton's own dump and cache of one kernel."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        shutil.copy(KERNELS / "triton_add.py", folder)
        clean = environment(RECIPE.folder)
        path = f"{binaries(RECIPE.folder)}:{clean['PATH']}"
        del clean["TRITON_CACHE_DIR"]
        command = [str(TRITON_RECIPE.python()), "-I", "-S", "-c", TRITON]
        subprocess.run(
            [*command, str(TRITON_RECIPE.folder)],
            cwd=folder,
            env={**clean, "PATH": path, "HOME": made},
            check=True,
        )
        files = sorted(p for p in (folder / ".triton").rglob("*") if p.is_file())
        wanted = [p for p in files if p.suffix in TEXTS]
        parts = {str(p.relative_to(folder / ".triton")): _neutral(p, made) for p in wanted}
    _zip(DUMPS / "triton.zip", parts)


def _neutral(path: Path, here: str) -> bytes:
    data = path.read_bytes()
    if path.suffix not in TEXTS:
        return data
    return _without_paths(data.decode().replace(here, "/home/user")).encode()


def _without_paths(text: str) -> str:
    for ours, neutral in (
        (str(PROJECT), "/opt/tilescope"),
        (str(home()), "/var/lib/tilescope"),
        (sys.prefix, "/opt/venv"),
        (sys.base_prefix, "/usr"),
    ):
        text = text.replace(ours, neutral)
    return text


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    print(f"{path.relative_to(DUMPS)}: {len(data):,} B")


def _zip(path: Path, parts: Mapping[str, bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    print(f"{path.relative_to(DUMPS)}: {path.stat().st_size:,} B")


def main(names: Iterable[str]) -> None:
    wanted = set(names)
    for recipe in LOGS:
        if not wanted or recipe.name in wanted:
            record_log(recipe)
    for name, record in (
        ("upstream", record_upstream),
        ("mix_tree", record_tree),
        ("triton", record_triton),
    ):
        if not wanted or name in wanted:
            record()
    session = AscendNpuIr().session()
    for name in JOBS:
        if not wanted or f"jobs/{name}" in wanted:
            record_job(session, name)
    session.close()


if __name__ == "__main__":
    main(sys.argv[1:])
