/** Which words differ within a run of changed lines. */

import { diff } from "@codemirror/merge";

/** Ranges of characters, counted from the start of the run, on either side. */
export interface Marks {
  before: [number, number][];
  after: [number, number][];
}

/** Lines that share less than this part of their words do not stand for one another. */
const ALIKE = 0.5;
/** More pairs of lines than this are not compared each with each. */
const PAIRS = 40_000;

const TOKEN = /[A-Za-z_][A-Za-z0-9_.]*|0x[0-9a-fA-F]+|\d+|\s+|[^\sA-Za-z0-9_]/g;

interface Line {
  text: string;
  /** Where the line begins within its run. */
  offset: number;
  /** How often each word occurs; blanks and signs tell too little to count. */
  words: Map<string, number>;
  total: number;
}

/** The marks for the lines that have a counterpart, or null where none has. */
export function refine(before: readonly string[], after: readonly string[]): Marks | null {
  const [left, right] = [linesOf(before), linesOf(after)];
  const marks: Marks = { before: [], after: [] };
  const pairs = paired(left, right);
  for (const [a, b] of pairs) {
    const changes = words(a.text, b.text);
    for (const { fromA, toA, fromB, toB } of changes) {
      if (fromA < toA) marks.before.push([a.offset + fromA, a.offset + toA]);
      if (fromB < toB) marks.after.push([b.offset + fromB, b.offset + toB]);
    }
  }
  return pairs.length ? marks : null;
}

function linesOf(texts: readonly string[]): Line[] {
  let offset = 0;
  return texts.map((text) => {
    const line: Line = { text, offset, words: new Map(), total: 0 };
    for (const [word] of text.matchAll(/[A-Za-z0-9_.]+/g)) {
      line.words.set(word, (line.words.get(word) ?? 0) + 1);
      line.total += 1;
    }
    offset += text.length + 1;
    return line;
  });
}

/** From 0, no word in common, to 1. */
function likeness(a: Line, b: Line): number {
  if (!a.total || !b.total) return a.text.trim() === b.text.trim() ? 1 : 0;
  let common = 0;
  for (const [word, count] of a.words) common += Math.min(count, b.words.get(word) ?? 0);
  return (2 * common) / (a.total + b.total);
}

/** Which line stands for which, in order: the choice that keeps most words. */
function paired(left: readonly Line[], right: readonly Line[]): [Line, Line][] {
  const [rows, columns] = [left.length, right.length];
  if (rows * columns > PAIRS) {
    return left
      .slice(0, columns)
      .map((line, i): [Line, Line] => [line, right[i]!])
      .filter(([a, b]) => likeness(a, b) >= ALIKE);
  }
  const width = columns + 1;
  const best = new Float32Array((rows + 1) * width);
  const alike = new Float32Array(rows * columns);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const own = likeness(left[i]!, right[j]!);
      alike[i * columns + j] = own;
      const skip = Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
      const pair = own >= ALIKE ? own + best[(i + 1) * width + j + 1]! : 0;
      best[i * width + j] = Math.max(skip, pair);
    }
  }
  const pairs: [Line, Line][] = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    const here = best[i * width + j]!;
    const own = alike[i * columns + j]!;
    if (own >= ALIKE && Math.abs(here - (own + best[(i + 1) * width + j + 1]!)) < 1e-4) {
      pairs.push([left[i++]!, right[j++]!]);
    } else if (here === best[(i + 1) * width + j]) i++;
    else j++;
  }
  return pairs;
}

export interface Range {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

/** What differs between two lines; how far they are indented only where that is all. */
export function words(a: string, b: string): Range[] {
  const [inA, inB] = [a.search(/\S|$/), b.search(/\S|$/)];
  const found = tokens(a.slice(inA), b.slice(inB));
  if (!found.length) return [{ fromA: 0, toA: Math.max(0, inA - inB), fromB: 0, toB: Math.max(0, inB - inA) }];
  return found.map(({ fromA, toA, fromB, toB }) => ({
    fromA: fromA + inA,
    toA: toA + inA,
    fromB: fromB + inB,
    toB: toB + inB,
  }));
}

function tokens(a: string, b: string): Range[] {
  // Each different token becomes one character, so that the character diff works by whole tokens.
  const codes = new Map<string, string>();
  const encode = (text: string) => {
    const ends: number[] = [0];
    let encoded = "";
    for (const [token] of text.matchAll(TOKEN)) {
      let code = codes.get(token);
      if (code === undefined) codes.set(token, (code = String.fromCharCode(0x4e00 + codes.size)));
      encoded += code;
      ends.push(ends[ends.length - 1]! + token.length);
    }
    return { encoded, ends };
  };
  const [left, right] = [encode(a), encode(b)];
  const result: Range[] = [];
  for (const change of diff(left.encoded, right.encoded, { scanLimit: 400, timeout: 50 })) {
    const range = {
      fromA: left.ends[change.fromA]!,
      toA: left.ends[change.toA]!,
      fromB: right.ends[change.fromB]!,
      toB: right.ends[change.toB]!,
    };
    // Changes with no more than a blank or a sign between them read better as one.
    const last = result[result.length - 1];
    const between = last ? a.slice(last.toA, range.fromA) : "";
    if (last && between.length <= 2 && !/[A-Za-z0-9]/.test(between)) {
      last.toA = range.toA;
      last.toB = range.toB;
    } else {
      result.push(range);
    }
  }
  return result;
}
