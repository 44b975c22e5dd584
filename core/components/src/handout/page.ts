/** The page of a handout: the sequence of passes, one of them with its diff and graph, and tables. */

import { Outbox } from "../component";
import { button, counted, element, thousands } from "../dom";
import { supply } from "../fetched";
import { GraphViewer, type Data as GraphData } from "../graph/viewer";
import graphStyles from "../graph/graph.css";
import { IrViewer, type Data as IrData } from "../ir/viewer";
import irStyles from "../ir/ir.css";
import { toQuery, matchesIn } from "../ir/search";
import shared from "../shared.css";
import { memoryMap } from "./memory";
import { Texts, type Content, type Step } from "./trace";

/** Addresses of texts that the page brings along; nothing is ever asked of a network. */
const HOME = "https://handout.invalid/";

/** One text of the page: a pass, or a document after them. */
interface Place {
  title: string;
  language: IrData["after"]["language"];
  text: number | null;
  step: Step | null;
}

export class Page {
  private readonly texts: Texts;
  private readonly places: Place[];
  private readonly list = element("nav", { class: "list", "aria-label": "Passes" });
  private readonly strip = element("div", { class: "strip" });
  private readonly found = element("span", { class: "small" });
  private readonly heading = element("div", { class: "heading" });
  private readonly textBox: HTMLElement;
  private readonly graphBox: HTMLElement;
  private readonly viewer: IrViewer;
  private readonly graphs: GraphViewer;
  private readonly rows = new Map<number, HTMLElement>();
  private readonly bars = new Map<number, HTMLElement>();
  private changedOnly = true;
  private hits: Map<number, number> | null = null;
  private at: number;
  private line = 0;

  constructor(
    root: HTMLElement,
    private readonly content: Content,
  ) {
    this.texts = new Texts(content);
    this.places = [
      ...content.passes.map((step) => ({ ...step, step })),
      ...content.documents.map((each) => ({ ...each, step: null })),
    ];
    supply((url) => {
      const place = url.startsWith(HOME) ? Number(url.slice(HOME.length)) : NaN;
      return Number.isInteger(place) ? this.texts.text(place) : undefined;
    });
    [this.textBox, this.viewer] = this.mounted(shared + irStyles, (at, box) => new IrViewer(at, HOME, box));
    [this.graphBox, this.graphs] = this.mounted(shared + graphStyles, (at, box) => new GraphViewer(at, HOME, box));
    this.textBox.classList.add("text");
    this.graphBox.classList.add("graph");
    const work = element("div", { class: "work" }, this.textBox, this.graphBox);
    const right = element("section", {}, this.heading, work);
    const body = element("div", { class: "columns" }, element("aside", {}, this.tools(), this.list), right);
    root.append(this.header(), this.strip, body, this.below());
    const { place, line } = addressed();
    const failed = content.passes.findLastIndex((step) => step.look === "failed");
    const changed = content.passes.findIndex((step) => step.look === "changed");
    const wrong = content.reports.find((report) => report.harm === "wrong" && report.place < this.places.length);
    // The failure is what a person came for; else the defect; else where the work begins.
    const start = failed >= 0 ? failed : (wrong?.place ?? Math.max(changed, 0));
    this.at = Math.min(place ?? start, this.places.length - 1);
    this.line = place === null && this.at === wrong?.place ? wrong.line : line;
    this.drawStrip();
    this.drawList();
    this.go(this.at, this.line);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.show());
    window.addEventListener("hashchange", () => {
      const { place: asked, line: at } = addressed();
      if (asked !== null && (asked !== this.at || at !== this.line)) this.go(asked, at);
    });
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  // What stands around

  private header(): HTMLElement {
    const { kernel, status, facts, failure, reports, left_out } = this.content;
    const tone = status.compiles ? "good" : "bad";
    const head = element(
      "header",
      {},
      element("h1", {}, kernel),
      element("span", { class: `badge ${tone}` }, `${status.compiles ? "✓" : "✕"} ${status.word}`),
      ...facts.map(([label, value]) =>
        element("span", { class: "fact" }, element("span", { class: "small" }, `${label} `), value),
      ),
    );
    if (failure) head.append(element("p", { class: "failure" }, failure));
    for (const report of reports) {
      const go = button(`Go to line ${report.line}`, report.title, () => this.go(report.place, report.line));
      head.append(element("p", { class: `report ${report.harm}` }, go, ` ${report.message}`));
    }
    for (const said of left_out) head.append(element("p", { class: "small" }, said));
    return head;
  }

