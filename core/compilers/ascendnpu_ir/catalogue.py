"""The hints that bishengir-compile takes: the catalogue, checks before a compile, their text form.

A hint is a flag of the compiler, a parameter of the kernel, or the chip (`target`).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from core.compilers.ascendnpu_ir.flags import KINDS, ROWS, Row
from core.compilers.ascendnpu_ir.releases import NEWEST, Release, known_by
from core.hints import HintError, Hints, HintSpec, HintValue
from core.kernel import Kernel

TARGET = "target"


def _spec(row: Row, group: str) -> HintSpec:
    seen = ""
    if len(row.nothing_for) == len(KINDS):
        seen = " Seen to do nothing for the kernels of every kind that were tried."
    elif row.nothing_for:
        seen = f" Seen to do nothing for {', '.join(row.nothing_for)}."
    return HintSpec(
        row.name,
        row.kind,
        row.default,
        row.effect,
        row.does + seen,
        group,
        row.minimum,
        row.maximum,
        row.choices,
        row.tries,
    )


_ALL = tuple(_spec(row, group) for group, rows in ROWS.items() for row in rows)
FLAGS = {spec.name: spec for spec in _ALL}

#: Flags of bishengir-compile that ask for something else than this kernel's compile.
_REFUSED = {
    "append-bisheng-options": "it is for CANN's own tools",
    "enable-cpu-runner": "it makes a program for this machine's processor instead",
    "enable-cpu-runner-after": "it makes a program for this machine's processor instead",
    "enable-cpu-runner-before": "it makes a program for this machine's processor instead",
    "enable-hfusion-compile": "what the kernel is made of decides that",
    "enable-hivm-compile": "what the kernel is made of decides that",
    "disable-hivm-tensor-compile": "it crashes the compiler on all but plain HIVM",
    "enable-memory-display": "every compile has it on",
    "enable-torch-compile": "what the kernel is made of decides that",
    "enable-triton-kernel-compile": "what the kernel is made of decides that",
    "hivmc-args": "it is for CANN's own tools",
    "inject-ir-from-file": "it makes the compiler read a file of this machine",
    "link-aicore-bitcode": "it makes the compiler read a file of this machine",
    "mlir-pass-pipeline-crash-reproducer": "it crashes the compiler before the first pass",
    "o": "every compile already has a folder of its own",
    "save-temps": "every compile already has a folder of its own",
}
_INTEGER = re.compile(r"-?[0-9]{1,18}")


def catalogue(targets: tuple[str, ...], release: Release = NEWEST) -> tuple[HintSpec, ...]:
    """Every hint, with the chips to choose from first, where the compiler has told them."""
    known = tuple(spec for spec in _ALL if spec.name not in release.unknown_flags)
    if not targets:
        return known
    chip = HintSpec(
        TARGET,
        "choice",
        targets[0],
        "honoured",
        "The chip to compile for: its cores and the sizes of its memories.",
        "Chip",
        choices=targets,
    )
    return (chip, *known)


def check_hints(
    hints: Hints, kernel: Kernel, targets: tuple[str, ...], release: Release = NEWEST
) -> None:
    """Raise HintError for hints that a compile of this kernel cannot take."""
    if hints.tiles:
        raise HintError(
            "Tiles per axis are for AKG; this kernel's tiles are its parameters"
            + (f": {', '.join(p.name for p in kernel.parameters)}." if kernel.parameters else ".")
        )
    for name, value in hints.attributes.items():
        if name in release.unknown_flags:
            raise HintError(
                f"bishengir-compile {release.version} has no flag {name}; versions that have it: "
                f"{', '.join(known_by(name))}."
            )
        _check(name, value, kernel, targets)


def parse_attribute(
    text: str, kernel: Kernel, targets: tuple[str, ...], release: Release = NEWEST
) -> tuple[str, HintValue]:
    """Read `NAME=VALUE`, where dashes in front of NAME are passed over. Raises HintError."""
    name, equals, value = text.partition("=")
    name, value = name.strip().lstrip("-"), value.strip()
    if not name or (not equals and _kind(name) != "bool"):
        raise HintError(f"{text!r} is not an attribute; write NAME=VALUE, as in block-dim=20.")
    attribute = _typed(name, value if equals else "true")
    check_hints(Hints(attributes={name: attribute}), kernel, targets, release)
    return name, attribute


def flag_value(spec: HintSpec, value: HintValue) -> str:
    """A flag's value as the compiler reads it. Raises HintError where it is none."""
    if spec.kind == "bool":
        word = str(value).lower()
        if word not in ("true", "false", "1", "0"):
            raise HintError(f"{spec.name} must be true or false, not {value!r}.")
        return "true" if word in ("true", "1") else "false"
    if spec.kind == "int":
        if isinstance(value, bool) or not isinstance(value, int):
            raise HintError(f"{spec.name} must be a whole number, not {value!r}.")
        if spec.minimum is not None and value < spec.minimum:
            raise HintError(f"{spec.name} must be {spec.minimum} or more, not {value}.")
        if spec.maximum is not None and value > spec.maximum:
            raise HintError(f"{spec.name} must be {spec.maximum} or less, not {value}.")
        return str(value)
    if spec.kind == "choice":
        if value not in spec.choices:
            raise HintError(
                f"{spec.name} must be {' or '.join(spec.choices)}, not {value!r}."
                if len(spec.choices) < 5
                else f"{spec.name} cannot be {value!r}{near(str(value), spec.choices)}."
            )
        return str(value)
    if not re.fullmatch(r"[0-9]+(?:,[0-9]+)*", str(value)):
        raise HintError(f"{spec.name} must be whole numbers set apart by commas, not {value!r}.")
    return str(value)


def near(name: str, names: Iterable[str]) -> str:
    """ "; did you mean …", where there are names like this one."""
    found = difflib.get_close_matches(name, list(names), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(found)}" if found else ""


def _check(name: str, value: HintValue, kernel: Kernel, targets: tuple[str, ...]) -> None:
    parameter = next((p for p in kernel.parameters if p.name == name), None)
    if name in FLAGS:
        flag_value(FLAGS[name], value)
    elif name == TARGET:
        (chip,) = (s for s in catalogue(targets or ("",)) if s.name == TARGET)
        flag_value(chip, value)
    elif parameter is not None:
        if isinstance(value, bool | float):
            raise HintError(f"{name} must be a whole number or a text, not {value!r}.")
        if isinstance(value, str) and all(isinstance(v, int) for v in parameter.values):
            raise HintError(f"{name} must be a whole number, not {value!r}.")
    elif name in _REFUSED:
        raise HintError(f"{name} cannot be set here: {_REFUSED[name]}.")
    elif name.startswith("mlir-print-"):
        raise HintError(f"{name} cannot be set here: every compile prints what it needs.")
    else:
        names = [*(p.name for p in kernel.parameters), TARGET, *FLAGS]
        raise HintError(
            f"The compiler has no flag {name!r} and the kernel no such parameter"
            f"{near(name, names)}."
        )


def _kind(name: str) -> str:
    return FLAGS[name].kind if name in FLAGS else ""


def _typed(name: str, text: str) -> HintValue:
    spec = FLAGS.get(name)
    if spec is not None and spec.kind == "bool" and text.lower() in ("1", "0", "true", "false"):
        return text.lower() in ("1", "true")
    if (spec is None or spec.kind == "int") and _INTEGER.fullmatch(text):
        return int(text)
    return text  # what is wrong with it is said by check_hints
