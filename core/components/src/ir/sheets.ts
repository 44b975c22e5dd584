/** The layouts: what each pane of each layout shows. */

import { Text } from "@codemirror/state";

import type { Language } from "./languages";
import { lineCount, type Comparison, type Shown, type Side } from "./model";
import type { Kind, Region, Sheet } from "./pane";

export interface Titled {
  title: string;
  language: Language;
}

const ordinal = (line: number) => line + 1;

/** One text by itself. */
export function alone({ text, cut }: Shown, { title, language }: Titled): Sheet {
  return {
    text,
    title,
    language: () => language,
    regions: [],
    comparison: null,
    joints: [],
    columns: [ordinal],
    largest: text.lines,
    origin: (line) => ({ side: "after", line }),
    cut: (line) => cut.get(line) ?? 0,
    partner: () => null,
  };
}

/** One side of a comparison. */
export function beside(comparison: Comparison, side: Side, { title, language }: Titled): Sheet {
  const { text, cut } = comparison.shown[side];
  const other = side === "before" ? comparison.after : comparison.before;
  const regions: Region[] = [];
  comparison.hunks.forEach(({ a0, a1, b0, b1 }, hunk) => {
    const [from, to] = side === "before" ? [a0, a1] : [b0, b1];
    const kind: Kind = a0 === a1 ? "added" : b0 === b1 ? "removed" : "changed";
    if (from < to) regions.push({ hunk, side, from, to, kind });
  });
  return {
    text,
    title,
    language: () => language,
    regions,
    comparison,
    joints: joints(comparison, side),
    columns: [ordinal],
    // Of both, so that numbers take the same room on both sides, and lines wrap alike.
    largest: Math.max(text.lines, other.lines),
    origin: (line) => ({ side, line }),
    cut: (line) => cut.get(line) ?? 0,
    partner: (line) => {
      const at = comparison.partner(side, line);
      return at < 0 || at >= other.lines ? null : other.line(at + 1).text;
    },
  };
}

/** Where unchanged lines begin and end on one side, in order. */
function joints(comparison: Comparison, side: Side): number[] {
  const found = new Set<number>();
  for (const { a, b, lines } of comparison.stretches) {
    const from = side === "before" ? a : b;
    found.add(from).add(from + lines);
  }
  return [...found].filter((line) => line > 0 && line < comparison[side].lines);
}

/** Both sides in one column: what is gone above what has come in its place. */
export function together(comparison: Comparison, before: Titled, after: Titled): Sheet & { row: (side: Side, line: number) => number } {
  const { hunks, stretches } = comparison;
  const last = stretches[stretches.length - 1];
  const lines: string[] = [];
  const regions: Region[] = [];
  // Per row: the line of either text, counted from 1, 0 where that text has none.
  const numbersA: number[] = [];
  const numbersB: number[] = [];
  const rowsA = new Int32Array(comparison.before.lines);
  const rowsB = new Int32Array(comparison.after.lines);
  const add = (a: number, b: number) => {
    if (a >= 0) rowsA[a] = lines.length;
    if (b >= 0) rowsB[b] = lines.length;
    lines.push((b >= 0 ? comparison.after.line(b + 1) : comparison.before.line(a + 1)).text);
    numbersA.push(a + 1);
    numbersB.push(b + 1);
  };
  let stretch = 0;
  const untilHunk = (end: number) => {
    for (; stretch < stretches.length && stretches[stretch]!.a < end; stretch++) {
      const { a, b, lines: count } = stretches[stretch]!;
      for (let i = 0; i < count; i++) add(a + i, b + i);
    }
  };
  hunks.forEach(({ a0, a1, b0, b1 }, hunk) => {
    untilHunk(a0);
    const [top, middle] = [lines.length, lines.length + (a1 - a0)];
    for (let a = a0; a < a1; a++) add(a, -1);
    for (let b = b0; b < b1; b++) add(-1, b);
    if (a0 < a1) regions.push({ hunk, side: "before", from: top, to: middle, kind: "removed" });
    if (b0 < b1) regions.push({ hunk, side: "after", from: middle, to: lines.length, kind: "added" });
  });
  if (last) untilHunk(last.a + 1);
  return {
    text: Text.of(lines.length ? lines : [""]),
    title: `${before.title} → ${after.title}`,
    language: (row) => (numbersB[row] ? after.language : before.language),
    regions,
    comparison,
    joints: [],
    columns: [(row) => numbersA[row] ?? 0, (row) => numbersB[row] ?? 0],
    largest: Math.max(lineCount(comparison.before), lineCount(comparison.after)),
    origin: (row) =>
      numbersB[row] ? { side: "after", line: numbersB[row] - 1 } : { side: "before", line: (numbersA[row] || 1) - 1 },
    cut: (row) => {
      const [before, after] = [numbersA[row] ?? 0, numbersB[row] ?? 0];
      const { cut } = comparison.shown[after ? "after" : "before"];
      return cut.get((after || before) - 1) ?? 0;
    },
    partner: (row) => {
      const [before, after] = [numbersA[row] ?? 0, numbersB[row] ?? 0];
      return before && after ? comparison.before.line(before).text : null;
    },
    row: (side, line) => (side === "before" ? rowsA : rowsB)[line] ?? 0,
  };
}
