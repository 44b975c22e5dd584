"""The words of a bundle: what failed, why as far as that is known, and how to see it again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from core.bundle.facts import Facts, Form

_FILES = {
    "MANIFEST.json": "the SHA-256 of every file",
    "bundle.json": "what the script needs, and the figures of this text",
    "ir/failed.txt": "the IR as the failed pass left it",
    "ir/last_good.txt": "the last IR before the failure",
    "kernel.json": "the kernel as Tilescope keeps it",
    "printed.log": "what the compiler printed",
    "reproduce.py": "compiles the kernel again and compares the failures",
    "trace.json": "the whole trace, with texts/: Tilescope opens this zip as a trace",
}


def text(facts: Facts, files: Sequence[str]) -> str:
    """README.md."""
    parts = [
        _head(facts),
        _failure(facts),
        _explained(facts),
        _reproduce(facts),
        _forms(facts),
        _tried(facts),
        _versions(facts),
        _listed([*files, "MANIFEST.json"]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(facts: Facts) -> str:
    trace = facts.trace
    compiler = f"{trace.compiler.name} {trace.compiler.version}".strip()
    if trace.failure is None:
        title = f"{trace.kernel} compiles with {compiler}"
    else:
        where = trace.failure.pass_name or f"after {trace.failure.after or 'its start'}"
        title = f"{trace.kernel} fails in {compiler}: {where}"
    return f"# {title}\n\nCompiled for {trace.target or 'a chip that is not known'}."


def _failure(facts: Facts) -> str:
    failure = facts.trace.failure
    if failure is None:
        return ""
    rows = [
        ("outcome", str(facts.trace.status)),
        ("pass", failure.pass_name or "not known"),
        ("last pass that left a text", failure.after or "none"),
        ("signal", failure.signal or "none"),
        ("source", failure.source or "not said"),
        ("memory", failure.memory or ""),
        ("fingerprint", facts.fingerprint),
    ]
    listed = _rows((name, value) for name, value in rows if value)
    said = "\n".join(f"> {line}" for line in failure.message.splitlines())
    stack = ""
    if failure.stack:
        stack = "\n\nNative stack, innermost first:\n\n" + _block("\n".join(failure.stack))
    return f"## The failure\n\n{said}\n\n| | |\n|---|---|\n{listed}{stack}"


def _explained(facts: Facts) -> str:
    explained = facts.explanation
    if explained is None:
        return ""
    signature = explained.signature
    parts = [f"## Why\n\n**{explained.title}**\n\n{explained.cause}"]
    if signature:
        parts.append(f"Signature: `{signature.id}`.")
        parts.append(f"What the compiler was doing: {signature.doing}" if signature.doing else "")
        parts.append(f"The rule that was broken: {signature.rule}" if signature.rule else "")
        if signature.source:
            parts.append(f"Where that is in the compiler: {signature.source}")
        parts.append(_bullets("Likely causes", signature.causes))
        parts.append(_bullets("What to try", signature.remedies))
    return "\n\n".join(part for part in parts if part)


def _reproduce(facts: Facts) -> str:
    if not facts.packages:
        return (
            "## Seeing it again\n\nThis trace came without its kernel, or from a compiler that no "
            "public package holds, so there is no script to run."
        )
    fetched = ", ".join(f"`{each}`" for each in facts.packages)
    shrunk = "\n    python3 reproduce.py --shrunk" if facts.shrunk else ""
    triton = any(each.startswith("triton-ascend") for each in facts.packages)
    older = "; Triton for Ascend needs 3.9, 3.10 or 3.11 on the PATH" if triton else ""
    command = f"\n\nThe same by hand:\n\n{_block(facts.command)}" if facts.command else ""
    return (
        "## Seeing it again\n\n"
        f"    python3 reproduce.py{shrunk}\n\n"
        f"It fetches {fetched} from the package index, checked by SHA-256, works in the folder "
        "`work` beside it, and compares the failure with this one: exit code 0 the same, 1 "
        "another, 2 it could not be run. It needs Linux and Python 3.11 or 3.12 with pip"
        f"{older}. CANN's own last tool is replaced by an empty stand-in where it is absent: no "
        f"chip and no CANN is needed.{command}"
    )


def _forms(facts: Facts) -> str:
    if facts.given is None:
        return ""
    parts = [f"## The kernel\n\nAs given: `{facts.given.file}`{_case(facts.given)}."]
    parts.append(_hints(facts.given))
    sizes = facts.sizes
    if facts.shrunk and sizes:
        kind = "statements" if sizes.kernel.kind in ("python", "triton") else "operators"
        made = f"{sizes.operators_before} {kind} became {sizes.operators}"
        if sizes.elements is not None and sizes.elements_before is not None:
            made += f", {sizes.elements_before:,} elements in and out became {sizes.elements:,}"
        parts.append(
            f"The smallest form that fails the same way: `{facts.shrunk.file}`"
            f"{_case(facts.shrunk)}: {made}, in {sizes.compiles} compiles."
        )
        parts.append(_hints(facts.shrunk))
    return "\n\n".join(parts)


def _case(form: Form) -> str:
    return f", case `{form.case}`" if form.case else ""


def _hints(form: Form) -> str:
    return f"Hints: `{json.dumps(dict(form.hints))}`." if form.hints else "Without hints."


def _tried(facts: Facts) -> str:
    if not facts.tried:
        return ""
    head = "| change | outcome | numerics |\n|---|---|---|\n"
    return "## What was tried\n\n" + head + _rows(facts.tried)


def _versions(facts: Facts) -> str:
    trace = facts.trace
    rows = [("compiler", f"{trace.compiler.name} {trace.compiler.version}"), *facts.host.items()]
    named = _rows((name.replace("_", " "), value) for name, value in rows)
    return f"## Versions\n\n| | |\n|---|---|\n{named}"


def _listed(files: Sequence[str]) -> str:
    rows = [f"| `{name}` | {_FILES[name]} |" for name in sorted(files) if name in _FILES]
    if any(name.startswith("tilescope/") for name in files):
        rows.append("| `tilescope/` | the part of Tilescope that runs and reads a compiler |")
    return "## Files\n\n| | |\n|---|---|\n" + "\n".join(rows)


def _bullets(title: str, items: Sequence[str]) -> str:
    return f"{title}:\n\n" + "\n".join(f"- {each}" for each in items) if items else ""


def _rows(rows: Iterable[Sequence[str]]) -> str:
    """Lines of a table."""
    cells = ([" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _block(code: str) -> str:
    return f"```\n{code}\n```"
