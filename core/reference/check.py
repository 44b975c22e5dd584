"""A kernel compiled for this machine's processor, run, and held against its reference."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.compilers import Limits, Session
from core.compilers.akg_host import CPU, GPU, AkgHost
from core.compilers.akg_host import AkgHostSession as HostSession
from core.hints import Hints
from core.kernel import Kernel
from core.readers import open_trace
from core.reference import (
    Difference,
    NoReference,
    difference,
    evaluate,
    inputs_for,
    precision,
)
from core.reference.ascend import assigned
from core.reference.operators import Array
from core.trace import Status

__all__ = ["CPU", "GPU", "Check", "HostSession", "check", "host"]

_RUNNER = Path(__file__).resolve().with_name("runner.py")
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Check:
    """What came of running a kernel on the processor."""

    differences: tuple[Difference, ...]  #: an entry an output
    problem: str = ""  #: one sentence where it could not be compiled, run or worked out
    seconds: float = 0.0  #: of the compile

    @property
    def right(self) -> bool | None:
        """None where it could not be told."""
        return None if self.problem else all(each.agrees for each in self.differences)


def host() -> HostSession:
    """The compiler for this machine's processor and for a GPU, started. Raises ToolMissing."""
    return AkgHost().session()


def check(kernel: Kernel, session: Session | None = None, seed: int = 0) -> Check:
    """Compile for the processor, run on random inputs, and compare. Never raises for a kernel."""
    try:
        inputs = inputs_for(kernel, seed)
        right = evaluate(kernel, inputs)
    except NoReference as unknown:
        return Check((), str(unknown))
    own = session or host()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _checked(own, Path(folder), kernel, inputs, right)
    finally:
        if session is None:
            own.close()


def _checked(
    session: Session,
    folder: Path,
    kernel: Kernel,
    inputs: dict[str, Array],
    right: dict[str, Array],
) -> Check:
    ended = session.start(folder, kernel, Hints(), Limits(_SECONDS)).wait()
    assert ended is not None  # without a timeout it waits to the end
    if ended.status is not Status.OK:
        failure = open_trace(folder).trace.failure
        why = failure.message if failure else str(ended.status)
        return Check((), f"AKG cannot compile it for the processor: {why}", ended.seconds)
    try:
        got = _run(folder, kernel, inputs)
    except RuntimeError as wrong:
        return Check((), str(wrong), ended.seconds)
    types = {tensor.name: tensor.dtype for tensor in kernel.tensors}
    terms = max((int(np.prod(t.shape)) for t in kernel.tensors if t.role == "input"), default=1)
    found = tuple(
        difference(
            name,
            right[name],
            got[name],
            types.get(name, "float32"),
            _terms(terms, value),
            precision(kernel),
        )
        for name, value in right.items()
    )
    return Check(found, "", ended.seconds)


def _terms(inputs: int, output: Array) -> int:
    """How many values one value of an output may be the sum of."""
    return max(1, inputs // max(1, output.size))


def _run(folder: Path, kernel: Kernel, inputs: dict[str, Array]) -> dict[str, Array]:
    """Call the compiled kernel. Raises RuntimeError with a sentence where it dies."""
    library = next((folder / "dump" / "akg_kernel_meta").glob("*.so"), None)
    if library is None:
        raise RuntimeError("AKG made no library for the processor.")
    names: list[str] = []
    described: dict[str, Any] = json.loads(kernel.source)
    order = [group[0]["tensor_name"] for group in described["input_desc"] or []]
    for name in order:
        np.save(folder / f"input_{len(names)}.npy", np.ascontiguousarray(inputs[name]))
        names.append(f"input_{len(names)}.npy")
    in_place = assigned(described)
    outputs = [
        {
            "name": each["tensor_name"],
            "shape": each["shape"],
            "dtype": each["data_type"],
            "in_place": order.index(in_place[each["tensor_name"]])
            if each["tensor_name"] in in_place
            else None,
        }
        for each in described["output_desc"]
    ]
    call = {
        "library": str(library),
        "symbol": f"{library.stem}_kernel",
        "inputs": names,
        "outputs": outputs,
    }
    (folder / "call.json").write_text(json.dumps(call))
    try:
        ran = subprocess.run(
            [sys.executable, str(_RUNNER), str(folder)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"The compiled kernel ran for more than {_SECONDS:g} s.") from None
    if ran.returncode < 0:
        name = signal.Signals(-ran.returncode).name
        raise RuntimeError(f"The compiled kernel died of {name} when it was run.")
    if ran.returncode:
        last = (ran.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise RuntimeError(f"The compiled kernel could not be run: {last}")
    return {
        each["name"]: np.load(folder / f"output_{at}.npy").reshape(each["shape"])
        for at, each in enumerate(outputs)
    }
