"""Lines of networks and what they became in the emitted code, in both directions."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.analysis.lines import became, of_source, operators_at, operators_of
from core.capture import Input, capture
from core.trace import Status
from tests.conftest import PROJECT

NETWORKS = PROJECT / "data" / "networks"
#: Network, inputs, the operator of whose kernel is looked at.
CASES = [
    ("mlp.py", "MLP", [Input((32, 64), "float32")], "Tanh"),
    ("losses.py", "FocalLoss", [Input((64, 80), "float32")] * 2, "Log"),
    ("voxels.py", "VoxelPool", [Input((256, 16), "float32"), Input((256,), "int32")], "Maximum"),
]


@pytest.mark.parametrize(("file", "name", "inputs", "operator"), CASES)
def test_a_line_leads_to_instructions_and_they_lead_back(
    file, name, inputs, operator, tmp_path, compile_kernel
):
    made = capture(NETWORKS / file, name, inputs, tmp_path)
    captured = next(
        each for each in made.kernels if any(o.operator == operator for o in each.origins)
    )
    opened = compile_kernel(captured.kernel)
    assert opened.trace.status is Status.OK_TO_LAST_STEP
    found = became(opened.trace, opened.texts, captured.kernel)
    code = opened.texts.get(opened.trace.code).splitlines()
    source = Path(NETWORKS / file).read_text().splitlines()

    asked = next(each for each in found if each.operator.operator == operator)
    line = asked.operator.line
    assert source[line.line - 1].strip() == line.text
    forward = of_source(found, line)
    assert asked in forward
    assert asked.written, asked.ends
    for number in asked.written:
        assert any(buffer in code[number - 1] for buffer in asked.names)
        assert asked in operators_at(found, number)  # an instruction leads back
    for buffer in asked.names:
        assert asked in operators_of(found, buffer)  # so does a buffer
    # Every operator that is led to a line is found in the code, or says why not.
    assert all(each.written or each.ends for each in found)
    assert sum(bool(each.written) for each in found) >= len(found) * 0.6


def test_a_kernel_without_lines_has_none(compile_kernel, tmp_path):
    from core.kernel import load_kernel
    from tests.conftest import KERNELS

    kernel = load_kernel(KERNELS / "transpose.json")
    opened = compile_kernel(kernel)
    assert became(opened.trace, opened.texts, kernel) == ()
