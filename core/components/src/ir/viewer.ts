/** The IR viewer: fetches texts, keeps what the user chose, and drives toolbar and stage. */

import type { Text } from "@codemirror/state";

import type { Component, Outbox, Viewer } from "../component";
import { button, copy, counted, element, icon } from "../dom";
import { FetchError, fetched, prefetch } from "../fetched";
import { Frame, setScheme, type Height } from "../frame";
import { foldsOf, opened, type Fold, type Opening } from "./folds";
import { keyOf, LEGEND, type Command } from "./keys";
import type { Language } from "./languages";
import { Comparison, lineCount, LONGEST, toShown, type Shown, type Side } from "./model";
import { namesIn, namesQuery } from "./names";
import { tally, type Harm, type Note } from "./notes";
import { PLAIN, pointedName, type Look, type Span } from "./pane";
import type { Tick } from "./ruler";
import { SearchBar } from "./searchbar";
import { matchesIn, toServersQuery, type Asked, type Query } from "./search";
import { Settings } from "./settings";
import { Stage, type Layout, type Pane, type Place, type Scene } from "./stage";
import { Toolbar } from "./toolbar";
import { allFound, Walk, type Found } from "./walk";
import { WordMenu, type WordAction } from "./wordmenu";

interface TextData {
  url: string;
  title: string;
  language: Language;
  note: string;
}

export interface Data {
  after: TextData;
  before: TextData | null;
  hunks: readonly number[];
  /** Lines added, removed and changed. */
  counts: readonly [number, number, number] | null;
  /** A line, counted from 1, its side, and the last line where it is a run of them. */
  selection: readonly [number, Side, number?] | null;
  layout: Layout | null;
  wrap: boolean | null;
  collapse: boolean | null;
  steps: readonly [boolean, boolean];
  prefetch: readonly string[];
  height: Height;
  /** Whether a click on a name offers to follow it. */
  words?: boolean;
  /** What is followed. */
  names?: readonly string[];
  /** What is looked for in all passes. */
  find?: Asked | null;
  /** Defects of the newer text: line from 1, harm, sentence. */
  marks?: readonly (readonly [number, Harm, string])[];
  masked?: string;
  /** Whether the address of the page can name a line. */
  links?: boolean;
}

/** What is on the stage, or about to be. */
interface Content {
  before: Text | null;
  after: Text;
  /** Whole, also where a line is too long to be shown. */
  source: string;
  shown: Shown;
  comparison: Comparison | null;
}

/** Lines of a text that were chosen, from 0, the last one included. */
interface Chosen extends Place {
  last: number;
}

/** A name that was pointed at. */
interface Word {
  pane: Pane;
  span: Span;
  text: string;
  query: Query;
}

/** The messages of more defects than this are not shown until they are asked for. */
const OPEN = 3;
/** The ruler follows the text after this many milliseconds. */
const RULED = 120;
/** Places nearer to one another than this part of the text are one on the ruler. */
const FINE = 2000;
/** How far, in pixels, the text may move under the menu of a name. */
const SLACK = 4;
/** How many lines without a name are passed over on the way to the next one. */
const FAR = 2000;

/** Loading that takes no longer than this shows nothing of itself. */
const PATIENCE = 150;
/** Where in the window, from 0 to 1, the difference stands that was gone to. */
const READ_AT = 0.25;
/** How much of a line is sent with a click. */
const CUT = 2000;

export class IrViewer implements Viewer<Data> {
  private readonly frame: Frame;
  private readonly settings = new Settings();
  private readonly toolbar: Toolbar;
  private readonly searchBar: SearchBar;
  private readonly headers = element("div", { class: "headers" });
  private readonly body = element("div", { class: "body" });
  private readonly legend = element("div", { class: "legend", hidden: "" });

