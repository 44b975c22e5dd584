"""MLIR text to tree: against the compiler's own generic form, its planner's records, and by hand.

The generic form names every operand and type, so that reading it needs no rule about dialects; the
pretty form of the same pass must read the same.
"""

from __future__ import annotations

import csv
import json
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.compilers.ascendnpu_ir import RECIPE, AscendNpuIr
from core.compilers.ascendnpu_ir.recipes import binaries, environment
from core.ir import mlir
from core.ir.mlir import Block, Location, MlirError, Module, Operation, Value, parse
from core.ir.mlir_memory import (
    MEMORIES,
    allocations,
    bytes_of,
    constant,
    memory_of,
    shape_of,
    target_spec,
)
from core.ir.mlir_syntax import element_type
from core.kernel import Kernel, example_kernels
from tests.conftest import KERNELS, PROJECT
from tests.dumped import DUMPS
from tests.record_mlir import dumps

MLIR = DUMPS / "mlir"
FACTS = PROJECT.parent / "shared" / "facts" / "data"


def text_of(name: str) -> str:
    return (MLIR / f"{name}.mlir").read_text()


def recorded(name: str) -> Module:
    return parse(text_of(name))


def texts() -> list[Path]:
    return sorted(MLIR.rglob("*.mlir"))


def only(module: Module, name: str) -> Operation:
    found = [operation for operation in module.walk() if operation.name == name]
    assert len(found) == 1, found
    return found[0]


def named(module: Module, name: str) -> Value:
    """The only value of a name."""
    found = [v for op in module.walk() for v in op.results if v.name == name]
    found += [v for op in module.walk() for b in op.blocks for v in b.arguments if v.name == name]
    assert len(found) == 1, found
    return found[0]


# --- the two forms --------------------------------------------------------------------------------


class Compared:
    """Walks the tree of the generic form and that of the pretty form of one text together."""

    #: Printers leave these out where they hand nothing on.
    IMPLIED = frozenset(("scf.yield", "linalg.yield", "scf.forall.in_parallel"))

    def __init__(self) -> None:
        self.operations = self.operands = self.types = 0
        self.same: dict[int, Value] = {}  # values of the generic form to those of the pretty one

    def all(self, generic: Sequence[Operation], pretty: Sequence[Operation]) -> None:
        rest = list(pretty)
        for operation in generic:
            other = rest[0] if rest else None
            if other is None or other.name != operation.name:
                assert operation.name in self.IMPLIED, (operation, other)
                assert not operation.operands
                continue
            self.one(operation, rest.pop(0))
        assert not rest

    def one(self, generic: Operation, pretty: Operation) -> None:
        self.operations += 1
        self.values(generic.results, pretty.results, pretty)
        self.operands += len(generic.operands)
        wanted = Counter(id(self.same[id(value)]) for value in generic.operands)
        found = Counter(id(value) for value in pretty.operands)
        if generic.name == "scf.forall":  # printed without where it begins and its step
            assert found <= wanted
        else:
            assert found == wanted, pretty.headline
        if pretty.regions:
            for left, right in zip(generic.regions, pretty.regions, strict=False):
                self.region(left, right, pretty)
            assert not any(b.operations for r in generic.regions[len(pretty.regions) :] for b in r)
        else:
            bodies = [block for block in generic.blocks if block.operations]
            assert not bodies or pretty.dialect in ("linalg", "hfusion"), pretty.headline

    def region(self, generic: list[Block], pretty: list[Block], owner: Operation) -> None:
        assert len(generic) == len(pretty)
        for left, right in zip(generic, pretty, strict=True):
            self.values(left.arguments, right.arguments, owner)
            self.all(left.operations, right.operations)

    def values(self, generic: Sequence[Value], pretty: Sequence[Value], owner: Operation) -> None:
        assert len(generic) == len(pretty), owner.headline
        for left, right in zip(generic, pretty, strict=True):
            self.types += 1
            self.same[id(left)] = right
            assert right.type == left.type, owner.headline


@pytest.mark.parametrize(
    "path",
    sorted(MLIR.rglob("*.generic.mlir")),
    ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}",
)
def test_the_pretty_form_reads_like_the_generic_form(path):
    pretty = path.with_name(path.name.replace(".generic.", ".pretty."))
    compared = Compared()
    compared.all(parse(path.read_text()).operations, parse(pretty.read_text()).operations)
    assert compared.operations > 10
    assert compared.operands > 10


