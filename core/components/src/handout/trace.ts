/** What a handout holds, as core/views/handout.py packs it, and how its texts are unpacked. */

import type { Language } from "../ir/languages";

export interface Step {
  title: string;
  group: string;
  look: "same" | "changed" | "failed";
  lines: number;
  language: Language;
  text: number | null;
  before: number | null;
  hunks: number[];
  counts: [number, number, number] | null;
  facts: string;
  about: string;
  did: string;
  graph: number | null;
}

export interface Document {
  title: string;
  text: number;
  language: Language;
}

export interface Report {
  harm: "wrong" | "slow";
  place: number;
  line: number;
  title: string;
  message: string;
}

export interface Drawing {
  svg: string;
  nodes: Record<string, [number, number]>;
  note: string;
}

export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}

export interface Memory {
  memory: string;
  peak: number;
  capacity: number | null;
  said: string;
  at: number | null;
  culprits: string[];
  /** Name, offset, bytes, first use, last use, copy of. */
  buffers: [string, number | null, number, number | null, number | null, string][];
}

interface Packed {
  base: number | null;
  /** Start and length of a run of the base, how many lines follow of its own, those; over again. */
  runs: number[];
}

export interface Content {
  kernel: string;
  status: { word: string; compiles: boolean };
  facts: [string, string][];
  failure: string;
  notes: string[];
  passes: Step[];
  documents: Document[];
  reports: Report[];
  graphs: Drawing[];
  tables: Table[];
  memory: Memory[];
  left_out: string[];
  lines: string[];
  texts: Packed[];
}

/** Reads what stands in the page, which is compressed. */
export async function unpacked(payload: string): Promise<Content> {
  const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text()) as Content;
}

/** The texts of a trace, put together when they are asked for. */
export class Texts {
  private readonly numbers = new Map<number, number[]>();

  constructor(private readonly content: Content) {}

  lines(place: number): string[] {
    return this.numbered(place).map((number) => this.content.lines[number] ?? "");
  }

  text(place: number): string {
    return this.lines(place).join("\n");
  }

  /** Texts before this one first, so that a long chain needs no deep recursion. */
  private numbered(place: number): number[] {
    const chain: number[] = [];
    let at: number | null = place;
    while (at !== null && !this.numbers.has(at)) {
      chain.push(at);
      at = this.content.texts[at]?.base ?? null;
    }
    for (const next of chain.reverse()) {
      const { base, runs } = this.content.texts[next]!;
      const before = base === null ? [] : this.numbers.get(base)!;
      const made: number[] = [];
      for (let i = 0; i < runs.length; ) {
        const [start, length, own] = [runs[i]!, runs[i + 1]!, runs[i + 2]!];
        for (let k = start; k < start + length; k++) made.push(before[k]!);
        for (let k = i + 3; k < i + 3 + own; k++) made.push(runs[k]!);
        i += 3 + own;
      }
      this.numbers.set(next, made);
    }
    return this.numbers.get(place)!;
  }
}
