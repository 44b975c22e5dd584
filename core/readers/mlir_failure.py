"""Why a compile by an MLIR tool did not end well, in words that need no knowledge of compilers.

Which pass failed is read, never guessed: from the IR that was printed after it failed, or from
what was printed before the pass in which the compiler died.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.ir import mlir
from core.ir.mlir_memory import MEMORIES, allocations
from core.kernel import Kernel
from core.readers.job import Ending, stopped
from core.readers.mlir_passes import Step, Steps
from core.readers.mlir_words import Said, Words
from core.trace import Failure, FailureKind, Status

PARSER, VERIFIER, OPTIONS, FRONT_END = "parser", "verifier", "command line", "front end"

_OVERFLOW = re.compile(r"(\w+) overflow, requires (\d+) bits while (\d+) bits available")
_SUMMARY = re.compile(
    r"Failed to (?:run \w+ pipeline|parse input file)|^Executing: |Failed to run `hivmc"
)
_NO_LAST_TOOL = re.compile(r"External hivmc run fails|Cannot find hivmc")
_OPERATION = re.compile(r"^'([\w.]+)' op (.*)$")
_ELEMENT = re.compile(r"([x<])((?:[su]?i|b?f)\d+\w*)(?=[,>])")
_TYPE_WORDS = (
    (re.compile(r"(\d+)-bit (?:signless |signed )?integer"), r"i\1"),
    (re.compile(r"(\d+)-bit unsigned integer"), r"ui\1"),
    (re.compile(r"(\d+)-bit float"), r"f\1"),
    (re.compile(r"bfloat16(?: type)?"), "bf16"),
    (re.compile(r"(\w+) type"), r"\1"),
)
_LONGEST_QUOTE = 300
_EXCEPTION = re.compile(r"^(?:\w+\.)*[A-Z]\w*: ")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message was met."""

    pass_name: str
    source: str  #: the kernel's line; "" where none was named
    text: str  #: the IR as the failed pass left it; "" where that was not printed
    parsing: bool  #: no pass had begun

    @property
    def at(self) -> str:
        return f" at {self.source}" if self.source else ""

    @property
    def who(self) -> str:
        return self.pass_name or "The compiler"


