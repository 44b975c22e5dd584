/** One editor: a text with its numbers, colours, differences and marked line. */

import { Compartment, EditorState, Prec, StateEffect, StateField, type Extension, type Range, type Text } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  gutter,
  GutterMarker,
  ViewPlugin,
  WidgetType,
  type BlockInfo,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";

import { tokens, type Language } from "./languages";
import type { Comparison, Side } from "./model";
import { matchesIn, type Query } from "./search";

/** How a line differs. */
export type Kind = "added" | "removed" | "changed";

/** A run of lines of a pane that belong to one side of one hunk; lines count from 0. */
export interface Region {
  hunk: number;
  side: Side;
  from: number;
  to: number;
  kind: Kind;
}

/** What a pane shows, apart from the editor that shows it. */
export interface Sheet {
  text: Text;
  title: string;
  language: (line: number) => Language;
  regions: readonly Region[];
  comparison: Comparison | null;
  /** Lines at which the other side has a line that belongs beside it; see `fences`. */
  joints: readonly number[];
  /** Columns of line numbers: the number to show for a line counted from 0, or 0 for none. */
  columns: readonly ((line: number) => number)[];
  /** The largest number that a column shows. */
  largest: number;
  /** Which line of which text a line is; both count from 0. */
  origin: (line: number) => { side: Side; line: number };
}

export interface Look {
  wrap: boolean;
  query: Query | null;
  /** Lines of this pane, from 0; -1 where none. */
  selected: number;
  hunk: number;
  /** The match that the search stands on, as a position in this pane. */
  match: number;
}

const setLook = StateEffect.define<Look>();

const lookField = StateField.define<Look>({
  create: () => ({ wrap: false, query: null, selected: -1, hunk: -1, match: -1 }),
  update(look, transaction) {
    for (const effect of transaction.effects) if (effect.is(setLook)) return effect.value;
    return look;
  },
});

/** Longest piece of one line that is coloured: nobody reads further, and colouring costs. */
const COLOURED = 20_000;

const wrapping = new Compartment();

/** What an editor needs to show a sheet. `click` gets a line counted from 0. */
export function paneExtensions(sheet: Sheet, look: Look, folds: Extension, click: (line: number) => void): Extension[] {
  return [
    EditorState.readOnly.of(true),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({
      "aria-label": sheet.title,
      "aria-readonly": "true",
      inputmode: "none",
      spellcheck: "false",
      autocorrect: "off",
    }),
    drawSelection({ cursorBlinkRate: 0 }),
    wrapping.of(look.wrap ? EditorView.lineWrapping : []),
    lookField.init(() => look),
    fences(sheet),
    folds,
    sheet.columns.map((column, i) => numbers(sheet, column, i, click)),
    decorating(sheet),
    Prec.high(
      EditorView.domEventHandlers({
        click(event, view) {
          if (event.button !== 0 || event.detail > 1 || !view.state.selection.main.empty) return false;
          if ((event.target as HTMLElement).closest(".fold")) return false;
          const block = view.lineBlockAtHeight(event.clientY - view.documentTop);
          if (event.clientY - view.documentTop > block.bottom) return false;
          click(view.state.doc.lineAt(block.from).number - 1);
          return false;
        },
      }),
    ),
  ];
}

/** Give an open editor another look. */
export function restyle(view: EditorView, look: Look): void {
  const now = view.state.field(lookField);
  const same = (Object.keys(look) as (keyof Look)[]).every((name) => look[name] === now[name]);
  if (same) return;
  const effects: StateEffect<unknown>[] = [setLook.of(look)];
  if (look.wrap !== now.wrap) effects.push(wrapping.reconfigure(look.wrap ? EditorView.lineWrapping : []));
  view.dispatch({ effects });
}

class Fence extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override get estimatedHeight(): number {
    return 0;
  }

  override toDOM(): HTMLElement {
    return document.createElement("div");
  }
}

/**
 * Of lines not yet drawn the editor knows no height, and guesses one for a whole run of them. Where
 * lines are wrapped, two runs are not guessed as high as both together: a spacer that parts a run
 * changes the guess by which it was put there, and would come and go for ever. Fences of no height
 * part the runs on both sides alike, spacer or not.
 */
function fences(sheet: Sheet): Extension {
  if (!sheet.joints.length) return [];
  const fence = Decoration.widget({ widget: new Fence(), block: true, side: -1 });
  let all: DecorationSet | null = null;
  return EditorView.decorations.compute([lookField], (state) => {
    if (!state.field(lookField).wrap) return Decoration.none;
    all ??= Decoration.set(sheet.joints.map((line) => fence.range(state.doc.line(line + 1).from)));
    return all;
  });
}