  private below(): HTMLElement {
    const { tables, memory, notes } = this.content;
    const box = element("section", { class: "below" });
    for (const plan of memory) {
      box.append(element("h2", {}, plan.memory), element("p", { class: "small" }, plan.said), memoryMap(plan));
    }
    for (const { title, columns, rows } of tables) {
      const head = element("tr", {}, ...columns.map((name) => element("th", {}, name)));
      const body = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));
      const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
      box.append(element("h2", {}, title), element("div", { class: "scroll" }, table));
    }
    if (notes.length) box.append(element("h2", {}, "Notes"), ...notes.map((note) => element("p", {}, note)));
    return box;
  }

  private tools(): HTMLElement {
    const asked = element("input", { type: "search", placeholder: "Find in all texts", "aria-label": "Find in all texts" });
    asked.addEventListener("input", () => this.search(asked.value));
    const only = element("input", { type: "checkbox" });
    only.checked = true;
    only.addEventListener("change", () => {
      this.changedOnly = only.checked;
      this.drawList();
    });
    return element("div", { class: "tools" }, asked, this.found, element("label", {}, only, " Changed only"));
  }

  // Finding

  private search(words: string): void {
    const query = toQuery({ text: words, matchCase: false, expression: false });
    const counts = new Map<number, number>();
    this.hits = query ? new Map() : null;
    for (const [index, { text }] of query ? this.places.entries() : []) {
      if (text === null) continue;
      let count = counts.get(text);
      if (count === undefined) {
        count = 0;
        for (const _ of matchesIn(query!, this.texts.text(text))) count += 1;
        counts.set(text, count);
      }
      if (count) this.hits!.set(index, count);
    }
    const first = this.hits?.keys().next().value;
    const last = this.hits ? [...this.hits.keys()].at(-1) : undefined;
    this.found.textContent = !this.hits
      ? ""
      : first === undefined
        ? "Nowhere."
        : `In ${counted(this.hits.size, "text")}: first ${this.places[first]!.title}, last ${this.places[last!]!.title}.`;
    this.drawStrip();
    this.drawList();
  }

  // The sequence

  private drawStrip(): void {
    const top = Math.log1p(Math.max(1, ...this.content.passes.map((step) => step.lines)));
    const reports = this.content.reports.filter((report) => report.harm === "wrong");
    const wrong = new Set(reports.map((report) => report.place));
    this.bars.clear();
    this.strip.replaceChildren(
      ...this.content.passes.map((step, index) => {
        const bar = element("div", { class: `bar ${step.look}`, title: `${step.title} · ${counted(step.lines, "line")}` });
        bar.style.setProperty("--high", String(0.08 + (0.92 * Math.log1p(step.lines)) / top));
        if (this.hits?.has(index)) bar.classList.add("hit");
        if (wrong.has(index)) bar.classList.add("wrong");
        bar.addEventListener("click", () => this.go(index));
        this.bars.set(index, bar);
        return bar;
      }),
    );
    this.mark();
  }

  private drawList(): void {
    this.rows.clear();
    const children: HTMLElement[] = [];
    let group = "";
    for (const [index, { title, step }] of this.places.entries()) {
      const hit = this.hits?.get(index);
      if (this.hits && hit === undefined) continue;
      if (!this.hits && this.changedOnly && step?.look === "same" && index !== this.at) continue;
      const heading = step ? step.group : "Code, logs and kernel";
      if (heading !== group) children.push(element("div", { class: "group small" }, (group = heading)));
      const figure = hit ?? step?.lines;
      const row = button(title, element("span", { class: "name" }, title), () => this.go(index));
      row.classList.add("row", step?.look ?? "same");
      if (figure) row.append(element("span", { class: "small" }, thousands.format(figure)));
      this.rows.set(index, row);
      children.push(row);
    }
    this.list.replaceChildren(...children);
    this.mark();
  }

  private mark(): void {
    for (const [index, each] of [...this.rows, ...this.bars]) each.classList.toggle("current", index === this.at);
    this.rows.get(this.at)?.scrollIntoView({ block: "nearest" });
  }

  // One pass

  private go(place: number, line = 0): void {
    this.at = Math.max(0, Math.min(place, this.places.length - 1));
    this.line = line;
    if (!this.rows.has(this.at) && !this.hits) this.drawList();
    this.mark();
    this.show();
    history.replaceState(null, "", `#pass=${this.at}${line ? `&line=${line}` : ""}`);
  }

  private show(): void {
    const { title, language, text, step } = this.places[this.at]!;
    const near = this.neighbours();
    this.heading.replaceChildren(
      element("strong", {}, title),
      element("span", { class: "small" }, step?.facts ?? ""),
      element("span", { class: "gap" }),
      this.stepButton("Previous", near[0]),
      this.stepButton("Next", near[1]),
      ...[step?.about, step?.did].filter((said) => said).map((said) => element("p", { class: "small" }, said!)),
    );
    const shown = text ?? step?.before ?? null;
    this.textBox.hidden = shown === null;
    if (shown !== null) this.showText(title, language, shown, step, text === null);
    const drawing = step?.graph == null ? null : this.content.graphs[step.graph]!;
    this.graphBox.hidden = drawing === null;
    if (drawing) this.showGraph(title, drawing.svg, this.nodesAt(drawing.nodes));
  }

  private showText(title: string, language: Place["language"], text: number, step: Step | null, given: boolean): void {
    const before = given || step?.before == null || step.counts === null ? null : step.before;
    const near = this.neighbours();
    const data: Partial<IrData> = {
      after: { url: String(text), title, language, note: given ? "what it was given" : "" },
      before: before === null ? null : { url: String(before), title: "before it", language, note: "" },
      hunks: before === null ? [] : step!.hunks,
      counts: before === null ? null : step!.counts,
      selection: this.line ? [this.line, "after"] : null,
      layout: null,
      wrap: null,
      collapse: null,
      steps: [near[0] !== null, near[1] !== null],
      prefetch: [],
      height: 640,
    };
    this.viewer.update({ data: data as IrData, key: "text", parentElement: this.textBox, setStateValue: () => {} });
  }

  private showGraph(name: string, svg: string, selected: string[]): void {
    const data: Partial<GraphData> = { url: null, svg, selected, legend: [], name, height: 640 };
    this.graphs.update({ data: data as GraphData, key: "graph", parentElement: this.graphBox, setStateValue: () => {} });
  }

  private nodesAt(nodes: Record<string, [number, number]>): string[] {
    const holding = Object.entries(nodes).filter(([, [a, b]]) => a <= this.line && this.line <= b);
    holding.sort(([, [a, b]], [, [c, d]]) => b - a - (d - c));
    return holding.slice(0, 1).map(([name]) => name);
  }

  private neighbours(): [number | null, number | null] {
    const changed = this.content.passes.flatMap((step, index) => (step.look === "same" ? [] : [index]));
    return [changed.findLast((index) => index < this.at) ?? null, changed.find((index) => index > this.at) ?? null];
  }

  private stepButton(label: string, target: number | null): HTMLElement {
    const made = button(`${label} pass that changed something`, label, () => target !== null && this.go(target));
    made.disabled = target === null;
    return made;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
    const near = this.neighbours();
    const target = event.key === "ArrowRight" ? near[1] : event.key === "ArrowLeft" ? near[0] : null;
    if (target !== null) this.go(target);
  }

  private onEvent(events: unknown): void {
    const event = (events as { kind: string; by?: number; line?: number; side?: string; node?: string | null }[]).at(-1);
    if (event?.kind === "step") {
      const target = this.neighbours()[event.by! < 0 ? 0 : 1];
      if (target !== null) this.go(target);
    } else if (event?.kind === "line" && event.side === "after") {
      this.go(this.at, event.line);
    } else if (event?.kind === "node") {
      const drawing = this.content.graphs[this.places[this.at]?.step?.graph ?? -1];
      const lines = drawing?.nodes[event.node ?? ""];
      if (lines) this.go(this.at, lines[0]);
    }
  }

  /** A viewer in a shadow of its own, since the style sheets of the two share names. */
  private mounted<Made>(css: string, make: (root: HTMLElement, outbox: Outbox) => Made): [HTMLElement, Made] {
    const box = element("div");
    const inner = element("div", { class: "tilescope-root" });
    box.attachShadow({ mode: "open" }).append(element("style", {}, css), inner);
    return [box, make(inner, new Outbox((events) => this.onEvent(events)))];
  }
}

/** The place and line that the address of the page asks for: #pass=12&line=3. */
function addressed(): { place: number | null; line: number } {
  const asked = new URLSearchParams(location.hash.slice(1));
  const place = Number(asked.get("pass") ?? NaN);
  return { place: Number.isInteger(place) && place >= 0 ? place : null, line: Number(asked.get("line")) || 0 };
}
