"""What is compiled: a kernel, loaded, checked and hashed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

KernelKind = Literal["composite", "python"]


class KernelError(ValueError):
    """A kernel that no compiler should see: one sentence naming the field that is wrong."""


@dataclass(frozen=True, slots=True)
class Tensor:
    name: str
    shape: tuple[int, ...]
    dtype: str
    role: Literal["input", "output"]


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel. `source` is the whole text: AKG composite JSON, or a Python file of its DSL."""

    kind: KernelKind
    name: str
    source: str
    tensors: tuple[Tensor, ...]
    case: str = ""  #: which of the named shapes of a Python kernel; "" for composite JSON
    about: str = ""  #: one line on what it shows

    @property
    def digest(self) -> str:
        """Content hash: equal for kernels that mean the same to a compiler."""
        text = f"{self.kind}\0{self.case}\0{self.source}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
