"""The ways of hints into the program that builds a kernel, and whether they are honoured there.

One compiler has such ways today: MindSpore's own. A second one would be told apart here.
"""

from core.compilers.akg.channels import (
    REPOSITORY_VARIABLE,
    Channel,
    Verified,
    as_environment,
    decorator,
    environment,
    in_description,
    repository,
    verify,
)

__all__ = [
    "REPOSITORY_VARIABLE",
    "Channel",
    "Verified",
    "as_environment",
    "decorator",
    "environment",
    "in_description",
    "repository",
    "verify",
]
