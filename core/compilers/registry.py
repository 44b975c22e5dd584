"""The compilers that Tilescope knows, by name and version, and what can be installed for them."""

from __future__ import annotations

from collections.abc import Mapping

from core.compilers import Compiler, ToolMissing
from core.compilers.akg import Akg
from core.compilers.akg.recipes import RECIPES as _AKG
from core.compilers.akg_host import AkgHost
from core.compilers.ascendnpu_ir import AscendNpuIr
from core.compilers.ascendnpu_ir.recipes import RECIPES as _ASCENDNPU_IR
from core.compilers.ascendnpu_ir.recipes import TRITON_RECIPE
from core.compilers.toolchain import Recipe
from core.kernel import Kernel


class UnknownCompiler(ToolMissing):
    """A compiler or version that Tilescope has no recipe for: one sentence with those it has."""


#: Every version of every compiler, newest first.
_VERSIONS: Mapping[str, Mapping[str, Compiler]] = {
    "akg": {version: Akg(version) for version in _AKG},
    "ascendnpu-ir": {version: AscendNpuIr(version) for version in _ASCENDNPU_IR},
}
_TOOLCHAINS: Mapping[str, Mapping[str, Recipe]] = {
    "akg": _AKG,
    "ascendnpu-ir": _ASCENDNPU_IR,
    TRITON_RECIPE.name: {TRITON_RECIPE.version: TRITON_RECIPE},
}

#: The version of each that is taken where nobody asks for another.
RECIPES: dict[str, Recipe] = {
    name: next(recipe for recipe in each.values() if recipe.usual)
    for name, each in _TOOLCHAINS.items()
}
COMPILERS: dict[str, Compiler] = {
    name: each[RECIPES[name].version] for name, each in _VERSIONS.items()
}
# It comes with MindSpore, which is installed beside us: there is nothing to fetch and one version.
_HOST = AkgHost()
COMPILERS[_HOST.name] = _HOST


def compiler_for(kernel: Kernel) -> Compiler:
    """The compiler that takes a kernel of this kind."""
    return next(each for each in COMPILERS.values() if kernel.kind in each.kinds)


def compiler(name: str, version: str = "") -> Compiler:
    """A compiler in a version, or in its usual one. Raises UnknownCompiler."""
    if name not in COMPILERS:
        raise UnknownCompiler(
            f"There is no compiler {name!r} in this Tilescope; there are {', '.join(COMPILERS)}."
        )
    if version in ("", COMPILERS[name].version):
        return COMPILERS[name]
    if version not in versions(name):
        raise UnknownCompiler(
            f"{name} {version} is none of the versions that Tilescope can install: "
            f"{', '.join(versions(name))}."
        )
    return _VERSIONS[name][version]


def versions(name: str) -> tuple[str, ...]:
    """The versions of a compiler that can be installed, newest first; none of an unknown one."""
    return tuple(_VERSIONS.get(name, ()))


def installed_versions(name: str) -> tuple[str, ...]:
    """The versions of a compiler that are installed, newest first."""
    return tuple(v for v, each in _VERSIONS.get(name, {}).items() if each.installed())


def recipe(name: str, version: str = "") -> Recipe:
    """How a toolchain is installed, in a version or in its usual one. Raises UnknownCompiler.

    The name may hold the version, as in akg@1.9.0.
    """
    bare, _, given = name.partition("@")
    version = version or given
    if bare not in _TOOLCHAINS:
        raise UnknownCompiler(f"{bare!r} is none of: {', '.join(_TOOLCHAINS)}.")
    if not version:
        return RECIPES[bare]
    if version not in _TOOLCHAINS[bare]:
        raise UnknownCompiler(
            f"{bare} {version} is none of the versions that Tilescope can install: "
            f"{', '.join(_TOOLCHAINS[bare])}."
        )
    return _TOOLCHAINS[bare][version]


def recipes() -> tuple[Recipe, ...]:
    """Every version of every toolchain, by name, newest first."""
    return tuple(recipe for each in _TOOLCHAINS.values() for recipe in each.values())
