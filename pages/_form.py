"""The hints of a trace as a form: a field for each, and the same as text, in step."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import groupby

import streamlit as st

from core.analysis.tiling import asked_attributes, axis_label, units, uses_cube
from core.hints import WHOLE_AXIS, HintError, Hints, HintSpec, HintValue, Tile, parse_dim
from core.kernel import Kernel, Parameter
from core.trace import Axis, Trace
from core.views.wording import count, tile_text, value_text
from pages import _header as header
from pages import _rooms as rooms

_EFFECT = {
    "unsafe": (":red-badge[unsafe]", "may make wrong code or crash the compiler"),
    "overwritten": (":orange-badge[overwritten]", "the compiler sets it itself"),
    "ignored": (":gray-badge[ignored]", "seen to do nothing"),
    "honoured": ("", ""),
}


class Form:
    """The hints of one trace being edited.

    Session state holds the `dim` text and the attributes; fields and texts are views of them, kept
    in step by their callbacks, and filled from them again when they come back into view.
    """

    def __init__(self, id: str, trace: Trace, kernel: Kernel | None, version: str = "") -> None:
        """`version`: of the trace's compiler, to compile with; "" is its usual one."""
        self.id, self.trace, self.kernel, self.version = id, trace, kernel, version
        self.parameters = kernel.parameters if kernel else ()
        declared = {parameter.name for parameter in self.parameters}
        known = rooms.catalogue(trace.compiler.name, version)
        self.takes_tiles = bool(trace.tiling.axes) or any(s.kind == "dim" for s in known)
        self.catalogue = tuple(s for s in known if s.kind != "dim" and s.name not in declared)
        self._scope = f"rerun:{id}"
        if self._key("asked") not in st.session_state:
            asked = trace.hints.asked.get("dim")
            self.ask(asked if isinstance(asked, str) else "", asked_attributes(trace))

    # The value

    @property
    def dim(self) -> str:
        return str(st.session_state[self._key("asked")]["dim"]).strip()

    @property
    def attributes(self) -> dict[str, HintValue]:
        return dict(st.session_state[self._key("asked")]["attributes"])

    def hints(self) -> Hints:
        """What the form asks for. Raises HintError, also where the compiler cannot take it."""
        hints = Hints(parse_dim(self.dim) if self.dim else (), self.attributes)
        compiler = rooms.compiler(self.trace.compiler.name, self.version)
        if compiler is not None and self.kernel is not None:
            compiler.check(hints, self.kernel)
        return hints

    @property
    def problem(self) -> str:
        """Why the form cannot be run as it is; "" where it can."""
        unread = st.session_state.get(self._key("unread"))
        if unread:
            return str(unread)
        try:
            self.hints()
        except HintError as wrong:
            return str(wrong)
        return ""

    def ask(
        self, dim: str | None = None, attributes: Mapping[str, HintValue] | None = None
    ) -> None:
        """Ask for another dim text or other attributes, and have every view show it."""
        asked = st.session_state.get(self._key("asked"), {"dim": "", "attributes": {}})
        if dim is not None:
            asked = {**asked, "dim": dim}
        if attributes is not None:
            asked = {**asked, "attributes": dict(attributes)}
        st.session_state[self._key("asked")] = asked
        st.session_state[self._key("unread")] = ""
        for name, value in self._views().items():
            st.session_state[name] = value

    def _views(self) -> dict[str, object]:
        """What each field and text shows, by its key."""
        attributes = self.attributes
        views: dict[str, object] = {
            self._key("dim"): self.dim,
            self._key("raw"): json.dumps(attributes, indent=2) if attributes else "",
        }
        for parameter in self.parameters:
            value = attributes.get(parameter.name)
            views[self._key(f"parameter:{parameter.name}")] = None if value is None else str(value)
        for spec in self.catalogue:
            views[self._key(f"hint:{spec.name}")] = _shown(spec, attributes.get(spec.name))
        try:
            tiles = {(t.band, t.axis): t for t in parse_dim(self.dim)}
        except HintError:
            return views  # the tile fields keep what they show until the text can be read
        for axis in self.trace.tiling.axes:
            tile = tiles.get((axis.band, axis.axis))
            given = tile if tile is not None and tile.outer < WHOLE_AXIS else None
            views[self._tile_key(axis)] = given.outer if given else None
            views[self._tile_key(axis, "inner")] = given.inner if given else None
        return views

    def _key(self, name: str) -> str:
        return f"{self._scope}:{name}"

    def _tile_key(self, axis: Axis, level: str = "outer") -> str:
        return self._key(f"tile:{axis.band}:{axis.axis}:{level}")

    def _fill(self, name: str) -> str:
        """A field's key, its content put back where it was out of view for a while."""
        if name not in st.session_state:
            st.session_state[name] = self._views().get(name)
        return name

    # The views

    def fields(self) -> None:
        """A field for each parameter, each tile and each attribute of the catalogue."""
        if self.parameters:
            st.markdown("##### Parameters")
            for start in range(0, len(self.parameters), 3):
                row = self.parameters[start : start + 3]
                for parameter, column in zip(row, st.columns(3), strict=False):
                    with column:
                        self._parameter(parameter)
        if self.takes_tiles:
            st.markdown("##### Tiles")
            self._tiles()
        if self.catalogue:
            st.markdown("##### Attributes")
            self._attributes()

    def texts(self) -> None:
        """The same as text: `dim` where tiles are hints, and the attributes as JSON."""
        if self.takes_tiles:
            st.text_input(
                "dim text: band axis c1 c0 for each axis",
                key=self._fill(self._key("dim")),
                placeholder="empty: the compiler tiles by itself",
                help=(
                    "The same as the tile fields. An axis between two that have a tile is left "
                    "whole: the compiler reads entries by their position."
                ),
                on_change=lambda: self.ask(dim=str(st.session_state[self._key("dim")])),
            )
        st.text_area(
            "All attributes as JSON",
            key=self._fill(self._key("raw")),
            height=90,
            placeholder='{"name": value, …}',
            help="The same as the fields; also takes attributes that the form does not know.",
            on_change=self._raw_changed,
        )
        if self.problem:
            st.error(header.escaped(self.problem), icon=":material/edit:")

    def _parameter(self, parameter: Parameter) -> None:
        asked = self.attributes.get(parameter.name)
        values = parameter.values if asked is None else (*parameter.values, asked)
        st.selectbox(
            parameter.name,
            list(dict.fromkeys(map(str, values))),
            key=self._fill(self._key(f"parameter:{parameter.name}")),
            placeholder=f"default ({value_text(parameter.default)})",
            accept_new_options=True,
            help="A parameter of the kernel; a value that is not listed can be typed.",
            on_change=self._parameter_changed,
            args=(parameter,),
        )

    def _parameter_changed(self, parameter: Parameter) -> None:
        attributes = self.attributes
        written = st.session_state[self._key(f"parameter:{parameter.name}")]
        if written is None:
            attributes.pop(parameter.name, None)
        else:
            attributes[parameter.name] = _of_kind(parameter, str(written).strip())
        self.ask(attributes=attributes)

    def _tiles(self) -> None:
        axes = self.trace.tiling.axes
        if not axes:
            st.caption("This trace does not say which axes there are; write the dim text.")
            return
        if len(units(self.trace)) > 1:
            st.caption("Sub-kernels have axes of their own; write the dim text.")
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
            key=self._fill(self._tile_key(axis)),
            placeholder="whole" if self.dim else "automatic",
            help=f"This trace uses {tile_text(axis.tile, axis.extent)}.",
            on_change=self._tiles_changed,
        )
        if cube:
            st.number_input(
                f"L0 tile, {axis_label(axis, bands)}",
                min_value=1,
                value=None,
                step=1,
                key=self._fill(self._tile_key(axis, "inner")),
                placeholder=f"L0: {count(axis.tile_l0)}",
                label_visibility="collapsed",
                help="The tile of the L0 level, for the cube unit.",
                on_change=self._tiles_changed,
            )

    def _tiles_changed(self) -> None:
        cube = uses_cube(self.trace)
        tiles = []
        for axis in self.trace.tiling.axes:
            outer = st.session_state.get(self._tile_key(axis))
            inner = st.session_state.get(self._tile_key(axis, "inner"))
            if outer is None:
                continue
            if inner is None:
                inner = axis.tile_l0 if cube else 1
            tiles.append(Tile(axis.band, axis.axis, int(outer), min(int(inner), int(outer))))
        self.ask(dim=Hints(tuple(tiles)).dim)

    def _attributes(self) -> None:
        words = st.text_input(
            "Find an attribute",
            key="rerun:find",
            placeholder="Find an attribute by its name or by what it does",
            label_visibility="collapsed",
            type="search",
            live=True,
        )
        if words:
            found = [spec for spec in self.catalogue if matches(spec, words)]
            for spec in found:
                self._hint(spec)
            if not found:
                st.caption("No attribute of the catalogue is about that.")
            return
        asked = self.attributes
        for group, specs in groupby(self.catalogue, key=lambda spec: spec.group):
            kept = list(specs)
            used = sum(spec.name in asked for spec in kept)
            shown = st.expander(
                f"{group}, {used} set" if used else group,
                expanded=bool(used),
                key=self._key(f"group:{group}"),
                on_change="rerun",
            )
            if shown.open:
                with shown:
                    for spec in kept:
                        self._hint(spec)

    def _hint(self, spec: HintSpec) -> None:
        key = self._fill(self._key(f"hint:{spec.name}"))
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
            elif spec.kind == "choice":
                st.selectbox(
                    spec.name,
                    ["default", *spec.choices],
                    key=key,
                    label_visibility="collapsed",
                    format_func=lambda v: f"default ({default})" if v == "default" else str(v),
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
        self.ask(attributes=attributes)

    def _raw_changed(self) -> None:
        try:
            attributes = read_attributes(str(st.session_state[self._key("raw")]).strip())
        except HintError as wrong:
            st.session_state[self._key("unread")] = str(wrong)
            return
        dim = attributes.pop("dim", None)
        self.ask(None if dim is None else str(dim), attributes)


def matches(spec: HintSpec, words: str) -> bool:
    """Whether every word occurs in what the catalogue says of a hint."""
    said = f"{spec.name} {spec.does} {spec.group} {spec.effect}".lower()
    return all(word in said for word in words.lower().split())


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
        if not name.strip():
            raise HintError("An attribute without a name cannot be passed on; name it.")
        if name == "dim" and not isinstance(each, str):
            raise HintError("The value of 'dim' must be a text: \"band axis c1 c0 …\".")
        if not isinstance(each, bool | int | float | str):
            raise HintError(f"The value of {name!r} must be a number, a text, true or false.")
    return value


def _shown(spec: HintSpec, value: HintValue | None) -> object:
    """A value as the field of its kind shows it."""
    if spec.kind == "bool":
        return "default" if value is None else "on" if value else "off"
    if spec.kind == "choice":
        return str(value) if value in spec.choices else "default"
    if spec.kind == "int":
        return int(value) if isinstance(value, int) else None
    return "" if value is None else str(value)


def _asked(spec: HintSpec, shown: object) -> HintValue | None:
    """The inverse of `_shown`; None where the hint is left to the compiler."""
    if spec.kind == "bool":
        return None if shown == "default" else shown == "on"
    if spec.kind == "choice":
        return None if shown == "default" else str(shown)
    if spec.kind == "int":
        return shown if isinstance(shown, int) else None
    return str(shown) if shown else None


def _of_kind(parameter: Parameter, written: str) -> HintValue:
    """A typed value, as a number where the parameter's are numbers and it can be read as one."""
    numbers = all(isinstance(value, int) for value in parameter.values)
    return int(written) if numbers and re.fullmatch(r"-?[0-9]{1,18}", written) else written


def _word(value: HintValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value != "" else "empty"
