"""What is asked of a compiler: a kernel and hints, of which compiler, in which version."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field

from core.hints import Hints
from core.kernel import Kernel


@dataclass(frozen=True, slots=True)
class Request:
    """One compile that somebody may want."""

    kernel: Kernel
    hints: Hints = field(default_factory=Hints)
    compiler: str = ""  #: name; "" means the one that takes such kernels
    version: str = ""  #: "" means the one that is used where nobody asks for another

    @property
    def digest(self) -> str:
        """Content hash: equal where the same compile is meant."""
        text = json.dumps([self.kernel.digest, self.hints.digest, self.compiler, self.version])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
