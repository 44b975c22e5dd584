"""Devices: one kernel for Ascend beside the processor and a GPU, and why their results differ."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.analysis.summation import Order, estimate
from core.kernel import Kernel
from core.readers import Opened
from core.reference import Difference
from core.trace import Trace
from core.views.devices import Device, diagram, facts, lines_of, order_of, row_terms
from core.views.wording import count
from pages import _devices as devices
from pages import _header as header
from pages import _rooms as rooms
from pages._table import table

_ROWS, _SEED = 256, 0


def main() -> None:
    id, trace = header.open_trace("devices")
    kernel = rooms.library().kernel(id)
    if kernel is None or kernel.kind != "composite":
        st.info(
            "Only fused kernels, described as composite JSON, can be compiled for other devices; "
            "open a trace of one.",
            icon=":material/devices:",
        )
        return
    code = rooms.library().get(trace.code) if trace.code and trace.status.compiles else ""
    ready = devices.others(kernel, code, trace.block_dim or 1) is not None
    st.fragment(run_every=None if ready else 0.5)(_show)(trace, kernel, code, ready)


def _show(trace: Trace, kernel: Kernel, code: str, ready: bool) -> None:
    found = devices.others(kernel, code, trace.block_dim or 1)
    if found is None:
        st.markdown(
            ":material/progress_activity: The kernel is compiled for the processor and for a GPU, "
            "and run…"
        )
        return
    if not ready:
        st.rerun()  # of the whole page: only there can the polling end
    listed = [
        Device("Ascend", trace, code),
        _device("CPU", found.cpu),
        _device("GPU", found.gpu),
    ]
    _compared(listed, found)
    _right_or_wrong(found)
    _orders(kernel, listed)


def _device(name: str, opened: Opened | str) -> Device:
    if isinstance(opened, str):
        return Device(name, None, problem=opened)
    trace = opened.trace
    return Device(name, trace, opened.texts.get(trace.code) if trace.code else "")


def _compared(listed: list[Device], found: devices.Others) -> None:
    titles = {
        "Ascend": "Ascend (this trace)",
        "CPU": "this processor (MindSpore's compiler, machine code)",
        "GPU": "GPU, sm_80 (MindSpore's compiler, CUDA text)",
    }
    texts = {"Ascend": rooms.library(), "CPU": found.cpu, "GPU": found.gpu}
    for device, column in zip(listed, st.columns(3, gap="medium"), strict=True):
        with column:
            st.html(f'<div class="ts-did">{titles[device.name]}</div>')
            source = texts[device.name]
            kept = source.texts if isinstance(source, Opened) else rooms.library()
            table(["", "value"], facts(device, kept))
            if device.code:
                with st.expander("Emitted code"):
                    st.code(device.code, language="c", height=300)


def _right_or_wrong(found: devices.Others) -> None:
    st.html('<div class="ts-did">Right or wrong: random inputs, against the description</div>')
    rows = [
        *_verdict("Ascend, emulated", found.emulated),
        *_verdict("this processor, run", found.ran.problem or found.ran.differences),
    ]
    table(
        ["device", "output", "verdict", "largest difference", "wrong elements", "where"],
        rows,
        wide="verdict",
    )
    st.caption(
        "The description is worked out in float64. Ascend's code is run in an emulator of the "
        "vector unit: exact but for the order inside vcadd (a tree) and the approximations of "
        "vexp, vln and vsqrt. A difference counts as wrong beyond what rounding may explain."
    )


def _verdict(device: str, found: tuple[Difference, ...] | str) -> list[tuple[str, ...]]:
    if isinstance(found, str):
        return [(device, "", f"not told: {found}", "", "", "")]
    return [
        (
            device,
            each.output,
            "right" if each.agrees else "WRONG",
            f"{each.largest:.3g} ({each.steps:.1f} steps of {each.dtype})",
            count(each.wrong),
            "" if each.agrees else f"{list(each.at)}: {each.got:.6g} for {each.right:.6g}",
        )
        for each in found
    ]


def _orders(kernel: Kernel, listed: list[Device]) -> None:
    asked = row_terms(kernel)
    st.html('<div class="ts-did">In which order a row is summed, and in which precision</div>')
    if asked is None:
        st.caption(
            "This kernel has no single sum along its last axis, so there is no order to compare."
        )
        return
    terms, result = asked
    orders: list[Order] = []
    for device in (listed[0], listed[2]):
        order = order_of(device, terms, result)
        st.markdown(f"**{device.name}**")
        if isinstance(order, str):
            st.caption(header.escaped(order))
            continue
        orders.append(order)
        st.markdown(header.escaped(order.words))
        st.graphviz_chart(diagram(order))
        st.code(
            "\n".join(f"{line:5}  {text}" for line, text in lines_of(device.code, order.levels)),
            language=None,
        )
        if order.note:
            st.caption(header.escaped(order.note))
    if len(orders) == 2:
        _estimated(orders[0], orders[1], terms)
    st.caption(
        "Hints cannot make the orders equal: no compiler here has one for the order inside a "
        "reduction. A tile as long as the row leaves one level less on Ascend."
    )


def _estimated(first: Order, second: Order, terms: int) -> None:
    seed = st.number_input("Seed of the numbers", 0, 10_000, _SEED, key="devices:seed")
    values = np.random.default_rng(int(seed)).standard_normal((_ROWS, terms))
    rows = values.astype(first.result)
    found = estimate(first, second, rows)
    st.markdown(
        f"On {found.rows} rows of {terms:,} random numbers in {first.result} the two orders differ "
        f"by **{found.largest:.3g}** at most; against the exact sum {first.device} is off by "
        f"{found.first_error:.3g}, the {second.device} by {found.second_error:.3g}."
    )


main()
