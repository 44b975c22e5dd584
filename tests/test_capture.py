"""Networks captured by the real MindSpore: kernels, where each comes from, what is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.capture import CaptureError, Input, Options, capture, parse_input
from core.capture.retarget import retargeted
from core.hints import Hints, parse_dim
from core.ir import anf
from core.readers import Opened, open_trace
from core.trace import Status
from tests.conftest import PROJECT

NETWORKS = PROJECT / "data" / "networks"
NO_HINTS = Hints()


@pytest.fixture(scope="module")
def perceptron(tmp_path_factory):
    folder = tmp_path_factory.mktemp("perceptron")
    return capture(NETWORKS / "mlp.py", "MLP", [parse_input("32x64")], folder, Options(level=3))


@pytest.fixture(scope="module")
def graphs(perceptron) -> Opened:
    return open_trace(perceptron.graphs)


def test_a_network_becomes_kernels_that_compile_for_ascend(perceptron, compile_all):
    assert (perceptron.kind, perceptron.problem) == ("cell", "")
    kernels = [each.kernel for each in perceptron.kernels]
    assert len(kernels) == 9
    assert not any(each.problem for each in perceptron.kernels)
    some = [k for k in kernels if "ReduceMax" not in k.name][:3]
    statuses = [opened.trace.status for opened in compile_all([(k, NO_HINTS) for k in some])]
    assert statuses == [Status.OK_TO_LAST_STEP] * 3


def test_every_operator_is_led_back_to_the_line_that_it_stands_for(perceptron):
    origins = [origin for each in perceptron.kernels for origin in each.origins]
    source = (NETWORKS / "mlp.py").read_text().splitlines()
    assert all(origin.line is not None for origin in origins)
    for origin in origins:
        assert source[origin.line.line - 1].strip() == origin.line.text
    by_operator = {o.expanded: o.line.text for o in origins if o.expanded}
    assert by_operator.keys() == {"BiasAdd", "GeLU", "LayerNorm", "Softmax"}
    assert by_operator["Softmax"].startswith("return self.softmax")
    assert by_operator["GeLU"] == by_operator["LayerNorm"]


def test_what_is_not_fused_is_listed_with_its_line(perceptron):
    (product,) = perceptron.library
    assert (product.operator, product.times) == ("MatMul", 2)
    assert "self.first(x)" in product.line.text


def test_what_was_changed_for_ascend_is_said(perceptron):
    largest = next(each for each in perceptron.kernels if "ReduceMax" in each.kernel.name)
    assert any("attribute axis" in sentence for sentence in largest.conversions)
    before, after = json.loads(largest.original), json.loads(largest.kernel.source)
    assert (before["version"], after["version"]) == (2, 1)
    assert (before["process"], after["process"]) == ("cpu", "aicore")
    assert after["op_desc"][0]["attr"][-1]["name"] == "axis"


def test_a_cast_without_a_type_takes_that_of_its_result():
    kernel = {
        "version": 2,
        "process": "cpu",
        "op_desc": [
            {
                "name": "Cast",
                "attr": None,
                "input_desc": [[{"shape": [8], "data_type": "float16", "tensor_name": "a"}]],
                "output_desc": [{"shape": [8], "data_type": "float32", "tensor_name": "b"}],
            }
        ],
    }
    text, said = retargeted(json.dumps(kernel))
    (attribute,) = json.loads(text)["op_desc"][0]["attr"]
    assert attribute == {"data_type": "str", "name": "dst_type", "value": "float32"}
    assert any("dst_type was missing" in sentence for sentence in said)


def test_its_graphs_open_as_a_trace_in_the_order_of_the_run(graphs):
    trace = graphs.trace
    assert (trace.compiler.name, trace.kernel) == ("mindspore", "mlp_MLP")
    stages = list(dict.fromkeys(step.stage for step in trace.passes))
    assert {"frontend", "optimize", "backend", "graph kernel", "actors"} <= set(stages)
    assert len(trace.passes) > 300
    assert len(trace.changed) < len(trace.passes) / 8
    changed = {step.name for step in trace.changed}
    assert {"graph_kernel_expander", "graph_kernel_cluster", "graph_kernel_splitter"} <= changed
    splitter = next(step for step in trace.passes if step.name == "graph_kernel_splitter")
    assert splitter.argument == "split.graph_kernel_splitter"  # as a switch names it


def test_every_node_count_is_that_of_the_file(graphs):
    counted = 0
    for step in graphs.trace.passes:
        if step.language == "anf":
            module = anf.parse(graphs.texts.get(step.text))
            assert module.nodes == module.declared_nodes, step.name
            counted += 1
    assert counted > 300


def test_a_constant_may_reach_over_lines():
    text = """# IR entry: @main
