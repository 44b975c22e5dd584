/** Keeping a drawing as a file. */

import { element } from "../dom";
import type { Drawing } from "./drawing";

/** The drawing as it looks, in a file of its own: styles of the page are written into it. */
export function pictured(drawing: Drawing, background: string): string {
  const { svg, size } = drawing;
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  copy.setAttribute("width", String(size.width));
  copy.setAttribute("height", String(size.height));
  copy.classList.remove("choosing");
  copy.firstElementChild?.removeAttribute("transform");
  const painted = "path, polygon, polyline, ellipse, text, rect";
  const originals = svg.querySelectorAll<SVGElement>(painted);
  copy.querySelectorAll<SVGElement>(painted).forEach((each, i) => {
    const style = getComputedStyle(originals[i]!);
    for (const name of ["stroke-width", "stroke-dasharray", "opacity", "font-family", "font-weight", "text-decoration"]) {
      each.setAttribute(name, style.getPropertyValue(name));
    }
    for (const name of ["fill", "stroke"]) {
      const [colour, opacity] = plainColour(style.getPropertyValue(name));
      each.setAttribute(name, colour);
      each.setAttribute(`${name}-opacity`, opacity);
    }
  });
  copy.querySelector(".folds")?.remove();
  const page = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  page.setAttribute("width", "100%");
  page.setAttribute("height", "100%");
  page.setAttribute("fill", plainColour(background)[0]);
  copy.prepend(page);
  return new XMLSerializer().serializeToString(copy);
}

export function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
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
