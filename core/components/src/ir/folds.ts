/** Unchanged lines, folded away until they are asked for. */

import { RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";

import { counted, element, icon } from "../dom";
import type { IconName } from "../icons";
import type { Stretch } from "./model";

/** Unchanged lines that stay in view on either side of a difference. */
const AROUND = 3;
/** A fold that hides fewer lines than this is not worth its own height. */
const LEAST = 6;
/** How many lines one press on an arrow brings back. */
const SOME = 20;

/** Folds never change: opening one replaces it. */
export interface Fold extends Stretch {
  /** What the hidden lines end within, such as the loop around the next line shown. */
  readonly context: string;
}

export type Opening = "start" | "end" | "all";

/**
 * The folds that leave only the differences and their surroundings in view, and the lines that are
 * to be seen all the same (of the newer text, from 0, in order).
 */
export function foldsOf(stretches: readonly Stretch[], text: Text, seen: readonly number[] = []): Fold[] {
  const total = text.lines;
  const folds: Fold[] = [];
  let next = 0;
  for (const { a, b, row, lines } of stretches) {
    const add = (from: number, to: number) => {
      if (to - from < LEAST || to - from >= total) return;
      folds.push(fold(text, a + from, b + from, row + from, to - from));
    };
    let from = b === 0 && a === 0 ? 0 : AROUND;
    const to = lines - (b + lines === total ? 0 : AROUND);
    while (next < seen.length && seen[next]! < b) next++;
    for (; next < seen.length && seen[next]! < b + lines; next++) {
      add(from, Math.min(to, seen[next]! - b - 1));
      from = Math.max(from, seen[next]! - b + 2);
    }
    add(from, to);
  }
  return folds;
}

function fold(text: Text, a: number, b: number, row: number, lines: number): Fold {
  return { a, b, row, lines, context: contextOf(text, b, b + lines) };
}

/** What is left of a fold once some of its lines, or all, are back in view. */
export function opened(fold_: Fold, text: Text, opening: Opening): Fold[] {
  const { a, b, row, lines } = fold_;
  if (opening === "all" || lines - SOME < LEAST) return [];
  if (opening === "end") return [fold(text, a, b, row, lines - SOME)];
  return [fold(text, a + SOME, b + SOME, row + SOME, lines - SOME)];
}

/** The hidden line that opens the block in which the first visible line after a fold stands. */
function contextOf(text: Text, from: number, to: number): string {
  if (to >= text.lines) return "";
  const indent = (line: string) => line.search(/\S/);
  const inner = indent(text.line(to + 1).text);
  if (inner <= 0) return "";
  for (let n = to; n > Math.max(from, to - 5000); n--) {
    const line = text.line(n).text;
    const depth = indent(line);
    if (depth >= 0 && depth < inner && /\w/.test(line)) return line.trim().slice(0, 200);
  }
  return "";
}

interface Placed {
  fold: Fold;
  /** First hidden line of this editor's own text, counted from 0. */
  line: number;
}

const setFolds = StateEffect.define<readonly Placed[]>();

/** `place` gives the first line of a pane that a fold hides. */
export function foldEffect(folds: readonly Fold[], place: (fold: Fold) => number): StateEffect<unknown> {
  return setFolds.of(placed(folds, place));
}

function placed(folds: readonly Fold[], place: (fold: Fold) => number): Placed[] {
  return folds.map((each) => ({ fold: each, line: place(each) }));
}

export type OpenFold = (fold: Fold, opening: Opening) => void;

export function folding(
  open: OpenFold,
  folds: readonly Fold[],
  place: (fold: Fold) => number,
): StateField<DecorationSet> {
  const draw = (doc: Text, shown: readonly Placed[]) => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { fold: each, line } of shown) {
      const widget = new FoldWidget(each, open);
      const from = doc.line(line + 1).from;
      const to = doc.line(line + each.lines).to;
      builder.add(from, to, Decoration.replace({ widget, block: true }));
    }
    return builder.finish();
  };
  return StateField.define<DecorationSet>({
    create: (state) => draw(state.doc, placed(folds, place)),
    update(shown, transaction) {
      for (const effect of transaction.effects) {
        if (effect.is(setFolds)) return draw(transaction.state.doc, effect.value);
      }
      return shown;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** Height of a fold in pixels; the style sheet has the same figure. */
const HEIGHT = 26;

class FoldWidget extends WidgetType {
  constructor(
    private readonly fold: Fold,
    private readonly open: OpenFold,
  ) {
    super();
  }

  override eq(other: FoldWidget): boolean {
    return other.fold === this.fold;
  }

  override get estimatedHeight(): number {
    return HEIGHT;
  }

  override toDOM(): HTMLElement {
    const bar = element("div", { class: "fold" });
    const arrow = (name: IconName, title: string, opening: Opening) => {
      const made = element("button", { type: "button", title, "aria-label": title }, icon(name));
      made.addEventListener("click", (event) => {
        event.stopPropagation();
        this.open(this.fold, opening);
      });
      return made;
    };
    const label = counted(this.fold.lines, "unchanged line");
    if (this.fold.lines - SOME >= LEAST) {
      bar.append(
        arrow("keyboard_arrow_down", `Show ${SOME} lines from the start`, "start"),
        arrow("keyboard_arrow_up", `Show ${SOME} lines from the end`, "end"),
      );
    }
    const all = element("button", { type: "button", class: "all", title: `Show all ${label}` }, label);
    all.addEventListener("click", (event) => {
      event.stopPropagation();
      this.open(this.fold, "all");
    });
    bar.append(all);
    if (this.fold.context) bar.append(element("span", { class: "context" }, this.fold.context));
    return bar;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