Total number of cnodes: 2
subgraph attr:
subgraph instance: main : 0x55ba8a5ac050
subgraph @main(%para1_x) {
  %0(CNode_1) = PrimFunc_Add(%para1_x, Tensor(shape=[2, 2], dtype=Float32, value=
[[ 1.0 1.0]
 [ 2.0 2.0]])) {instance name: add} cnode_attrs: {expand_from: "GeLU"}
      : (<Tensor[Float32], (2, 2)>, <Tensor[Float32], (2, 2), value=...>) -> (<Tensor[Float32], (2, 2)>)
      # Fullname with scope: (Default/Add-op0)
      # In file net.py:3~9, 4~16/    def construct(self, x):/
      # In file net.py:7, 15~20/        return x + self.weights/
  Return(%0)
      : (<Tensor[Float32], (2, 2)>)
}
"""  # noqa: E501
    module = anf.parse(text)
    assert (module.nodes, module.declared_nodes) == (2, 2)
    (graph,) = module.graphs
    add = graph.nodes[0]
    assert (add.operator, add.inputs, add.scope) == ("Add", ("para1_x",), "Default/Add-op0")
    assert add.attributes == {"instance name": "add", "expand_from": '"GeLU"'}
    assert add.type == "(<Tensor[Float32], (2, 2)>)"
    assert [(place.line, place.text.strip()) for place in add.places][-1] == (
        7,
        "return x + self.weights",
    )
    assert (add.line, add.last) == (5, 11)


def test_renumbered_graphs_have_one_shape():
    first = "# IR entry: @3_f_12\nsubgraph @3_f_12(%para1_x) {\n  %0(CNode_7) = Exp(%para1_x)\n}\n"
    second = first.replace("3_f_12", "9_f_80").replace("CNode_7", "CNode_99")
    other = first.replace("Exp", "Log")
    shapes = [anf.shape_of(anf.parse(text)) for text in (first, second, other)]
    assert shapes[0] == shapes[1] != shapes[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("32x64", Input((32, 64), "float32")),
        ("4,128:int32", Input((4, 128), "int32")),
        ("64:float16", Input((64,), "float16")),
        (":float32", Input((), "float32")),
    ],
)
def test_inputs_as_people_write_them(text, expected):
    assert parse_input(text) == expected


@pytest.mark.parametrize("text", ["", "32xx64", "32x64:float17", "0x4", "x"])
def test_what_is_no_input_is_refused(text):
    with pytest.raises(CaptureError):
        parse_input(text)


@pytest.mark.parametrize(
    ("source", "name", "says"),
    [
        ("x = 1 +", "net", "is no Python that runs: line 1"),
        ("raise RuntimeError('no weights')", "net", "fails when it is imported: RuntimeError"),
        ("def other(): pass", "net", "it defines: other"),
    ],
)
def test_a_file_that_is_no_network_gets_one_sentence(source, name, says, tmp_path):
    (tmp_path / "net.py").write_text(source)
    folder = tmp_path / "left"
    folder.mkdir()
    with pytest.raises(CaptureError, match=says):
        capture(Path(tmp_path / "net.py"), name, [], folder)


def test_a_kernel_function_is_one_kernel_whose_hints_are_honoured(tmp_path, compile_kernel):
    made = capture(NETWORKS / "hybrid.py", "row_sum", [Input((64, 256), "float32")], tmp_path)
    assert made.kind == "kernel"
    (captured,) = made.kernels
    assert captured.lines[0].line == 8
    plain = compile_kernel(captured.kernel).trace
    tiled = compile_kernel(captured.kernel, Hints(parse_dim("0 0 16 16 0 1 64 64"))).trace
    assert (plain.block_dim, tiled.block_dim) == (1, 4)
    assert [axis.tile for axis in tiled.tiling.axes] == [16, 64]


def test_a_kernel_function_that_does_not_run_gets_one_sentence(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("@kernel\ndef double(a):\n    return a * missing\n")
    with pytest.raises(CaptureError, match="NameError"):
        capture(file, "double", [Input((4,), "float32")], tmp_path)


def test_a_type_that_is_written_as_a_number_is_named():
    kernel = {
        "version": 2,
        "process": "cpu",
        "op_desc": [
            {
                "name": "Cast",
                "attr": [{"data_type": "int", "name": "dst_type", "value": 42}],
                "input_desc": [[{"shape": [8], "data_type": "float32", "tensor_name": "a"}]],
                "output_desc": [{"shape": [8], "data_type": "float16", "tensor_name": "b"}],
            }
        ],
    }
    text, _ = retargeted(json.dumps(kernel))
    (attribute,) = json.loads(text)["op_desc"][0]["attr"]
    assert attribute == {"data_type": "str", "name": "dst_type", "value": "float16"}