def test_with_locations_it_reads_like_without():
    for path in sorted(MLIR.rglob("*.located.mlir")):
        plain = parse(path.with_name(path.name.replace(".located.", ".pretty.")).read_text())
        located = parse(path.read_text())
        for left, right in zip(plain.walk(), located.walk(), strict=True):
            assert left.headline.replace(" ", "") == right.headline.replace(" ", "") or (
                right.name == "func.func"  # its arguments have locations too
            )
            assert [v.type for v in left.results] == [v.type for v in right.results]
            assert left.location is None


@pytest.mark.slow
def test_every_pass_of_every_example_reads_like_its_generic_form(ascendnpu_ir, tmp_path, capsys):
    """Operations, operands and types of whole compiles, and how fast they are read."""
    assert ascendnpu_ir.installed()
    total, seconds, count = Compared(), 0.0, 0
    size = 0
    for kernel in example_kernels(KERNELS):
        if kernel.kind != "mlir":
            continue
        for (name, pretty), (other, generic) in both_forms(kernel, tmp_path):
            assert name == other
            started = time.process_time()
            module = parse(pretty)
            seconds += time.process_time() - started
            size += len(pretty)
            total.all(parse(generic).operations, module.operations)
            count += 1
    with capsys.disabled():
        print(
            f"\n{count} passes, {total.operations:,} operations, {total.operands:,} operands and "
            f"{total.types:,} types as the compiler has them; {size / 1e6 / seconds:.1f} MB/s"
        )
    assert count > 100
    assert size / 1e6 / seconds > 1


def both_forms(kernel: Kernel, folder: Path) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    hints = {p.name: p.default for p in kernel.parameters}
    pretty, generic = (list(dumps(kernel, hints, form, folder)) for form in ("pretty", "generic"))
    assert pretty
    return zip(pretty, generic, strict=True)


def test_the_compilers_own_printer_reads_the_example_kernels_alike(ascendnpu_ir):
    """Text as people lay it out, through the compiler's parser and through ours."""
    assert isinstance(ascendnpu_ir, AscendNpuIr)
    for path in sorted(KERNELS.glob("*.mlir")):
        text = path.read_text().replace("${TILE}", "1024")
        ran = subprocess.run(
            [binaries(RECIPE.folder) / "bishengir-opt", "--mlir-print-op-generic"],
            input=text,
            env=environment(RECIPE.folder),
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        compared = Compared()
        compared.all(parse(ran.stdout).operations, parse(text).operations)
        assert compared.operations > 3


def test_every_recorded_text_keeps_its_lines():
    assert len(texts()) >= 20
    for path in texts():
        text = path.read_text()
        lines = text.split("\n")
        module = parse(text)
        last = 0
        for operation in module.walk():
            assert 1 <= operation.first <= operation.last <= len(lines)
            assert operation.first > last, path
            last = operation.first
            begin = lines[operation.first - 1].strip()
            name = operation.name.removeprefix("builtin.").removeprefix("func.")
            assert name in begin, path
            assert operation.text.startswith(begin.split(" loc(")[0][:40])
            assert all(value.owner is operation for value in operation.results)
            assert all(operation in value.uses for value in operation.operands)
            assert all(value.owner is not None for value in operation.operands), path


# --- by hand --------------------------------------------------------------------------------------


def test_results_of_an_operation_are_not_given_to_the_one_before():
    module = parse("%0 = a.b 1 : i32\n%1:2, %2 = a.c %0 : i32\n%3 = a.d %1#1, %2\n")
    one, two, three = module.operations
    assert [value.name for value in two.results] == ["%1#0", "%1#1", "%2"]
    assert two.operands == [one.results[0]]
    assert three.operands == [two.results[1], two.results[2]]
    assert two.results[1].uses == [three]
    assert [value.line for value in two.results] == [2, 2, 2]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("%r = arith.addi %a, %b : i32", "i32"),
        ("%r = arith.cmpi slt, %a, %b : index", "i1"),
        ("%r = arith.cmpf ogt, %a, %b : tensor<4x?xf32>", "tensor<4x?xi1>"),
        ("%r = arith.index_cast %a : i32 to index", "index"),
        ("%r = arith.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>", "tensor<4xf32>"),
        ("%r = arith.constant dense<0.0> : tensor<4xf32>", "tensor<4xf32>"),
        ("%r = arith.constant true", "i1"),
        ("%r = arith.constant 5 : i8", "i8"),
        ("%r = memref.load %m[%i] : memref<4xvector<2xf32>, 1>", "vector<2xf32>"),
        ("%r = memref.dim %m, %i : memref<?xf32>", "index"),
        ("%r = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%a)[%b]", "index"),
        ("%r = memref.subview %m[%i] [4] [1] : memref<8xf32> to memref<4xf32>", "memref<4xf32>"),
        ("%r = bufferization.to_tensor %m restrict : memref<4xf32, #g.s<ub>>", "tensor<4xf32>"),
        ("%r = func.call @f(%a) : (i32, i64) -> memref<2x2xf16>", "memref<2x2xf16>"),
        ("%r = hivm.hir.get_block_idx -> i64", "i64"),
        ("%r = linalg.reduce {arith.addf} ins(%a : f32) outs(%b : tensor<f32>) -> tensor<f32>", 0),
        ("%r = llvm.getelementptr %p[%i] : (!llvm.ptr<6>, i64) -> !llvm.ptr<6>, f32", 0),
        ("%r = tt.load %p, %m : tensor<4x!tt.ptr<f32>>", "tensor<4xf32>"),
        ("%r = tt.addptr %p, %o : tensor<4x!tt.ptr<f32>>, tensor<4xi32>", 0),
        ("%r = memref_ext.alloc_workspace() from %w offset = [%i] : from i8 to memref<4xf32>", 0),
        ("%r = vector.transfer_read %m[%i], %z : memref<8xf32>, vector<4xf32>", "vector<4xf32>"),
        ('%r = "a.b"(%x) <{k = 1 : i8}> : (f32) -> tensor<1xf32, #e.f<"->">>', 0),
        ("%r = a.b %x : f32 loc(fused<{k = 1 : i8}>[unknown])", "f32"),
    ],
)
def test_the_type_of_a_result(text, type_):
    value = parse(text).operations[0].results[0]
    expected = {
        "linalg": "tensor<f32>",
        "llvm": "!llvm.ptr<6>",
        "tt": "tensor<4x!tt.ptr<f32>>",
        "memref_ext": "memref<4xf32>",
        "a": 'tensor<1xf32, #e.f<"->">>',
    }
    assert isinstance(value.owner, Operation)
    assert value.type == (type_ or expected[value.owner.dialect])


