/** Two texts and the line operations between them: what every layout is drawn from. */

import { Text } from "@codemirror/state";

import { refine, type Marks } from "./refine";

export type Side = "before" | "after";

/** One run of lines that differ; lines count from 0, ends are exclusive. */
export interface Hunk {
  a0: number;
  a1: number;
  b0: number;
  b1: number;
}

/** One run of lines that do not; `row` is its first line when both texts stand in one column. */
export interface Stretch {
  a: number;
  b: number;
  row: number;
  lines: number;
}

/** More characters of one line than this are not shown: no one reads them, and browsers choke. */
export const LONGEST = 50_000;

/** A text as it can be shown. */
export interface Shown {
  text: Text;
  /** How many characters the end of a line lacks, by line from 0; only lines that are cut. */
  cut: ReadonlyMap<number, number>;
}

/** Lines as the server counts them: a line break at the very end begins no further line. */
export function toShown(source: string): Shown {
  const lines = source.includes("\r") ? source.split(/\r\n?|\n/) : source.split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  const cut = new Map<number, number>();
  lines.forEach((line, i) => {
    if (line.length <= LONGEST) return;
    cut.set(i, line.length - LONGEST);
    lines[i] = line.slice(0, LONGEST);
  });
  return { text: Text.of(lines), cut };
}

/** Beyond this many characters a hunk is not looked into: its lines are marked whole. */
const REFINED = 20_000;

export class Comparison {
  readonly before: Text;
  readonly after: Text;
  readonly hunks: readonly Hunk[];
  readonly stretches: readonly Stretch[];
  private readonly marks = new Map<number, Marks | null>();

  /** `flat` holds a0, a1, b0, b1 of each hunk in turn. */
  constructor(
    readonly shown: Readonly<Record<Side, Shown>>,
    flat: readonly number[],
  ) {
    const before = (this.before = shown.before.text);
    this.after = shown.after.text;
    const hunks: Hunk[] = [];
    const stretches: Stretch[] = [];
    let [a, b, row] = [0, 0, 0];
    const upTo = (end: number) => {
      if (end > a) stretches.push({ a, b, row, lines: end - a });
      row += end - a;
    };
    for (let i = 0; i + 3 < flat.length; i += 4) {
      const [a0, a1, b0, b1] = flat.slice(i, i + 4) as [number, number, number, number];
      upTo(a0);
      hunks.push({ a0, a1, b0, b1 });
      row += a1 - a0 + (b1 - b0);
      [a, b] = [a1, b1];
    }
    upTo(lineCount(before));
    this.hunks = hunks;
    this.stretches = stretches;
  }

  /**
   * The line of the other side that an unchanged line was taken for, both from 0; -1 for a line of
   * a hunk.
   */
  partner(side: Side, line: number): number {
    const [own, other] = side === "before" ? (["a", "b"] as const) : (["b", "a"] as const);
    let [low, high] = [0, this.stretches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.stretches[middle]![own] <= line) low = middle + 1;
      else high = middle;
    }
    const stretch = this.stretches[low - 1];
    if (!stretch || line >= stretch[own] + stretch.lines) return -1;
    return stretch[other] + (line - stretch[own]);
  }

  /** Words that differ within a hunk, found when first asked for; null where it is all new. */
  marksOf(index: number): Marks | null {
    let known = this.marks.get(index);
    if (known === undefined) {
      known = this.refined(this.hunks[index]!);
      this.marks.set(index, known);
    }
    return known;
  }

  private refined({ a0, a1, b0, b1 }: Hunk): Marks | null {
    if (a0 === a1 || b0 === b1) return null;
    const [fromA, toA] = [start(this.before, a0), start(this.before, a1)];
    const [fromB, toB] = [start(this.after, b0), start(this.after, b1)];
    if (toA - fromA + (toB - fromB) > REFINED) return null;
    const linesOf = (text: Text, from: number, to: number) => {
      const lines: string[] = [];
      for (let n = from; n < to; n++) lines.push(text.line(n + 1).text);
      return lines;
    };
    return refine(linesOf(this.before, a0, a1), linesOf(this.after, b0, b1));
  }
}

/** Lines of a text; one that holds nothing has none. */
export function lineCount(text: Text): number {
  return text.length === 0 && text.lines === 1 ? 0 : text.lines;
}

/** Where a line begins (counted from 0), or one past the end of the text after its last line. */
export function start(text: Text, line: number): number {
  return line < text.lines ? text.line(line + 1).from : text.length + 1;
}
