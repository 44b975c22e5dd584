/** The editors of one layout of one content; a change of either makes a new stage. */

import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

import { element } from "../dom";
import { Aligner, countedRooms, spacers } from "./align";
import { foldEffect, folding, type Fold, type OpenFold } from "./folds";
import type { Comparison, Shown, Side } from "./model";
import { notesEffect, type Note } from "./notes";
import { paneExtensions, restyle, type Look, type Sheet, type Span } from "./pane";
import { Ruler, type Tick } from "./ruler";
import { alone, beside, together, type Titled } from "./sheets";

export type Layout = "split" | "unified" | "after";

/** A line of one of the texts, counted from 0. */
export interface Place {
  side: Side;
  line: number;
}

interface Pane {
  sheet: Sheet;
  view: EditorView;
  /** The line of this pane that shows a line of a text; -1 where none does. */
  find: (place: Place) => number;
  /** The first line of this pane that a fold hides. */
  folded: (fold: Fold) => number;
}

export interface Scene {
  layout: Layout;
  comparison: Comparison | null;
  /** The text alone, where there is nothing to compare or the layout shows no more. */
  single: Shown;
  before: Titled;
  after: Titled;
}

/** What happens on a stage. */
export interface Happens {
  openFold: OpenFold;
  click(pane: Pane, line: number, extend: boolean, name: Span | null): void;
  /** The messages of a line of the newer text, from 0, are to be shown or no more. */
  toggleNote(line: number): void;
  /** The ruler was clicked at a height of the content, in pixels. */
  go(height: number): void;
  /** Heights have changed. */
  moved(): void;
}

export class Stage {
  readonly dom = element("div", { class: "stage" });
  readonly panes: Pane[];
  /** The element that scrolls up and down. */
  readonly scroller: HTMLElement;
  readonly ruler: Ruler;
  private readonly aligner: Aligner | null = null;
  private wrap: boolean;
  private noted = false;
  private readonly bars: HTMLElement[] = [];
  private readonly observer = new ResizeObserver(() => this.measureBars());

  constructor(
    scene: Scene,
    root: Document | ShadowRoot,
    look: Look,
    folds: readonly Fold[],
    happens: Happens,
  ) {
    const { layout, comparison, before, after, single } = scene;
    this.wrap = look.wrap;
    const editor = (sheet: Sheet, parent: HTMLElement, folded: Pane["folded"], more: Extension = []) =>
      new EditorView({
        state: EditorState.create({
          doc: sheet.text,
          extensions: [
            paneExtensions(sheet, look, [], folding(happens.openFold, folds, folded), {
              click: (line, extend, name) => happens.click(this.paneOf(sheet), line, extend, name),
              toggleNote: (line) => happens.toggleNote(sheet.origin(line).line),
            }),
            more,
            EditorView.updateListener.of((update) => {
              if (update.geometryChanged) happens.moved();
            }),
          ],
        }),
        root,
        parent,
      });
    if (comparison && layout === "split") {
      const [left, right] = [beside(comparison, "before", before), beside(comparison, "after", after)];
      const [boxA, boxB] = [element("div", { class: "side before" }), element("div", { class: "side after" })];
      this.scroller = element("div", { class: "sides" }, boxA, boxB);
      const rooms = countedRooms(comparison.hunks);
      const moved = () => this.aligner?.moved();
      const views = [
        editor(left, boxA, (f) => f.a, spacers(rooms[0], moved)),
        editor(right, boxB, (f) => f.b, spacers(rooms[1], moved)),
      ] as const;
      this.aligner = new Aligner(views, comparison, () => this.wrap || this.noted);
      this.panes = [
        pane(left, views[0], (p) => (p.side === "before" ? p.line : -1), (f) => f.a),
        pane(right, views[1], (p) => (p.side === "after" ? p.line : -1), (f) => f.b),
      ];
      this.dom.append(this.scroller);
      this.addBars();
    } else {
      const sheet = comparison && layout === "unified" ? together(comparison, before, after) : null;
      const shown = sheet ?? alone(single, after);
      const view = editor(shown, this.dom, (f) => (sheet ? f.row : f.b));
      this.scroller = view.scrollDOM;
      this.panes = [
        sheet
          ? pane(sheet, view, (p) => sheet.row(p.side, p.line), (f) => f.row)
          : pane(shown, view, (p) => (p.side === "after" ? p.line : -1), (f) => f.b),
      ];
    }
    this.ruler = new Ruler((height) => happens.go(height));
    this.dom.append(this.ruler.dom);
    this.dom.classList.add(layout);
    for (const each of this.panes) this.observer.observe(each.view.contentDOM);
    this.observer.observe(this.dom);
  }

  setFolds(folds: readonly Fold[]): void {
    for (const { view, folded } of this.panes) view.dispatch({ effects: foldEffect(folds, folded) });
  }

  private paneOf(sheet: Sheet): Pane {
    return this.panes.find((each) => each.sheet === sheet)!;
  }

  /** Show defects; their lines are those of the newer text, in order. */
  setNotes(notes: readonly Note[]): void {
    this.noted = notes.some((note) => note.open);
    this.dom.classList.toggle("defective", notes.length > 0);
    for (const each of this.panes) {
      const own = notes
        .map((note) => ({ ...note, line: each.find({ side: "after", line: note.line }) }))
        .filter((note) => note.line >= 0);
      each.view.dispatch({ effects: notesEffect(own) });
    }
    this.aligner?.align();
  }

