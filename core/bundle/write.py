"""A failure as one zip that stands alone: kernel, hints, IR, log, words, and a script to re-run it.

It carries the part of Tilescope that runs a compiler and reads what it leaves, as it is, so that
whoever unpacks it runs and judges the compile in the very way in which it was recorded. Names of
people, machines and folders are taken out. Equal input gives equal bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import platform
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.fingerprint import fingerprint
from core.analysis.shrinking import Shrunk
from core.analysis.signatures import explain
from core.bundle import readme
from core.bundle.anonymous import Kept, Names, anonymous, of_this_machine, scrubber
from core.bundle.command import command
from core.bundle.facts import Facts, Form, failing_ir, packages
from core.bundle.needed import PROJECT, needed_files
from core.kernel import Kernel
from core.trace import Texts, Trace
from core.trace_json import kernel_to_json, to_json

__all__ = ["Change", "bundle", "may_be_run"]

FORMAT = 1
_SUFFIX = {"composite": ".json", "python": ".py", "mlir": ".mlir", "triton": ".py"}
_SCRIPT = "core/bundle/reproduce.py"
_CODE = "tilescope"


@dataclass(frozen=True, slots=True)
class Change:
    """A change that was tried, in words."""

    what: str
    outcome: str
    numerics: str = ""  #: where results may differ


def may_be_run(trace: Trace, kernel: Kernel | None) -> bool:
    """True where a bundle can compile its kernel again with public packages."""
    return kernel is not None and bool(packages(trace, kernel))


def bundle(
    trace: Trace,
    texts: Texts,
    kernel: Kernel | None,
    *,
    shrunk: Shrunk | None = None,
    tried: Sequence[Change] = (),
    names: Names | None = None,
) -> bytes:
    """The bundle of a trace; `readers.open_trace` opens it as that trace."""
    known = of_this_machine() if names is None else names
    clean, kept, kernel = anonymous(trace, texts, kernel, known)
    scrub = scrubber(known)
    facts = Facts(
        trace=clean,
        kernel=kernel,
        fingerprint=fingerprint(trace),
        explanation=explain(clean, Kept(kept)),
        given=_form(kernel, clean.hints.asked, "kernel") if kernel else None,
        shrunk=_form(shrunk.kernel, shrunk.hints.as_dict(), "shrunk") if shrunk else None,
        sizes=shrunk,
        command=command(clean, kernel) if kernel else "",
        tried=tuple((scrub(t.what), scrub(t.outcome), scrub(t.numerics)) for t in tried),
        packages=packages(clean, kernel) if kernel else (),
        host=_host(clean),
    )
    files = _files(facts, kept, shrunk, scrubber(known, words=False))
    files["README.md"] = readme.text(facts, sorted(files)).encode()
    listed = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    manifest = {"format": FORMAT, "files": listed}
    files["MANIFEST.json"] = json.dumps(manifest, indent=1).encode()
    return _zipped(files)


def _files(
    facts: Facts, kept: Mapping[str, str], shrunk: Shrunk | None, scrub: object
) -> dict[str, bytes]:
    trace, kernel = facts.trace, facts.kernel
    files = {"trace.json": to_json(trace)}
    files |= {f"texts/{digest}.txt": _utf8(text) for digest, text in kept.items()}
    if kernel and facts.given:
        files["kernel.json"] = kernel_to_json(kernel)
        files[facts.given.file] = _utf8(kernel.source)
    if shrunk and facts.shrunk:
        assert callable(scrub)
        files[facts.shrunk.file] = _utf8(scrub(shrunk.kernel.source))
    for name, digest in failing_ir(trace).items():
        files[name] = _utf8(kept[digest])
    for log in trace.logs:
        if log.name == "printed.log":
            files["printed.log"] = _utf8(kept[log.text])
    if facts.packages:
        files |= {f"{_CODE}/{path}": (PROJECT / path).read_bytes() for path in _needed()}
        files["reproduce.py"] = (PROJECT / _SCRIPT).read_bytes()
    files["bundle.json"] = json.dumps(facts.document(FORMAT), indent=1).encode()
    return files


def _needed() -> tuple[str, ...]:
    return (*needed_files("core.bundle.again"), "core/bundle/requirements.txt", "LICENSE")


def _form(kernel: Kernel, hints: Mapping[str, object], folder: str) -> Form:
    return Form(f"{folder}/{kernel.name}{_SUFFIX[kernel.kind]}", kernel.case, dict(hints))


def _host(trace: Trace) -> dict[str, str]:
    return {
        "compiled_on": trace.host or "not known",
        "written_on": f"{platform.system()} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()).strip() or "not known",
        "python": platform.python_version(),
    }


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)  # dated 1980, whenever it is written
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if name == "reproduce.py" else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()
