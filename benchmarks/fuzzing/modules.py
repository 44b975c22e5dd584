"""Random modules for bishengir-compile: whole tensors for HFusion, buffers and steps for HIVM."""

from __future__ import annotations

import random

from core.compilers.ascendnpu_ir.catalogue import FLAGS
from core.hints import Hints, HintValue
from core.kernel import parse_kernel
from core.request import Request

_DTYPES = ("f32",) * 8 + ("f16",) * 8 + ("bf16", "i32", "i32", "i16", "i8", "i64", "f64")
_SIZES = (
    1,
    2,
    7,
    8,
    16,
    31,
    32,
    33,
    64,
    65,
    100,
    127,
    128,
    129,
    256,
    257,
    512,
    768,
    1000,
    1024,
    2048,
)
_UNARY = ("exp", "log", "abs", "ceil", "floor", "negf")
_UNARY_HFUSION = ("sqrt", "rsqrt", "rec", "relu", "tanh", "sin", "cos", "erf") * 2 + ("vnot",)
_BINARY = ("add", "sub", "mul", "div", "max_signed", "min_signed")
_BINARY_HFUSION = ("maxf", "minf", "powf") * 3 + ("vand", "vor", "mod")
_KINDS = ("PURE_ELEMWISE", "ANY_PB", "ANY_PBR", "LAST_AXIS_PBR", "ANY_PB", "ANY_PBR")


