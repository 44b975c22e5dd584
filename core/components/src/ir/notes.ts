/** Defects of a text: an icon beside the line, and what is wrong below it until that is closed. */

import { RangeSetBuilder, StateEffect, StateField, type EditorState, type Extension, type Text } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker, WidgetType, type DecorationSet } from "@codemirror/view";

import { button, element, icon } from "../dom";
import type { IconName } from "../icons";

export type Harm = "wrong" | "slow";

/** All defects of one line of a pane; the line counts from 0. */
export interface Note {
  readonly line: number;
  readonly harm: Harm;
  readonly messages: readonly string[];
  /** Whether the messages stand below the line. */
  readonly open: boolean;
}

export type Toggle = (line: number) => void;

// The shapes differ as well, for those who do not tell red from amber.
const ICONS: Record<Harm, IconName> = { wrong: "dangerous", slow: "speed" };
const WORDS: Record<Harm, string> = { wrong: "Wrong", slow: "Slow" };

const setNotes = StateEffect.define<readonly Note[]>();

const notesField = StateField.define<{ notes: readonly Note[]; byLine: ReadonlyMap<number, Note> }>({
  create: () => ({ notes: [], byLine: new Map() }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setNotes)) return indexed(effect.value);
    return value;
  },
});

function indexed(notes: readonly Note[]) {
  return { notes, byLine: new Map(notes.map((note) => [note.line, note])) };
}

/** What is wrong with a line of the editor, counted from 0, or null. */
export function noteAt(view: EditorView, line: number): Note | null {
  return view.state.field(notesField, false)?.byLine.get(line) ?? null;
}

/** All notes of an editor; the same list as long as nothing changes. */
export function notesOf(state: EditorState): readonly Note[] {
  return state.field(notesField, false)?.notes ?? [];
}

/** Give an editor other notes. */
export function notesEffect(notes: readonly Note[]): StateEffect<unknown> {
  return setNotes.of(notes);
}

/** The height of the messages as long as they are not drawn; the style sheet sets one row as high. */
const ROW = 26;

class NoteWidget extends WidgetType {
  constructor(
    private readonly note: Note,
    private readonly toggle: Toggle,
  ) {
    super();
  }

  override eq(other: NoteWidget): boolean {
    const { note } = this;
    return other.note === note || JSON.stringify(other.note) === JSON.stringify(note);
  }

  override get estimatedHeight(): number {
    return ROW * this.note.messages.length;
  }

  override toDOM(): HTMLElement {
    const { note } = this;
    const rows = note.messages.map((message) =>
      element("div", {}, icon(ICONS[note.harm]), element("span", {}, element("b", {}, `${WORDS[note.harm]}: `), message)),
    );
    const close = button("Close this note", icon("close"), (event) => {
      event.stopPropagation();
      this.toggle(note.line);
    });
    return element("div", { class: `linenote ${note.harm}`, role: "note" }, element("div", {}, ...rows), close);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

class NoteMarker extends GutterMarker {
  constructor(private readonly note: Note) {
    super();
  }

  override eq(other: NoteMarker): boolean {
    return other.note === this.note;
  }

  override toDOM(): HTMLElement {
    const { harm, messages, open } = this.note;
    const title = messages.map((message) => `${WORDS[harm]}: ${message}`).join("\n");
    const made = button(title, icon(ICONS[harm]), () => {});
    made.className = `defect ${harm}`;
    made.setAttribute("aria-expanded", String(open));
    return made;
  }
}

/** What an editor needs to show notes: their gutter, kept free on a pane without any beside one with. */
export function noting(notes: readonly Note[], toggle: Toggle): Extension {
  const draw = (doc: Text, shown: readonly Note[]) => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const note of shown) {
      if (!note.open || note.line >= doc.lines) continue;
      const { to } = doc.line(note.line + 1);
      builder.add(to, to, Decoration.widget({ widget: new NoteWidget(note, toggle), block: true, side: 1 }));
    }
    return builder.finish();
  };
  return [
    notesField.init(() => indexed(notes)),
    StateField.define<DecorationSet>({
      create: (state) => draw(state.doc, notes),
      update(shown, transaction) {
        for (const effect of transaction.effects) {
          if (effect.is(setNotes)) return draw(transaction.state.doc, effect.value);
        }
        return shown;
      },
      provide: (field) => EditorView.decorations.from(field),
    }),
    gutter({
      class: "defects",
      lineMarker(view, block) {
        const note = noteAt(view, view.state.doc.lineAt(block.from).number - 1);
        return note && new NoteMarker(note);
      },
      lineMarkerChange: (update) => update.transactions.some((t) => t.effects.some((e) => e.is(setNotes))),
      domEventHandlers: {
        click(view, block) {
          const line = view.state.doc.lineAt(block.from).number - 1;
          if (!noteAt(view, line)) return false;
          toggle(line);
          return true;
        },
      },
    }),
  ];
}

/** "2 wrong, 1 slow", or "". */
export function tally(notes: readonly Note[]): string {
  const count = (harm: Harm) => notes.filter((note) => note.harm === harm).length;
  return [count("wrong") ? `${count("wrong")} wrong` : "", count("slow") ? `${count("slow")} slow` : ""].filter(Boolean).join(", ");
}

