"""The command line: compile, sweep, read, toolchain; text for people, --json for scripts.

Exit codes: 0 done, 1 the compile failed, 2 bad input, 3 a tool is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from core.compilers import ToolMissing
from core.compilers.registry import RECIPES
from core.compilers.toolchain import InstallError, install
from core.hints import HintError
from core.kernel import KernelError
from core.target import record_target

DONE, COMPILE_FAILED, BAD_INPUT, TOOL_MISSING = range(4)


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Errors are one sentence on stderr."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except (HintError, KernelError) as error:
        return _complain(str(error), BAD_INPUT)
    except (ToolMissing, InstallError) as error:
        return _complain(str(error), TOOL_MISSING)
    except KeyboardInterrupt:
        return _complain("Stopped.", 130)


def _complain(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m core", description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    _add_toolchain(verbs)
    return parser


# Toolchains


def _add_toolchain(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("toolchain", help="install compilers, and list them")
    what = parser.add_subparsers(required=True, metavar="WHAT")
    fetch = what.add_parser("install", help="fetch a compiler from the package index")
    fetch.add_argument("name", choices=sorted(RECIPES))
    fetch.add_argument("--again", action="store_true", help="even where it is installed")
    fetch.set_defaults(run=_install)
    show = what.add_parser("list", help="what is installed, version, target chips")
    show.add_argument("--json", action="store_true")
    show.set_defaults(run=_list)
    record = what.add_parser("record", help="keep the chips' figures in data/targets")
    record.set_defaults(run=_record)


def _install(options: argparse.Namespace) -> int:
    recipe = RECIPES[options.name]
    made = install(recipe, _say, again=options.again)
    _say(f"{recipe.name} {recipe.version} {'is ready' if made else 'was installed already'}.")
    return DONE


def _list(options: argparse.Namespace) -> int:
    rows = []
    for recipe in RECIPES.values():
        installed = recipe.installed()
        facts = recipe.facts() if installed else {}
        target = facts.get("target")
        rows.append(
            {
                "name": recipe.name,
                "version": recipe.version,
                "installed": installed,
                "targets": [target["name"]] if isinstance(target, dict) else [],
                "folder": str(recipe.folder) if installed else None,
            }
        )
    if options.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            state = f"installed in {row['folder']}" if row["installed"] else "not installed"
            chips = ", ".join(row["targets"]) or "targets known once installed"
            print(f"{row['name']} {row['version']}: {state}; {chips}")
    return DONE


def _record(_: argparse.Namespace) -> int:
    for recipe in RECIPES.values():
        target = recipe.facts()["target"]
        assert isinstance(target, dict)
        print(record_target(target).relative_to(Path(__file__).resolve().parents[1]))
    return DONE