def test_a_dictionary_is_no_region():
    module = parse(
        "annotation.mark %a {hivm.multi_buffer = 2 : i32} : memref<4xf32>\n"
        "%r = linalg.reduce {arith.addf} ins(%a : f32) outs(%b : f32) dimensions = [1] {x.y}\n"
        '"a.b"() {\n  first = 1 : i8,\n  second\n} : () -> ()\n'
        "func.func private @f() attributes {\n  hacc.entry,\n  k = {l = [1]}\n}\n"
    )
    assert [operation.name for operation in module.walk()] == [
        "annotation.mark",
        "linalg.reduce",
        "a.b",
        "func.func",
    ]
    assert module.operations[0].attributes == {"hivm.multi_buffer": "2 : i32"}
    assert module.operations[2].attributes == {"first": "1 : i8", "second": ""}
    assert module.operations[3].attributes == {"hacc.entry": "", "k": "{l = [1]}"}
    assert module.operations[3].symbol == "f"


LOOPS = """\
func.func @f(%n: index, %t: tensor<4xf32> {a.b = "%no"}) -> (tensor<4xf32>, i32) {
  %c0 = arith.constant 0 : index
  %i:2 = scf.for %k = %c0 to %n step %n iter_args(%x = %t, %y = %one) -> (tensor<4xf32>, i32) {
    %u = arith.addf %x, %x : tensor<4xf32>
    scf.yield %u, %y : tensor<4xf32>, i32
  } {done = "}"}
  %r = scf.if %q -> (i32) {
    scf.yield %i#1 : i32
  } else {
    %k = arith.muli %i#1, %i#1 : i32
    scf.yield %k : i32
  }
  cf.br ^bb2(%late : i32)
^bb1(%z: i32):  // pred: ^bb2
  return %i#0, %z : tensor<4xf32>, i32
^bb2(%w: i32):
  %late = arith.addi %r, %w : i32
  cf.br ^bb1(%late : i32)
}
"""


