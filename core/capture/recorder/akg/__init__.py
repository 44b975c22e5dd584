"""Stands where MindSpore looks for AKG: writes down what it is asked to compile, compiles nothing.

MindSpore's build process imports a package of this name (mindspore/_extends/parallel_compile/
akg_compiler/akg_process.py). A kernel that was not built is taken apart again, so the network
still compiles.
"""

from . import ms  # noqa: F401
