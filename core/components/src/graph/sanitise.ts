/** An SVG text made safe to put into the page: only what Graphviz draws is let through. */

const ELEMENTS = new Set([
  "svg", "g", "title", "desc", "defs", "path", "polygon", "polyline", "ellipse", "circle", "rect",
  "line", "text", "tspan", "lineargradient", "radialgradient", "stop", "clippath",
]);

const ATTRIBUTES = new Set([
  "id", "class", "transform", "viewbox", "width", "height", "x", "y", "dx", "dy", "x1", "y1", "x2",
  "y2", "cx", "cy", "r", "rx", "ry", "d", "points", "fill", "fill-opacity", "stroke",
  "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "text-anchor", "font-family",
  "font-size", "font-weight", "font-style", "text-decoration", "offset", "stop-color",
  "stop-opacity", "gradientunits", "gradienttransform", "clip-path",
]);

/** The root of a clean copy. Throws Error with one sentence where the text is no SVG. */
export function sanitised(source: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
  const root = parsed.documentElement;
  if (parsed.querySelector("parsererror") || root.nodeName.toLowerCase() !== "svg") {
    throw new Error("The server did not send a drawing. Reload the page.");
  }
  const copy = clean(root);
  if (!(copy instanceof SVGSVGElement)) throw new Error("The drawing is empty.");
  return copy;
}

function clean(node: Element): Element | DocumentFragment | null {
  const name = node.localName.toLowerCase();
  // Graphviz wraps a node with a tooltip into a link: keep what is inside, and the tooltip.
  const link = name === "a";
  if (!link && !ELEMENTS.has(name)) return null;
  const copy = link
    ? document.createElementNS("http://www.w3.org/2000/svg", "g")
    : document.createElementNS("http://www.w3.org/2000/svg", node.localName);
  for (const { name: attribute, localName, value } of [...node.attributes]) {
    if (link && localName === "title") copy.setAttribute("data-tooltip", value);
    if (link || !ATTRIBUTES.has(attribute.toLowerCase())) continue;
    // A paint may name a gradient of the drawing itself, and nothing elsewhere.
    if (/url\(\s*(?!['"]?#)/i.test(value)) continue;
    copy.setAttribute(attribute, value);
  }
  for (const child of [...node.childNodes]) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.textContent ?? "");
    else if (child instanceof Element) {
      const kept = clean(child);
      if (kept) copy.append(kept);
    }
  }
  return copy;
}
