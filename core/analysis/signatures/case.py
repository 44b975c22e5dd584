"""What is known of one failure, from a trace or from a line of a log, as signatures look at it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from core.analysis.fingerprint import digest, masked
from core.ir.mlir_memory import MEMORIES
from core.trace import Culprit, Trace

if TYPE_CHECKING:
    from core.analysis.signatures.entries import Recognised

#: How readers introduce the compiler's own words behind a sentence of theirs.
_SAYS = re.compile(r"(?:The compiler says|It says): ")
_STAGE = re.compile(r"^\d+_")
_KERNELS = (".mlir", ".py", ".ttadapter", ".ttir")


@dataclass(frozen=True, slots=True)
class Case:
    """One failure. "" (of `attempts`: 0) is what is not known."""

    message: str
    compiler: str = ""
    status: str = ""
    kind: str = ""
    pass_name: str | None = None
    after: str | None = None
    source: str = ""
    component: str = ""
    signal: str = ""
    memory: str = ""
    required_bytes: int | None = None
    available_bytes: int | None = None
    stack: str = ""
    attempts: int = 0
    culprits: tuple[Culprit, ...] = ()
    target: str = ""
    seconds: float | None = None
    hints: Mapping[str, str] = field(default_factory=dict)  #: that were asked for
    evidence: Mapping[str, str] = field(default_factory=dict)  #: what texts tell, for {fields}

    @property
    def passed(self) -> str:
        """The last pass that left a text, without its number."""
        return _STAGE.sub("", self.after or "")

    @property
    def file(self) -> str:
        """The compiler's source file, without the line."""
        return PurePosixPath(self.source.partition(":")[0]).name

    @property
    def fingerprint(self) -> str:
        return digest(
            self.compiler, self.pass_name or "", self.signal, self.memory, masked(self.message)
        )

    def facts(self, found: Recognised) -> Mapping[str, str]:
        """What the texts of a signature may name: `required`, `culprit`, groups of the pattern …

        Of a message's groups those named `…_bits` are figures of memory: `required_bits` and
        `taken_bits`, which add up, and `available_bits`. Figures of the trace go before them.
        """
        groups = {name: text for name, text in found.groups.items() if text}
        bits = {name: int(text) for name, text in groups.items() if name.endswith("_bits")}
        required, available = self.required_bytes, self.available_bytes
        if required is None and "required_bits" in bits:
            required = -(-(bits["required_bits"] + bits.get("taken_bits", 0)) // 8)
        if available is None and "available_bits" in bits:
            available = bits["available_bits"] // 8
        memory = self.memory or groups.get("memory", "")
        line = self.source if self.source.partition(":")[0].endswith(_KERNELS) else ""
        facts = {
            **self.evidence,
            **groups,
            "memory": MEMORIES.get(memory, memory),
            "pass": self.pass_name or "",
            "after": self.after or "",
            "signal": self.signal,
            "line": line,
            "target": self.target,
            "attempts": str(self.attempts) if self.attempts > 1 else "",
            "seconds": f"{self.seconds:.1f} s" if self.seconds is not None else "",
            "required": _bytes(required),
            "available": _bytes(available),
            "over": _bytes(required - available) if required and available else "",
        }
        if self.culprits:
            first = self.culprits[0]
            at = f", {first.source}" if first.source else ""
            facts["culprit"] = f"{first.name} ({_bytes(first.bytes)}{at})"
        return {name: text for name, text in facts.items() if text}


def of_trace(trace: Trace, evidence: Mapping[str, str] | None = None) -> Case:
    """The failure of a trace that does not compile."""
    common = {
        "compiler": trace.compiler.name,
        "status": str(trace.status),
        "target": trace.target,
        "seconds": trace.seconds,
        "hints": {name: _plain(value) for name, value in trace.hints.asked.items()},
        "evidence": evidence or {},
    }
    failure = trace.failure
    if failure is None:
        return Case("", **common)  # type: ignore[arg-type]
    return Case(
        message=failure.message,
        kind=failure.kind,
        pass_name=failure.pass_name,
        after=failure.after,
        source=failure.source or "",
        component=failure.component or "",
        signal=failure.signal or "",
        memory=failure.memory or "",
        required_bytes=failure.required_bytes,
        available_bytes=failure.available_bytes,
        stack="\n".join(failure.stack),
        attempts=failure.attempts,
        culprits=failure.culprits,
        **common,  # type: ignore[arg-type]
    )


def of_log(
    message: str,
    compiler: str,
    source: str,
    component: str,
    pass_name: str,
    signal: str,
    stack: Sequence[str],
    attempts: int,
) -> Case:
    """A message that stands alone."""
    return Case(
        message=message.strip(),
        compiler=compiler,
        source=source,
        component=component,
        pass_name=pass_name or None,
        signal=signal,
        stack="\n".join(stack),
        attempts=attempts,
    )


def own_words(message: str) -> str:
    """The compiler's words in a message that a reader put a sentence before."""
    found = _SAYS.search(message)
    return message[found.end() :] if found else message


def _plain(value: object) -> str:
    """A hint's value as an entry writes it: a switch is 0 or 1."""
    return str(int(value) if isinstance(value, bool) else value)


def _bytes(count: int | None) -> str:
    return f"{count:,} B" if count is not None else ""
