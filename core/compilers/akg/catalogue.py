"""The hints that AKG takes: the catalogue, checks before a compile, and their text form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from core.compilers.akg.attributes import ROWS
from core.compilers.akg.custom_tiling import parse_constraints
from core.compilers.akg.releases import searches_always, unread
from core.hints import HintError, Hints, HintSpec, HintValue
from core.kernel import KernelKind

CATALOGUE: tuple[HintSpec, ...] = tuple(
    HintSpec(
        name=row.name,
        kind=row.kind,
        default=row.default,
        effect=row.effect,
        does=row.does,
        group=group,
        minimum=row.minimum,
        maximum=row.maximum,
        tries=row.tries,
    )
    for group, rows in ROWS.items()
    for row in rows
)
_BY_NAME = {spec.name: spec for spec in CATALOGUE}


@cache
def catalogue(version: str = "") -> tuple[HintSpec, ...]:
    """The hints as a version takes them; what was seen of one was seen of AKG 1.10.0."""
    absent = unread(version)
    return tuple(
        replace(spec, effect="ignored", does=_absent(version), tries=())
        if spec.name in absent
        else spec
        for spec in CATALOGUE
    )


def _absent(version: str) -> str:
    return f"AKG {version} does not know this name: it came with a later version."


#: Names of AKG's front end that ask for something else than this kernel for this chip.
_REFUSED = {
    "dim": "give the tiles as tiles (the dim text), not as an attribute",
    "dump_ir_dir": "every compile already has a folder of its own",
    "dump_poly_dir": "every compile already has a folder of its own",
    "help_tiling": "it makes AKG list its tuning space instead of compiling",
    "online_tuning": "it needs AKG's tuner, which its package does not hold",
    "repository_path": "it makes AKG read a file of this machine",
    "ret_mode": "it makes AKG return features for its tuner instead of compiling",
    "target": "this compiler is for Ascend only",
    "use_new_space": "it makes AKG list its tuning space instead of compiling",
}
#: Overwritten for composite kernels, by akg/composite/build_module.py; free for Python kernels.
_COMPOSITE_SETS = ("multicore_loop_switch_hoist", "enable_auto_inline", "pragma_rmselfdep")


def check_hints(hints: Hints) -> None:
    """Raise HintError for hints that AKG cannot take: of another type, out of range, refused.

    A name that is not in the catalogue passes, as it does with AKG: see `notes`.
    """
    for name, value in hints.attributes.items():
        if name in _REFUSED:
            raise HintError(f"{name} cannot be set here: {_REFUSED[name]}.")
        spec = _BY_NAME.get(name)
        if spec is None:
            _check_scalar(name, value)
        else:
            _check_value(spec, value)
        if name == "kernel_name":
            _check_kernel_name(str(value))
        if name == "custom_tiling":
            parse_constraints(str(value))


def notes(hints: Hints, kind: KernelKind = "composite", version: str = "") -> dict[str, str]:
    """The attributes that will do nothing, or not what they say, each with the reason."""
    found = {}
    known = {spec.name: spec for spec in catalogue(version)}
    for name in hints.attributes:
        reason = _note(known.get(name), kind)
        if reason:
            found[name] = reason
    if "custom_tiling" in hints.attributes and (
        reason := unread_constraints(hints.as_dict(), version)
    ):
        found["custom_tiling"] = reason
    return found


def unread_constraints(asked: Mapping[str, object], version: str = "") -> str:
    """Why nothing will read the constraints of `custom_tiling`; "" where the search will."""
    if asked.get("dim"):
        return "The tiles are given, so AKG does not search, and only its search reads constraints."
    if searches_always(version):
        return ""
    if str(asked.get("SYMBOLIC_TILING", "1")).lower() not in ("0", "false"):
        return (
            "Only the classic search reads constraints, and AKG's newer tiler decides before it; "
            "turn SYMBOLIC_TILING off with it."
        )
    return ""


def parse_attribute(text: str) -> tuple[str, HintValue]:
    """Read `NAME=VALUE`; the catalogue says of which type the value is.

    Switches take 1, 0, true or false. Raises HintError.
    """
    name, equals, value = text.partition("=")
    name, value = name.strip(), value.strip()
    if not equals or not name:
        raise HintError(
            f"{text!r} is not an attribute; write NAME=VALUE, as in enable_multicore=0."
        )
    spec = _BY_NAME.get(name)
    attribute = _guess(value) if spec is None else _typed(spec, value)
    check_hints(Hints(attributes={name: attribute}))
    return name, attribute


def _typed(spec: HintSpec, text: str) -> HintValue:
    if spec.kind == "str":
        return text
    if spec.kind == "bool" and text.lower() in ("1", "0", "true", "false"):
        return text.lower() in ("1", "true")
    if spec.kind == "int":
        guess = _guess(text)
        if isinstance(guess, int):
            return int(guess)
    return text  # what is wrong with it is said by check_hints


def _guess(text: str) -> HintValue:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    if re.fullmatch(r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?", text):
        return float(text)
    return text


def _check_value(spec: HintSpec, value: HintValue) -> None:
    if spec.kind == "bool":
        if not isinstance(value, int) or value not in (0, 1):
            raise HintError(f"{spec.name} must be 0 or 1, not {value!r}.")
    elif spec.kind == "int":
        if not isinstance(value, int):
            raise HintError(f"{spec.name} must be a whole number, not {value!r}.")
        _check_range(spec, value)
    elif spec.effect != "ignored" and not isinstance(value, str):
        raise HintError(f"{spec.name} must be a text, not {value!r}.")


def _check_range(spec: HintSpec, value: int) -> None:
    if spec.minimum is not None and value < spec.minimum:
        because = (
            " AKG crashes, or never ends, with less." if spec.name == "max_num_retry_poly" else ""
        )
        raise HintError(f"{spec.name} must be {spec.minimum} or more, not {value}.{because}")
    largest = (1 << 31) - 1 if spec.maximum is None else spec.maximum
    if value > largest:
        raise HintError(f"{spec.name} must be {largest} or less, not {value}.")


def _check_scalar(name: str, value: object) -> None:
    if not isinstance(value, bool | int | float | str):
        raise HintError(f"{name} must be a number, a text, true or false, not {value!r}.")


def _check_kernel_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,199}", name):
        raise HintError(
            f"kernel_name must be an identifier (letters, digits and underscores), not {name!r}."
        )


def _note(spec: HintSpec | None, kind: KernelKind) -> str:
    if spec is None:
        return "AKG knows no attribute of this name and ignores it."
    if kind == "python":
        if spec.name in _COMPOSITE_SETS:
            return ""
        if spec.name in ("kernel_name", "bypass"):
            return "It is for composite kernels; AKG ignores it for a Python kernel."
    if spec.effect in ("ignored", "overwritten"):
        return spec.does
    return ""
