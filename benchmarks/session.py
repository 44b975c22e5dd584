"""A person's session with a Streamlit server, as the browser keeps it, without the painting.

Speaks the browser's own protocol: protobuf messages over a web socket, a cache of large messages
that the server only refers to, the query string that the server changes, and the texts and pictures
that the components fetch. Written against streamlit 1.67 (streamlit.proto, and index.js of its
front end for what the browser sends back).
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.server import Server

#: Addresses in the data of a component; the browser fetches each once.
_FETCHED = re.compile(rb"(?:blob|graph)/[0-9a-f]{32}")
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Rerun:
    """One run of a page."""

    seconds: float  #: from sending what was asked to "the script has finished"
    received: int  #: bytes over the web socket
    fetched: int  #: bytes that the components fetched after it


@dataclass(slots=True)
class _Kept:
    message: ForwardMsg
    used: int  #: number of the run that it was last used in


@dataclass(slots=True)
class Button:
    id: str
    label: str
    disabled: bool
    fragment: str


@dataclass(slots=True)
class Session:
    """One person. Use as `async with Session(server) as person`."""

    server: Server
    buttons: dict[str, Button] = field(default_factory=dict)  #: of the last run, by their label
    errors: list[str] = field(default_factory=list)  #: exceptions and alerts that a run showed
    query: str = ""
    _page: str = ""
    _socket: ClientConnection | None = None
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _runs: int = 0
    _age: int = 2  #: runs that a message is kept for unused; the server says
    _has: set[bytes] = field(default_factory=set)
    _http: requests.Session = field(default_factory=requests.Session)

    async def __aenter__(self) -> Session:
        self._socket = await connect(
            f"ws://localhost:{self.server.port}/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            origin=None,
            max_size=None,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._socket is not None:
            await self._socket.close()
        self._http.close()

    async def open(self, page: str, query: str = "") -> Rerun:
        """Come in by a link."""
        self.query = query
        message = BackMsg()
        message.rerun_script.page_name = page
        return await self._run(message)

    async def click(self, label: str) -> Rerun:
        """Press a button. Raises KeyError where the last run showed none that can be pressed."""
        button = self.buttons[label]
        if button.disabled:
            raise KeyError(label)
        message = BackMsg()
        message.rerun_script.page_script_hash = self._page
        message.rerun_script.fragment_id = button.fragment
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.trigger_value = button.id, True
        return await self._run(message)

    def can(self, label: str) -> bool:
        """Whether the last run showed a button of this label that can be pressed."""
        return label in self.buttons and not self.buttons[label].disabled

    async def _run(self, message: BackMsg) -> Rerun:
        assert self._socket is not None
        asked = message.rerun_script
        asked.query_string = self.query
        asked.cached_message_hashes.extend(self._kept)
        asked.context_info.timezone = "UTC"
        asked.context_info.locale = "en-US"
        asked.context_info.url = f"{self.server.address}/"
        self._runs += 1
        received, raw = 0, b""
        began = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        parts: list[bytes] = []
        while True:
            raw = await asyncio.wait_for(self._receive(), _PATIENCE_S)
            received += len(raw)
            answer = ForwardMsg.FromString(raw)
            if answer.WhichOneof("type") == "script_finished":
                if answer.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                seconds = time.perf_counter() - began
                break
            parts.append(raw)
            self._take(answer)
        self._forget()
        fetched = await self._fetch(parts)
        return Rerun(seconds, received, fetched)

    async def _receive(self) -> bytes:
        assert self._socket is not None
        data = await self._socket.recv()
        assert isinstance(data, bytes)  # the server sends nothing but protobuf
        return data

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            kept = self._kept[message.ref_hash]
            kept.used = self._runs
            message = kept.message
            kind = message.WhichOneof("type")
        elif message.metadata.cacheable:
            self._kept[message.hash] = _Kept(message, self._runs)
        if kind == "new_session":
            self._page = message.new_session.page_script_hash
            self._age = message.new_session.config.max_cached_message_age
            if not message.metadata.run.fragment_ids:
                self.buttons.clear()
                self.errors.clear()
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._take_element(message.delta)

    def _take_element(self, delta: Any) -> None:
        element = delta.new_element
        match element.WhichOneof("type"):
            case "button":
                button = element.button
                self.buttons[button.label] = Button(
                    button.id, button.label, button.disabled, delta.fragment_id
                )
            case "exception":
                self.errors.append(element.exception.message)
            case "alert":
                self.errors.append(element.alert.body)

    def _forget(self) -> None:
        old = [h for h, kept in self._kept.items() if self._runs - kept.used > self._age]
        for each in old:
            del self._kept[each]

    async def _fetch(self, parts: list[bytes]) -> int:
        wanted = {address for part in parts for address in _FETCHED.findall(part)} - self._has
        if not wanted:
            return 0
        self._has |= wanted
        return await asyncio.to_thread(lambda: sum(self._get(wanted)))

    def _get(self, addresses: set[bytes]) -> Iterator[int]:
        for address in sorted(addresses):
            answer = self._http.get(f"{self.server.address}/{address.decode()}", timeout=30)
            answer.raise_for_status()
            yield len(answer.content)
