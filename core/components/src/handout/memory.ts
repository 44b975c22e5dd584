/** One memory over the run of the code: address upwards, program order to the right. */

import { thousands } from "../dom";
import type { Memory } from "./trace";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [960, 220, 4, 4];

function shape(name: string, attributes: Record<string, string | number>, title = ""): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (title) {
    const hover = document.createElementNS(SVG, "title");
    hover.textContent = title;
    made.append(hover);
  }
  return made;
}

/** The map of a plan; buffers without a place or a lifetime stand in the table alone. */
export function memoryMap({ memory, peak, capacity, at, culprits, buffers }: Memory): SVGElement {
  const placed = buffers.filter((each) => each[1] !== null && each[3] !== null && each[4] !== null);
  const first = Math.min(...placed.map((each) => each[3]!));
  const last = Math.max(...placed.map((each) => each[4]!)) + 1;
  // A memory that is nearly empty is drawn up to its peak: what is in it would be a line else.
  const empty = capacity !== null && peak < capacity / 4;
  const top = Math.max(peak, empty ? 0 : (capacity ?? 0), 1) * 1.02;
  const x = (order: number) => LEFT + ((order - first) / Math.max(1, last - first)) * (WIDTH - 2 * LEFT);
  const y = (address: number) => HEIGHT - BOTTOM - (address / top) * (HEIGHT - 2 * BOTTOM);
  const map = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: `map ${memory}`, role: "img" });
  map.setAttribute("aria-label", `${memory}: address over program order`);
  for (const [name, offset, bytes, from, to, copy] of placed) {
    const box = { x: x(from!), width: Math.max(2, x(to! + 1) - x(from!)), y: y(offset! + bytes), height: Math.max(1, y(offset!) - y(offset! + bytes)) };
    const said = `${name}: ${thousands.format(bytes)} B at ${thousands.format(offset!)}, lines ${from} to ${to}${copy ? `, copy of ${copy}` : ""}`;
    map.append(shape("rect", { ...box, class: culprits.includes(name) ? "box culprit" : "box" }, said));
    if (box.width > 60 && box.height > 12) {
      const label = shape("text", { x: box.x + 4, y: box.y + box.height / 2 + 4 });
      label.textContent = name.length * 7 > box.width - 8 ? `${name.slice(0, Math.floor(box.width / 7) - 2)}…` : name;
      map.append(label);
    }
  }
  if (capacity && !empty) {
    map.append(shape("line", { x1: 0, x2: WIDTH, y1: y(capacity), y2: y(capacity), class: "capacity" }, "capacity"));
  }
  if (at !== null && placed.length) map.append(shape("line", { x1: x(at + 0.5), x2: x(at + 0.5), y1: 0, y2: HEIGHT, class: "peak" }, "the peak"));
  return map;
}
