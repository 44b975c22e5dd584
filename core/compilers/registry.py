"""The compilers that Tilescope knows, by name, and what can be installed for them."""

from __future__ import annotations

from core.compilers import Compiler
from core.compilers.akg import RECIPE as AKG_RECIPE
from core.compilers.akg import Akg
from core.compilers.ascendnpu_ir import RECIPE as ASCENDNPU_IR_RECIPE
from core.compilers.ascendnpu_ir import TRITON_RECIPE, AscendNpuIr
from core.compilers.toolchain import Recipe
from core.kernel import Kernel

COMPILERS: dict[str, Compiler] = {compiler.name: compiler for compiler in (Akg(), AscendNpuIr())}
RECIPES: dict[str, Recipe] = {
    recipe.name: recipe for recipe in (AKG_RECIPE, ASCENDNPU_IR_RECIPE, TRITON_RECIPE)
}


def compiler_for(kernel: Kernel) -> Compiler:
    """The compiler that takes a kernel of this kind."""
    return next(each for each in COMPILERS.values() if kernel.kind in each.kinds)
