"""Record passes that lose the vector code of MLIR kernels: `python -m tests.record_checks`.

Compiles the kernels below with the installed AscendNPU IR and keeps, in tests/dumps/checks, the
text of the pass that makes scalar loops of them and the text of the pass before it.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from core.compilers import Limits
from core.compilers.ascendnpu_ir import TRITON_RECIPE, AscendNpuIr
from core.hints import Hints
from core.kernel import parse_kernel
from tests.record_mlir import split

DUMPS = Path(__file__).resolve().parent / "dumps" / "checks"

#: HIVM multiplies 64-bit integers by the scalar unit (HIVMLowerToLoops).
MULTIPLY = """#gm = #hivm.address_space<gm>
#ub = #hivm.address_space<ub>
module {
  func.func @multiply(%x: memref<1024xi64, #gm>, %y: memref<1024xi64, #gm>,
      %z: memref<1024xi64, #gm>) attributes
      {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>} {
    %left = memref.alloc() : memref<1024xi64, #ub>
    hivm.hir.load ins(%x : memref<1024xi64, #gm>) outs(%left : memref<1024xi64, #ub>)
    %right = memref.alloc() : memref<1024xi64, #ub>
    hivm.hir.load ins(%y : memref<1024xi64, #gm>) outs(%right : memref<1024xi64, #ub>)
    %out = memref.alloc() : memref<1024xi64, #ub>
    hivm.hir.vmul ins(%left, %right : memref<1024xi64, #ub>, memref<1024xi64, #ub>)
      outs(%out : memref<1024xi64, #ub>)
    hivm.hir.store ins(%out : memref<1024xi64, #ub>) outs(%z : memref<1024xi64, #gm>)
    return
  }
}
"""
#: Triton's addresses out of data become a loop of single loads (TritonToLinalg, OneShotBufferize).
GATHER = '''"""Gathers elements of a vector: out[i] = x[index[i]]."""

import triton
import triton.language as tl

CASES = {
    "fp32": {"signature": {"x": "*fp32", "index": "*i32", "out": "*fp32", "n": "i32"}},
}
PARAMETERS = {"BLOCK": [64]}


@triton.jit
def gather(x, index, out, n, BLOCK: tl.constexpr):
    where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    rows = tl.load(index + where, mask=inside)
    tl.store(out + where, tl.load(x + rows, mask=inside), mask=inside)
'''
#: Kernel, its file's name, and the pass that makes a loop.
RECORDINGS = (
    (MULTIPLY, "multiply.mlir", "HIVMLowerToLoops"),
    (GATHER, "gather.py", "OneShotBufferize"),
)


def main() -> None:
    shutil.rmtree(DUMPS, ignore_errors=True)
    DUMPS.mkdir(parents=True)
    session = AscendNpuIr().session()
    for source, filename, wanted in RECORDINGS:
        kernel = parse_kernel(source, filename)
        with tempfile.TemporaryDirectory() as job:
            session.start(Path(job), kernel, Hints(), Limits()).wait()
            dumps = list(split((Path(job) / "printed.log").read_text()))
        at = next(number for number, (name, _) in enumerate(dumps) if name == wanted)
        for name, text in dumps[at - 1 : at + 1]:
            # Triton's own functions are where it is installed
            text = text.replace(f"{TRITON_RECIPE.folder}/", "")
            (DUMPS / f"{kernel.name}.{name}.mlir").write_text(text)
    session.close()
    print(len(list(DUMPS.iterdir())), "texts")


if __name__ == "__main__":
    main()