  private data!: Data;
  private shown = "";
  private loading = 0;
  private arrived = 0;
  private content: Content | null = null;
  private stage: Stage | null = null;
  private folds: Fold[] = [];
  private selected: Chosen | null = null;
  private askedSelection = "";
  private hunk = -1;
  private query: Query | null = null;
  private readonly matches = new Walk();
  private asked = "";
  private names: Query | null = null;
  private hits: Query | null = null;
  private unreadable = false;
  private readonly places = new Walk();
  private counting = 0;
  private word: Word | null = null;
  private readonly menu = new WordMenu((action, { text, place }) => this.ask(action, text, place));
  private menuAt = 0;
  private pointer: { clientX: number; clientY: number } | null = null;
  private askedMarks = "";
  private notes: Note[] = [];
  private note = -1;
  /** Messages that were closed, or opened, by the user: by text, line and message. */
  private readonly opened = new Map<string, boolean>();
  private ruling = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly base: string,
    private readonly outbox: Outbox,
  ) {
    this.toolbar = new Toolbar((command) => this.run(command));
    this.searchBar = new SearchBar({
      search: (query) => this.search(query),
      move: (by) => this.moveMatch(by),
      close: () => this.closeSearch(),
    });
    this.legend.append(...LEGEND.map(([keys, does]) => element("div", {}, element("kbd", {}, keys), element("span", {}, does))));
    this.root.classList.add("ir");
    this.root.replaceChildren(this.toolbar.dom, this.headers, this.searchBar.dom, this.body, this.menu.dom, this.legend);
    this.root.addEventListener("keydown", this.onKey);
    this.body.addEventListener("pointermove", (event) => (this.pointer = event), { passive: true });
    this.body.addEventListener("pointerleave", () => (this.pointer = null));
    document.addEventListener("keydown", this.onPageKey);
    document.addEventListener("pointerdown", this.onPointerDown, true);
    this.frame = new Frame(root, () => this.stage?.measure());
  }

  update({ data }: Component<Data>): void {
    this.data = data;
    setScheme(this.root);
    this.frame.set(data.height);
    const forced = this.settings.force({ layout: data.layout, wrap: data.wrap, collapse: data.collapse });
    const sought = this.adoptSought();
    const shown = JSON.stringify([data.after, data.before, data.hunks]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.load();
    } else if (this.content) {
      if (forced) this.show(true);
      this.adoptMarks();
      this.adoptSelection();
      if (sought) {
        this.refreshLook();
        this.countPlaces();
      }
      this.refreshToolbar();
      this.refreshRuler();
    }
  }

  close(): void {
    this.loading += 1;
    window.clearTimeout(this.counting);
    window.clearTimeout(this.ruling);
    document.removeEventListener("keydown", this.onPageKey);
    document.removeEventListener("pointerdown", this.onPointerDown, true);
    this.root.removeEventListener("keydown", this.onKey);
    this.stage?.close();
    this.frame.close();
  }

  // Loading

  private address(url: string): string {
    return new URL(url, this.base).href;
  }

  private load(): void {
    const turn = ++this.loading;
    const { before, after, hunks } = this.data;
    const waiting = window.setTimeout(() => {
      if (turn === this.loading) this.showWaiting();
    }, PATIENCE);
    Promise.all([before ? fetched(this.address(before.url)) : null, fetched(this.address(after.url))])
      .then(([a, b]) => {
        if (turn !== this.loading) return;
        this.arrived = performance.now();
        const [older, shown] = [a === null ? null : toShown(a), toShown(b)];
        this.content = {
          before: older && older.text,
          after: shown.text,
          source: b,
          shown,
          comparison: older ? new Comparison({ before: older, after: shown }, hunks) : null,
        };
        this.show(false);
        prefetch(this.data.prefetch.map((url) => this.address(url)));
      })
      .catch((error: unknown) => {
        if (turn !== this.loading) return;
        console.error(error);
        this.showError(error instanceof FetchError ? error.message : `The text cannot be shown: ${String(error)}`);
      })
      .finally(() => window.clearTimeout(waiting));
  }

  private showWaiting(): void {
    if (this.stage) {
      this.body.classList.add("waiting");
      return;
    }
    const lines = Array.from({ length: 14 }, (_, i) => element("div", { style: `width:${[62, 48, 71, 55, 38, 66, 44][i % 7]}%` }));
    this.body.replaceChildren(element("div", { class: "skeleton", "aria-label": "Loading" }, ...lines));
    this.renderHeaders();
  }

  private showError(sentence: string): void {
    this.stage?.close();
    this.stage = null;
    this.content = null;
    this.body.classList.remove("waiting");
    const retry = button("Fetch it again", "Try again", () => this.load());
    retry.classList.add("retry");
    this.body.replaceChildren(element("div", { class: "problem", role: "alert" }, icon("error"), element("p", {}, sentence), retry));
    this.renderHeaders();
    this.refreshToolbar();
  }

  // Showing

  /** Whether there is a difference to draw. */
  private get compared(): Comparison | null {
    const comparison = this.content?.comparison ?? null;
    return comparison && comparison.hunks.length > 0 ? comparison : null;
  }

  private get layout(): Layout {
    return this.compared ? this.settings.layout : "after";
  }

  /** Put the content on a new stage, and swap it for the old one once it stands. */
  private show(keepPlace: boolean): void {
    const { content } = this;
    if (!content) return;
    const { before, after } = this.data;
    const place = keepPlace && this.stage ? this.stage.at(0) : null;
    const keepTop = !keepPlace && this.layout === "after" && this.stage ? this.stage.scroller.scrollTop : null;
    const scene: Scene = {
      layout: this.layout,
      comparison: this.compared,
      single: content.shown,
      before: { title: before?.title ?? "", language: before?.language ?? "text" },
      after: { title: after.title, language: after.language },
    };
    this.forgetWord();
    if (!keepPlace) {
      this.selected = null;
      this.askedSelection = "";
      this.hunk = -1;
      this.note = -1;
      this.notes = this.wantedNotes();
      this.folds = this.initialFolds();
    }
    this.places.set([]);
    const old = this.stage;
    const stage = new Stage(
      scene,
      this.root.getRootNode() as Document | ShadowRoot,
      { ...PLAIN, wrap: this.settings.wrap, query: this.query, names: this.names, hits: this.hits },
      this.activeFolds(),
      {
        openFold: (fold, opening) => this.open(fold, opening),
        click: (pane, line, extend, name) => this.click(pane, line, extend, name),
        toggleNote: (line) => this.toggleNote(line),
        go: (height) => (stage.scroller.scrollTop = height - READ_AT * stage.scroller.clientHeight),
        moved: () => this.refreshRuler(),
      },
    );
    this.stage = stage;
    this.body.classList.remove("waiting");
    for (const other of [...this.body.children]) if (other !== old?.dom) other.remove();
    // The old stage stays in view, and the new one without being seen, until it is laid out.
    stage.dom.classList.add("arriving");
    this.body.append(stage.dom);
    this.renderHeaders();
    stage.setNotes(this.notes);
    this.search(this.query, false);
    // In the first frame the editors have measured themselves, and are scrolled; in the second they
    // have drawn what has come into view by that.
    requestAnimationFrame(() => {
      if (stage === this.stage) {
        stage.measure();
        if (place) this.reveal(place, 0);
        else if (keepTop !== null) stage.scroller.scrollTop = keepTop;
        if (!keepPlace && this.compared && !this.data.selection) this.goToHunk(0, false);
        this.adoptSelection();
        this.refreshLook();
      }
      requestAnimationFrame(() => {
        if (stage !== this.stage) {
          stage.close();
          return;
        }
        const focused = old !== null && old.dom.contains((this.root.getRootNode() as ShadowRoot).activeElement);
        stage.dom.classList.remove("arriving");
        old?.close();
        if (focused) stage.panes[stage.panes.length - 1]!.view.focus();
        stage.scroller.addEventListener("scroll", () => this.onScroll(), { passive: true });
        this.refreshToolbar();
        this.countPlaces();
        this.refreshRuler();
        this.root.dataset.painted = this.data.after.url;
        // For benchmarks: from the arrival of the texts until they can be seen.
        performance.measure("tilescope-ir-painted", { start: this.arrived, end: performance.now() });
      });
    });
  }

  private initialFolds(): Fold[] {
    const { compared } = this;
    return compared ? foldsOf(compared.stretches, compared.after, this.notes.map((note) => note.line)) : [];
  }

  private activeFolds(): Fold[] {
    return this.settings.collapse && this.layout !== "after" ? this.folds : [];
  }

  private renderHeaders(): void {
    const { before, after, counts } = this.data;
    const { content } = this;
    const [added, removed] = counts ?? [0, 0];
    const title = (text: TextData) => [
      element("span", { class: "title", title: text.title }, text.title),
      text.note ? element("span", { class: "note" }, text.note) : null,
    ];
    const lines = (text: Text | null | undefined) =>
      element("span", { class: "lines" }, text ? counted(lineCount(text), "line") : "");
    const count = (kind: string, sign: string, value: number) =>
      value ? element("span", { class: `count ${kind}` }, `${sign}${value.toLocaleString("en-US")}`) : null;
    const cells: HTMLElement[] = [];
    if (before && this.layout === "split") {
      cells.push(
        element("div", {}, ...title(before), lines(content?.before), count("removed", "−", removed)),
        element("div", {}, ...title(after), lines(content?.after), count("added", "+", added)),
      );
    } else if (before && this.layout === "unified") {
      cells.push(
        element("div", {}, ...title(before), icon("arrow_forward"), ...title(after), lines(content?.after)),
      );
    } else {
      cells.push(element("div", {}, ...title(after), lines(content?.after)));
    }
    // One text, or one column, has room for its title in the toolbar.
    const apart = cells.length > 1;
    this.headers.replaceChildren(...(apart ? cells : []));
    this.headers.toggleAttribute("hidden", !apart);
    this.toolbar.title(apart ? null : cells[0]!);
  }

  private refreshToolbar(): void {
    const { counts, steps } = this.data;
    this.toolbar.show({
      counts: this.content?.comparison ? counts : null,
      hunks: this.compared?.hunks.length ?? 0,
      hunk: this.hunk,
      layout: this.layout,
      layouts: this.compared !== null,
      collapse: this.settings.collapse,
      wrap: this.settings.wrap,
      folds: this.folds.length > 0 && this.layout !== "after",
      text: this.content !== null,
      steps,
      notes: [this.content?.comparison ? (this.data.masked ?? "") : "", this.cutNote()].filter(Boolean),
      defects: this.content ? tally(this.notes) : "",
      link: this.data.links === true && this.selected?.side === "after",
    });
  }

  private refreshLook(): void {
    const { stage } = this;
    if (!stage) return;
    stage.setLook((pane): Look => {
      const at = (found: Found | null) => (found && found.pane === pane ? found.from : -1);
      const { selected, word } = this;
      return {
        wrap: this.settings.wrap,
        query: this.query,
        hits: this.hits,
        names: this.names,
        word: word?.query ?? null,
        selected: selected ? pane.find(selected) : -1,
        last: selected ? pane.find({ side: selected.side, line: selected.last }) : -1,
        hunk: this.hunk,
        match: at(this.matches.current),
        hit: at(this.places.current),
        chosen: word && word.pane === pane ? word.span.from : -1,
      };
    });
  }

  /** What is not shown of lines that are too long, in words. */
  private cutNote(): string {
    const { shown } = this.content?.comparison ?? { shown: null };
    const count = (shown ? shown.before.cut.size : 0) + (this.content?.shown.cut.size ?? 0);
    return count ? `${counted(count, "line")} cut after ${LONGEST.toLocaleString("en-US")} characters` : "";
  }

  // Places

  /** Unfold and scroll to a line. */
  private reveal(place: Place, part = 0.35): void {
    const { stage } = this;
    if (!stage) return;
    const pane = stage.panes.find((each) => each.find(place) >= 0);
    if (!pane) return;
    const line = pane.find(place);
    const hiding = this.activeFolds().find((fold) => {
      const from = pane.folded(fold);
      return from <= line && line < from + fold.lines;
    });
    if (hiding) this.open(hiding, "all");
    stage.scrollTo(pane, line, line + 1, part);
  }

  private adoptSelection(): void {
    const { selection } = this.data;
    const asked = JSON.stringify(selection);
    if (asked === this.askedSelection) return;
    this.askedSelection = asked;
    const before = this.selected;
    const last = this.content ? this.content.after.lines - 1 : 0;
    this.selected = selection
      ? { line: selection[0] - 1, side: selection[1], last: Math.max(selection[0], selection[2] ?? 0) - 1 }
      : null;
    if (this.selected?.side === "after") this.selected.last = Math.min(this.selected.last, Math.max(last, this.selected.line));
    const same = before && this.selected && before.line === this.selected.line && before.side === this.selected.side;
    if (this.selected && !same) this.reveal(this.selected);
    this.refreshLook();
  }

  /** A line was clicked, perhaps on a name. */
  private click(pane: Pane, line: number, extend: boolean, name: Span | null): void {
    const place = pane.sheet.origin(line);
    const from = this.selected;
    const run = extend && from && from.side === place.side;
    const [first, last] = run ? [Math.min(from.line, place.line), Math.max(from.last, place.line)] : [place.line, place.line];
    this.selected = { side: place.side, line: first, last };
    if (this.data.words && name) this.point(pane, name);
    else this.forgetWord();
    this.refreshLook();
    this.refreshToolbar();
    this.refreshRuler();
    const text = pane.sheet.text.line(Math.max(0, pane.find(this.selected)) + 1).text.slice(0, CUT);
    this.outbox.post("line", { line: first + 1, side: place.side, text, last: last > first ? last + 1 : null });
  }

  // Names

  /** Mark a name in all its places, and offer what can be asked about it. */
  private point(pane: Pane, span: Span): void {
    const { view, sheet } = pane;
    const text = sheet.text.sliceString(span.from, span.to);
    const query = namesQuery([text]);
    if (!query) return;
    this.word = { pane, span, text, query };
    this.refreshLook();
    const [left, right] = [view.coordsAtPos(span.from, 1), view.coordsAtPos(span.to, -1)];
    if (!left || !right) return;
    let count = 0;
    for (const line of sheet.text.iterLines()) for (const _ of matchesIn(query, line)) count += 1;
    const [box, room] = [this.root.getBoundingClientRect(), this.body.getBoundingClientRect()];
    const name = new DOMRect(left.left, left.top, Math.max(1, right.right - left.left), right.bottom - left.top);
    this.menu.show({ text, place: sheet.origin(sheet.text.lineAt(span.from).number - 1) }, count, name, room, box);
    this.menuAt = this.stage?.scroller.scrollTop ?? 0;
  }

  private forgetWord(): void {
    this.menu.hide();
    this.word = null;
  }

  private ask(action: WordAction, text: string, place: Place): void {
    if (action === "copy") void copy(text).then((worked) => this.menu.copied(worked));
    else this.outbox.post("word", { action, word: text, line: place.line + 1, side: place.side });
  }

  /** What a key asks about: the name whose menu is open, else the one pointed at, else the last. */
  private askByKey(action: "follow" | "find"): void {
    const found = this.menu.open ? this.word : (this.pointed() ?? this.word);
    if (!found) return;
    this.menu.hide();
    const { sheet } = found.pane;
    this.ask(action, found.text, sheet.origin(sheet.text.lineAt(found.span.from).number - 1));
  }

  private pointed(): Pick<Word, "pane" | "span" | "text"> | null {
    const { pointer, stage } = this;
    if (!pointer || !stage) return null;
    const pane = stage.panes.find(({ view }) => {
      const box = view.dom.getBoundingClientRect();
      return box.left <= pointer.clientX && pointer.clientX < box.right;
    });
    const span = pane && pointedName(pane.view, pane.sheet, pointer);
    return span ? { pane, span, text: pane.sheet.text.sliceString(span.from, span.to) } : null;
  }

  /** Point at the next name, or the one before, as far as lines are in view or below. */
  private moveName(by: number): void {
    const { stage, word } = this;
    if (!stage) return;
    const active = (this.root.getRootNode() as ShadowRoot).activeElement;
    const pane = word?.pane ?? stage.panes.find(({ view }) => view.contentDOM === active) ?? stage.panes[stage.panes.length - 1]!;
    const { text, language } = pane.sheet;
    const folds = this.activeFolds();
    const top = pane.view.lineBlockAtHeight(stage.scroller.scrollTop);
    let number = text.lineAt(word ? word.span.from : top.from).number;
    for (let n = 0; n < FAR && number >= 1 && number <= text.lines; n++, number += by) {
      const hidden = folds.some((fold) => pane.folded(fold) < number && number <= pane.folded(fold) + fold.lines);
      if (hidden) continue;
      const line = text.line(number);
      const names = namesIn(language(number - 1), line.text);
      const ordered = by < 0 ? names.reverse() : names;
      const next = ordered.find(({ from }) => !word || (line.from + from - word.span.from) * by > 0);
      if (!next) continue;
      stage.bringIntoView(pane, number - 1);
      stage.scrollSideways(pane, line.from + next.from);
      this.scrolled();
      this.point(pane, { from: line.from + next.from, to: line.from + next.to });
      return;
    }
  }

  // What the page follows and looks for

  /** True where something changed. */
  private adoptSought(): boolean {
    const { names = [], find = null } = this.data;
    const asked = JSON.stringify([names, find]);
    if (asked === this.asked) return false;
    this.asked = asked;
    this.names = namesQuery(names);
    this.unreadable = false;
    try {
      this.hits = find && toServersQuery(find);
    } catch {
      this.hits = null;
      this.unreadable = true;
    }
    this.places.set([]);
    return true;
  }

  /** Find all places once the text is painted: that may take a moment, and nobody waits for it. */
  private countPlaces(): void {
    window.clearTimeout(this.counting);
    this.counting = window.setTimeout(() => {
      const { stage } = this;
      if (!stage) return;
      this.places.set(allFound(stage.panes, [this.names, this.hits].filter((each) => each !== null)));
      this.reportPlaces();
      this.refreshRuler();
    });
    this.reportPlaces();
  }

  private reportPlaces(): void {
    const { names = [], find } = this.data;
    const { places, unreadable } = this;
    this.toolbar.showHits({
      what: this.content ? [find?.text, ...names].filter(Boolean).join(" · ") : "",
      at: places.at,
      count: places.found.length,
      more: places.more,
      unreadable: unreadable && !places.found.length,
    });
  }

  private movePlace(by: number): void {
    const { stage } = this;
    const found = stage && this.places.move(by, stage.scroller.scrollTop);
    if (found) this.goTo(found);
    this.reportPlaces();
  }

  /** Bring a place into view, both ways. */
  private goTo({ pane, from }: Found): void {
    const { stage } = this;
    if (!stage) return;
    this.menu.hide();
    this.reveal(pane.sheet.origin(pane.sheet.text.lineAt(from).number - 1));
    this.scrolled();
    this.refreshLook();
    requestAnimationFrame(() => this.stage === stage && stage.scrollSideways(pane, from));
  }

  // Defects

  private wantedNotes(): Note[] {
    const { marks = [], after } = this.data;
    this.askedMarks = JSON.stringify(marks);
    const lines = this.content ? lineCount(this.content.after) : 0;
    const byLine = new Map<number, { harm: Harm; messages: string[] }>();
    for (const [line, harm, message] of marks) {
      if (line < 1 || line > lines) continue;
      const known = byLine.get(line - 1);
      if (!known) byLine.set(line - 1, { harm, messages: [message] });
      else {
        if (harm === "wrong") known.harm = harm;
        known.messages.push(message);
      }
    }
    const few = byLine.size <= OPEN;
    return [...byLine]
      .map(([line, { harm, messages }]) => ({ line, harm, messages, open: this.opened.get(`${after.url} ${line} ${messages[0]}`) ?? few }))
      .sort((a, b) => a.line - b.line);
  }

  /** Marks may come long after the text that they are about. */
  private adoptMarks(): void {
    if (JSON.stringify(this.data.marks ?? []) === this.askedMarks) return;
    this.notes = this.wantedNotes();
    this.note = -1;
    const hidden = this.folds.some(({ b, lines }) => this.notes.some(({ line }) => b <= line && line < b + lines));
    this.keepPlace(() => {
      if (hidden) this.folds = this.initialFolds();
      if (hidden) this.stage?.setFolds(this.activeFolds());
      this.stage?.setNotes(this.notes);
    });
  }

  private toggleNote(line: number, open?: boolean): void {
    this.notes = this.notes.map((note) => {
      if (note.line !== line) return note;
      const now = open ?? !note.open;
      this.opened.set(`${this.data.after.url} ${line} ${note.messages[0]}`, now);
      return { ...note, open: now };
    });
    this.stage?.setNotes(this.notes);
    this.refreshRuler();
  }

  private moveNote(by: number): void {
    const { length } = this.notes;
    if (!length) return;
    this.note = this.note < 0 ? (by > 0 ? 0 : length - 1) : (this.note + by + length) % length;
    const { line } = this.notes[this.note]!;
    this.toggleNote(line, true);
    this.reveal({ side: "after", line });
    this.scrolled();
  }

  // The ruler

  private refreshRuler(): void {
    if (this.ruling) return;
    this.ruling = window.setTimeout(() => {
      this.ruling = 0;
      this.drawRuler();
    }, RULED);
  }

  private drawRuler(): void {
    const { stage, selected } = this;
    if (!stage) return;
    const ticks: Tick[] = [];
    for (const pane of stage.panes) {
      const kinds = new Map<Tick["kind"], [number, number][]>();
      const add = (kind: Tick["kind"], from: number, to: number) => {
        const known = kinds.get(kind);
        if (known) known.push([from, to]);
        else kinds.set(kind, [[from, to]]);
      };
      for (const { kind, from, to } of pane.sheet.regions) add(kind, from, to);
      for (const { line, harm } of this.notes) {
        const own = pane.find({ side: "after", line });
        if (own >= 0) add(harm, own, own + 1);
      }
      for (const [walk, kind] of [[this.places, "hit"], [this.matches, "match"]] as const) {
        const { text } = pane.sheet;
        const apart = Math.ceil(text.lines / FINE);
        let last = -apart;
        for (const found of walk.found) {
          if (found.pane !== pane) continue;
          const line = text.lineAt(found.from).number - 1;
          if (line - last < apart) continue;
          add(kind, line, line + 1);
          last = line;
        }
      }
      const own = selected ? pane.find(selected) : -1;
      if (selected && own >= 0) add("selected", own, own + selected.last - selected.line + 1);
      for (const [kind, runs] of kinds) ticks.push(...stage.ticks(pane, kind, runs));
    }
    // A short text leaves room below it, where there is nothing.
    stage.ruler.show(ticks, Math.max(stage.height, stage.scroller.clientHeight));
  }

  private open(fold: Fold, opening: Opening): void {
    const { compared, stage } = this;
    if (!compared || !stage) return;
    const held = stage.scroller.scrollTop;
    const index = this.folds.indexOf(fold);
    if (index < 0) return;
    const left = opened(fold, compared.after, opening);
    const grown = left.length && opening === "end" ? fold.lines - left[0]!.lines : 0;
    this.folds.splice(index, 1, ...left);
    stage.setFolds(this.activeFolds());
    const pane = stage.panes[stage.panes.length - 1]!;
    // Lines that come back above what is being read must not push it away.
    const height = grown ? grown * pane.view.defaultLineHeight : 0;
    stage.scroller.scrollTop = held + height;
    this.refreshToolbar();
  }

  private goToHunk(index: number, mark = true): void {
    const { stage, compared } = this;
    if (!stage || !compared) return;
    const last = compared.hunks.length - 1;
    this.hunk = index < 0 ? last : index > last ? 0 : index;
    const pane = [...stage.panes].reverse().find((each) => each.sheet.regions.some((r) => r.hunk === this.hunk));
    if (pane) {
      const own = pane.sheet.regions.filter((r) => r.hunk === this.hunk);
      stage.scrollTo(pane, own[0]!.from, own[own.length - 1]!.to, READ_AT);
    } else {
      const { b0 } = compared.hunks[this.hunk]!;
      stage.scrollTo(stage.panes[stage.panes.length - 1]!, b0, b0, READ_AT);
    }
    this.scrolled();
    if (mark) this.refreshLook();
    this.refreshToolbar();
  }

  /** Where the text was scrolled to by a command; the event of that may come late. */
  private ownTop = -1;

  private scrolled(): void {
    this.ownTop = this.stage?.scroller.scrollTop ?? -1;
  }

  /** The hunk that "next" and "previous" count from follows what is being read. */
  private onScroll(): void {
    const { stage, compared } = this;
    if (stage && Math.abs(stage.scroller.scrollTop - this.menuAt) > SLACK) this.menu.hide();
    if (!stage || !compared || Math.abs(stage.scroller.scrollTop - this.ownTop) < 2) return;
    const { side, line } = stage.at(READ_AT + 0.02);
    const hunk = compared.hunks.findLastIndex(({ a0, b0 }) => (side === "before" ? a0 : b0) <= line);
    if (hunk === this.hunk) return;
    this.hunk = hunk;
    this.refreshLook();
    this.refreshToolbar();
  }

  // Search

  private search(query: Query | null, move = true): void {
    this.query = query;
    this.matches.set(this.stage && query ? allFound(this.stage.panes, [query]) : []);
    if (move && this.matches.found.length) this.moveMatch(0);
    this.refreshLook();
    this.refreshRuler();
    this.reportMatches();
  }

  private moveMatch(by: number): void {
    const { stage } = this;
    const found = stage && this.matches.move(by, stage.scroller.scrollTop);
    if (found) this.goTo(found);
    this.reportMatches();
  }

  private reportMatches(): void {
    const { at, found, more } = this.matches;
    this.searchBar.report(at, found.length, more);
  }

  private closeSearch(): void {
    this.searchBar.hide();
    this.search(null);
    const panes = this.stage?.panes;
    panes?.[panes.length - 1]?.view.focus();
  }

  // Commands

  private run(command: Command): void {
    const { settings, stage } = this;
    switch (command) {
      case "next-pass":
      case "previous-pass": {
        const by = command === "next-pass" ? 1 : -1;
        if (this.data.steps[by > 0 ? 1 : 0]) this.outbox.post("step", { by });
        break;
      }
      case "next-hunk":
        this.goToHunk(this.hunk + 1);
        break;
      case "previous-hunk":
        this.goToHunk(this.hunk - 1);
        break;
      case "split":
      case "unified":
      case "after":
        this.setLayout(command);
        break;
      case "layout": {
        const order: Layout[] = ["split", "unified", "after"];
        this.setLayout(order[(order.indexOf(this.layout) + 1) % order.length]!);
        break;
      }
      case "collapse":
        settings.set("collapse", !settings.collapse);
        if (settings.collapse) this.folds = this.initialFolds();
        this.keepPlace(() => stage?.setFolds(this.activeFolds()));
        this.outbox.post("setting", { name: "collapse", value: settings.collapse });
        this.refreshToolbar();
        break;
      case "wrap":
        settings.set("wrap", !settings.wrap);
        this.keepPlace(() => this.refreshLook());
        stage?.measure();
        this.outbox.post("setting", { name: "wrap", value: settings.wrap });
        this.refreshToolbar();
        break;
      case "search":
        this.searchBar.show();
        break;
      case "copy":
        if (this.content) void this.toolbar.copied("copy", copy(this.content.source));
        break;
      case "copy-link":
        if (this.selected) void this.toolbar.copied("copy-link", copy(this.link(this.selected)));
        break;
      case "follow":
        this.askByKey("follow");
        break;
      case "find-all":
        this.askByKey("find");
        break;
      case "next-hit":
      case "previous-hit": {
        const by = command === "next-hit" ? 1 : -1;
        if (this.query && !this.places.found.length) this.moveMatch(by);
        else this.movePlace(by);
        break;
      }
      case "next-note":
        this.moveNote(1);
        break;
      case "previous-note":
        this.moveNote(-1);
        break;
      case "next-name":
        this.moveName(1);
        break;
      case "previous-name":
        this.moveName(-1);
        break;
      case "menu":
        this.menu.focus();
        break;
      case "help":
        this.legend.toggleAttribute("hidden");
        break;
      case "top":
      case "bottom":
        if (stage) stage.scroller.scrollTop = command === "top" ? 0 : stage.scroller.scrollHeight;
        break;
      case "up":
      case "down":
      case "page-up":
      case "page-down": {
        if (!stage) break;
        const far = command.startsWith("page") ? stage.scroller.clientHeight - 40 : 54;
        stage.scroller.scrollTop += command.endsWith("down") ? far : -far;
        break;
      }
    }
  }

  /** The address of this page at some lines. */
  private link({ line, last }: Chosen): string {
    const url = new URL(window.location.href);
    url.searchParams.set("line", last > line ? `${line + 1}-${last + 1}` : String(line + 1));
    return url.href;
  }

  /** Whether a command has something to act on: else its key is left to the page. */
  private can(command: Command): boolean {
    switch (command) {
      case "follow":
      case "find-all":
      case "next-name":
      case "previous-name":
        return this.data.words === true;
      case "menu":
        return this.menu.open;
      case "next-hit":
      case "previous-hit":
        return this.places.found.length > 0 || this.query !== null;
      case "next-note":
      case "previous-note":
        return this.notes.length > 0;
      default:
        return true;
    }
  }

  private setLayout(layout: Layout): void {
    if (!this.compared || layout === this.layout) return;
    this.settings.set("layout", layout);
    this.show(true);
    this.outbox.post("setting", { name: "layout", value: layout });
    this.refreshToolbar();
  }

  /** Change how high things are, and stay at the line that was being read. */
  private keepPlace(change: () => void): void {
    const { stage } = this;
    if (!stage) return;
    const place = stage.at(0);
    change();
    const settle = () => this.stage === stage && this.reveal(place, 0);
    settle();
    requestAnimationFrame(settle);
  }

  // Keys

  /** Keys within the viewer. */
  private readonly onKey = (event: KeyboardEvent): void => {
    const target = event.composedPath()[0];
    if (event.key === "Escape" && !this.legend.hasAttribute("hidden")) {
      this.legend.setAttribute("hidden", "");
      return;
    }
    if (target instanceof HTMLInputElement) return;
    if (event.key === "Escape" && this.word) {
      this.dismiss(event);
      return;
    }
    const onButton = target instanceof HTMLButtonElement;
    const command = keyOf(event, !onButton);
    if (command) this.take(event, command);
  };

  /** Close the menu of a name; the next time, stop marking it. */
  private dismiss(event: KeyboardEvent): void {
    event.stopPropagation();
    const inMenu = event.composedPath().includes(this.menu.dom);
    const { word } = this;
    if (!this.menu.hide()) this.word = null;
    if (inMenu) word?.pane.view.focus();
    this.refreshLook();
  }

  private readonly onPointerDown = (event: PointerEvent): void => {
    if (this.menu.open && !event.composedPath().includes(this.menu.dom)) this.menu.hide();
  };

  /** Keys anywhere on the page, as long as nothing else could want them. */
  private readonly onPageKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.composedPath().includes(this.root)) return;
    if (!this.root.isConnected || !this.root.offsetHeight) return;
    const target = event.composedPath()[0];
    if (target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))) return;
    if (event.key === "Escape" && this.menu.open) this.dismiss(event);
    const command = keyOf(event, false);
    if (command) this.take(event, command);
  };

  private take(event: KeyboardEvent, command: Command): void {
    if (!this.can(command)) return;
    event.preventDefault();
    event.stopPropagation();
    this.run(command);
  }
}
