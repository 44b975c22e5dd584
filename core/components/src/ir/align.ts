/** Keeps unchanged lines of two editors at the same height, by spacers beside what only one has. */

import { RangeSetBuilder, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";

import type { Comparison, Hunk } from "./model";

/** Room before a line, or after the last one where `line` is the number of lines. */
interface Room {
  line: number;
  height: number;
}

const setRooms = StateEffect.define<readonly Room[]>();

class Spacer extends WidgetType {
  constructor(private readonly height: number) {
    super();
  }

  override eq(other: Spacer): boolean {
    return other.height === this.height;
  }

  override get estimatedHeight(): number {
    return this.height;
  }

  override toDOM(): HTMLElement {
    const made = document.createElement("div");
    made.className = "spacer";
    this.updateDOM(made);
    return made;
  }

  override updateDOM(dom: HTMLElement): boolean {
    dom.style.height = `${this.height}px`;
    return true;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** What an editor needs to take part; `moved` is called when its heights may have changed. */
export function spacers(rooms: readonly Room[], moved: () => void): Extension {
  const draw = (doc: Text, shown: readonly Room[]) => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { line, height } of shown) {
      const after = line >= doc.lines;
      const position = after ? doc.length : doc.line(line + 1).from;
      const widget = new Spacer(height);
      builder.add(position, position, Decoration.widget({ widget, block: true, side: after ? 1 : -2 }));
    }
    return builder.finish();
  };
  return [
    StateField.define<DecorationSet>({
      create: (state) => draw(state.doc, rooms),
      update(shown, transaction) {
        for (const effect of transaction.effects) {
          if (effect.is(setRooms)) return draw(transaction.state.doc, effect.value);
        }
        return shown;
      },
      provide: (field) => EditorView.decorations.from(field),
    }),
    EditorView.updateListener.of((update) => {
      if (update.geometryChanged || update.viewportChanged) moved();
    }),
  ];
}

/** The height of a row in pixels, by the style sheet; the editor tells if it is another. */
const ROW = 18;

/** The spacers where each line is one row high: counting lines is enough. */
export function countedRooms(hunks: readonly Hunk[], row = ROW): [Room[], Room[]] {
  const rooms: [Room[], Room[]] = [[], []];
  for (const { a0, a1, b0, b1 } of hunks) {
    const longer = a1 - a0 - (b1 - b0);
    if (longer > 0) rooms[1].push({ line: b1, height: longer * row });
    if (longer < 0) rooms[0].push({ line: a1, height: -longer * row });
  }
  return rooms;
}

/** Smaller differences than this many pixels are rounding. */
const EXACT = 0.5;
/** How many frames are spent on coming to rest after heights have changed. */
const FRAMES = 20;

export class Aligner {
  private rooms: [readonly Room[], readonly Room[]];
  private row = ROW;
  private left = 0;
  private busy = false;

  constructor(
    private readonly views: readonly [EditorView, EditorView],
    private readonly comparison: Comparison,
    /** Whether lines may be higher than one row, so that their heights have to be measured. */
    private readonly uneven: () => boolean,
  ) {
    this.rooms = countedRooms(comparison.hunks);
  }

  /** Align at once, and again for some frames where heights are only found out by drawing. */
  align(): void {
    if (!this.uneven()) {
      this.row = this.views[0].defaultLineHeight;
      this.put(countedRooms(this.comparison.hunks, this.row));
      return;
    }
    const running = this.left > 0;
    this.left = FRAMES;
    if (running) return;
    const again = () => {
      if (!this.views[0].dom.isConnected) this.left = 0;
      if (this.left-- <= 0) return;
      // Once nothing moves any more, a few more looks are enough.
      if (!this.put(this.measured())) this.left = Math.min(this.left, 3);
      if (this.left > 0) requestAnimationFrame(again);
    };
    again();
  }

  /** Called by the editors when they have measured. */
  moved(): void {
    if (this.busy || (!this.uneven() && this.row === this.views[0].defaultLineHeight)) return;
    requestAnimationFrame(() => this.align());
  }

  private measured(): [Room[], Room[]] {
    const rooms: [Room[], Room[]] = [[], []];
    const [a, b] = [new Heights(this.views[0], this.rooms[0]), new Heights(this.views[1], this.rooms[1])];
    let [extraA, extraB] = [0, 0];
    /** Make room before two lines, so that those come level that are `on` lines below them. */
    const meet = (lineA: number, lineB: number, on = 0) => {
      const lower = a.top(lineA + on) + extraA - (b.top(lineB + on) + extraB);
      if (lower > EXACT) {
        rooms[1].push({ line: lineB, height: lower });
        extraB += lower;
      } else if (lower < -EXACT) {
        rooms[0].push({ line: lineA, height: -lower });
        extraA -= lower;
      }
    };
    for (const { a: lineA, b: lineB, lines } of this.comparison.stretches) {
      // The first line of the stretch that both have drawn, and the last.
      const first = Math.max(a.drawn.from - lineA, b.drawn.from - lineB);
      const last = Math.min(a.drawn.to - lineA, b.drawn.to - lineB);
      // Room for lines that one of them has not drawn stands where the stretch begins, whatever
      // line it is made for. In the midst it would hold back what is undrawn above it: the editor
      // counts it as part of the line below, and so sees no need to draw the lines in its place.
      meet(lineA, lineB, Math.max(0, Math.min(first, last, lines)));
      // Lines taken for the same need not be as high: names differ, or a note stands below one.
      for (let on = Math.max(0, first) + 1; on <= Math.min(last, lines - 1); on++) meet(lineA + on, lineB + on);
    }
    meet(this.comparison.before.lines, this.comparison.after.lines);
    return rooms;
  }

  /** True where anything changed. */
  private put(rooms: [Room[], Room[]]): boolean {
    let changed = false;
    this.busy = true;
    rooms.forEach((wanted, side) => {
      const known = this.rooms[side]!;
      const same =
        known.length === wanted.length &&
        wanted.every(({ line, height }, i) => line === known[i]!.line && Math.abs(height - known[i]!.height) <= EXACT);
      if (same) return;
      changed = true;
      this.rooms[side] = wanted;
      this.views[side]!.dispatch({ effects: setRooms.of(wanted) });
    });
    this.busy = false;
    return changed;
  }
}

/** How far down the lines of an editor would be without any spacer. */
class Heights {
  /** The lines that are drawn, so that their heights are known; those of others are guessed. */
  readonly drawn: { from: number; to: number };
  /** The height of all spacers up to each, that one included. */
  private readonly sums: number[] = [];

  constructor(
    private readonly view: EditorView,
    private readonly rooms: readonly Room[],
  ) {
    const { doc } = view.state;
    const { from, to } = view.viewport;
    this.drawn = { from: doc.lineAt(from).number - 1, to: doc.lineAt(to).number - 1 };
    let sum = 0;
    for (const { height } of rooms) this.sums.push((sum += height));
  }

  top(line: number): number {
    const { doc } = this.view.state;
    // A block begins with the spacer before its line.
    if (line < doc.lines) return this.view.lineBlockAt(doc.line(line + 1).from).top - this.above(line);
    // Past the last line: below its text, above a spacer that already stands there.
    return this.view.lineBlockAt(doc.length).bottom - this.above(doc.lines + 1);
  }

  /** The height of all spacers before a line, but for its own. */
  private above(line: number): number {
    let [low, high] = [0, this.rooms.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rooms[middle]!.line < line) low = middle + 1;
      else high = middle;
    }
    return low ? this.sums[low - 1]! : 0;
  }
}
