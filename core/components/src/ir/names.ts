/** Names in a text: what can be followed, and where given names stand. */

import { tokens, type Language } from "./languages";
import type { Query } from "./search";

/** A name in a line; columns count from 0. */
export interface Name {
  text: string;
  from: number;
  to: number;
}

const STATEMENT = /[A-Za-z_]\w*(?:\.\w+)*/g;
const PATTERNS: Record<Language, RegExp> = {
  statement: STATEMENT,
  schedule: /[A-Za-z_]\w*/g,
  mlir: /%[\w$.-]+(?:#\d+)?|@"[^"]*"|[@#^!][A-Za-z_][\w$.-]*|[A-Za-z_][\w$]*(?:\.[\w$]+)*/g,
  anf: /%para\d+_[^\s,):]+|%\d+|@[^\s(),\]]+|[A-Za-z_]\w*/g,
  cce: /[A-Za-z_]\w*/g,
  text: STATEMENT,
};

/** What every line is full of, so that nobody follows it. */
function common(language: Language, kind: string, word: string): boolean {
  if (kind === "keyword") return language !== "mlir" || !word.includes(".");
  return kind === "type" || kind === "faint" || kind === "number" || (kind === "attr" && language === "statement");
}

/** The names of a line, words of the language itself left out; operations of MLIR are names. */
export function namesIn(language: Language, line: string): Name[] {
  const own: [number, number][] = [];
  tokens(language, line, (from, to, kind) => {
    if (common(language, kind, line.slice(from, to))) own.push([from, to]);
  });
  const found: Name[] = [];
  let next = 0;
  for (const { 0: text, index: from } of line.matchAll(PATTERNS[language])) {
    const to = from + text.length;
    while (next < own.length && own[next]![1] <= from) next++;
    if (next === own.length || own[next]![0] >= to) found.push({ text, from, to });
  }
  return found;
}

/** The name at a column of a line, or the one that ends there. */
export function nameAt(language: Language, line: string, column: number): Name | null {
  const touching = namesIn(language, line).filter(({ from, to }) => from <= column && column <= to);
  return touching.find(({ to }) => column < to) ?? touching[0] ?? null;
}

/** All places of the names, each whole: `cc0` is neither in `cc01` nor in `cc0.outer`. */
export function namesQuery(names: readonly string[]): Query | null {
  const wanted = [...new Set(names)].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!wanted.length) return null;
  const source = wanted.map(whole).join("|");
  return { pattern: new RegExp(source, "g"), source };
}

function whole(name: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const marked = /^[%@#^!]/.test(name);
  const before = marked ? "" : String.raw`(?<![\w.$%@#^!])`;
  const after = /\w$/.test(name) ? (marked ? String.raw`(?![\w$]|[.-]\w)` : String.raw`(?![\w$]|\.\w)`) : "";
  return before + escaped + after;
}
