"""Runs in a process of its own: calls a kernel that AKG made for this machine's processor.

`python runner.py FOLDER` reads call.json (library, symbol, inputs and outputs with shape and type)
and the inputs as .npy files there, and leaves the outputs as .npy files. The calling convention is
that of MindSpore's CPU back end (akg_cpu_kernel_build: a table of callbacks, then the tensors).
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

_LAMBDA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_void_p)
_LAUNCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_MALLOC = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class _Callbacks(ctypes.Structure):
    _fields_ = (
        ("launch", _LAUNCH),
        ("malloc", _MALLOC),
        ("free", _FREE),
        ("extra", ctypes.c_void_p),
    )


def main(folder: Path) -> int:
    call: dict[str, Any] = json.loads((folder / "call.json").read_text())
    inputs = [np.load(folder / name) for name in call["inputs"]]
    outputs = [np.zeros(each["shape"], each["dtype"]) for each in call["outputs"]]
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]

    def launch(function: int, data: int, tasks: int) -> int:
        body = _LAMBDA(function)
        number = tasks or 1
        for task in range(number):
            body(task, number, data)
        return 0

    callbacks = _Callbacks(
        _LAUNCH(launch),
        _MALLOC(lambda _, n: libc.malloc(n)),
        _FREE(lambda _, p: libc.free(p)),
        None,
    )
    library = ctypes.CDLL(call["library"])
    kernel = getattr(library, call["symbol"])
    tensors = [*inputs, *outputs]
    arguments = (ctypes.c_void_p * (1 + len(tensors)))(
        ctypes.cast(ctypes.pointer(callbacks), ctypes.c_void_p),
        *(ctypes.c_void_p(each.ctypes.data) for each in tensors),
    )
    kernel(arguments)
    for at, (each, described) in enumerate(zip(outputs, call["outputs"], strict=True)):
        # An output that stands for an input assigned in place is found there.
        place = described["in_place"]
        np.save(folder / f"output_{at}.npy", each if place is None else inputs[place])
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
