"""The hints of a trace as a form: fields per tile and attribute, and the same as text, in step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import groupby

import streamlit as st

from core.analysis.tiling import asked_attributes, units, uses_cube
from core.compilers.registry import COMPILERS
from core.hints import WHOLE_AXIS, HintError, Hints, HintSpec, HintValue, Tile, parse_dim
from core.trace import Axis, Trace
from core.views.wording import axis_label, count, tile_text
from pages import _header as header

_EFFECT = {
    "unsafe": (":red-badge[unsafe]", "may make wrong code or crash the compiler"),
    "overwritten": (":orange-badge[overwritten]", "the compiler sets it itself"),
    "ignored": (":gray-badge[ignored]", "seen to do nothing"),
    "honoured": ("", ""),
}


class Form:
    """The hints of one trace being edited. Session state holds the `dim` text and the attributes;
    the tile fields and the raw text are views of them, kept in step by their callbacks."""

    def __init__(self, id: str, trace: Trace) -> None:
        self.id, self.trace = id, trace
        self.catalogue = (
            COMPILERS[trace.compiler.name].catalogue if (trace.compiler.name in COMPILERS) else ()
        )
        self._scope = f"rerun:{id}"
        if self._key("dim") not in st.session_state:
            asked = trace.hints.asked.get("dim")
            self._set_dim(asked if isinstance(asked, str) else "")
            self._set_attributes(asked_attributes(trace))

    # The value

    @property
    def dim(self) -> str:
        return str(st.session_state[self._key("dim")]).strip()

    @property
    def attributes(self) -> dict[str, HintValue]:
        return dict(st.session_state[self._key("attributes")])

    def hints(self) -> Hints:
        """What the form asks for. Raises HintError."""
        return Hints(parse_dim(self.dim) if self.dim else (), self.attributes)

    def _key(self, name: str) -> str:
        return f"{self._scope}:{name}"

    def _set_dim(self, text: str) -> None:
        st.session_state[self._key("dim")] = text
        try:
            tiles = {(t.band, t.axis): t for t in parse_dim(text)}
        except HintError:
            return  # the tile fields keep what they show until the text can be read
        for axis in self.trace.tiling.axes:
            tile = tiles.get((axis.band, axis.axis))
            outer = None if tile is None or tile.outer >= WHOLE_AXIS else tile.outer
            st.session_state[self._tile_key(axis)] = outer
            st.session_state[self._tile_key(axis, "inner")] = tile.inner if tile else None

    def _set_attributes(self, attributes: Mapping[str, HintValue]) -> None:
        st.session_state[self._key("attributes")] = dict(attributes)
        st.session_state[self._key("raw")] = (
            json.dumps(dict(attributes), indent=2) if (attributes) else ""
        )
        for spec in self.catalogue:
            st.session_state[self._key(f"hint:{spec.name}")] = _shown(
                spec, attributes.get(spec.name)
            )

    def _tile_key(self, axis: Axis, level: str = "outer") -> str:
        return self._key(f"tile:{axis.band}:{axis.axis}:{level}")

    # The views

    def draw(self) -> None:
        self._tiles()
        self._text()
        self._hints()

    def _tiles(self) -> None:
        st.markdown("##### Tiles")
        axes = self.trace.tiling.axes
        if not axes:
            st.caption("This trace does not say which axes there are; write the dim text below.")
            return
        if len(units(self.trace)) > 1:
            st.caption("Sub-kernels have axes of their own; write the dim text below.")
            return
        bands = len({axis.band for axis in axes})
        cube = uses_cube(self.trace)
        for start in range(0, len(axes), 4):
            row = axes[start : start + 4]
            for axis, column in zip(row, st.columns(4), strict=False):
                with column:
                    self._tile_field(axis, bands, cube)

    def _tile_field(self, axis: Axis, bands: int, cube: bool) -> None:
        extent = "" if axis.extent is None else f" of {count(axis.extent)}"
        st.number_input(
            f"{axis_label(axis, bands)}{extent}",
            min_value=1,
            value=None,
            step=1,
            key=self._tile_key(axis),
            placeholder="automatic",
            help=f"This trace uses {tile_text(axis.tile, axis.extent)}.",
            on_change=self._tiles_changed,
        )
        if cube:
            st.number_input(
                f"L0 tile, {axis_label(axis, bands)}",
                min_value=1,
                value=None,
                step=1,
                key=self._tile_key(axis, "inner"),
                placeholder="L0: 1",
                label_visibility="collapsed",
                help="The tile of the L0 level, for the cube unit.",
                on_change=self._tiles_changed,
            )

    def _tiles_changed(self) -> None:
        tiles = []
        for axis in self.trace.tiling.axes:
            outer = st.session_state.get(self._tile_key(axis))
            inner = st.session_state.get(self._tile_key(axis, "inner"))
            if outer is not None or inner is not None:
                tiles.append(Tile(axis.band, axis.axis, outer or WHOLE_AXIS, inner or 1))
        st.session_state[self._key("dim")] = Hints(tuple(tiles)).dim

    def _text(self) -> None:
        st.text_input(
            "dim text: band axis c1 c0 for each axis",
            key=self._key("dim"),
            placeholder="empty: the compiler tiles by itself",
            help=(
                "The same as the fields above. An axis between two that have a tile is left whole: "
                "the compiler reads entries by their position."
            ),
            on_change=lambda: self._set_dim(self.dim),
        )
        try:
            parse_dim(self.dim)
        except HintError as wrong:
            st.error(header.escaped(str(wrong)), icon=":material/edit:")

    def _hints(self) -> None:
        st.markdown("##### Attributes")
        by_group = sorted(self.catalogue, key=lambda s: _first_of_group(self.catalogue, s.group))
        asked = self.attributes
        for group, specs in groupby(by_group, key=lambda spec: spec.group):
            kept = [spec for spec in specs if spec.kind != "dim"]
            if not kept:
                continue
            used = sum(spec.name in asked for spec in kept)
            label = f"{group}, {used} set" if used else group
            with st.expander(label, expanded=bool(used), key=self._key(f"group:{group}")):
                for spec in kept:
                    self._hint(spec)
        st.text_area(
            "All attributes as JSON",
            key=self._key("raw"),
            height=120,
            placeholder='{"enable_multicore": 0}',
            help="The same as the fields above; also takes attributes that the form does not know.",
            on_change=self._raw_changed,
        )
        problem = st.session_state.get(self._key("problem"))
        if problem:
            st.error(header.escaped(problem), icon=":material/edit:")

    def _hint(self, spec: HintSpec) -> None:
        key = self._key(f"hint:{spec.name}")
        badge, why = _EFFECT[spec.effect]
        name, field = st.columns([6.2, 3.8], vertical_alignment="center")
        default = "the compiler's" if spec.default is None else _word(spec.default)
        name.markdown(f"`{spec.name}` {badge}", help=why or None)
        with field:
            if spec.kind == "bool":
                st.selectbox(
                    spec.name,
                    ["default", "on", "off"],
                    key=key,
                    label_visibility="collapsed",
                    format_func=lambda v: f"default ({default})" if v == "default" else str(v),
                    on_change=self._hint_changed,
                    args=(spec,),
                )
            elif spec.kind == "int":
                st.number_input(
                    spec.name,
                    min_value=spec.minimum,
                    max_value=spec.maximum,
                    value=None,
                    step=1,
                    key=key,
                    placeholder=f"default ({default})",
                    label_visibility="collapsed",
                    on_change=self._hint_changed,
                    args=(spec,),
                )
            else:
                st.text_input(
                    spec.name,
                    key=key,
                    placeholder=f"default ({default})",
                    label_visibility="collapsed",
                    on_change=self._hint_changed,
                    args=(spec,),
                )
        st.caption(header.escaped(spec.does))

    def _hint_changed(self, spec: HintSpec) -> None:
        attributes = self.attributes
        value = _asked(spec, st.session_state[self._key(f"hint:{spec.name}")])
        if value is None:
            attributes.pop(spec.name, None)
        else:
            attributes[spec.name] = value
        self._set_attributes(attributes)
        st.session_state[self._key("problem")] = ""

    def _raw_changed(self) -> None:
        text = str(st.session_state[self._key("raw")]).strip()
        try:
            attributes = read_attributes(text)
        except HintError as wrong:
            st.session_state[self._key("problem")] = str(wrong)
            return
        st.session_state[self._key("problem")] = ""
        dim = attributes.pop("dim", None)
        if isinstance(dim, str):
            self._set_dim(dim)
        self._set_attributes(attributes)

    @property
    def problem(self) -> str:
        """Why the form cannot be run as it is; "" where it can."""
        held = st.session_state.get(self._key("problem"))
        if held:
            return str(held)
        try:
            self.hints()
        except HintError as wrong:
            return str(wrong)
        return ""

    def reset(self, dim: str = "", attributes: Mapping[str, HintValue] | None = None) -> None:
        """Ask for something else altogether; from a callback."""
        self._set_dim(dim)
        self._set_attributes(attributes or {})
        st.session_state[self._key("problem")] = ""


def read_attributes(text: str) -> dict[str, HintValue]:
    """Attributes from JSON. Raises HintError saying what cannot be read."""
    if not text:
        return {}
    try:
        value = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise HintError(
            f"The attributes are not JSON: {wrong.msg}, line {wrong.lineno} column {wrong.colno}."
        ) from None
    if not isinstance(value, dict):
        raise HintError('The attributes must be an object: {"name": value, …}.')
    for name, each in value.items():
        if not isinstance(each, bool | int | float | str):
            raise HintError(f"The value of {name!r} must be a number, a text, true or false.")
    return value


def _first_of_group(catalogue: Iterable[HintSpec], group: str) -> int:
    return next(i for i, spec in enumerate(catalogue) if spec.group == group)


def _shown(spec: HintSpec, value: HintValue | None) -> object:
    """A value as the field of its kind shows it."""
    if spec.kind == "bool":
        return "default" if value is None else "on" if value else "off"
    if spec.kind == "int":
        return int(value) if isinstance(value, bool | int | float) else None
    return "" if value is None else str(value)


def _asked(spec: HintSpec, shown: object) -> HintValue | None:
    """The inverse of `_shown`; None where the hint is left to the compiler."""
    if spec.kind == "bool":
        return None if shown == "default" else shown == "on"
    if spec.kind == "int":
        return shown if isinstance(shown, int) else None
    return str(shown) if shown else None


def _word(value: HintValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value != "" else "empty"
