"""From a network in a Python file to the kernels that MindSpore fuses it into."""

from core.capture.captured import (
    Capture,
    CapturedKernel,
    CaptureError,
    Input,
    LibraryKernel,
    Origin,
)
from core.capture.run import Options, capture, parse_input
from core.source_lines import SourceLine

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
