"""Which kernel, of which compiler, with which attributes: the options that verbs share."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from core.compilers import Compiler, Limits
from core.compilers.registry import COMPILERS, RECIPES, UnknownCompiler, compiler_for, recipe
from core.compilers.registry import compiler as compiler_of
from core.hints import HintError, HintValue
from core.kernel import Kernel, load_kernel

Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def kernel_options(parser: argparse.ArgumentParser, *also: str) -> None:
    parser.add_argument("kernel", type=Path, help="JSON or .info, MLIR, or a Python file")
    parser.add_argument("--case", default="", help="which named shape of a Python kernel")
    parser.add_argument(
        "--attr",
        *also,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an attribute of the compiler or a parameter of the kernel; may be given again",
    )
    parser.add_argument("--target", default="", metavar="CHIP", help="the chip to compile for")
    parser.add_argument(
        "--compiler", choices=sorted(COMPILERS), help="the one that takes such kernels, by default"
    )
    parser.add_argument(
        "--version", default="", help="of the compiler; `toolchain list` says which there are"
    )
    parser.add_argument("--timeout", type=float, default=Limits().seconds, metavar="SECONDS")
    parser.add_argument("--json", action="store_true", help="print for scripts")


def chosen_kernel(options: argparse.Namespace) -> tuple[Kernel, Compiler]:
    if not 0 < options.timeout < math.inf:
        raise HintError(
            f"--timeout {options.timeout:g}: the limit must be a number of seconds above 0."
        )
    kernel = load_kernel(options.kernel, options.case)
    compiler = known(options.compiler or compiler_for(kernel).name, options.version)
    if kernel.kind not in compiler.kinds:
        raise HintError(
            f"{compiler.name} takes no {kernel.kind} kernels; {compiler_for(kernel).name} does."
        )
    if lacking := compiler.lacks(kernel):
        if lacking.partition("@")[0] in RECIPES:
            recipe(lacking).facts()  # raises, with the command that installs it
        compiler.targets()  # as does one that Tilescope does not fetch
    return kernel, compiler


def known(name: str, version: str) -> Compiler:
    """A compiler in a version. Raises HintError where there is none such."""
    try:
        return compiler_of(name, version)
    except UnknownCompiler as unknown:
        raise HintError(f"--version {version}: {unknown}") from None


def asked_attributes(
    options: argparse.Namespace, kernel: Kernel, compiler: Compiler
) -> dict[str, HintValue]:
    attributes = dict(compiler.parse_attribute(text, kernel) for text in options.attr)
    if options.target:
        target = compiler.target(options.target)
        if len(compiler.targets()) > 1:
            attributes["target"] = target.name
    return attributes


def each_once(option: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise HintError(f"{option} is given twice for {name}; give it once.")
