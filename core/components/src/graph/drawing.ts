/** The drawing of a graph: its nodes and arrows by name, and the buttons that fold its frames. */

import { sanitised } from "./sanitise";

const SVG = "http://www.w3.org/2000/svg";
/** The side of a fold button, in the units of the drawing. */
const BUTTON = 11;

export interface Edge {
  group: SVGGElement;
  from: string;
  to: string;
}

export class Drawing {
  readonly svg: SVGSVGElement;
  readonly content: SVGGElement;
  /** Its own size, in its own units. */
  readonly size: { width: number; height: number };
  /** Nodes and frames. */
  readonly nodes = new Map<string, SVGGElement>();
  readonly edges: Edge[] = [];

  /** Throws Error with one sentence where the text is no SVG. */
  constructor(source: string) {
    this.svg = sanitised(source);
    const [, , width = 1, height = 1] = (this.svg.getAttribute("viewBox") ?? "0 0 1 1").split(/[\s,]+/).map(Number);
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.content = document.createElementNS(SVG, "g");
    this.content.append(...this.svg.childNodes);
    this.svg.replaceChildren(this.content);
    for (const name of ["width", "height", "viewBox"]) this.svg.removeAttribute(name);
    for (const group of this.content.querySelectorAll<SVGGElement>("g.node, g.edge, g.cluster")) this.take(group);
    // Graphviz paints a white page behind everything.
    const page = this.content.querySelector<SVGElement>("g.graph > polygon:first-of-type");
    if ((page && page.getAttribute("stroke") === "transparent") || page?.getAttribute("fill") === "white") page?.remove();
  }

  private take(group: SVGGElement): void {
    const title = group.querySelector(":scope > title");
    const name = title?.textContent ?? "";
    // The browser would show the name of the node in a hurry; say what the source says, if it does.
    title?.remove();
    const tooltip = group.querySelector<SVGElement>("[data-tooltip]")?.dataset.tooltip;
    if (tooltip?.trim() && tooltip !== name) {
      group.prepend(titled(tooltip));
    }
    if (group.classList.contains("edge")) {
      const [from = "", to = ""] = name.split(/->|--/).map((end) => end.replace(/:\w+(:\w+)?$/, ""));
      this.edges.push({ group, from, to });
    } else if (name) {
      group.dataset.node = name;
      this.nodes.set(name, group);
    }
  }

  /** Put a button on all that folds or opens. Called once the drawing is on the page. */
  addFolds(): void {
    const place = this.content.querySelector("g.graph") ?? this.content;
    const folds = document.createElementNS(SVG, "g");
    folds.setAttribute("class", "folds");
    for (const [name, group] of this.nodes) {
      const folded = foldOf(group);
      if (folded === null) continue;
      const box = group.getBBox();
      folds.append(foldButton(name, folded, box.x + box.width, box.y));
    }
    place.append(folds);
  }

  /** The nodes and frames whose label has these small letters, else those that say so on hover. */
  having(wanted: string): SVGGElement[] {
    const groups = [...this.nodes.values()];
    const labelled = groups.filter((group) => lines(group).some((text) => text.toLowerCase().includes(wanted)));
    if (labelled.length) return labelled;
    return groups.filter((group) => group.querySelector(":scope > title")?.textContent?.toLowerCase().includes(wanted));
  }
}

/** The lines of a label; those of what a frame holds are not inside its element. */
function lines(group: SVGGElement): string[] {
  return [...group.querySelectorAll("text")].map((text) => text.textContent ?? "");
}

/** What a double click on a node or frame asks for: to fold it, to open it, or nothing. */
export function foldOf(group: SVGGElement): boolean | null {
  if (group.classList.contains("folded")) return false;
  return group.classList.contains("cluster") || group.classList.contains("handle") ? true : null;
}

function foldButton(name: string, folded: boolean, right: number, top: number): SVGGElement {
  const made = document.createElementNS(SVG, "g");
  made.setAttribute("class", "fold");
  made.dataset.fold = name;
  made.append(titled(folded ? "Fold (double-click)" : "Open (double-click)"));
  const square = document.createElementNS(SVG, "rect");
  const [x, y] = [right - BUTTON * 0.75, top - BUTTON * 0.25];
  for (const [key, value] of Object.entries({ x, y, width: BUTTON, height: BUTTON, rx: 2 })) {
    square.setAttribute(key, String(value));
  }
  const sign = document.createElementNS(SVG, "path");
  const [cx, cy, half] = [x + BUTTON / 2, y + BUTTON / 2, BUTTON * 0.28];
  const upright = folded ? "" : `M${cx},${cy - half}v${2 * half}`;
  sign.setAttribute("d", `M${cx - half},${cy}h${2 * half}${upright}`);
  made.append(square, sign);
  return made;
}

function titled(text: string): SVGTitleElement {
  const title = document.createElementNS(SVG, "title");
  title.textContent = text;
  return title;
}
