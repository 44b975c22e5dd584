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

import { counted, element } from "../dom";
import { tokens, type Language } from "./languages";
import type { Comparison, Side } from "./model";
import { nameAt } from "./names";
import { noteAt, notesOf, noting, type Note, type Toggle } from "./notes";
import { words as wordsOf } from "./refine";
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
  /** How many characters of a line are not shown. */
  cut: (line: number) => number;
  /** The line of the other text that a line was taken for; null where there is none. */
  partner: (line: number) => string | null;
}

/** A run of characters of a pane. */
export interface Span {
  from: number;
  to: number;
}

export interface Look {
  wrap: boolean;
  /** What the search bar looks for. */
  query: Query | null;
  /** What the page looks for. */
  hits: Query | null;
  /** What the page follows. */
  names: Query | null;
  /** The name that was clicked, in all its places. */
  word: Query | null;
  /** Lines of this pane, from 0, the first and the last chosen; -1 where none. */
  selected: number;
  last: number;
  hunk: number;
  /** The match that the search stands on, and the hit, as positions in this pane; -1 where none. */
  match: number;
  hit: number;
  /** Where the clicked name itself stands. */
  chosen: number;
}

/** A look at nothing in particular. */
export const PLAIN: Look = {
  wrap: false,
  query: null,
  hits: null,
  names: null,
  word: null,
  selected: -1,
  last: -1,
  hunk: -1,
  match: -1,
  hit: -1,
  chosen: -1,
};

/** What happens in a pane; lines count from 0. */
export interface Actions {
  /** A line was clicked, on a name or not; `extend` to choose all from the one chosen before. */
  click(line: number, extend: boolean, name: Span | null): void;
  /** The messages of a line are to be shown, or no more. */
  toggleNote: Toggle;
}

const setLook = StateEffect.define<Look>();

const lookField = StateField.define<Look>({
  create: () => PLAIN,
  update(look, transaction) {
    for (const effect of transaction.effects) if (effect.is(setLook)) return effect.value;
    return look;
  },
});

/** Longest piece of one line that is coloured: nobody reads further, and colouring costs. */
const COLOURED = 20_000;

const wrapping = new Compartment();

/** What an editor needs to show a sheet. */
export function paneExtensions(
  sheet: Sheet,
  look: Look,
  notes: readonly Note[],
  folds: Extension,
  { click, toggleNote }: Actions,
): Extension[] {
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
    noting(notes, toggleNote),
    sheet.columns.map((column, i) => numbers(sheet, column, i, click)),
    decorating(sheet),
    Prec.high(
      EditorView.domEventHandlers({
        click(event, view) {
          if (event.button !== 0 || event.detail > 1 || !view.state.selection.main.empty) return false;
          if ((event.target as HTMLElement).closest(".fold, .linenote")) return false;
          const block = view.lineBlockAtHeight(event.clientY - view.documentTop);
          if (event.clientY - view.documentTop > block.bottom) return false;
          click(view.state.doc.lineAt(block.from).number - 1, false, pointedName(view, sheet, event));
          return false;
        },
      }),
    ),
  ];
}

/** The name under the pointer, if there is one. */
export function pointedName(view: EditorView, sheet: Sheet, { clientX: x, clientY: y }: { clientX: number; clientY: number }): Span | null {
  const position = view.posAtCoords({ x, y });
  if (position === null) return null;
  const line = view.state.doc.lineAt(position);
  // Around the place alone: a line may be long.
  const start = Math.max(0, position - line.from - COLOURED);
  const name = nameAt(sheet.language(line.number - 1), line.text.slice(start, start + 2 * COLOURED), position - line.from - start);
  if (!name) return null;
  const span = { from: line.from + start + name.from, to: line.from + start + name.to };
  const [left, right] = [view.coordsAtPos(span.from, 1), view.coordsAtPos(span.to, -1)];
  if (!left || !right) return null;
  // The empty room beside a line is nearest to its last name, but is not it.
  const within = left.top !== right.top || (left.left - 2 <= x && x <= right.right + 2);
  return within ? span : null;
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

const FENCE = Decoration.widget({ widget: new Fence(), block: true, side: -1 });

/**
 * Of lines not yet drawn the editor knows no height, and guesses one for a whole run of them. Where
 * lines are wrapped, two runs are not guessed as high as both together: a spacer that parts a run
 * changes the guess by which it was put there, and would come and go for ever. Fences of no height
 * part the runs on both sides alike, spacer or not.
 */
function fences(sheet: Sheet): Extension {
  if (!sheet.joints.length) return [];
  let all: DecorationSet | null = null;
  return EditorView.decorations.compute([lookField], (state) => {
    if (!state.field(lookField).wrap) return Decoration.none;
    all ??= Decoration.set(sheet.joints.map((line) => FENCE.range(state.doc.line(line + 1).from)));
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

function numbers(sheet: Sheet, column: (line: number) => number, index: number, click: Actions["click"]): Extension {
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
      click(view, block, event) {
        click(lineOf(view, block), (event as MouseEvent).shiftKey, null);
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

/** The rest of a line that is too long to be shown. */
class CutWidget extends WidgetType {
  constructor(private readonly missing: number) {
    super();
  }

  override eq(other: CutWidget): boolean {
    return other.missing === this.missing;
  }

  override toDOM(): HTMLElement {
    const said = `${counted(this.missing, "more character")} of this line`;
    return element("span", { class: "cutnote", title: "Copying the whole text copies them as well" }, `… ${said} not shown`);
  }
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
          update.viewportChanged ||
          update.startState.field(lookField) !== update.state.field(lookField) ||
          notesOf(update.startState) !== notesOf(update.state);
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
      const note = noteAt(view, index);
      const partner = inside ? null : sheet.partner(index);
      const alike = partner !== null && partner !== line.text;
      const classes = [
        inside ? inside.kind : "",
        inside && inside.hunk === look.hunk ? "here" : "",
        alike ? "alike" : "",
        look.selected <= index && index <= look.last ? "selected" : "",
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
        if (alike) different(partner, line.text, line.from, found);
        const places = (query: Query | null, name: string, current: number) => {
          if (!query) return;
          for (const [start, end] of matchesIn(query, text)) {
            const here = from + start === current;
            found.push(mark(here ? `${name} current` : name).range(from + start, from + end));
          }
        };
        places(look.word, "likeword", look.chosen);
        places(look.names, "named", look.hit);
        places(look.hits, "hit", look.hit);
        places(look.query, "match", look.match);
        if (note) found.push(flaw(note).range(from + Math.max(0, text.search(/\S/)), to));
      }
      const cut = sheet.cut(index);
      if (cut) found.push(Decoration.widget({ widget: new CutWidget(cut), side: 1 }).range(line.to));
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

/** Longest line of which the words are compared with another's. */
const COMPARED = 2000;

/** What differs in a line that was taken for the same as another: addresses, running numbers. */
function different(other: string, text: string, start: number, found: Range<Decoration>[]): void {
  if (text.length > COMPARED || other.length > COMPARED) return;
  for (const { fromB, toB } of wordsOf(other, text)) {
    if (fromB < toB) found.push(titled("word-alike", `On the other side: ${other.trim()}`).range(start + fromB, start + toB));
  }
}

function flaw(note: Note): Decoration {
  return titled(`flaw ${note.harm}`, note.messages.join("\n"));
}

function titled(name: string, title: string): Decoration {
  return Decoration.mark({ class: name, attributes: { title } });
}
