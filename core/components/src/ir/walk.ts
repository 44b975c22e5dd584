/** Places of a text, walked one by one. */

import type { Pane } from "./stage";
import { allMatches, MOST, type Query } from "./search";

export interface Found {
  pane: Pane;
  from: number;
  to: number;
}

export class Walk {
  found: readonly Found[] = [];
  /** Where it stands; -1 before the first. */
  at = -1;

  get current(): Found | null {
    return this.found[this.at] ?? null;
  }

  /** Whether places may have been left out. */
  get more(): boolean {
    return this.found.length >= MOST;
  }

  set(found: readonly Found[]): void {
    this.found = found;
    this.at = -1;
  }

  /** Go on; from nowhere, to the first place below a height of the content, or the last above it. */
  move(by: number, top: number): Found | null {
    const { length } = this.found;
    if (!length) return null;
    if (this.at < 0) {
      const first = this.found.findIndex((each) => topOf(each) >= top);
      this.at = by < 0 ? (first < 0 ? length : first) - 1 : Math.max(0, first);
    } else {
      this.at += by;
    }
    this.at = (this.at + length) % length;
    return this.current;
  }
}

function topOf({ pane, from }: Found): number {
  return pane.view.lineBlockAt(from).top;
}

/** All places of some queries, in the order in which they are read. */
export function allFound(panes: readonly Pane[], queries: readonly Query[]): Found[] {
  const found: Found[] = [];
  const places: number[] = []; // of each, as lines of the right side
  for (const [i, pane] of panes.entries()) {
    // Unchanged lines stand on both sides: they count once, on the right.
    const { regions } = pane.sheet;
    const half = panes.length > 1 && i === 0;
    const ends = new Map<number, number>();
    for (const query of queries) for (const [from, to] of allMatches(query, pane.sheet.text)) ends.set(from, to);
    const ordered = [...ends];
    if (queries.length > 1) ordered.sort(([a], [b]) => a - b);
    let at = 0;
    for (const [from, to] of ordered) {
      const line = pane.sheet.text.lineAt(from).number - 1;
      let place = line;
      if (half) {
        while (at < regions.length && regions[at]!.to <= line) at++;
        const region = regions[at];
        if (!region || region.from > line) continue;
        // What is gone is read before what has come in its place.
        place = pane.sheet.comparison!.hunks[region.hunk]!.b0 - 0.5;
      }
      found.push({ pane, from, to });
      places.push(place);
    }
  }
  if (panes.length === 1) return found;
  const order = found.map((_, i) => i).sort((i, j) => places[i]! - places[j]! || i - j);
  return order.map((i) => found[i]!);
}