def test_regions_blocks_and_arguments():
    module = parse(LOOPS.replace("%one", "%r0").replace("  %c0", "  %r0 = a.b : i32\n  %c0", 1))
    function = module.operations[0]
    assert [value.name for value in function.regions[0][0].arguments] == ["%n", "%t"]
    assert [value.type for value in function.regions[0][0].arguments] == ["index", "tensor<4xf32>"]
    assert [block.label for block in function.blocks] == ["", "^bb1", "^bb2"]
    loop = only(module, "scf.for")
    counter, x, y = loop.regions[0][0].arguments
    assert counter.initial is named(module, "%c0")
    assert x.initial is function.regions[0][0].arguments[1]
    assert (counter.type, x.type, y.type) == ("index", "tensor<4xf32>", "i32")
    assert loop.attributes == {"done": '"}"'}
    assert (loop.first, loop.last) == (4, 7)
    branch = only(module, "scf.if")
    assert [len(region[0].operations) for region in branch.regions] == [1, 2]
    late = named(module, "%late")
    assert [user.name for user in late.uses] == ["cf.br", "cf.br"]
    assert late.line == 18
    assert named(module, "%w").owner is function.regions[0][2]
    assert parse(LOOPS).operations[0].operands == []


def test_names_are_those_of_their_region():
    module = parse(
        "module {\n"
        "  func.func @f(%a: i32) {\n    %0 = x.y %a : i32\n    return\n  }\n"
        "  func.func @g(%a: i64) {\n    %0 = x.y %a : i64\n    x.z %0 : i64\n    return\n  }\n"
        "}\n"
    )
    first, second = (op for op in module.walk() if op.name == "x.y")
    assert first.operands[0] is not second.operands[0]
    assert not first.results[0].uses
    assert [op.name for op in second.results[0].uses] == ["x.z"]
    assert [function.symbol for function in module.functions] == ["f", "g"]
    assert second.parent.parent is module.functions[1]


def test_operands_by_the_word_before_them():
    text = "hivm.hir.vmul ins(%a, %b : f16, f16) outs(%c : f16) temp_buffer(%d : i8)"
    operation = parse(text).operations[0]
    assert [v.name for v in operation.group("ins")] == ["%a", "%b"]
    assert [v.name for v in operation.group("outs")] == ["%c"]
    assert [v.name for v in operation.group("temp_buffer")] == ["%d"]
    assert operation.group("into") == []


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ('loc("a/b.py":3:14)', Location("a/b.py", 3, 14)),
        ("loc(#loc)", Location("k.mlir", 1, 2)),
        ("loc(#loc9)", None),
        ("loc(unknown)", None),
        ('loc("name"(#loc))', Location("k.mlir", 1, 2)),
        ('loc(fused<"pass">["x.py":7:8, #loc])', Location("x.py", 7, 8)),
        ('loc(callsite("callee.py":1:1 at "caller.py":2:2))', Location("caller.py", 2, 2)),
        ("", None),
    ],
)
def test_locations(location, expected):
    text = f'%0 = a.b "loc(" : i32 {location}\n#loc = loc("k.mlir":1:2)\n#loc9 = loc(#loc9)\n'
    operation = parse(text).operations[0]
    assert operation.location == expected
    assert operation.headline == '%0 = a.b "loc(" : i32'


def test_locations_of_a_dump_are_lines_of_the_kernel():
    source = (KERNELS / "hivm_vadd.mlir").read_text().split("\n")
    module = recorded("vadd/AppendTargetDeviceSpec.located")
    for operation in module.walk():
        place = operation.location
        assert place is not None
        assert place.short == f"hivm_vadd.mlir:{place.line}:{place.column}"
        if operation.dialect == "hivm":
            assert operation.name in source[place.line - 1]


def test_aliases_stand_for_what_they_name():
    text = "!row = memref<4xf32, #ub>\n#ub = #hivm.address_space<ub>\nx.y %a : !row\n"
    module = parse(f"{text}%b = memref.alloc() : memref<4xf32, #ub>\n")
    assert module.aliases == {"!row": "memref<4xf32, #ub>", "#ub": "#hivm.address_space<ub>"}
    assert allocations(module)[0].memory == "UB"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 0),
        ("hello world\n", 1),
        ("while (1) {\n}\n", 1),
        ("module {\n  func.func @f() {\n    return\n", 2),
        ("module {\n  a b c\n}\n", 2),
        ("module {\n}\n}\n", 3),
        ("module {\n  x.y {a = [1, {b}\n}\n", 1),
        ('%0 = a.b : i32\n[ERROR] Failed to run "x"\n', 2),
    ],
)
def test_what_is_no_mlir_is_refused_with_its_line(text, line):
    with pytest.raises(MlirError, match=f"Line {line}: " if line else "no MLIR operation") as error:
        parse(text)
    assert error.value.line == line
    assert str(error.value).endswith(".")


