/** Finding text: the pattern, and every place where it is. */

import type { Text } from "@codemirror/state";

export interface Query {
  pattern: RegExp;
  source: string;
}

export interface Asked {
  text: string;
  matchCase: boolean;
  expression: boolean;
  /** Whole words alone. */
  word?: boolean;
}

/** More matches than this are not counted: the search has to be narrowed anyway. */
export const MOST = 10_000;

/** The query for what was typed; null where nothing was. Throws SyntaxError for a bad expression. */
export function toQuery({ text, matchCase, expression, word }: Asked): Query | null {
  if (!text) return null;
  let source = expression ? text : text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (word && expression) source = String.raw`\b(?:${source})\b`;
  else if (word) source = `${/^\w/.test(text) ? "\\b" : ""}${source}${/\w$/.test(text) ? "\\b" : ""}`;
  return { pattern: new RegExp(source, matchCase ? "g" : "gi"), source };
}

/**
 * The same for a search that the server has made, whose expressions are written a little
 * differently. Throws SyntaxError for what a browser has no form of.
 */
export function toServersQuery(asked: Asked): Query | null {
  if (!asked.expression) return toQuery(asked);
  const text = asked.text
    .replace(/\(\?P(?=<)/g, "(?")
    .replace(/((?:^|[^\\])(?:\\\\)*)\\A/g, "$1^")
    .replace(/((?:^|[^\\])(?:\\\\)*)\\z/g, "$1$$");
  const flag = /^\(\?i\)/.exec(text);
  return toQuery({ ...asked, text: flag ? text.slice(flag[0].length) : text, matchCase: asked.matchCase && !flag });
}

/** Where the query matches within a text, from and to; never an empty range. */
export function* matchesIn(query: Query, text: string): Generator<[number, number]> {
  for (const match of text.matchAll(query.pattern)) {
    if (match[0].length) yield [match.index, match.index + match[0].length];
  }
}

/** Every match, as positions in the text, up to MOST of them. */
export function allMatches(query: Query, text: Text): [number, number][] {
  const found: [number, number][] = [];
  let offset = 0;
  for (const line of text.iterLines()) {
    for (const [from, to] of matchesIn(query, line)) {
      found.push([offset + from, offset + to]);
      if (found.length >= MOST) return found;
    }
    offset += line.length + 1;
  }
  return found;
}
