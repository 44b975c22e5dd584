"""The compilers that Tilescope knows, by name."""

from __future__ import annotations

from core.compilers import Compiler
from core.compilers.akg import RECIPE as AKG_RECIPE
from core.compilers.akg import Akg
from core.compilers.toolchain import Recipe

COMPILERS: dict[str, Compiler] = {"akg": Akg()}
RECIPES: dict[str, Recipe] = {"akg": AKG_RECIPE}
