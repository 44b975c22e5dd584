"""Real pass texts of a softmax, and long ones made of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.readers import Opened, open_trace

TEXTS = Path(__file__).parent / "texts"
RECORDED = Path(__file__).parents[2] / "data" / "traces"


@cache
def text(name: str) -> str:
    """A text by name. Raises KeyError.

    A file of texts/, "long-N-a" and "long-N-b" of N lines, "wide" and "vast" with a line of one and
    of five megabytes, or "mlir-N", pass N of a recorded trace.
    """
    kind, _, rest = name.partition("-")
    if kind == "long":
        count, _, side = rest.partition("-")
        return _long(int(count), changed=side == "b")
    if kind == "wide":
        return _long(200, changed=False).replace("\n", " ") * 50 + "\nlast line\n"
    if kind == "vast":
        return "first line\n" + text("wide").splitlines()[0] * 5 + "\nlast line\n"
    if kind == "mlir":
        digest = _recorded().trace.passes[int(rest)].text
        assert digest is not None
        return _recorded().texts.get(digest)
    path = TEXTS / name
    if not path.is_file():
        raise KeyError(name)
    return path.read_text()


@cache
def _recorded() -> Opened:
    return open_trace(RECORDED / "triton_softmax-fp32.zip")


def _long(count: int, *, changed: bool) -> str:
    """A real text unrolled to `count` lines; changed, about one line in forty is another."""
    lines = (TEXTS / "69_EmitInsn.cc").read_text().splitlines()
    result: list[str] = []
    for number in range(count):
        line = lines[number % len(lines)].replace("cc2", f"cc{number // len(lines)}")
        if changed and number % 41 == 7:
            continue
        if changed and number % 37 == 11:
            line = line.replace("float16", "float32").replace("local_UB", "local_L1")
        result.append(line)
        if changed and number % 97 == 31:
            result.append("  set_vector_mask((uint64)0, (uint64)3):float32:EX")
    return "\n".join(result) + "\n"
