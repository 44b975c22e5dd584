"""The graph of the pass that the address names, and what the page was told by it."""

from __future__ import annotations

import streamlit as st

from pages import _address as address
from pages import _graph
from pages import _rooms as rooms


def follow(name: str, line: int) -> None:
    st.session_state["told"] = f"follow {name} from {line}"


def find(name: str) -> None:
    st.session_state["told"] = f"find {name}"


st.set_page_config(layout="wide")
id = st.query_params["trace"]
index = int(st.query_params["pass"])
trace = rooms.library().trace(id)
line = address.number("line", f"{id}:{index}", 0)
st.caption(f"line {line}; {st.session_state.get('told', 'nothing')}")
if index < len(trace.passes):
    _graph.show(id, trace, trace.passes[index], line, on_follow=follow, on_find=find)
else:
    _graph.show_code(id, trace, line, on_follow=follow, on_find=find)
