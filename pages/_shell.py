"""Around every page: title, theme-wide style, navigation. Home is the Library."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

_ROOT = str(Path(__file__).resolve().parent.parent)
if _ROOT not in sys.path:  # the script's own folder is on the path, the project's is not always
    sys.path.insert(0, _ROOT)

from pages import _address, _style  # noqa: E402

_ICON = Path(__file__).with_name("_icon.svg")

# A file of ours, not a Material name: Streamlit would have the browser fetch that from the web.
st.set_page_config(page_title="Tilescope", page_icon=str(_ICON), layout="wide")
st.logo(str(_ICON), size="small")
_style.apply()

page = st.navigation(
    [
        st.Page("library.py", title="Library", icon=":material/inventory_2:", default=True),
        st.Page(
            "capture.py", title="Capture", icon=":material/center_focus_strong:", url_path="capture"
        ),
        st.Page("passes.py", title="Passes", icon=":material/layers:", url_path="passes"),
        st.Page("tiling.py", title="Tiling", icon=":material/grid_on:", url_path="tiling"),
        st.Page("rerun.py", title="Re-run", icon=":material/replay:", url_path="rerun"),
        st.Page("why.py", title="Why", icon=":material/troubleshoot:", url_path="why"),
        st.Page("sweep.py", title="Sweep", icon=":material/apps:", url_path="sweep"),
        st.Page("devices.py", title="Devices", icon=":material/devices:", url_path="devices"),
        st.Page(
            "compare.py", title="Compare", icon=":material/compare_arrows:", url_path="compare"
        ),
    ],
    position="top",
)
_address.visit(page.url_path)
page.run()
