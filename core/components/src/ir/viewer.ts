/** The IR viewer: fetches texts, keeps what the user chose, and drives toolbar and stage. */

import { Text } from "@codemirror/state";

import type { Component, Outbox, Viewer } from "../component";
import { button, counted, element, icon } from "../dom";
import { FetchError, fetched, prefetch } from "../fetched";
import { Frame, setScheme, type Height } from "../frame";
import { foldsOf, opened, type Fold, type Opening } from "./folds";
import { keyOf, LEGEND, type Command } from "./keys";
import type { Language } from "./languages";
import { Comparison, lineCount, toText, type Side } from "./model";
import type { Look } from "./pane";
import { SearchBar, type Found } from "./searchbar";
import { allMatches, MOST, type Query } from "./search";
import { Settings } from "./settings";
import { Stage, type Layout, type Place, type Scene } from "./stage";
import { Toolbar } from "./toolbar";

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
  /** A line, counted from 1, and its side. */
  selection: readonly [number, Side] | null;
  layout: Layout | null;
  wrap: boolean | null;
  collapse: boolean | null;
  steps: readonly [boolean, boolean];
  prefetch: readonly string[];
  height: Height;
}

/** What is on the stage, or about to be. */
interface Content {
  before: Text | null;
  after: Text;
  comparison: Comparison | null;
}

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
  private selected: Place | null = null;
  private askedSelection = "";
  private hunk = -1;
  private query: Query | null = null;
  private matches: Found[] = [];
  private match = -1;

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
    this.root.replaceChildren(this.toolbar.dom, this.headers, this.searchBar.dom, this.body, this.legend);
    this.root.addEventListener("keydown", this.onKey);
    document.addEventListener("keydown", this.onPageKey);
    this.frame = new Frame(root, () => this.stage?.measure());
  }

  update({ data }: Component<Data>): void {
    this.data = data;
    setScheme(this.root);
    this.frame.set(data.height);
    const forced = this.settings.force({ layout: data.layout, wrap: data.wrap, collapse: data.collapse });
    const shown = JSON.stringify([data.after, data.before, data.hunks]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.load();
    } else if (this.content) {
      if (forced) this.show(true);
      this.adoptSelection();
      this.refreshToolbar();
    }
  }

  close(): void {
    this.loading += 1;
    document.removeEventListener("keydown", this.onPageKey);
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
        const [textA, textB] = [a === null ? null : toText(a), toText(b)];
        this.content = {
          before: textA,
          after: textB,
          comparison: textA ? new Comparison(textA, textB, hunks) : null,
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
      single: content.after,
      before: { title: before?.title ?? "", language: before?.language ?? "text" },
      after: { title: after.title, language: after.language },
    };
    if (!keepPlace) {
      this.selected = null;
      this.askedSelection = "";
      this.hunk = -1;
      this.folds = this.initialFolds();
    }
    const old = this.stage;
    const stage = new Stage(
      scene,
      this.root.getRootNode() as Document | ShadowRoot,
      { wrap: this.settings.wrap, query: this.query, selected: -1, hunk: -1, match: -1 },
      this.activeFolds(),
      (fold, opening) => this.open(fold, opening),
      (at, text) => this.choose(at, text),
    );
    this.stage = stage;
    this.body.classList.remove("waiting");
    for (const other of [...this.body.children]) if (other !== old?.dom) other.remove();
    // The old stage stays in view, and the new one without being seen, until it is laid out.
    stage.dom.classList.add("arriving");
    this.body.append(stage.dom);
    this.renderHeaders();
    this.search(this.query, false);
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        if (stage !== this.stage) {
          stage.close();
          return;
        }
        stage.measure();
        if (place) this.reveal(place, 0);
        else if (keepTop !== null) stage.scroller.scrollTop = keepTop;
        if (!keepPlace && this.compared && !this.data.selection) this.goToHunk(0, false);
        this.adoptSelection();
        this.refreshLook();
        const focused = old !== null && old.dom.contains((this.root.getRootNode() as ShadowRoot).activeElement);
        stage.dom.classList.remove("arriving");
        old?.close();
        if (focused) stage.panes[stage.panes.length - 1]!.view.focus();
        stage.scroller.addEventListener("scroll", () => this.onScroll(), { passive: true });
        this.refreshToolbar();
        this.root.dataset.painted = this.data.after.url;
        // For benchmarks: from the arrival of the texts until they can be seen.
        performance.measure("tilescope-ir-painted", { start: this.arrived, end: performance.now() });
      });
    });
  }

  private initialFolds(): Fold[] {
    const { compared } = this;
    return compared ? foldsOf(compared.stretches, compared.after) : [];
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
    });
  }

  private refreshLook(): void {
    const { stage } = this;
    if (!stage) return;
    stage.setLook((pane): Look => {
      const found = this.matches[this.match];
      return {
        wrap: this.settings.wrap,
        query: this.query,
        selected: this.selected ? pane.find(this.selected) : -1,
        hunk: this.hunk,
        match: found && found.pane === pane ? found.from : -1,
      };
    });
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
    this.selected = selection ? { line: selection[0] - 1, side: selection[1] } : null;
    const same = before && this.selected && before.line === this.selected.line && before.side === this.selected.side;
    if (this.selected && !same) this.reveal(this.selected);
    this.refreshLook();
  }

  private choose(place: Place, text: string): void {
    this.selected = place;
    this.refreshLook();
    this.outbox.post("line", { line: place.line + 1, side: place.side, text: text.slice(0, CUT) });
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
    this.scrolledByUs = performance.now();
    if (mark) this.refreshLook();
    this.refreshToolbar();
  }

  private scrolledByUs = 0;

  /** The hunk that "next" and "previous" count from follows what is being read. */
  private onScroll(): void {
    const { stage, compared } = this;
    if (!stage || !compared || performance.now() - this.scrolledByUs < 200) return;
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
    this.matches = [];
    this.match = -1;
    const { stage } = this;
    if (stage && query) {
      for (const [i, pane] of stage.panes.entries()) {
        // Unchanged lines stand on both sides: they count once, on the right.
        const { regions } = pane.sheet;
        const half = stage.panes.length > 1 && i === 0;
        let at = 0;
        for (const [from, to] of allMatches(query, pane.sheet.text)) {
          if (half) {
            const line = pane.sheet.text.lineAt(from).number - 1;
            while (at < regions.length && regions[at]!.to <= line) at++;
            if (at === regions.length || regions[at]!.from > line) continue;
          }
          this.matches.push({ pane, from, to });
        }
      }
      if (stage.panes.length > 1 && this.matches.length) this.sortMatches();
      if (move && this.matches.length) this.moveMatch(0);
    }
    this.refreshLook();
    this.reportMatches();
  }

  /** Matches of both sides in the order in which they are read. */
  private sortMatches(): void {
    const { stage } = this;
    if (!stage) return;
    const top = new Map(this.matches.map((m) => [m, m.pane.view.lineBlockAt(m.from).top]));
    this.matches.sort((a, b) => top.get(a)! - top.get(b)!);
  }

  private moveMatch(by: number): void {
    const { stage, matches } = this;
    if (!stage || !matches.length) return;
    if (this.match < 0) {
      const top = stage.scroller.scrollTop;
      const first = matches.findIndex((m) => m.pane.view.lineBlockAt(m.from).top >= top);
      this.match = by < 0 ? (first < 0 ? matches.length : first) - 1 : Math.max(0, first);
    } else {
      this.match += by;
    }
    this.match = (this.match + matches.length) % matches.length;
    const { pane, from } = matches[this.match]!;
    this.reveal(pane.sheet.origin(pane.sheet.text.lineAt(from).number - 1));
    this.scrolledByUs = performance.now();
    this.refreshLook();
    requestAnimationFrame(() => this.stage === stage && stage.scrollSideways(pane, from));
    this.reportMatches();
  }

  private reportMatches(): void {
    this.searchBar.report(this.match, this.matches.length, this.matches.length >= MOST);
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
        if (this.content) void this.toolbar.copied(navigator.clipboard?.writeText(this.content.after.toString()));
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
    const command = keyOf(event, true);
    if (command) this.take(event, command);
  };

  /** Keys anywhere on the page, as long as nothing else could want them. */
  private readonly onPageKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.composedPath().includes(this.root)) return;
    if (!this.root.isConnected || !this.root.offsetHeight) return;
    const target = event.composedPath()[0];
    if (target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))) return;
    const command = keyOf(event, false);
    if (command) this.take(event, command);
  };

  private take(event: KeyboardEvent, command: Command): void {
    event.preventDefault();
    event.stopPropagation();
    this.run(command);
  }
}
