"""What a bundle says of a compile, gathered once for its words and for its script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from core.analysis.explained import Explanation
from core.analysis.shrinking import Shrunk
from core.compilers.ascendnpu_ir.recipes import TRITON_RECIPE
from core.compilers.registry import UnknownCompiler, recipe
from core.compilers.toolchain import Recipe
from core.kernel import Kernel
from core.trace import Trace


@dataclass(frozen=True, slots=True)
class Form:
    """A kernel in the bundle, and the hints to compile it with."""

    file: str
    case: str
    hints: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything is free of names already."""

    trace: Trace
    kernel: Kernel | None
    fingerprint: str  #: "" where the compile ended well
    explanation: Explanation | None
    given: Form | None
    shrunk: Form | None
    sizes: Shrunk | None  #: figures of the shrunk form
    command: str
    tried: tuple[tuple[str, str, str], ...]  #: what, outcome, numerics
    packages: tuple[str, ...]  #: NAME==VERSION, public; () where it cannot be run again
    host: Mapping[str, str]

    def document(self, format: int) -> dict[str, object]:
        """bundle.json: what the script reads, and who else wants figures."""
        trace, explained = self.trace, self.explanation
        return {
            "format": format,
            "kernel": trace.kernel,
            "compiler": asdict(trace.compiler),
            "target": trace.target,
            "status": str(trace.status),
            "fingerprint": self.fingerprint,
            "signature": explained.signature.id if explained and explained.signature else None,
            "given": asdict(self.given) if self.given else None,
            "shrunk": asdict(self.shrunk) if self.shrunk else None,
            "command": self.command,
            "packages": list(self.packages),
            "host": dict(self.host),
        }


def packages(trace: Trace, kernel: Kernel) -> tuple[str, ...]:
    """The public packages that compile a kernel again; () where there are none for it."""
    needed: list[Recipe] = []
    try:
        needed.append(recipe(trace.compiler.name, trace.compiler.version))
    except UnknownCompiler:
        return ()
    if kernel.kind == "triton":
        needed.append(TRITON_RECIPE)
    return tuple(package.wanted for each in needed for package in each.packages)


def failing_ir(trace: Trace) -> dict[str, str]:
    """File names to content hashes: the last good text, and what the failed pass left, if it did.

    The last good text is what the failed pass was given, as far as anybody knows.
    """
    failed = next((s for s in reversed(trace.passes) if s.status != "ok"), None)
    good = [s for s in trace.passes if s.status == "ok" and s.text]
    if failed is not None:
        good = [s for s in good if s.index < failed.index]
    found: dict[str, str] = {}
    if failed is not None and failed.given:
        found["ir/last_good.txt"] = failed.given
    elif trace.failure is not None and good and good[-1].text:
        found["ir/last_good.txt"] = good[-1].text
    if failed is not None and failed.text:
        found["ir/failed.txt"] = failed.text
    return found