def find_failure(
    ending: Ending,
    found: Steps,
    words: Words,
    raised: str,
    kernel: Kernel | None,
    text_of: Callable[[Step], str],
) -> Failure:
    """The failure of a compile that did not end well.

    `raised` is the text of a Python exception of the front end; `text_of` gives the IR that a step
    that failed left behind, or that one which never ended was given.
    """
    steps = found.steps
    step = failed_step(found, ending)
    after = _last_whole(steps, step)
    attempts = max((s.attempt for s in steps), default=1)
    if ending.status in (Status.TIMED_OUT, Status.CANCELLED):
        return stopped(ending, step.name if step else None, after, attempts)
    if ending.status is Status.CRASHED or words.crashed:
        return _crash(ending, words, step, after, attempts, text_of(step) if step else "")
    said = cause(words)
    if said is None:
        message, place_ = _raised(raised, kernel) if raised else (_wordless(step, after), "")
        return Failure(
            kind="bad_input" if raised and not steps else "error",
            pass_name=step.name if step else FRONT_END if raised and not steps else None,
            after=after,
            source=place_ or None,
            component=None,
            message=message,
            signal=ending.signal,
            attempts=attempts,
        )
    text = text_of(step) if step else ""
    parsing = not steps or "Failed to parse input file" in _messages(words)
    place = Place(step.name if step else "", said.source, text, parsing)
    kind, sentence = explain(said.message, place)
    overflow = _OVERFLOW.search(said.message)
    return Failure(
        kind=kind,
        pass_name=step.name if step else front(said) if parsing else None,
        after=after,
        source=said.source or None,
        component=step.argument or None if step else None,
        message=f"{sentence} {_quoted(said.message)}",
        signal=ending.signal,
        memory=MEMORIES.get(overflow[1], overflow[1].upper()) if overflow else None,
        required_bytes=-(-int(overflow[2]) // 8) if overflow else None,
        available_bytes=int(overflow[3]) // 8 if overflow else None,
        attempts=attempts,
    )


def failed_step(found: Steps, ending: Ending) -> Step | None:
    """The pass in which a compile ended, where what was printed says so."""
    steps = found.steps
    if ending.status in (Status.CRASHED, Status.TIMED_OUT, Status.CANCELLED):
        return found.open
    last = steps[-1].attempt if steps else 0
    return next((s for s in steps if s.attempt == last and s.failed), None)


def last_tool_only(words: Words) -> bool:
    """Whether all that went wrong is that CANN's own last tool is not there."""
    errors = [e for e in words.errors if not _SUMMARY.search(e.message)]
    return bool(errors) and all(_NO_LAST_TOOL.search(e.message) for e in errors)


def overflow_in(words: Words) -> tuple[str, int] | None:
    """The memory that overflowed and the bytes that it would have to hold, where one did."""
    said = cause(words)
    found = _OVERFLOW.search(said.message) if said else None
    return (MEMORIES.get(found[1], found[1].upper()), -(-int(found[2]) // 8)) if found else None


def cause(words: Words) -> Said | None:
    """The error that ended a compile; None where nothing is said of one."""
    errors = words.errors
    telling = [e for e in errors if not _SUMMARY.search(e.message)]
    return telling[0] if telling else errors[0] if errors else None


def _messages(words: Words) -> str:
    return "\n".join(e.message for e in words.errors)


def _last_whole(steps: list[Step], failed: Step | None) -> str | None:
    done = [s for s in steps if s is not failed and not s.failed]
    return done[-1].name if done else None


def front(said: Said) -> str:
    """What refuses a kernel before any pass has begun."""
    if _OPERATION.match(said.message):  # of an operation in the body of another, without a place
        return VERIFIER
    return PARSER if said.source else OPTIONS


def _wordless(step: Step | None, after: str | None) -> str:
    if step:
        return f"{step.name} failed, and the compiler did not say why."
    if after:
        return f"What was printed ends after {after}, and no message of the compiler is with it."
    return "The compiler stopped without a word."


def _raised(raised: str, kernel: Kernel | None) -> tuple[str, str]:
    """A Python exception of the front end in a sentence, and the kernel's line that it is about.

    Triton shows the function up to the line, marks the place, and says the reason last.
    """
    lines = [line for line in raised.splitlines() if line.strip()]
    if not lines:
        return "The front end stopped without a word.", ""
    mark = next((at for at, line in enumerate(lines) if at and line.strip() == "^"), None)
    if mark is None:
        return f"The front end failed: {_EXCEPTION.sub('', lines[-1].strip()).rstrip('.')}.", ""
    place, reason = "", " ".join(line.strip() for line in lines[mark + 1 :])
    if kernel:
        text = lines[mark - 1].strip()
        numbers = [
            n for n, each in enumerate(kernel.source.splitlines(), 1) if text == each.strip()
        ]
        if len(numbers) == 1:
            place = f"{kernel.name}.py:{numbers[0]}:{lines[mark].index('^') + 1}"
    at = f" at {place}" if place else ""
    says = f" It says: {reason}." if reason else ""
    return f"Triton cannot read the kernel{at}.{says}", place


def _quoted(message: str) -> str:
    """The compiler's own words, without the guess at reasons that it puts behind some."""
    short = message.partition(" (possible reason")[0].rstrip(" !.")
    if len(short) > _LONGEST_QUOTE:
        short = f"{short[: _LONGEST_QUOTE - 1]}…"
    return f"The compiler says: {short}."


# Crashes


def _crash(
    ending: Ending, words: Words, step: Step | None, after: str | None, attempts: int, text: str
) -> Failure:
    signal = ending.signal
    source = words.fatal_source
    if step:
        place = f" in {step.name}"
    else:
        place = f" somewhere past {after}" if after else " before its first pass"
    if "buffer shape size which should be static" in words.fatal:
        source = _unknown_size(text)
        sentence = (
            f"{step.name if step else 'The compiler'} has to know the size of every buffer when it "
            f"compiles, and {f'that at {source}' if source else 'one here'} is only known when the "
            "kernel runs: give it a fixed shape or an upper bound."
        )
    elif words.fatal.startswith("Assertion"):
        sentence = f"The compiler crashed{place}: a check in its own code failed, a fault of it."
    elif words.fatal:
        sentence = f"The compiler gave up{place}."
    else:
        how = f" ({signal})" if signal else ""
        sentence = (
            f"The compiler crashed{place}{how} and gave no reason: that is a fault of its own, "
            "whatever the kernel says."
        )
    return Failure(
        kind="crash",
        pass_name=step.name if step else None,
        after=after,
        source=source or None,
        component=(step.argument or None) if step else None,
        message=f"{sentence} {_quoted(words.fatal)}" if words.fatal else sentence,
        signal=signal,
        stack=words.stack,
        attempts=attempts,
    )


def _unknown_size(text: str) -> str:
    """The kernel's line of the first on-chip buffer whose size is known at run time only."""
    try:
        made = allocations(mlir.parse(text, tolerant=True))
    except mlir.MlirError:
        return ""
    return next(
        (a.location.short for a in made if a.bytes is None and a.memory != "GM" and a.location), ""
    )


# What the messages mean


def explain(message: str, place: Place) -> tuple[FailureKind, str]:
    """What kind of failure a message is, and one sentence for who does not know the compiler."""
    for pattern, rule in _RULES:
        if found := pattern.search(message):
            return rule(found, place)
    if place.parsing:
        return "bad_input", f"The kernel's text cannot be read{place.at}."
    return "error", f"{place.who} failed{place.at}."


Rule = Callable[[re.Match[str], Place], tuple[FailureKind, str]]


def _overflow(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    memory = MEMORIES.get(found[1], found[1].upper())
    need, have = -(-int(found[2]) // 8), int(found[3]) // 8
    return "memory", (
        f"The kernel does not fit in {memory}: {need:,} bytes have to be there at one time, and "
        f"the chip has {have:,}."
    )


def _undeclared(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    return "bad_input", f"The kernel uses a value{place.at} that nothing in it defines."


def _unregistered(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    return "bad_input", (
        f"The kernel has an operation{place.at} of a dialect that this compiler does not know."
    )


def _illegal(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    inside = _inside(found[1], place.text)
    holds = f" (it holds {', '.join(inside)})" if inside else ""
    return "error", (
        f"{place.who} cannot lower {found[1]}{place.at}{holds}: this compiler has nothing for the "
        "chip that does the same."
    )


def _inside(operation: str, text: str) -> list[str]:
    """What the body of the first operation of this name computes, arithmetic aside."""
    at = text.find(operation)
    if at < 0:
        return []
    body = text[at : text.find("linalg.yield", at)]
    names = re.findall(r"= (?:\"([\w.]+)\"|(\w+\.[\w.]+))", body)
    found = dict.fromkeys(one or other for one, other in names)
    return [name for name in found if not name.startswith("arith.")]


def _eight_bit(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    return "error", f"The chip has no 8-bit floats, which {found[1]}{place.at} would need."


def _cast(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    kinds = [found[n].removesuffix("_t") for n in (2, 3)]
    return _kind(place), (
        f"{found[1]}{place.at} cannot convert {kinds[0]} to {kinds[1]} with rounding "
        f"“{found[4]}”: the chip has no such instruction."
    )


def _element_type(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    allowed = found[2]
    for pattern, short in _TYPE_WORDS:
        allowed = pattern.sub(short, allowed)
    names = list(dict.fromkeys(re.findall(r"\w+", allowed.replace(" or ", " "))))
    met = _element_met(found[1], names, place.text)
    what = f"elements of type {met}" if met else "elements of this type"
    return _kind(place), f"{found[1]}{place.at} does not take {what}; it takes {', '.join(names)}."


def _element_met(operation: str, allowed: list[str], text: str) -> str:
    """An element type of an operation of this name in the IR that it does not take."""
    for line in text.splitlines():
        if operation in line:
            for _, element in _ELEMENT.findall(line):
                if element not in allowed:
                    return str(element)
    return ""


def _invalid(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    if place.parsing:
        return "bad_input", f"{found[1]}{place.at} is not allowed as it is written in the kernel."
    return "error", f"{place.who} turned {found[1]}{place.at} into something that is not allowed."


def _target(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    return "bad_input", f"This compiler knows no chip called {found[1]}."


def _option(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    return "bad_input", f"This compiler has no option {found[1]}."


def _value(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    return "bad_input", f"The option {found[1]} was given a value that it cannot have."


def _no_file(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    return "bad_input", f"The compiler could not open {found[1].rpartition('/')[2]}."


def _last_tool(found: re.Match[str], place: Place) -> tuple[FailureKind, str]:
    return "tool", "Every pass ran; only CANN's own last tool, hivmc, is absent or failed."


def _kind(place: Place) -> FailureKind:
    return "bad_input" if place.parsing else "error"


_RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (_OVERFLOW, _overflow),
    (re.compile(r"use of undeclared SSA value"), _undeclared),
    (re.compile(r"unregistered (?:dialect|operation)|custom op '.*' is unknown"), _unregistered),
    (re.compile(r"failed to legalize operation '([\w.]+)'"), _illegal),
    (re.compile(r"'([\w.]+)' op .*doesn't support fp8 type"), _eight_bit),
    (re.compile(r"'([\w.]+)' op .*support cast (\w+?)_to_(\w+?(?:_t)?)_([a-z]+)mode"), _cast),
    (re.compile(r"'([\w.]+)' op .*should have element type (.*)$"), _element_type),
    (_OPERATION, _invalid),
    (re.compile(r"--target option: Cannot find option named '([^']*)'"), _target),
    (re.compile(r"Unknown command line argument '([^']*)'"), _option),
    (re.compile(r"for the (--?\S+) option:"), _value),
    (re.compile(r"Failed to open input file: (\S+)"), _no_file),
    (_NO_LAST_TOOL, _last_tool),
)
