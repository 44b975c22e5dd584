"""From a network in a Python file to the kernels that MindSpore fuses it into."""

from core.capture.captured import (
    Capture,
    CapturedKernel,
    CaptureError,
    Input,
    LibraryKernel,
    Origin,
    SourceLine,
)
from core.capture.run import Options, capture, parse_input

__all__ = [
    "Capture",
    "CaptureError",
    "CapturedKernel",
    "Input",
    "LibraryKernel",
    "Options",
    "Origin",
    "SourceLine",
    "capture",
    "parse_input",
]
