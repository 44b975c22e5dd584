"""A process of its own, with MindSpore: compiles a network so that its kernels are recorded.

Reads a JSON object (see `run`) from the file named on the command line. What it finds out before
MindSpore compiles goes to the file "found.json" beside it, one sentence of what is wrong with the
network to "wrong.txt".
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
from pathlib import Path
from typing import Any


def main(job: Path) -> int:
    asked = json.loads(job.read_text())
    try:
        made = _load(Path(asked["file"]), asked["name"])
    except _Wrong as wrong:
        (job.parent / "wrong.txt").write_text(str(wrong))
        return 2
    import mindspore as ms
    import numpy as np

    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_device("CPU")
    inputs = [
        ms.Tensor(np.ones(each["shape"], dtype=each["dtype"]))
        if each["dtype"] != "bfloat16"
        else ms.Tensor(np.ones(each["shape"], dtype="float32"), dtype=ms.bfloat16)
        for each in asked["inputs"]
    ]
    try:
        kind, network = _network(made, asked["name"])
    except _Wrong as wrong:
        (job.parent / "wrong.txt").write_text(str(wrong))
        return 2
    (job.parent / "found.json").write_text(json.dumps({"kind": kind}))
    if kind == "function":
        function = ms.jit(network) if not hasattr(network, "__ms_function__") else network
        _gradient(function, None, inputs, asked["train"])(*inputs)
        return 0
    if asked["train"]:
        network.set_train(True)
        _gradient(network, network, inputs, True)(*inputs)
        return 0
    network.set_train(False)
    network.compile(*inputs)
    return 0


def _gradient(function: Any, cell: Any, inputs: list[Any], train: bool) -> Any:
    """The function, or what computes it with the gradients of its inputs and weights."""
    import mindspore as ms

    if not train:
        return function
    weights = cell.trainable_params() if cell is not None else None
    floats = tuple(
        at for at, each in enumerate(inputs) if each.dtype in (ms.float16, ms.float32, ms.bfloat16)
    )

    def total(*values: Any) -> Any:
        result = function(*values)
        parts = result if isinstance(result, tuple) else (result,)
        whole = parts[0].sum()
        for part in parts[1:]:
            whole = whole + part.sum()
        return whole

    return ms.jit(ms.value_and_grad(total, floats or None, weights or None))


class _Wrong(ValueError):
    """One sentence."""


def _load(file: Path, name: str) -> Any:
    sys.path.insert(0, str(file.parent))
    described = importlib.util.spec_from_file_location(file.stem, file)
    assert described is not None and described.loader is not None
    module = importlib.util.module_from_spec(described)
    sys.modules[file.stem] = module
    try:
        described.loader.exec_module(module)
    except SyntaxError as wrong:
        raise _Wrong(
            f"{file.name} is no Python that runs: line {wrong.lineno}, {wrong.msg}."
        ) from None
    except Exception as wrong:  # noqa: BLE001  whatever a user's file raises
        raise _Wrong(
            f"{file.name} fails when it is imported: {type(wrong).__name__}: {wrong}."
        ) from None
    if not hasattr(module, name):
        there = [
            each
            for each, value in vars(module).items()
            if callable(value) and getattr(value, "__module__", "") == file.stem
        ]
        listed = ", ".join(there) or "none"
        raise _Wrong(f"{file.name} has nothing called {name!r}; it defines: {listed}.")
    return getattr(module, name)


def _network(made: Any, name: str) -> tuple[str, Any]:
    """What a name stands for: a cell, or a function."""
    from mindspore import nn

    try:
        if isinstance(made, nn.Cell):
            return "cell", made
        if inspect.isclass(made) and issubclass(made, nn.Cell):
            return "cell", made()
        if inspect.isfunction(made) and not inspect.signature(made).parameters:
            inner = made()
            if isinstance(inner, nn.Cell):
                return "cell", inner
    except TypeError as wrong:
        raise _Wrong(
            f"{name} cannot be made without arguments ({wrong}); name a function that takes none "
            "and returns the cell."
        ) from None
    if callable(made):
        return "function", made
    raise _Wrong(f"{name} is neither a cell nor a function; name one of those.")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
