"""What a failure means, as plain values: the signature that it has, and what can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.request import Request

#: What a remedy changes. The order is that of effort: hints before parameters before the kernel.
RemedyKind = Literal[
    "tile", "hint", "pass_switch", "cores", "parameter", "shape", "precision", "decomposition",
    "version",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Signature:
    """One kind of failure, as data/signatures has it. Texts may name fields of a failure."""

    id: str  #: "akg-overflow-at-placing"
    compiler: str  #: name; "" where any may say so
    title: str  #: a few words
    means: str  #: in plain words, for who does not know the compiler
    doing: str  #: what the compiler was doing when it happened
    source: str  #: the compiler's source file and line that it comes from; "" where not public
    rule: str  #: the rule that was broken
    causes: tuple[str, ...]  #: likely ones, the likeliest first
    remedies: tuple[str, ...]  #: what to try, one sentence each, the most promising first
    seen: str = ""  #: what it was reproduced with: "maxpool.py, k3_s2_pad1"


@dataclass(frozen=True, slots=True)
class Explanation:
    """One failure explained."""

    signature: Signature | None  #: None where none is known
    fingerprint: str  #: equal for failures of one kind, known or not; stable between versions of us
    title: str
    cause: str  #: the signature's meaning with this failure's own figures
    pass_name: str | None
    after: str | None  #: the last pass that left a text
    said: str  #: the compiler's own words


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that may make a failed compile succeed, ready to be tried."""

    kind: RemedyKind
    title: str  #: what changes, a few words with values: "tile of axis 0: 65,536 for 131,072"
    reason: str  #: why it should help, one sentence
    request: Request
    numerics: str = ""  #: one sentence where results may differ from those of the kernel as given
