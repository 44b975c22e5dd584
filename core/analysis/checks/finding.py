"""What a check of one text reports: a defect of the compiled code, at its line, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: undefined: a variable that nothing around defines · bounds: a buffer indexed beyond what it is
#: allocated · unwritten: a buffer read before anything wrote it · alignment: a transfer or an
#: offset off what its memory asks for · overlap: two buffers alive at once share addresses ·
#: scalar: a loop of scalar stores where vector code was expected.
Check = Literal["undefined", "bounds", "unwritten", "alignment", "overlap", "scalar"]

#: wrong: the code computes something else than the kernel says, or crashes · slow: it is right.
Harm = Literal["wrong", "slow"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of one text. Lines count from 1."""

    check: Check
    harm: Harm
    line: int  #: where it is, the first such line
    subject: str  #: the variable or buffer that it is about, as this text names it
    message: str  #: one sentence that names variable, buffer, index range and allocation
    root: str = ""  #: the subject as a pass does not rename it; findings of two texts are the same
    #: where check and root are ("" means the subject itself)
    times: int = 1  #: lines of the text that this finding stands for

    @property
    def identity(self) -> tuple[str, str]:
        """What makes findings of two texts the same one."""
        return self.check, self.root or self.subject
