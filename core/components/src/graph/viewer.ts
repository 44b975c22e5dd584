/** The graph viewer: a drawing with pan, zoom, fit, choice, folding and search of nodes. */

import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from "d3-zoom";

import type { Component, Outbox, Viewer } from "../component";
import { button, element, icon } from "../dom";
import { fetched } from "../fetched";
import { Frame, setScheme, type Height } from "../frame";
import { pictured, save } from "./download";
import { Drawing, foldOf } from "./drawing";
import { Find } from "./find";
import { Footer, type Details, type Entry } from "./footer";

export interface Data {
  url: string | null;
  svg: string | null;
  /** What the address answers for once it is made, in a sentence. */
  waiting?: string;
  selected: readonly string[];
  legend: readonly Entry[];
  /** What is not drawn, and what may be asked for. */
  note?: string;
  asks?: readonly string[];
  /** Whether changes are marked; null where they cannot be. */
  marks?: boolean | null;
  details?: Details | null;
  /** The address of the Graphviz source. */
  source?: string | null;
  name: string;
  height: Height;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const PATIENCE = 150;
/** A press that moves further than this many pixels is a drag, not a click. */
const STILL = 4;
const MARGIN = 16;
/** Room above the drawing, for the tools. */
const HEAD = 48;
/** Fitting never enlarges beyond this: three boxes need not fill a screen. */
const LARGEST_FIT = 1.25;
/** Below this scale nobody can read a label: a graph that needs less opens at its top instead. */
const READABLE = 0.8;
const STEP = 1.35;

export class GraphViewer implements Viewer<Data> {
  private readonly frame: Frame;
  private readonly canvas = element("div", { class: "canvas", tabindex: "0", role: "group", "aria-label": "Graph" });
  private readonly footer: Footer;
  private readonly find: Find;
  private readonly tools = element("div", { class: "tools", role: "toolbar", "aria-label": "Graph" });
  private readonly marks: HTMLButtonElement;
  private readonly keep: HTMLButtonElement;
  private readonly behaviour: ZoomBehavior<HTMLElement, unknown>;

