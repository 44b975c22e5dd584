"""From the pass where it was asked for, back to where it begins and on into the emitted code."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.analysis.follow.mlir_links import MlirLinks
from core.analysis.follow.mlir_sheet import MlirSheet, read_mlir
from core.analysis.follow.schedules import asked_in, mentions
from core.analysis.follow.sheet import Item, Link, Links, Sheet
from core.analysis.follow.statement_links import CodeLinks, StatementLinks
from core.analysis.follow.statements import read_code, read_statements
from core.analysis.follow.trail import Place, Stop, Trail
from core.analysis.follow.words import arrived, gone, happened
from core.analysis.sequence import Step, sequence
from core.trace import Texts, Trace

_SHEETS = 12  #: of texts that are kept read
_LINKS = 12


@dataclass(frozen=True, slots=True)
class _State:
    """What of it a pass has; of one whose text does not tell, what a pass beside it has."""

    digest: str  #: of the text that the items are of
    items: tuple[int, ...]
    here: bool  #: the text is the pass's own


@dataclass(frozen=True, slots=True)
class _Loss:
    """A pass after which it was there no more."""

    index: int
    before: _State
    digest: str  #: of the text without it


def follow(trace: Trace, texts: Texts, index: int, line: int, name: str) -> Trail:
    """Follow what a name means in a line (from 1; 0: anywhere) of a pass, or of the emitted code.

    Trail.stops is empty, with a sentence in Trail.ends, where the name means nothing there. Raises
    KeyError where a text is not kept.
    """
    return _Walk(trace, texts).run(index, line, name)


class _Walk:
    def __init__(self, trace: Trace, texts: Texts) -> None:
        self.trace = trace
        self.texts = texts
        self.steps = {step.index: step for step in sequence(trace)}
        self.after: dict[int, list[int]] = defaultdict(list)
        for step in self.steps.values():
            for before in step.before:
                self.after[before].append(step.index)
        self.code = len(trace.passes)
        self.states: dict[int, _State] = {}
        self.notes: dict[int, str] = {}
        self.losses: list[_Loss] = []
        #: Names and places of items of a text, taken while the text is at hand.
        self.read: dict[_State, tuple[tuple[str, ...], tuple[Place, ...]]] = {}
        self.regions: dict[tuple[str, tuple[int, ...]], set[str]] = {}
        self._sheets: OrderedDict[str, Sheet | None] = OrderedDict()
        self._links: OrderedDict[tuple[str, str], Links | None] = OrderedDict()

    # The way

    def run(self, index: int, line: int, name: str) -> Trail:
        step = self.steps.get(index)
        if step is None:
            return Trail(name, index, (), self._nowhere(index))
        start = self._start(step, line, name)
        if not start:
            return Trail(name, index, (), f"{name} names nothing in {self._place(index, line)}.")
        first, last = min(start), max(start)
        for at, state in start.items():
            self._has(at, state)
        for at in sorted(self.steps):
            if at > first and at not in start:
                self._forward(self.steps[at])
        for at in sorted(self.steps, reverse=True):
            if at < last and at not in start:
                self._backward(self.steps[at])
        stops = self._stops()
        return Trail(name, index, stops, self._ends(name, stops))

    def _start(self, step: Step, line: int, name: str) -> dict[int, _State]:
        """The items that are asked for, by the pass whose text they are of."""
        if not self._silent(step):
            sheet = self.sheet(step)
            found = _asked(sheet, line, name) if sheet else []
            items = tuple(item.number for item in found)
            return {step.index: _State(step.text, items, True)} if items else {}
        before, after = self._around(step)
        start: dict[int, _State] = {}
        for other in (before, after):
            sheet = self.sheet(other) if other else None
            if other is None or sheet is None:
                continue
            wanted = asked_in(self.texts.get(step.text), line, name, sheet)
            if wanted:
                numbers = tuple(item.number for item in wanted)
                start[other.index] = _State(other.text, numbers, True)
        return start

    def _forward(self, step: Step) -> None:
        live = [at for at in step.before if at in self.states]
        if len(live) > 1:
            live = [at for at in live if self.steps[at].unit] or live
        found: dict[int, None] = {}
        notes: list[str] = []
        carried: _State | None = None
        for at in live:
            state = self.states[at]
            if (state.here and self._unchanged(at, step.index)) or state.digest == step.text:
                self.states[step.index] = _State(state.digest, state.items, True)
                return
            links = None if self._elsewhere(step, state) else self.links(state.digest, step)
            if links is None:
                carried = _State(state.digest, state.items, False)
                continue
            sheet, there = self._sheets[state.digest], self.sheet(step)
            assert sheet is not None and there is not None
            pairs = [(i, x) for n in state.items for i in (sheet.items[n],) for x in links.of(i)]
            found.update((link.item.number, None) for _, link in pairs)
            notes.append(happened([sheet.items[n] for n in state.items], pairs))
            if not pairs and not step.part:
                if any(links.tells(sheet.items[n], True) for n in state.items):
                    self.losses.append(_Loss(step.index, state, step.text))
                else:
                    carried = _State(state.digest, state.items, False)
        if found:
            self._has(step.index, _State(step.text, tuple(found), True))
            self._note(step.index, notes)
        elif carried is not None:
            self.states[step.index] = carried

    def _backward(self, step: Step) -> None:
        later = [at for at in self.after[step.index] if at in self.states]
        parts = [at for at in later if self.steps[at].part and self.states[at].here]
        later = parts or later  # they are nearer than what was merged of them
        found: dict[int, None] = {}
        carried: _State | None = None
        for at in later:
            state = self.states[at]
            if (state.here and self._unchanged(step.index, at)) or state.digest == step.text:
                self.states[step.index] = _State(state.digest, state.items, True)
                return
            merged = bool(step.unit) and len(self.steps[at].before) > 1
            links = None if self._elsewhere(step, state) else self.links_back(step, state)
            if links is None and merged:
                continue
            if links is None:
                carried = _State(state.digest, state.items, False)
                continue
            here, sheet = self.sheet(step), self._sheets[state.digest]
            assert sheet is not None and here is not None
            pairs = [
                (link.item, Link(item, link.sure, link.how))
                for item in (sheet.items[n] for n in state.items)
                for link in links.back(item)
            ]
            if pairs:
                found.update((item.number, None) for item, _ in pairs)
                self._note(self._first_here(at), [happened([i for i, _ in pairs], pairs)])
            elif any(links.tells(sheet.items[n], False) for n in state.items):
                self._note(self._first_here(at), ["first here"])
            elif not merged:
                carried = _State(state.digest, state.items, False)
        if found and not self._silent(step):
            self._has(step.index, _State(step.text, tuple(found), True))
        elif carried is not None:
            self.states[step.index] = carried

    def _has(self, index: int, state: _State) -> None:
        self.states[index] = state
        if state not in self.read:
            self.read[state] = self._read(state)
            sheet = self._again(state.digest)
            assert sheet is not None
            self.regions[state.digest, state.items] = {sheet.items[n].region for n in state.items}

    def _elsewhere(self, step: Step, state: _State) -> bool:
        """Whether a text cannot have it: a schedule, another function of MLIR."""
        if self._silent(step):
            return True
        if not step.unit or self._language(step) != "mlir":
            return False
        return step.unit not in self.regions[state.digest, state.items]

    def _first_here(self, index: int) -> int:
        """The pass at or after one whose own text has it."""
        while not self.states[index].here:
            following = [at for at in self.after[index] if at in self.states]
            if not following:
                break
            index = following[0]
        return index

    def _note(self, index: int, notes: Iterable[str]) -> None:
        said = [note for note in dict.fromkeys(notes) if note]
        if said and not self.notes.get(index):
            self.notes[index] = "; ".join(said)

    def _unchanged(self, before: int, after: int) -> bool:
        """Whether a pass left what it was given, addresses aside."""
        one, other = self.steps[before], self.steps[after]
        if one.text == other.text:
            return True
        if after == self.code or self._silent(one):
            return False
        given, own = self.trace.passes[before], self.trace.passes[after]
        alike = (own.stage, own.unit, own.attempt) == (given.stage, given.unit, given.attempt)
        same = alike and not own.changed and own.lines == given.lines
        return same and own.language == "statement"  # values of MLIR may be numbered anew

    # Texts

    def _language(self, step: Step) -> str:
        if step.index < self.code:
            return self.trace.passes[step.index].language
        mlir = any(p.language == "mlir" for p in self.trace.passes)
        return "mlir" if mlir else "cce"

    def _silent(self, step: Step) -> bool:
        """Texts that name statements, not what they are of."""
        return self._language(step) in ("schedule", "text")

    def sheet(self, step: Step) -> Sheet | None:
        """What a text has; None where it cannot be read."""
        if step.text in self._sheets:
            self._sheets.move_to_end(step.text)
            return self._sheets[step.text]
        read = {"statement": read_statements, "mlir": read_mlir, "cce": read_code}
        try:
            sheet = read[self._language(step)](self.texts.get(step.text))
        except (ValueError, RecursionError):
            sheet = None
        self._sheets[step.text] = sheet
        while len(self._sheets) > _SHEETS:
            self._sheets.popitem(last=False)
        return sheet

    def links(self, before: str, step: Step) -> Links | None:
        """Between a text that was read and the one of a step."""
        other = self.sheet(step)
        ours = self._again(before)
        return self._linked(before, step.text, ours, other)

    def links_back(self, step: Step, state: _State) -> Links | None:
        ours = self.sheet(step)
        other = self._again(state.digest)
        return self._linked(step.text, state.digest, ours, other)

    def _again(self, digest: str) -> Sheet | None:
        if digest not in self._sheets:
            step = next(s for s in self.steps.values() if s.text == digest)
            return self.sheet(step)
        self._sheets.move_to_end(digest)
        return self._sheets[digest]

    def _linked(self, a: str, b: str, ours: Sheet | None, theirs: Sheet | None) -> Links | None:
        if ours is None or theirs is None:
            return None
        if (a, b) not in self._links:
            self._links[a, b] = _between(ours, theirs, self._emitted(b))
            while len(self._links) > _LINKS:
                self._links.popitem(last=False)
        return self._links[a, b]

    def _emitted(self, digest: str) -> bool:
        return digest == self.trace.code and self._language(self.steps[self.code]) == "cce"

    def _around(self, step: Step) -> tuple[Step | None, Step | None]:
        """The nearest texts before and after that do tell."""
        before: Step | None = step
        while before is not None and self._silent(before):
            before = self.steps[before.before[-1]] if before.before else None
        after: Step | None = step
        while after is not None and self._silent(after):
            following = self.after[after.index]
            after = self.steps[following[0]] if following else None
        return before, after

    # What is said

    def _stops(self) -> tuple[Stop, ...]:
        stops: list[Stop] = []
        for index, step in sorted(self.steps.items()):
            if self._silent(step):
                names, places = self._mentioned(step)
            else:
                state = self.states.get(index)
                if state is None or not state.here:
                    continue
                names, places = self.read[state]
            if places:
                stops.append(Stop(index, names, places, self.notes.get(index, "")))
        return tuple(stops)

    def _read(self, state: _State) -> tuple[tuple[str, ...], tuple[Place, ...]]:
        sheet = self._again(state.digest)
        assert sheet is not None
        items = [sheet.items[number] for number in state.items]
        parts = [part for item in items for part in sheet.parts(item)]
        whole = list({item.number: item for item in (*items, *parts)}.values())
        places = {place: None for item in whole for place in sheet.places(item)}
        names = tuple(dict.fromkeys(item.name for item in whole))
        return names, tuple(sorted(places, key=lambda place: (place.line, place.name)))

    def _mentioned(self, step: Step) -> tuple[tuple[str, ...], tuple[Place, ...]]:
        """Of a schedule, the lines that name it, or the statements that it is of."""
        if self._language(step) != "schedule":
            return (), ()
        wanted: list[tuple[Sheet, Item]] = []
        for other in self._around(step):
            state = self.states.get(other.index) if other else None
            sheet = self._again(state.digest) if state and state.here else None
            if state is not None and sheet is not None:
                wanted += [(sheet, sheet.items[number]) for number in state.items]
        before, _ = self._around(step)
        ground = self.sheet(before) if before else None
        return mentions(self.texts.get(step.text), ground, wanted)

    def _ends(self, name: str, stops: Sequence[Stop]) -> str:
        state = self.states.get(self.code)
        if state is not None and state.here:
            sheet = self._again(state.digest)
            assert sheet is not None
            return arrived(name, sheet, [sheet.items[number] for number in state.items])
        if self.losses:
            loss = max(self.losses, key=lambda each: each.index)
            if not stops or stops[-1].index < loss.index:
                step = self.steps[loss.index]
                before = self._again(loss.before.digest)
                after = self.sheet(step)
                links = self.links(loss.before.digest, step)
                assert before is not None and after is not None and links is not None
                items = [before.items[number] for number in loss.before.items]
                return gone(items, self._name(loss.index), before, after, links)
        if not stops:
            return f"{name} stands in no text that can be read."
        last = self.trace.passes[stops[-1].index] if stops[-1].index < self.code else None
        if last is not None and self.trace.code is None:
            return (
                f"It is there in the last text of the compile, which ended "
                f"({self.trace.status.value.replace('_', ' ')}) before any code was emitted."
            )
        return f"After {self._name(stops[-1].index)} no text has it."

    def _name(self, index: int) -> str:
        if index >= self.code:
            return "the emitted code"
        return f"{self.trace.passes[index].name} (pass {index + 1})"

    def _place(self, index: int, line: int) -> str:
        return f"line {line} of {self._name(index)}" if line else self._name(index)

    def _nowhere(self, index: int) -> str:
        if 0 <= index < self.code:
            return f"{self._name(index)} left no text."
        if index >= self.code:
            return "Only what passes and the emitted code name can be followed, not what logs do."
        return f"There is no pass {index + 1}."


def _between(ours: Sheet, theirs: Sheet, emitted: bool) -> Links | None:
    if isinstance(ours, MlirSheet) and isinstance(theirs, MlirSheet):
        return MlirLinks(ours, theirs)
    if isinstance(ours, MlirSheet) or isinstance(theirs, MlirSheet):
        return None
    return CodeLinks(ours, theirs) if emitted else StatementLinks(ours, theirs)


def _asked(sheet: Sheet, line: int, name: str) -> list[Item]:
    """What is meant by a name in a line."""
    name = name.strip()
    for called in (name, f"%{name}", f"@{name}"):
        found = sheet.named(called, line)
        things = [item for item in found if item.kind != "operation"]
        if any(item.kind == "value" for item in things):
            within = [i for i in things if i.first <= line <= i.last] if line else things
            return within[:1]
        if things:
            there = [i for i in things if any(p.line == line for p in sheet.places(i))]
            return there or things
        if found:
            return [i for i in found if i.first == line or not line][:1]
    return [i for i in sheet.at(line) if name and i.word.rpartition(".")[2] == name][:1]