def test_other_languages_are_refused():
    others = [path for path in DUMPS.rglob("*.cc*") if path.is_file()]
    assert len(others) > 10
    for path in others:
        with pytest.raises(MlirError):
            parse(path.read_text())


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.95])
def test_what_is_cut_off_is_read_as_far_as_it_goes(cut):
    text = text_of("mix/PlanMemory.pretty")
    part = text[: int(len(text) * cut)]
    with pytest.raises(MlirError):
        parse(part)
    module = parse(part, tolerant=True)
    assert module.unread
    whole = list(parse(text).walk())
    found = list(module.walk())
    assert len(found) > 10
    assert [(op.name, op.first) for op in found] == [(op.name, op.first) for op in whole][
        : len(found)
    ]


def test_lines_that_cannot_be_read_are_listed():
    text = text_of("vadd/PlanMemory.pretty").replace(
        "    hivm.hir.set_mask_norm\n", "    [NOTE] something else\n", 1
    )
    module = parse(text, tolerant=True)
    line = text[: text.index("[NOTE]")].count("\n") + 1
    assert module.unread == (line,)
    assert len(list(module.walk())) == len(list(recorded("vadd/PlanMemory.pretty").walk())) - 1


def test_a_deep_nest_is_refused_in_words():
    depth = 5000
    with pytest.raises(MlirError, match="nested too deeply"):
        parse("x.y {\n" * depth + "}\n" * depth)


