/** The graph viewer: a drawing with pan, zoom, fit, choice of nodes and a legend. */

import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from "d3-zoom";

import type { Component, Outbox, Viewer } from "../component";
import { button, element, icon } from "../dom";
import { fetched } from "../fetched";
import { Frame, setScheme, type Height } from "../frame";
import { sanitised } from "./sanitise";

export interface Data {
  url: string | null;
  svg: string | null;
  selected: readonly string[];
  /** Label, CSS colour, and whether it explains a line. */
  legend: readonly (readonly [string, string, boolean])[];
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
const READABLE = 0.72;
const STEP = 1.35;

export class GraphViewer implements Viewer<Data> {
  private readonly frame: Frame;
  private readonly canvas = element("div", { class: "canvas", tabindex: "0", role: "group", "aria-label": "Graph" });
  private readonly legend = element("div", { class: "key" });
  private readonly tools = element("div", { class: "tools", role: "toolbar", "aria-label": "Graph" });
  private readonly behaviour: ZoomBehavior<HTMLElement, unknown>;

  private data!: Data;
  private shown = "";
  private loading = 0;
  private svg: SVGSVGElement | null = null;
  private content: SVGGElement | null = null;
  /** The drawing's own size, in its own units. */
  private size = { width: 1, height: 1 };
  private nodes = new Map<string, SVGGElement>();
  private edges: { group: SVGGElement; from: string; to: string }[] = [];
  private selection = "";
  /** Nobody has moved the view since it was fitted: it may be fitted again when the size changes. */
  private fitted = true;
  private pressed: { x: number; y: number } | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly base: string,
    private readonly outbox: Outbox,
  ) {
    root.classList.add("graph");
    this.tools.append(
      button("Zoom in (+)", icon("add"), () => this.scale(STEP)),
      button("Zoom out (−)", icon("remove"), () => this.scale(1 / STEP)),
      button("Fit (0)", icon("fit_screen"), () => this.fit()),
      button("Actual size (1)", "1:1", () => this.actual()),
      button("Download as SVG", icon("download"), () => this.download()),
    );
    root.replaceChildren(this.canvas, this.tools, this.legend);
    this.behaviour = zoom<HTMLElement, unknown>()
      .filter((event: MouseEvent | WheelEvent) => !event.button && (!event.ctrlKey || event.type === "wheel"))
      .clickDistance(STILL)
      .on("start", ({ sourceEvent }: D3ZoomEvent<HTMLElement, unknown>) => {
        if (sourceEvent?.type === "mousedown") this.canvas.classList.add("dragging");
      })
      .on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => {
        if (event.sourceEvent) this.fitted = false;
        this.content?.setAttribute("transform", event.transform.toString());
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
    this.legend.replaceChildren(
      ...data.legend.map(([label, colour, line]) =>
        element("span", {}, element("i", { class: line ? "line" : "box", style: `--of:${safeColour(colour)}` }), label),
      ),
    );
    this.legend.toggleAttribute("hidden", !data.legend.length);
    const shown = data.url ?? data.svg ?? "";
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
    const { url, svg } = this.data;
    const waiting = window.setTimeout(() => {
      if (turn === this.loading && !this.svg) this.message(element("div", { class: "wait" }, "Drawing…"));
    }, PATIENCE);
    const source = url !== null ? fetched(new URL(url, this.base).href) : Promise.resolve(svg ?? "");
    source
      .then((text) => {
        if (turn === this.loading) this.draw(sanitised(text));
      })
      .catch((error: unknown) => {
        if (turn !== this.loading) return;
        console.error(error);
        const retry = button("Fetch it again", "Try again", () => this.load());
        retry.classList.add("retry");
        const sentence = error instanceof Error ? error.message : String(error);
        this.svg = this.content = null;
        this.message(element("div", { class: "problem", role: "alert" }, icon("error"), element("p", {}, sentence), retry));
      })
      .finally(() => window.clearTimeout(waiting));
  }

  private message(content: HTMLElement): void {
    this.canvas.replaceChildren(content);
  }

  private draw(svg: SVGSVGElement): void {
    const [, , width = 1, height = 1] = (svg.getAttribute("viewBox") ?? "0 0 1 1").split(/[\s,]+/).map(Number);
    const first = this.svg === null;
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    const content = document.createElementNS("http://www.w3.org/2000/svg", "g");
    content.append(...svg.childNodes);
    svg.replaceChildren(content);
    for (const name of ["width", "height", "viewBox"]) svg.removeAttribute(name);
    this.nodes = new Map();
    this.edges = [];
    for (const group of content.querySelectorAll<SVGGElement>("g.node, g.edge, g.cluster")) {
      const title = group.querySelector(":scope > title");
      const name = title?.textContent ?? "";
      // The browser would show the name of the node in a hurry; say what the source says, if it does.
      title?.remove();
      const tooltip = group.querySelector<SVGElement>("[data-tooltip]")?.dataset.tooltip;
      if (tooltip?.trim() && tooltip !== name) {
        const text = document.createElementNS("http://www.w3.org/2000/svg", "title");
        text.textContent = tooltip;
        group.prepend(text);
      }
      if (group.classList.contains("edge")) {
        const [from = "", to = ""] = name.split(/->|--/).map((end) => end.replace(/:\w+(:\w+)?$/, ""));
        this.edges.push({ group, from, to });
      } else if (name) {
        group.dataset.node = name;
        this.nodes.set(name, group);
      }
    }
    // Graphviz paints a white page behind everything.
    const page = content.querySelector<SVGElement>("g.graph > polygon:first-of-type");
    if (page && page.getAttribute("stroke") === "transparent" || page?.getAttribute("fill") === "white") page?.remove();
    this.svg = svg;
    this.content = content;
    this.canvas.replaceChildren(svg);
    if (first || this.fitted) this.open();
    else content.setAttribute("transform", this.transform().toString());
    this.selection = "";
    this.select();
    this.root.dataset.painted = this.data.url ?? "svg";
  }

  // Choice

  private select(): void {
    const asked = JSON.stringify(this.data.selected);
    if (asked === this.selection) return;
    this.selection = asked;
    const chosen = new Set(this.data.selected);
    for (const [name, group] of this.nodes) group.classList.toggle("chosen", chosen.has(name));
    for (const { group, from, to } of this.edges) group.classList.toggle("chosen", chosen.has(from) || chosen.has(to));
    this.svg?.classList.toggle("choosing", chosen.size > 0);
    const groups = this.data.selected.map((name) => this.nodes.get(name)).filter((group) => group !== undefined);
    if (groups.length && !groups.some((group) => this.visible(group))) this.centre(groups[0]!);
  }

  private onClick(event: MouseEvent): void {
    const { pressed } = this;
    // The browser also calls it a click when the pointer was dragged and let go over a node.
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL) return;
    const node = this.nodeAt(event);
    if (node === null && !this.data.selected.length) return;
    this.choose(node);
  }

