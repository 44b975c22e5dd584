"""What the theme cannot say: margins of a page that is open all day, tabular figures."""

from __future__ import annotations

import streamlit as st

# Selectors are Streamlit's documented test ids; everything still reads well without them.
_CSS = """
<style>
[data-testid="stMainBlockContainer"] { padding-left: 1.25rem; padding-right: 1.25rem; }
[data-testid="stHeader"] { height: 2.9rem; min-height: 2.9rem; }
[data-testid="stVerticalBlock"] { gap: 0.6rem; }
[data-testid="stMarkdownContainer"] code, .ts { font-variant-numeric: tabular-nums; }
[data-testid="stAlertContainer"] { padding: 0.45rem 0.75rem; }
.ts-name { font-size: 1.02rem; font-weight: 600; white-space: nowrap; }
.ts-small { font-size: 0.86rem; opacity: 0.75; white-space: nowrap; }
.ts-cut { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ts-about { font-size: 0.86rem; line-height: 1.15rem; opacity: 0.75; }
.ts-did { font-size: 0.86rem; line-height: 1.15rem; font-weight: 600; }
.ts-wrong { color: #d64545; opacity: 1; }
span.ts-cut { display: block; }
dl.ts-said { display: grid; grid-template-columns: max-content 1fr; gap: 0.3rem 0.9rem; margin: 0;
  padding: 0; font-size: 0.92rem; line-height: 1.25rem; }
.ts-said dt { opacity: 0.65; }
.ts-said dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.ts-said ul { margin: 0; padding-left: 1.05rem; }
dl.ts-said ul li { font-size: 0.92rem; line-height: 1.25rem; margin: 0; }
.ts-cause { font-size: 0.95rem; line-height: 1.3rem; }
.ts-source { font-size: 0.82rem; opacity: 0.65; }
.st-key-header-failure { flex-wrap: nowrap; }
.st-key-header-failure > div:last-child { flex: 0 0 auto; width: auto; }
.st-key-header-line, .st-key-passes-find, .st-key-passes-heading,
.st-key-passes-wrong, .st-key-passes-about { flex-wrap: nowrap; }
.st-key-header-line > div, .st-key-passes-find > div, .st-key-passes-heading > div,
.st-key-passes-wrong > div, .st-key-passes-about > div { min-width: 0; }
.st-key-header-line > [data-testid="stElementContainer"]:has(.stSelectbox) { flex: 0 1 420px; }
.st-key-panel button { text-transform: capitalize; padding-left: 0.6rem; padding-right: 0.6rem; }
.st-key-panel button:last-of-type::after { margin-left: 0.35rem; padding: 0 0.3rem;
  border-radius: 0.5rem; font-size: 0.72rem; color: #fff; }
.ts-table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 0.86rem;
  font-variant-numeric: tabular-nums; }
.ts-table th { text-align: left; font-weight: 600; opacity: 0.7; }
.ts-table th, .ts-table td { padding: 2px 6px 2px 0; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; border-bottom: 1px solid rgba(138, 143, 152, 0.22); }
.ts-table th.ts-wide { width: 32%; }
.ts-table td:first-child { opacity: 0.75; }
.ts-table tr.ts-changed td { font-weight: 600; opacity: 1; }
.ts-table tr.ts-changed td:last-child { box-shadow: inset 3px 0 0 -1px #c98a00; padding-left: 8px; }
.ts-rates { margin-bottom: 0.4rem; }
.ts-rates td { padding-top: 5px; padding-bottom: 5px; }
.ts-rates td:first-child { opacity: 1; }
.ts-rates td.ts-of { opacity: 0.75; }
.ts-bar { display: block; height: 0.55rem; border-radius: 0.3rem; overflow: hidden;
  background: rgba(138, 143, 152, 0.22); }
.ts-bar i { display: block; height: 100%; }
.ts-listing { font-family: var(--font-mono, monospace); font-size: 0.8rem; line-height: 1.2rem;
  max-height: 26rem; overflow: auto; border: 1px solid rgba(138, 143, 152, 0.22); padding: 4px 0; }
.ts-line { white-space: pre; padding: 0 8px; }
.ts-line.ts-marked { background: rgba(201, 138, 0, 0.16); box-shadow: inset 3px 0 0 -1px #c98a00; }
.ts-number { display: inline-block; width: 2.2rem; opacity: 0.5; user-select: none; }
</style>
"""


def apply() -> None:
    """Put the style on the page."""
    st.html(_CSS)
