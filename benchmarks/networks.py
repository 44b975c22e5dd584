"""Every network of ours captured, and every kernel of it compiled for Ascend."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.figures import Figure
from core.capture import capture
from core.capture.networks import networks
from core.compilers import Limits
from core.compilers.akg import Akg
from core.hints import Hints
from core.readers import open_trace

_LONGEST = 15.0  # seconds that a capture may take
_SHARE = 0.9  # of the kernels that should compile


def measure(run: Bench) -> list[Figure]:
    """The time of the slowest capture, and the share of kernels that compile."""
    run.home("networks")
    session = Akg().session()
    seconds: dict[str, float] = {}
    compiled = total = 0
    reasons: Counter[str] = Counter()
    try:
        for network in networks():
            folder = Path(tempfile.mkdtemp(dir=run.folder))
            made = capture(network.file, network.name, network.inputs, folder)
            seconds[network.name] = made.seconds
            for each in made.kernels:
                total += 1
                dump = Path(tempfile.mkdtemp(dir=run.folder))
                session.start(dump, each.kernel, Hints(), Limits()).wait()
                trace = open_trace(dump).trace
                compiled += trace.status.compiles
                if trace.failure:
                    reasons[trace.failure.message] += 1
    finally:
        session.close()
    slowest = max(seconds, key=lambda name: seconds[name])
    for reason, times in reasons.most_common():
        run.remark(f"{times} captured kernels do not compile: {reason}")
    return [
        Figure(
            f"capture of {len(seconds)} networks, slowest ({slowest})",
            f"all: {sum(seconds.values()):.0f} s",
            f"{seconds[slowest]:.1f} s",
            None,
            f"{_LONGEST:.0f} s",
            seconds[slowest] <= _LONGEST,
        ),
        Figure(
            "their kernels that compile for Ascend",
            f"{total} kernels",
            f"{compiled / total:.0%}",
            compiled / total,
            f"{_SHARE:.0%}",
            compiled / total >= _SHARE,
        ),
    ]