  private data!: Data;
  private shown = "";
  private loading = 0;
  private drawing: Drawing | null = null;
  private selection = "";
  /** The node that the next drawing is to show where this one has it, in pixels of the window. */
  private anchor: { node: string; x: number; y: number } | null = null;
  /** Nobody has moved the view since it was fitted: it may be fitted again when the size changes. */
  private fitted = true;
  private pressed: { x: number; y: number } | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly base: string,
    private readonly outbox: Outbox,
  ) {
    root.classList.add("graph");
    this.footer = new Footer((kind, fields) => this.ask(kind, fields));
    this.find = new Find(
      (group) => this.visible(group) || this.centre(group, Math.max(READABLE, this.transform().k)),
      (text) => this.ask("seek", { text }),
      () => this.canvas.focus(),
    );
    this.marks = button("Mark what changed", icon("difference"), () => this.ask("ask", { ask: "marks" }));
    this.keep = button("Save the Graphviz source (.dot)", "DOT", () => void this.keepSource());
    this.tools.append(
      this.find.box,
      this.marks,
      button("Zoom in (+)", icon("add"), () => this.scale(STEP)),
      button("Zoom out (−)", icon("remove"), () => this.scale(1 / STEP)),
      button("Fit (0)", icon("fit_screen"), () => this.fit()),
      button("Actual size (1)", "1:1", () => this.actual()),
      button("Download as SVG", "SVG", () => this.download()),
      this.keep,
    );
    root.replaceChildren(this.canvas, this.tools, this.footer.box);
    this.behaviour = zoom<HTMLElement, unknown>()
      .filter((event: MouseEvent | WheelEvent) => !event.button && (!event.ctrlKey || event.type === "wheel"))
      .clickDistance(STILL)
      .on("start", ({ sourceEvent }: D3ZoomEvent<HTMLElement, unknown>) => {
        if (sourceEvent?.type === "mousedown") this.canvas.classList.add("dragging");
      })
      .on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => {
        if (event.sourceEvent) this.fitted = false;
        this.drawing?.content.setAttribute("transform", event.transform.toString());
      })
      .on("end", () => this.canvas.classList.remove("dragging"));
    select<HTMLElement, unknown>(this.canvas).call(this.behaviour).on("dblclick.zoom", null);
    this.canvas.addEventListener("pointerdown", ({ clientX, clientY }) => {
      this.pressed = { x: clientX, y: clientY };
    });
    this.canvas.addEventListener("click", (event) => this.onClick(event));
    this.canvas.addEventListener("dblclick", (event) => this.onDoubleClick(event));
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    this.frame = new Frame(root, () => this.onResize());
  }

  update({ data }: Component<Data>): void {
    this.data = data;
    setScheme(this.root);
    this.frame.set(data.height);
    this.footer.key(data.legend);
    this.footer.note(data.note ?? "", data.asks ?? []);
    this.footer.details(data.details ?? null);
    this.marks.hidden = data.marks == null;
    this.marks.setAttribute("aria-pressed", String(data.marks ?? false));
    this.keep.hidden = !data.source;
    const shown = data.url ?? data.svg ?? data.waiting ?? "";
    if (shown !== this.shown) {
      this.shown = shown;
      this.load();
    } else {
      this.select();
    }
  }

  close(): void {
    this.loading += 1;
    this.frame.close();
  }

  private load(): void {
    const turn = ++this.loading;
    const { url, svg, waiting } = this.data;
    if (waiting) {
      this.message(element("div", { class: "wait" }, waiting));
      fetch(new URL(url!, this.base), { cache: "no-store" }).then(
        () => turn === this.loading && this.outbox.post("ask", { ask: "made" }),
        (error: unknown) => turn === this.loading && this.failed(error),
      );
      return;
    }
    const patience = window.setTimeout(() => {
      if (turn === this.loading && !this.drawing) this.message(element("div", { class: "wait" }, "Drawing…"));
    }, PATIENCE);
    const source = url !== null ? fetched(new URL(url, this.base).href) : Promise.resolve(svg ?? "");
    source
      .then((text) => {
        if (turn === this.loading) this.draw(new Drawing(text));
      })
      .catch((error: unknown) => {
        if (turn === this.loading) this.failed(error);
      })
      .finally(() => window.clearTimeout(patience));
  }

  private failed(error: unknown): void {
    console.error(error);
    const retry = button("Fetch it again", "Try again", () => this.load());
    retry.classList.add("retry");
    const sentence = error instanceof Error ? error.message : String(error);
    this.message(element("div", { class: "problem", role: "alert" }, icon("error"), element("p", {}, sentence), retry));
  }

  private message(content: HTMLElement): void {
    this.drawing = null;
    this.canvas.replaceChildren(content);
  }

  private draw(drawing: Drawing): void {
    const first = this.drawing === null;
    const { anchor } = this;
    this.drawing = drawing;
    this.canvas.replaceChildren(drawing.svg);
    drawing.addFolds();
    this.find.on(drawing);
    drawing.content.setAttribute("transform", this.transform().toString());
    const held = anchor && drawing.nodes.get(anchor.node);
    if (held) this.hold(held, anchor);
    else if (first || this.fitted) this.open();
    this.anchor = null;
    this.selection = "";
    this.select();
    this.root.dataset.painted = this.data.url ?? "svg";
  }

  /** Move the drawing so that a node lies where the drawing before had it. */
  private hold(group: SVGGElement, { x, y }: { x: number; y: number }): void {
    const box = group.getBoundingClientRect();
    const now = this.transform();
    this.fitted = false;
    this.to(now.k, now.x + x - (box.left + box.width / 2), now.y + y - box.top);
    if (!this.visible(group)) this.centre(group);
  }

  /** Ask the page for another drawing, in which this node stays where it is. */
  private ask(kind: string, fields: Record<string, unknown>, node: string | null = this.data.selected[0] ?? null): void {
    const group = node === null ? null : this.drawing?.nodes.get(node);
    const box = group?.getBoundingClientRect();
    this.anchor = box && kind !== "seek" ? { node: node!, x: box.left + box.width / 2, y: box.top } : null;
    this.outbox.post(kind, fields);
  }

  // Choice

  private select(): void {
    const asked = JSON.stringify(this.data.selected);
    if (asked === this.selection) return;
    this.selection = asked;
    const chosen = new Set(this.data.selected);
    const { nodes, edges, svg } = this.drawing ?? {};
    if (!nodes || !edges || !svg) return;
    for (const [name, group] of nodes) group.classList.toggle("chosen", chosen.has(name));
    for (const { group, from, to } of edges) group.classList.toggle("chosen", chosen.has(from) || chosen.has(to));
    svg.classList.toggle("choosing", chosen.size > 0);
    const groups = this.data.selected.map((name) => nodes.get(name)).filter((group) => group !== undefined);
    if (groups.length && !groups.some((group) => this.visible(group))) this.centre(groups[0]!);
  }

  private onClick(event: MouseEvent): void {
    const { pressed } = this;
    // The browser also calls it a click when the pointer was dragged and let go over a node.
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL) return;
    if (event.detail > 1) return; // the second of a double click
    const fold = (event.target as Element).closest<SVGGElement>("g.fold")?.dataset.fold;
    if (fold !== undefined) {
      this.fold(fold);
      return;
    }
    const node = this.nodeAt(event);
    if (node === null && !this.data.selected.length) return;
    this.choose(node);
  }

  private fold(node: string): void {
    const group = this.drawing?.nodes.get(node);
    const folded = group ? foldOf(group) : null;
    if (folded !== null) this.ask("fold", { node, folded }, node);
  }

  private nodeAt(event: Event): string | null {
    const group = (event.target as Element).closest<SVGGElement>("g.node, g.cluster");
    return group?.dataset.node ?? null;
  }

  private choose(node: string | null): void {
    const stub = node !== null && this.drawing?.nodes.get(node)?.classList.contains("stub");
    if (stub) {
      // More is to come around the node that it hangs on.
      const end = this.drawing!.edges.find(({ from, to }) => from === node || to === node);
      this.ask("node", { node }, end ? (end.from === node ? end.to : end.from) : null);
      return;
    }
    // Mark it at once; the page confirms or corrects that with its next run.
    this.data = { ...this.data, selected: node === null ? [] : [node] };
    if (this.data.details?.node !== node) this.footer.details(null);
    this.select();
    this.outbox.post("node", { node });
  }

  private onDoubleClick(event: MouseEvent): void {
    const node = this.nodeAt(event);
    const group = node === null ? null : this.drawing?.nodes.get(node);
    if ((event.target as Element).closest("g.fold")) return; // which acts on single clicks
    if (group && foldOf(group) !== null) this.fold(node!);
    else if (group) this.centre(group, Math.max(1, this.transform().k));
    else this.scale(STEP);
  }

  // View

  private transform(): { k: number; x: number; y: number; toString(): string } {
    return (this.canvas as unknown as { __zoom?: typeof zoomIdentity }).__zoom ?? zoomIdentity;
  }

  /** The drawing's own size, in its own units. */
  private get size(): { width: number; height: number } {
    return this.drawing?.size ?? { width: 1, height: 1 };
  }

  private get fitting(): number {
    const { clientWidth, clientHeight } = this.canvas;
    return Math.min(
      LARGEST_FIT,
      Math.max(1, clientWidth - 2 * MARGIN) / this.size.width,
      Math.max(1, clientHeight - HEAD - MARGIN) / this.size.height,
    );
  }

  private to(k: number, x: number, y: number): void {
    select<HTMLElement, unknown>(this.canvas).call(this.behaviour.transform, zoomIdentity.translate(x, y).scale(k));
  }

  private fit(): void {
    const k = this.fitting;
    this.behaviour.scaleExtent([Math.min(k, 1) / 4, Math.max(4, k * 4)]);
    const { clientWidth, clientHeight } = this.canvas;
    this.to(k, (clientWidth - this.size.width * k) / 2, HEAD + Math.max(0, clientHeight - HEAD - MARGIN - this.size.height * k) / 2);
    this.fitted = true;
  }

  /** The first view: all of it, or as much as can be read, from what changed first or its top. */
  private open(): void {
    this.fit();
    const k = READABLE;
    if (this.fitting >= k) return;
    const nodes = [...(this.drawing?.nodes.values() ?? [])];
    const top = nodes.find((group) => group.matches(".node:is(.added, .removed, .changed)")) ?? nodes[0];
    const area = this.canvas.getBoundingClientRect();
    const box = top?.getBoundingClientRect();
    // The middle of the first node, in the units of the drawing.
    const middle = box ? (box.left + box.width / 2 - area.left - this.transform().x) / this.transform().k : this.size.width / 2;
    const narrow = this.size.width * k <= area.width - 2 * MARGIN;
    this.to(k, area.width / 2 - (narrow ? this.size.width / 2 : middle) * k, HEAD);
    if (top && !this.visible(top)) this.centre(top);
    this.fitted = true;
  }

  private actual(): void {
    const { k } = this.transform();
    this.scale(1 / k);
  }

  private scale(by: number): void {
    this.fitted = false;
    select<HTMLElement, unknown>(this.canvas).call(this.behaviour.scaleBy, by);
  }

  private move(x: number, y: number): void {
    this.fitted = false;
    const { k } = this.transform();
    select<HTMLElement, unknown>(this.canvas).call(this.behaviour.translateBy, x / k, y / k);
  }

  private visible(group: SVGGElement): boolean {
    const area = this.canvas.getBoundingClientRect();
    const box = group.getBoundingClientRect();
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    return x > area.left && x < area.right && y > area.top && y < area.bottom;
  }

  private centre(group: SVGGElement, k = this.transform().k): void {
    const area = this.canvas.getBoundingClientRect();
    const rect = group.getBoundingClientRect();
    const now = this.transform();
    const box: Box = {
      x: (rect.left - area.left - now.x) / now.k,
      y: (rect.top - area.top - now.y) / now.k,
      width: rect.width / now.k,
      height: rect.height / now.k,
    };
    this.fitted = false;
    this.to(k, area.width / 2 - (box.x + box.width / 2) * k, area.height / 2 - (box.y + box.height / 2) * k);
  }

  private onResize(): void {
    if (this.drawing && this.fitted) this.open();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = 60;
    switch (event.key) {
      case "+":
      case "=":
        this.scale(STEP);
        break;
      case "-":
        this.scale(1 / STEP);
        break;
      case "0":
        this.fit();
        break;
      case "1":
        this.actual();
        break;
      case "ArrowLeft":
        this.move(far, 0);
        break;
      case "ArrowRight":
        this.move(-far, 0);
        break;
      case "ArrowUp":
        this.move(0, far);
        break;
      case "ArrowDown":
        this.move(0, -far);
        break;
      case "/":
        this.find.open();
        break;
      case "Enter":
        for (const node of this.data.selected) this.fold(node);
        break;
      case "Escape":
        if (this.data.selected.length) this.choose(null);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // Download

  private download(): void {
    if (!this.drawing) return;
    const background = getComputedStyle(this.root).backgroundColor;
    save(`${this.data.name}.svg`, "image/svg+xml", pictured(this.drawing, background));
  }

  private async keepSource(): Promise<void> {
    const { source, name } = this.data;
    if (source) save(`${name}.dot`, "text/vnd.graphviz", await fetched(new URL(source, this.base).href));
  }
}