  private nodeAt(event: Event): string | null {
    const group = (event.target as Element).closest<SVGGElement>("g.node, g.cluster");
    return group?.dataset.node ?? null;
  }

  private choose(node: string | null): void {
    // Mark it at once; the page confirms or corrects that with its next run.
    this.data = { ...this.data, selected: node === null ? [] : [node] };
    this.select();
    this.outbox.post("node", { node });
  }

  private onDoubleClick(event: MouseEvent): void {
    const node = this.nodeAt(event);
    const group = node === null ? null : this.nodes.get(node);
    if (group) this.centre(group, Math.max(1, this.transform().k));
    else this.scale(STEP);
  }

  // View

  private transform(): { k: number; x: number; y: number; toString(): string } {
    return (this.canvas as unknown as { __zoom?: typeof zoomIdentity }).__zoom ?? zoomIdentity;
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

  /** The first view: all of it, or as much from its top as can be read. */
  private open(): void {
    this.fit();
    const k = Math.min(READABLE, Math.max(1, this.canvas.clientWidth - 2 * MARGIN) / this.size.width * 1.6);
    if (this.fitting >= k) return;
    const top = this.nodes.values().next().value;
    const area = this.canvas.getBoundingClientRect();
    const box = top?.getBoundingClientRect();
    // The middle of the first node, in the units of the drawing.
    const middle = box ? (box.left + box.width / 2 - area.left - this.transform().x) / this.transform().k : this.size.width / 2;
    const narrow = this.size.width * k <= area.width - 2 * MARGIN;
    this.to(k, area.width / 2 - (narrow ? this.size.width / 2 : middle) * k, HEAD);
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
    if (this.svg && this.fitted) this.open();
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

  /** The drawing as it looks, in a file of its own: styles of the page are written into it. */
  private download(): void {
    const { svg, content } = this;
    if (!svg || !content) return;
    const copy = svg.cloneNode(true) as SVGSVGElement;
    copy.setAttribute("viewBox", `0 0 ${this.size.width} ${this.size.height}`);
    copy.setAttribute("width", String(this.size.width));
    copy.setAttribute("height", String(this.size.height));
    copy.classList.remove("choosing");
    copy.firstElementChild?.removeAttribute("transform");
    const painted = "path, polygon, polyline, ellipse, text";
    const originals = svg.querySelectorAll<SVGElement>(painted);
    copy.querySelectorAll<SVGElement>(painted).forEach((each, i) => {
      const style = getComputedStyle(originals[i]!);
      for (const name of ["stroke-width", "stroke-dasharray", "opacity", "font-family", "font-weight"]) {
        each.setAttribute(name, style.getPropertyValue(name));
      }
      for (const name of ["fill", "stroke"]) {
        const [colour, opacity] = plainColour(style.getPropertyValue(name));
        each.setAttribute(name, colour);
        each.setAttribute(`${name}-opacity`, opacity);
      }
    });
    const page = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    page.setAttribute("width", "100%");
    page.setAttribute("height", "100%");
    page.setAttribute("fill", plainColour(getComputedStyle(this.root).backgroundColor)[0]);
    copy.prepend(page);
    const text = new XMLSerializer().serializeToString(copy);
    const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    element("a", { href: address, download: `${this.data.name}.svg` }).click();
    window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

/** A computed colour as programs other than browsers read it, and its opacity. */
function plainColour(colour: string): [string, string] {
  const mixed = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(colour);
  if (mixed) {
    const [red, green, blue] = mixed.slice(1, 4).map((part) => Math.round(Number(part) * 255));
    return [`rgb(${red}, ${green}, ${blue})`, mixed[4] ?? "1"];
  }
  const see = /^rgba\((\d+, \d+, \d+), ([\d.]+)\)$/.exec(colour);
  return see ? [`rgb(${see[1]})`, see[2]!] : [colour, "1"];
}

const MEMORIES = new Set(["GM", "UB", "L1", "L0A", "L0B", "L0C", "REG"]);

/** A memory's colour in this theme, or a colour as CSS may hold it, and nothing more. */
function safeColour(colour: string): string {
  if (MEMORIES.has(colour)) return `var(--${colour})`;
  return /^[-\w#%.,()\s]+$/.test(colour) ? colour : "currentColor";
}