class _Body:
    """Operations of a function, each result with its own name."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def name(self) -> str:
        return f"%v{len(self.lines)}"

    def add(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"    {name} = {text}")
        return name


def _tensor(shape: list[int], dtype: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"


def hfusion(dice: random.Random, name: str, hinted: bool) -> Request:
    """Elementwise operations, reductions and broadcasts on whole tensors, or a matrix product."""
    text = _product(dice) if dice.random() < 0.2 else _vector(dice)
    return _request(dice, name, text, hinted)


def _vector(dice: random.Random) -> str:
    rank = dice.choices((1, 2, 3), (25, 55, 20))[0]
    shape = [dice.choice(_SIZES) for _ in range(rank)]
    dtype = dice.choice(_DTYPES)
    whole = _tensor(shape, dtype)
    body = _Body()
    values, arguments = ["%a"], [f"%a: {whole}"]
    for _ in range(dice.randrange(1, 6)):
        empty = body.add(f"tensor.empty() : {whole}")
        if dice.random() < 0.5:
            dialect, operator = _either(dice, _UNARY, _UNARY_HFUSION)
            values.append(
                body.add(
                    f"{dialect}.elemwise_unary {{fun = #{dialect}.unary_fn<{operator}>}} "
                    f"ins({dice.choice(values)} : {whole}) outs({empty} : {whole}) -> {whole}"
                )
            )
            continue
        if dice.random() < 0.5:
            argument = f"%b{len(arguments)}"
            arguments.append(f"{argument}: {whole}")
            values.append(argument)
        dialect, operator = _either(dice, _BINARY, _BINARY_HFUSION)
        left, right = values[-1], dice.choice(values)
        values.append(
            body.add(
                f"{dialect}.elemwise_binary {{fun = #{dialect}.binary_fn<{operator}>}} "
                f"ins({left}, {right} : {whole}, {whole}) outs({empty} : {whole}) -> {whole}"
            )
        )
    result, made = values[-1], whole
    if dice.random() < 0.4:
        result, made = _reduction(dice, body, result, shape, dtype)
    elif rank > 1 and dice.random() < 0.25:
        order = dice.sample(range(rank), rank)
        made = _tensor([shape[axis] for axis in order], dtype)
        empty = body.add(f"tensor.empty() : {made}")
        result = body.add(
            f"linalg.transpose ins({result} : {whole}) outs({empty} : {made}) permutation = {order}"
        )
    where = "HOST" if dice.random() < 0.08 else "DEVICE"
    kind = f", hfusion.fusion_kind = #hfusion.fusion_kind<{dice.choice(_KINDS)}>"
    return _function(arguments, made, body, result, where, kind if where == "DEVICE" else "")


def _reduction(
    dice: random.Random, body: _Body, value: str, shape: list[int], dtype: str
) -> tuple[str, str]:
    axes = sorted(dice.sample(range(len(shape)), dice.choice((1, 1, len(shape)))))
    left = [size for at, size in enumerate(shape) if at not in axes]
    made = _tensor(left, dtype)
    whole = dtype.startswith("i")
    operator = dice.choice(
        ("addi", "maxsi", "minsi") if whole else ("addf", "maximumf", "minimumf")
    )
    zero = body.add(f"arith.constant {'0' if whole else '0.0'} : {dtype}")
    empty = body.add(f"tensor.empty() : {made}")
    start = body.add(f"linalg.fill ins({zero} : {dtype}) outs({empty} : {made}) -> {made}")
    result = body.add(
        f"linalg.reduce {{arith.{operator}}} ins({value} : {_tensor(shape, dtype)}) "
        f"outs({start} : {made}) dimensions = {axes}"
    )
    return result, made


def _product(dice: random.Random) -> str:
    rows, columns, inner = (dice.choice((16, 64, 100, 128, 256, 1024, 2048)) for _ in range(3))
    dtype = dice.choice(("f16", "f16", "bf16", "f32", "i8"))
    flip = dice.random() < 0.5
    left, made = _tensor([rows, inner], dtype), _tensor([rows, columns], dtype)
    right = _tensor([columns, inner] if flip else [inner, columns], dtype)
    body = _Body()
    result = body.add(
        f"linalg.matmul{'_transpose_b' if flip else ''} ins(%a, %b : {left}, {right}) "
        f"outs(%c : {made}) -> {made}"
    )
    kind = ", hfusion.fusion_kind = #hfusion.fusion_kind<SINGLE_CUBE>"
    arguments = [f"%a: {left}", f"%b: {right}", f"%c: {made}"]
    return _function(arguments, made, body, result, "DEVICE", kind)


def _function(
    arguments: list[str], made: str, body: _Body, result: str, where: str, kind: str
) -> str:
    lines = "\n".join(body.lines)
    return (
        f"module {{\n  func.func @fuzzed({', '.join(arguments)}) -> {made}\n"
        f"      attributes {{hacc.entry, hacc.function_kind = #hacc.function_kind<{where}>{kind}}} "
        f"{{\n{lines}\n    return {result} : {made}\n  }}\n}}\n"
    )


def _either(
    dice: random.Random, linalg: tuple[str, ...], hfusion_: tuple[str, ...]
) -> tuple[str, str]:
    if dice.random() < 0.65:
        return "linalg", dice.choice(linalg)
    return "hfusion", dice.choice(hfusion_)


_STEPS_UNARY = ("vexp", "vln", "vsqrt", "vrsqrt", "vabs", "vrelu", "vrec") * 3 + ("vnot",)
_STEPS_BINARY = ("vadd", "vsub", "vmul", "vdiv", "vmax", "vmin") * 3 + ("vand", "vor")
_CASTS = ("f16", "f32") * 4 + ("i32", "i16", "i8", "i64")
_TILES = (1, 7, 32, 100, 256, 1000, 1024, 4096, 8192, 12288, 16384, 24576, 24577, 32768, 65536)
_GM, _UB = "#hivm.address_space<gm>", "#hivm.address_space<ub>"


def hivm(dice: random.Random, name: str, hinted: bool) -> Request:
    """Loads into on-chip buffers, steps of the vector unit between them, and a store."""
    dtype = dice.choice(("f32",) * 4 + ("f16",) * 4 + ("i32", "i16", "i8", "bf16"))
    tile = dice.choice(_TILES)
    total = tile * dice.choice((1, 4, 16))
    memory = {"gm": f"memref<{total}x{dtype}, {_GM}>"}
    part = f"memref<{tile}x{dtype}, strided<[1], offset: ?>, {_GM}>"
    body = _Body()

    def seen(argument: str) -> str:
        text = f"memref.subview {argument}[%i] [{tile}] [1] : {memory['gm']} to {part}"
        return body.add(text)

    arguments = [f"%x: {memory['gm']}", f"%y: {memory['gm']}", f"%z: {memory['gm']}"]
    values = [
        (_loaded(body, seen(argument), part, tile, dtype), dtype) for argument in ("%x", "%y")
    ]
    for _ in range(dice.randrange(1, 7)):
        values.append(_step(dice, body, values, tile))
    fitting = [value for value, kind in values[2:] if kind == dtype] or [values[0][0]]
    target = seen("%z")
    stored = (
        f"    hivm.hir.store ins({fitting[-1]} : {_buffer(tile, dtype)}) outs({target} : {part})"
    )
    lines = "\n".join(f"  {line}" for line in (*body.lines, stored))
    text = (
        f"module {{\n  func.func @fuzzed({', '.join(arguments)})\n"
        "      attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>} {\n"
        "    %first = arith.constant 0 : index\n"
        f"    %all = arith.constant {total} : index\n    %step = arith.constant {tile} : index\n"
        f"    scf.for %i = %first to %all step %step {{\n{lines}\n    }}\n    return\n  }}\n}}\n"
    )
    return _request(dice, name, text, hinted)


def _buffer(tile: int, dtype: str) -> str:
    return f"memref<{tile}x{dtype}, {_UB}>"


def _loaded(body: _Body, view: str, part: str, tile: int, dtype: str) -> str:
    kind = _buffer(tile, dtype)
    made = body.add(f"memref.alloc() : {kind}")
    body.lines.append(f"    hivm.hir.load ins({view} : {part}) outs({made} : {kind})")
    return made


def _step(
    dice: random.Random, body: _Body, values: list[tuple[str, str]], tile: int
) -> tuple[str, str]:
    value, dtype = dice.choice(values)
    what = dice.choices(("unary", "binary", "cast", "scalar"), (35, 45, 12, 8))[0]
    made_dtype = dice.choice(_CASTS) if what == "cast" else dtype
    kind, made_kind = _buffer(tile, dtype), _buffer(tile, made_dtype)
    made = body.add(f"memref.alloc() : {made_kind}")
    if what == "unary":
        step = f"{dice.choice(_STEPS_UNARY)} ins({value} : {kind})"
    elif what == "binary":
        other = dice.choice([v for v, each in values if each == dtype])
        step = f"{dice.choice(_STEPS_BINARY)} ins({value}, {other} : {kind}, {kind})"
    elif what == "scalar":
        number = body.add(f"arith.constant {'1' if dtype.startswith('i') else '1.0'} : {dtype}")
        step = f"{dice.choice(('vadd', 'vmul'))} ins({value}, {number} : {kind}, {dtype})"
    else:
        step = f"vcast ins({value} : {kind})"
    body.lines.append(f"    hivm.hir.{step} outs({made} : {made_kind})")
    return made, made_dtype


def _request(dice: random.Random, name: str, text: str, hinted: bool) -> Request:
    kernel = parse_kernel(text, f"{name}.mlir")
    return Request(kernel, Hints(attributes=flags(dice)) if hinted else Hints())


def flags(dice: random.Random) -> dict[str, HintValue]:
    """One to three flags of the compiler's catalogue."""
    chosen: dict[str, HintValue] = {}
    for spec in dice.sample(_TRIED, dice.choice((1, 1, 2, 3))):
        if spec.tries:
            chosen[spec.name] = dice.choice(spec.tries)
        elif spec.kind == "bool":
            chosen[spec.name] = not spec.default
        else:
            chosen[spec.name] = dice.choice(spec.choices)
    return chosen


_TRIED = [
    spec
    for spec in FLAGS.values()
    if spec.effect in ("honoured", "unsafe") and (spec.tries or spec.choices or spec.kind == "bool")
]
