"""Smaller forms of a kernel written in Python: its other cases, and fewer statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from core.analysis.shrinking.search import Asking, Form, Search
from core.analysis.shrinking.size import is_text, size_of, statements
from core.analysis.shrinking.text import replaced
from core.kernel import KernelError, kernel_cases


def shrink(search: Search) -> Asking[None]:
    """A smaller case, then fewer statements, then an operand in place of an expression."""
    yield from _smaller_case(search)
    while not search.spent:
        before = len(search.steps)
        yield from _fewer_statements(search)
        yield from _operands(search)
        if len(search.steps) == before:
            return


def _smaller_case(search: Search) -> Asking[None]:
    kernel = search.best.kernel
    try:
        names = kernel_cases(kernel.source, f"{kernel.name}.py")
    except KernelError:
        return
    here = size_of(kernel).elements or 0
    cases = [form for name in names if (form := search.with_source(kernel.source, name))]
    smaller = [form for form in cases if (form.size.elements or here) < here]
    smaller.sort(key=lambda form: form.size.elements or 0)
    yield from search.first("case", ((True, form) for form in smaller))
    alone = _without_other_cases(search.best.kernel.source, search.best.kernel.case)
    yield from search.first("case", [(True, search.with_source(alone))])


def _without_other_cases(source: str, case: str) -> str:
    """The text with one case alone, and without the docstring, which tells of the whole kernel."""
    module = ast.parse(source)
    for node in reversed(module.body):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            for key, facts in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == case:
                    alone = ast.get_source_segment(source, facts)
                    source = replaced(source, node.value, f"{{\n    {case!r}: {alone},\n}}")
    if ast.get_docstring(module) is not None:
        lines = source.splitlines(keepends=True)
        source = "".join(lines[module.body[0].end_lineno or 0 :]).lstrip("\n")
    return source


def _fewer_statements(search: Search) -> Asking[None]:
    kernel = search.best.kernel
    listed = statements(ast.parse(kernel.source))
    every = range(len(listed))

    def build(kept: Sequence[int]) -> Form | None:
        gone = [listed[at] for at in every if at not in kept]
        return search.with_source(_without(kernel.source, gone))

    yield from search.fewest("statements", every, build)


def _operands(search: Search) -> Asking[None]:
    """Put a part of an expression in place of the whole."""
    going = True
    while going and not search.spent:
        kernel = search.best.kernel
        tries = ((True, search.with_source(made)) for made in _hoisted(kernel.source))
        going = bool((yield from search.first("expressions", tries)))


def _hoisted(source: str) -> Iterator[str]:
    for statement in statements(ast.parse(source)):
        whole = getattr(statement, "value", None)
        if not isinstance(whole, ast.expr):
            continue
        for part in _parts(whole):
            text = ast.get_source_segment(source, part)
            if text is not None and "\n" not in text:
                yield replaced(source, whole, text)


def _parts(whole: ast.expr) -> list[ast.expr]:
    """What an expression is made of, without what it only says how."""
    match whole:
        case ast.Call():
            receiver = whole.func.value if isinstance(whole.func, ast.Attribute) else None
            given = [receiver, *whole.args] if receiver else list(whole.args)
        case ast.BinOp():
            given = [whole.left, whole.right]
        case ast.UnaryOp():
            given = [whole.operand]
        case ast.Subscript():
            given = [whole.value]
        case _:
            given = []
    return [each for each in given if not isinstance(each, ast.Constant)]


def _without(source: str, gone: Sequence[ast.stmt]) -> str:
    """The text without some statements; a body that is left empty passes."""
    module = ast.parse(source)
    places = {(each.lineno, each.col_offset) for each in gone}
    lines = source.splitlines(keepends=True)
    taken: set[int] = set()
    for body in _bodies(module):
        left = [each for each in body if (each.lineno, each.col_offset) not in places]
        left = [each for each in left if not is_text(each)]
        for each in body:
            if (each.lineno, each.col_offset) in places:
                first = min([each.lineno, *(d.lineno for d in getattr(each, "decorator_list", []))])
                taken.update(range(first, (each.end_lineno or each.lineno) + 1))
        if not left and body and body[0].lineno in taken:
            taken.discard(body[0].lineno)
            lines[body[0].lineno - 1] = f"{' ' * body[0].col_offset}pass\n"
    return "".join(line for number, line in enumerate(lines, 1) if number not in taken)


def _bodies(module: ast.Module) -> Iterator[list[ast.stmt]]:
    """Every list of statements inside of functions, the outer ones first."""
    for function in ast.walk(module):
        if isinstance(function, ast.FunctionDef | ast.For | ast.While | ast.If | ast.With):
            yield function.body
        if isinstance(function, ast.For | ast.While | ast.If) and function.orelse:
            yield function.orelse