class NumberMarker extends GutterMarker {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: NumberMarker): boolean {
    return other.text === this.text;
  }

  override toDOM(): Node {
    return document.createTextNode(this.text);
  }
}

function numbers(sheet: Sheet, column: (line: number) => number, index: number, click: (line: number) => void): Extension {
  const lineOf = (view: EditorView, block: BlockInfo) => view.state.doc.lineAt(block.from).number - 1;
  const widest = new NumberMarker("0".repeat(String(Math.max(99, sheet.largest)).length));
  return gutter({
    class: `numbers column-${index}`,
    lineMarker(view, block) {
      const number = column(lineOf(view, block));
      return new NumberMarker(number ? String(number) : " ");
    },
    initialSpacer: () => widest,
    domEventHandlers: {
      click(view, block) {
        click(lineOf(view, block));
        return true;
      },
    },
  });
}

/** The first region that ends after a line; regions are in order. */
function firstRegion(regions: readonly Region[], line: number): number {
  let [low, high] = [0, regions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (regions[middle]!.to <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

const marks = new Map<string, Decoration>();

function mark(name: string): Decoration {
  let known = marks.get(name);
  if (!known) marks.set(name, (known = Decoration.mark({ class: name })));
  return known;
}

const lines = new Map<string, Decoration>();

function lineMark(name: string, hang: number): Decoration {
  const key = `${name}|${hang}`;
  let known = lines.get(key);
  if (!known) {
    // A wrapped line goes on below its own start, a little further in.
    const style = hang < 0 ? "" : `padding-left: calc(${hang}ch + 6px); text-indent: -${hang}ch`;
    known = Decoration.line({ attributes: { ...(name ? { class: name } : {}), ...(style ? { style } : {}) } });
    lines.set(key, known);
  }
  return known;
}

function decorating(sheet: Sheet): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = decorate(view, sheet);
      }

      update(update: ViewUpdate): void {
        const changed =
          update.viewportChanged || update.startState.field(lookField) !== update.state.field(lookField);
        if (changed) this.decorations = decorate(update.view, sheet);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

function decorate(view: EditorView, sheet: Sheet): DecorationSet {
  const { doc } = view.state;
  const look = view.state.field(lookField);
  const found: Range<Decoration>[] = [];
  for (const visible of view.visibleRanges) {
    for (let position = visible.from; position <= visible.to; ) {
      const line = doc.lineAt(position);
      const index = line.number - 1;
      const region = sheet.regions[firstRegion(sheet.regions, index)];
      const inside = region && region.from <= index ? region : null;
      const classes = [
        inside ? inside.kind : "",
        inside && inside.hunk === look.hunk ? "here" : "",
        index === look.selected ? "selected" : "",
      ].filter(Boolean).join(" ");
      const hang = look.wrap ? Math.min(40, line.text.slice(0, 80).search(/\S|$/)) + 4 : -1;
      if (classes || hang >= 0) found.push(lineMark(classes, hang).range(line.from));

      const from = Math.max(line.from, visible.from);
      const to = Math.min(line.to, visible.to, from + COLOURED);
      if (to > from) {
        const text = doc.sliceString(from, to);
        tokens(sheet.language(index), text, (start, end, name) => {
          found.push(mark(name).range(from + start, from + end));
        });
        if (look.query) {
          for (const [start, end] of matchesIn(look.query, text)) {
            const here = from + start === look.match;
            found.push(mark(here ? "match current" : "match").range(from + start, from + end));
          }
        }
      }
      position = line.to + 1;
    }
    words(doc, sheet, visible.from, visible.to, found);
  }
  return Decoration.set(found, true);
}

/** The words that differ, in the hunks that can be seen. */
function words(doc: Text, sheet: Sheet, from: number, to: number, found: Range<Decoration>[]): void {
  if (!sheet.comparison) return;
  const last = doc.lineAt(to).number - 1;
  for (let i = firstRegion(sheet.regions, doc.lineAt(from).number - 1); i < sheet.regions.length; i++) {
    const region = sheet.regions[i]!;
    if (region.from > last) break;
    const marked = sheet.comparison.marksOf(region.hunk);
    if (!marked) continue;
    const offset = doc.line(region.from + 1).from;
    const word = mark(region.side === "before" ? "word-removed" : "word-added");
    for (const [start, end] of marked[region.side]) {
      const low = Math.max(from, offset + start);
      const high = Math.min(to, offset + end);
      if (low < high) found.push(word.range(low, high));
    }
  }
}