  /** The ticks of the ruler for runs of lines of a pane, `to` exclusive. */
  ticks(each: Pane, kind: Tick["kind"], runs: Iterable<readonly [number, number]>): Tick[] {
    const found: Tick[] = [];
    for (const [from, to] of runs) {
      found.push({ kind, top: this.extent(each, from).top, bottom: this.extent(each, Math.max(from, to - 1)).bottom });
    }
    return found;
  }

  /** The height of the whole content, in pixels. */
  get height(): number {
    const each = this.panes[this.panes.length - 1]!;
    return each.view.contentHeight;
  }

  /** Give every pane its look; a function, because lines and matches differ between panes. */
  setLook(of: (pane: Pane) => Look): void {
    const before = this.wrap;
    for (const each of this.panes) {
      const look = of(each);
      this.wrap = look.wrap;
      restyle(each.view, look);
    }
    if (this.wrap !== before) this.aligner?.align();
  }

  /** Distance of a line from the top of the content, and its height, in pixels. */
  extent(each: Pane, line: number): { top: number; bottom: number } {
    const { doc } = each.view.state;
    const from = doc.line(Math.min(Math.max(line, 0) + 1, doc.lines)).from;
    const block = each.view.lineBlockAt(from);
    const padding = each.view.documentPadding.top;
    return { top: block.top + padding, bottom: block.bottom + padding };
  }

  /** The line that stands at a part of the window's height: 0 is its top, 1 its bottom. */
  at(part: number): Place {
    const each = this.panes[this.panes.length - 1]!;
    const { scrollTop, clientHeight } = this.scroller;
    const height = scrollTop + part * clientHeight - each.view.documentPadding.top;
    const block = each.view.lineBlockAtHeight(Math.max(0, height));
    return each.sheet.origin(each.view.state.doc.lineAt(block.from).number - 1);
  }

  /** Bring a range of lines of a pane into view; `part` of the room stays above it. */
  scrollTo(each: Pane, from: number, to: number, part: number): void {
    const { scroller } = this;
    const { top } = this.extent(each, from);
    const { bottom } = this.extent(each, Math.max(from, to - 1));
    const room = scroller.clientHeight;
    const above = bottom - top > room * (1 - part) ? 40 : room * part;
    scroller.scrollTop = Math.max(0, top - above);
  }

  /** Bring a line into view, if it is not there. */
  bringIntoView(each: Pane, line: number): void {
    const { top, bottom } = this.extent(each, line);
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop || bottom > scrollTop + clientHeight) this.scrollTo(each, line, line + 1, 0.4);
  }

  /** Bring a column of a line into view, sideways. */
  scrollSideways(each: Pane, position: number): void {
    const area = each.view.scrollDOM;
    const at = each.view.coordsAtPos(position);
    if (!at) return;
    const box = area.getBoundingClientRect();
    if (at.left < box.left + 60 || at.right > box.right - 20) {
      area.scrollLeft += at.left - box.left - box.width / 3;
    }
  }

  measure(): void {
    for (const { view } of this.panes) view.requestMeasure();
    this.aligner?.align();
    this.measureBars();
  }

  close(): void {
    this.observer.disconnect();
    for (const { view } of this.panes) view.destroy();
    this.dom.remove();
  }

  /**
   * The two sides are as high as their texts, so that their own horizontal scroll bars
   * lie far below what can be seen: bars of our own, below both, move the two sides together.
   */
  private addBars(): void {
    const row = element("div", { class: "bars" });
    const parts = this.panes.map(({ view }) => ({ area: view.scrollDOM, bar: element("div", { class: "bar" }, element("div")) }));
    // Where each was put by us: the event of that move must not move the others back.
    const put = new Map<HTMLElement, number>();
    const follow = (source: HTMLElement) => () => {
      if (put.get(source) === source.scrollLeft) return;
      put.set(source, source.scrollLeft);
      for (const part of parts) {
        for (const other of [part.area, part.bar]) {
          if (other === source) continue;
          other.scrollLeft = source.scrollLeft;
          put.set(other, other.scrollLeft);
        }
      }
    };
    for (const { area, bar } of parts) {
      for (const source of [area, bar]) {
        source.addEventListener("scroll", follow(source), { passive: true });
      }
      row.append(bar);
      this.bars.push(bar);
    }
    this.dom.append(row);
  }

  private measureBars(): void {
    // Both bars get the width of the wider text: one cannot be moved without the other.
    const wide = Math.max(0, ...this.panes.map(({ view }) => view.scrollDOM.scrollWidth - view.scrollDOM.clientWidth));
    this.bars.forEach((bar) => {
      const inner = bar.firstElementChild as HTMLElement;
      inner.style.width = `${bar.clientWidth + wide}px`;
    });
    this.bars[0]?.parentElement?.toggleAttribute("hidden", wide <= 1);
    // What stands above and below the sides keeps clear of their scroll bar, to be as wide as they.
    const root = this.dom.closest<HTMLElement>(".tilescope-root");
    const width = this.scroller.offsetWidth - this.scroller.clientWidth;
    root?.style.setProperty("--scrollbar", `${width}px`);
    root?.style.setProperty("--below", `${this.bars[0]?.parentElement?.offsetHeight ?? 0}px`);
  }
}

function pane(sheet: Sheet, view: EditorView, find: Pane["find"], folded: Pane["folded"]): Pane {
  return { sheet, view, find, folded };
}

export type { Pane };