def test_a_large_text_is_read_in_time(capsys):
    """4 MB of real functions, in one module; the speed is printed."""
    text = text_of("mix/PlanMemory.pretty")
    head, _, body = text.partition("{\n  func.func")
    functions = f"  func.func{body.rstrip().removesuffix('}')}"
    large = head + "{\n" + functions * (4_000_000 // len(functions)) + "}\n"
    started = time.process_time()
    module = parse(large)
    seconds = time.process_time() - started
    count = sum(1 for _ in module.walk())
    with capsys.disabled():
        print(f"\n{count:,} operations of {len(large) / 1e6:.1f} MB in {seconds:.2f} s")
    assert count > 20_000
    assert seconds < 4


# --- memories -------------------------------------------------------------------------------------


def test_the_buffers_of_a_placed_kernel():
    found = allocations(recorded("vadd/PlanMemory.located"))
    assert [(a.name, a.memory, a.bytes, a.offsets) for a in found] == [
        ("%0", "UB", 4096, (0,)),
        ("%1", "UB", 4096, (4096,)),
        ("%2", "UB", 4096, (0,)),
    ]
    assert {(a.function, a.dtype, a.shape) for a in found} == {("vadd", "f32", (1024,))}
    lines = text_of("vadd/PlanMemory.located").split("\n")
    source = (KERNELS / "hivm_vadd.mlir").read_text().split("\n")
    for allocation in found:
        assert "pointer_cast" in lines[allocation.line - 1]
        assert allocation.location is not None
        assert "memref.alloc" in source[allocation.location.line - 1]


def test_the_buffers_of_a_kernel_that_does_not_fit():
    found = allocations(recorded("vadd_32768/PlanMemory.located"))
    assert [(a.memory, a.bytes, a.offsets) for a in found] == [("UB", 131072, ())] * 3
    capacity = target_spec(recorded("vadd_32768/PlanMemory.located"))["UB_SIZE"]
    assert isinstance(capacity, int)
    assert sum(a.bytes or 0 for a in found) > capacity


def test_a_doubled_buffer_has_two_places():
    doubled = [a for a in allocations(recorded("mix/PlanMemory.pretty")) if len(a.offsets) > 1]
    assert doubled
    for allocation in doubled:
        assert len(set(allocation.offsets)) == 2


@pytest.mark.parametrize(
    ("form", "name"),
    [(form, name) for form in ("pretty", "generic") for name in ("vadd", "reduce", "mix")],
)
def test_ends_of_memories_are_those_of_the_planners_own_records(form, name):
    """max(offset + bytes) of the text, and of the JSON that the planner wrote beside it."""
    placed = allocations(recorded(f"{name}/PlanMemory.{form}"))
    compared = 0
    for path in (MLIR / name).glob("memory_info*.json"):
        described = json.loads(path.read_text())
        theirs: Counter[str] = Counter()
        for record in described["Record"]:
            for buffer in record["memory_info_array"]:
                space = buffer["buffer"].rpartition("address_space<")[2].partition(">")[0]
                end = max(buffer["offset"]) + buffer["extent"] // 8
                theirs[MEMORIES[space]] = max(theirs[MEMORIES[space]], end)
        ours: Counter[str] = Counter()
        for each in placed:  # the file is of one function, the last of its kind
            if each.function == described["Header"]["KernelName"] and each.offsets and each.bytes:
                ours[each.memory] = max(ours[each.memory], max(each.offsets) + each.bytes)
        assert ours == theirs
        compared += len(theirs)
    assert compared


def test_a_buffer_of_unknown_shape_is_as_large_as_the_compiler_bounds_it():
    module = parse(
        "%a = memref.alloc(%n) : memref<?x16xf32, #hivm.address_space<ub>>\n"
        "annotation.mark %a {buffer_size_in_byte = 65504 : i64} : memref<?x16xf32>\n"
        "%b = memref.alloc(%n) : memref<?xf32, #hivm.address_space<cbuf>>\n"
    )
    first, second = allocations(module)
    assert (first.bytes, first.shape, first.memory) == (65504, (None, 16), "UB")
    assert (second.bytes, second.memory) == (None, "L1")


@pytest.mark.parametrize(
    ("type_", "memory", "shape", "element", "size"),
    [
        ("memref<4x8xf16, #hivm.address_space<cc>>", "L0C", (4, 8), "f16", 64),
        ("memref<f32, #hivm.address_space<ub>>", "UB", (), "f32", 4),
        ("memref<16xi1, #hivm.address_space<ub>>", "UB", (16,), "i1", 2),
        ("memref<4x8xf32, strided<[16, 1]>, #hivm.address_space<cbuf>>", "L1", (4, 8), "f32", 224),
        ("memref<?x8xbf16, strided<[8, 1], offset: ?>>", "", (None, 8), "bf16", None),
        ("memref<2x3xf8E4M3FN, #hivm.address_space<ca>>", "L0A", (2, 3), "f8E4M3FN", 6),
        ("memref<3xindex, #hivm.address_space<cb>>", "L0B", (3,), "index", 24),
        ("tensor<4x!tt.ptr<f32>>", "", (4,), "!tt.ptr<f32>", None),
        ("memref<0xf32, #hivm.address_space<gm>>", "GM", (0,), "f32", 0),
        ("i32", "", (), "", None),
        ("!llvm.ptr<6>", "", (), "", None),
    ],
)
def test_types(type_, memory, shape, element, size):
    assert memory_of(type_) == memory
    assert shape_of(type_) == shape
    assert element_type(type_) == element
    assert bytes_of(type_) == size


def test_constants():
    for form in ("pretty", "generic"):
        module = recorded(f"vadd/PlanMemory.{form}")
        numbers = {constant(v) for op in module.walk() for v in op.results} - {None}
        assert numbers == {0, 1024, 4096, 1048576}


def test_what_the_compiler_says_of_the_chip():
    for form in ("pretty", "generic", "located"):
        found = target_spec(recorded(f"vadd/PlanMemory.{form}"))
        assert found["UB_SIZE"] == 192 * 1024
        assert found["L1_SIZE"] == 512 * 1024
        assert (found["L0A_SIZE"], found["L0B_SIZE"], found["L0C_SIZE"]) == (65536, 65536, 131072)
        assert (found["UB_ALIGN_SIZE"], found["L0C_ALIGN_SIZE"]) == (32, 512)
        assert (found["AI_CORE_COUNT"], found["VECTOR_CORE_COUNT"]) == (24, 48)
    assert target_spec(recorded("vadd/PlanMemory.function")) == {}


def test_the_chip_is_that_of_the_measured_table():
    table = FACTS / "ascendnpu_ir_targets.csv"
    if not table.is_file():
        pytest.skip(f"no measured facts at {FACTS}")
    with table.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if "Ascend910B1" in row.values()]
    assert rows
    ours = target_spec(recorded("vadd/PlanMemory.pretty"))
    for name, value in rows[0].items():
        if name.endswith("_SIZE") and value:
            assert ours[name] == int(value) // 8
        elif name.endswith("_COUNT") and value:
            assert ours[name] == int(value)


def test_walking_visits_each_operation_once_and_in_order():
    module = recorded("mix/PlanMemory.pretty")
    lines = [operation.first for operation in mlir.walk(module.operations)]
    assert lines == sorted(set(lines))
