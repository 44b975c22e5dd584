"""`python -m benchmarks fuzz`: random kernels compiled, and which of their failures have names."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.fuzzing import requests
from core.analysis.explained import Explanation
from core.analysis.inquiry import Answer
from core.analysis.signatures import explain
from core.compilers import Limits, ToolMissing
from core.jobs.at_once import sessions

AIM = 0.95  #: of the failures have a name
COUNT, SEED = 300, 1
LIMITS = Limits(seconds=60.0, memory_bytes=6 << 30)
_AT_ONCE = 10  # requests that are handed over together
_SAID = 160  # characters of a message that are shown


@dataclass
class Fuzzed:
    """What came of the compiles."""

    outcomes: Counter[str] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)  #: kind of kernel, outcome
    named: dict[str, list[tuple[Answer, Explanation]]] = field(default_factory=dict)
    unnamed: dict[str, list[tuple[Answer, Explanation]]] = field(default_factory=dict)
    refused: list[Answer] = field(default_factory=list)  #: by our own checks

    @property
    def failures(self) -> int:
        return sum(map(len, (*self.named.values(), *self.unnamed.values())))

    @property
    def share(self) -> float:
        """Part of the failures that have a name."""
        with_name = sum(map(len, self.named.values()))
        return with_name / self.failures if self.failures else 1.0

    def take(self, answer: Answer) -> None:
        trace = answer.trace
        outcome = str(trace.status) if trace else "refused"
        self.outcomes[outcome] += 1
        self.kinds[answer.request.kernel.kind, outcome] += 1
        if trace is None:
            self.refused.append(answer)
        elif explanation := explain(trace):
            named = explanation.signature
            group = self.named if named else self.unnamed
            key = named.id if named else explanation.fingerprint
            group.setdefault(key, []).append((answer, explanation))


def fuzz(count: int, seed: int, *, limits: Limits = LIMITS, progress: bool = False) -> Fuzzed:
    """Compile `count` random kernels, two at a time. Raises ToolMissing."""
    found = Fuzzed()
    asked = list(requests(seed, count))
    with sessions(limits) as compilers:
        for start in range(0, count, _AT_ONCE):
            for answer in compilers.answers(asked[start : start + _AT_ONCE]):
                found.take(answer)
            if progress:
                done = min(start + _AT_ONCE, count)
                print(f"\r{done} of {count} …", end="", file=sys.stderr, flush=True)
    if progress:
        print(file=sys.stderr)
    return found


def main(arguments: Sequence[str]) -> int:
    """Fuzz, and print what came of it. 1 where fewer failures have a name than should."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help=f"kernels, {COUNT} by default")
    parser.add_argument("--seed", type=int, default=SEED, help="another one gives other kernels")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write what failed in there")
    chosen = parser.parse_args(arguments)
    began = time.monotonic()
    try:
        found = fuzz(chosen.count, chosen.seed, progress=True)
    except ToolMissing as missing:
        print(missing, file=sys.stderr)
        return 3
    seconds = time.monotonic() - began
    _report(found, chosen.count, chosen.seed, seconds)
    if chosen.keep:
        _keep(found, chosen.keep)
    return 0 if found.share >= AIM else 1


def _report(found: Fuzzed, count: int, seed: int, seconds: float) -> None:
    print(f"{count} random kernels, seed {seed}, {seconds:.0f} s")
    print("outcomes: " + ", ".join(f"{n} {what}" for what, n in found.outcomes.most_common()))
    for kind in sorted({kind for kind, _ in found.kinds}):
        each = [(what, n) for (of, what), n in sorted(found.kinds.items()) if of == kind]
        print(f"  {kind}: " + ", ".join(f"{n} {what}" for what, n in each))
    print(f"\nfailures by signature ({len(found.named)}):")
    for name, those in sorted(found.named.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"  {len(those):4} {name}: {those[0][1].title}")
    if found.unnamed:
        print(f"\nfailures without a name, by fingerprint ({len(found.unnamed)}):")
    for fingerprint, those in sorted(found.unnamed.items(), key=lambda item: -len(item[1])):
        answer, explanation = those[0]
        kernels = ", ".join(each.request.kernel.name for each, _ in those[:4])
        where = explanation.pass_name or f"after {explanation.after}"
        print(f"  {len(those):4} {fingerprint} {where}: {explanation.said[:_SAID]} ({kernels})")
        if answer.trace and answer.trace.failure and answer.trace.failure.signal:
            print(f"       {answer.trace.failure.signal}, {answer.trace.failure.source or ''}")
    if found.refused:
        print(f"\nrefused before a compiler saw them ({len(found.refused)}):")
        reasons = Counter(answer.error[:_SAID] for answer in found.refused)
        for reason, times in reasons.most_common(12):
            print(f"  {times:4} {reason}")
    met = "met" if found.share >= AIM else "missed"
    print(
        f"\n{found.failures} failures, {found.share:.1%} of them with a name "
        f"(aim: at least {AIM:.0%}, {met})"
    )


def _keep(found: Fuzzed, folder: Path) -> None:
    """Write each failing kernel with its hints, in a folder by its signature or fingerprint."""
    for name, those in (*found.named.items(), *found.unnamed.items()):
        for answer, _ in those:
            request = answer.request
            into = folder / name
            into.mkdir(parents=True, exist_ok=True)
            suffix = {"composite": ".json", "mlir": ".mlir"}.get(request.kernel.kind, ".py")
            stem = f"{request.kernel.name}-{request.digest[:6]}"
            (into / f"{stem}{suffix}").write_text(request.kernel.source)
            hints = {"case": request.kernel.case, **request.hints.as_dict()}
            (into / f"{stem}.hints.json").write_text(json.dumps(hints, indent=1))
