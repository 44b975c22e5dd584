"""Record compiles by several versions of the compilers: `python -m tests.record_versions`.

Each file of tests/dumps/versions is the folder of one compile, zipped as those of tests/dumps/jobs
are, and called KERNEL@VERSION.zip. Needs every version: `python -m core toolchain install
akg@1.9.0`, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.compilers.registry import compiler, compiler_for, versions
from core.hints import Hints
from core.kernel import example_kernels
from tests.record_jobs import PROJECT, record

FOLDER = PROJECT / "tests" / "dumps" / "versions"


@dataclass(frozen=True, slots=True)
class Recording:
    """One request, and the versions to ask."""

    name: str
    kernel: str
    case: str = ""
    hints: Hints = field(default_factory=Hints)
    versions: tuple[str, ...] = ()  #: empty: all


RECORDINGS = (
    Recording("transpose", "transpose"),
    Recording(
        "unshifted",
        "softmax_fp16",
        hints=Hints(attributes={"pragma_disable_schedule_shift": True}),
        versions=("1.6.2", "1.9.0"),
    ),
    Recording(
        "converted",
        "broadcast_exp_sum",
        hints=Hints(attributes={"enable_convert_if": True}),
        versions=("1.6.2",),
    ),
    Recording("overflow", "hivm_vadd", hints=Hints(attributes={"TILE": 24577})),
    Recording("retried", "triton_matmul", "saved_by_a_retry"),
    Recording("outlined", "host_elementwise", versions=("1.0.0", "1.1.0")),
    Recording("normed", "hfusion_rms_norm", versions=("1.0.0",)),
)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    kernels = example_kernels(PROJECT / "data" / "kernels")
    for recording in RECORDINGS:
        kernel = next(
            each
            for each in kernels
            if each.name == recording.kernel and recording.case in ("", each.case)
        )
        name = compiler_for(kernel).name
        for version in recording.versions or versions(name):
            session = compiler(name, version).session()
            file = FOLDER / f"{recording.name}@{version}.zip"
            record(session, file, kernel, recording.hints)
            session.close()


if __name__ == "__main__":
    main()
