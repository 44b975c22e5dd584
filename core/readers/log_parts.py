"""Parts of a message of a log: the user's line, the kernel, the signal that it tells of."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

_KERNEL = re.compile(r"\b(Fused_\w+|\w+_fusion_\d{6,})\b")
_DESCRIPTION = re.compile(r"Compile error, args: (?=\{)")
_FRAME = re.compile(r'File "([^"]+)", line (\d+)(?:, in (\S+))?')
_NET = re.compile(r"# (?:\d+ )?In file ([^\n:]+):(\d+)")
_NET_BEGINS = "The Traceback of Net Construct Code:"
#: What is nobody's own program.
_FOREIGN = re.compile(
    r"site-packages|dist-packages|/lib/python3|\.pyenv/|/_akg/|/mindspore/|/triton/|<|\.(?:cc|h|cpp)$"
)
_COMMAND = re.compile(r"Command '\[?'?([^',]+).*' ((?:returned|died|timed) .*)$", re.S)
_BANNER = re.compile(r"///-+\[ERROR\]\[Triton\]\[(?:BEG|END)\]-+")
SIGNALS = {
    4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM",
}  # fmt: skip
_SIGNAL_WORDS = (
    ("Segmentation fault", "SIGSEGV"), ("Aborted", "SIGABRT"), ("Illegal", "SIGILL"),
    ("Bus error", "SIGBUS"), ("Floating point", "SIGFPE"), ("Killed", "SIGKILL"),
)  # fmt: skip
_NAMED = re.compile(r"\b(SIG(?:SEGV|ABRT|KILL|ILL|BUS|FPE|TERM))\b")
_NUMBER = re.compile(r"(?:signal:? \(?|Signal: .*\()(\d+)", re.IGNORECASE)


def one_line(text: str) -> str:
    """A message without line breaks; of one in blocks, the first."""
    block = text.strip().partition("\n\n")[0]
    return " ".join(block.split())


def file_of(source: str) -> str:
    """file.cc:12 without its folder."""
    return PurePosixPath(source).name


def thrown_at(text: str) -> str:
    """The place of the C++ source that an exception of AKG names."""
    found = [(path, at) for path, at, _ in _FRAME.findall(text) if path.endswith((".cc", ".h"))]
    return f"{file_of(found[-1][0])}:{found[-1][1]}" if found else ""


def net_line(text: str) -> tuple[str, str]:
    """The last line of the user's network that MindSpore names, and what stands there."""
    _, begins, block = text.partition(_NET_BEGINS)
    if not begins:
        return "", ""
    found = [f for f in _NET.finditer(block) if not _FOREIGN.search(f[1])]
    if not found:
        return "", ""
    last = found[-1]
    following = block[last.end() :].split("\n", 2)
    code = following[1].strip() if len(following) > 1 else ""
    return f"{file_of(last[1])}:{last[2]}", code.strip("/")


def own_line(text: str) -> tuple[str, str]:
    """The last line of a traceback that is in the user's own program."""
    lines = text.split("\n")
    own = ("", "")
    for at, line in enumerate(lines):
        if (found := _FRAME.search(line)) and not _FOREIGN.search(found[1]):
            code = lines[at + 1].strip() if at + 1 < len(lines) else ""
            own = f"{file_of(found[1])}:{found[2]}", code
    return own


def triton_line(message: str) -> tuple[str, str] | None:
    """The line of a function that Triton marks, counted in the function, and what stands there."""
    place, function = re.match(r"at (\d+):\d+:", message), re.search(r"^def (\w+)", message, re.M)
    lines = message.split("\n")
    mark = next((at for at, line in enumerate(lines) if at and line.strip() == "^"), 0)
    if not (place and function and mark):
        return None
    return f"{function[1]}:{place[1]}", lines[mark - 1].strip()


def kernel_in(text: str) -> str:
    found = re.search(r'"op": ?"(\w+)"', text) or _KERNEL.search(text)
    return found[1] if found else ""


def description_in(message: str) -> str:
    """The fused kernel that an exception of MindSpore holds, as composite JSON; or ""."""
    found = _DESCRIPTION.search(message)
    if not found:
        return ""
    try:
        value, end = json.JSONDecoder().raw_decode(message, found.end())
    except (ValueError, RecursionError):
        return ""
    return message[found.end() : end] if isinstance(value, dict) and "op_desc" in value else ""


def shortened(message: str, description: str) -> str:
    """What an exception says, without the kernel or command line that it says it of."""
    if description:
        return f"Compile error of {kernel_in(message) or 'a fused kernel'}."
    if found := _COMMAND.match(message):
        return f"{PurePosixPath(found[1]).name} {found[2]}"
    return one_line(_BANNER.sub("", message))


def signal_in(text: str) -> str:
    if named := _NAMED.search(text):
        return named[1]
    if (number := _NUMBER.search(text)) and int(number[1]) in SIGNALS:
        return SIGNALS[int(number[1])]
    if "Kill" in text and "process" in text:
        return "SIGKILL"
    return next((signal for words, signal in _SIGNAL_WORDS if words in text), "")
