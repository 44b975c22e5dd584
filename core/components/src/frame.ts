/** The frame of a viewer: its height, and whether the page is dark. */

export type Height = number | "fill";

const LEAST = 320;
const BELOW = 16;

/** Holds the height of an element, fixed or down to the lower edge of the window. */
export class Frame {
  private height: Height = "fill";
  private readonly observer: ResizeObserver;
  private readonly scroller: HTMLElement;

  constructor(
    private readonly root: HTMLElement,
    private readonly resized: () => void,
  ) {
    this.scroller = scrollParent(root);
    // What stands above may grow or vanish at any time; the page's content then changes its size.
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.scroller);
    if (this.scroller.firstElementChild) this.observer.observe(this.scroller.firstElementChild);
  }

  set(height: Height): void {
    this.height = height;
    this.fit();
  }

  private fit(): void {
    if (!this.root.isConnected) return;
    const wanted = Math.round(this.height === "fill" ? this.room() : this.height);
    if (Math.abs(this.root.offsetHeight - wanted) < 2) return;
    this.root.style.height = `${wanted}px`;
    this.resized();
  }

  /** Pixels from the top of the element, unscrolled, to the lower edge of the scrolling area. */
  private room(): number {
    const area = this.scroller.getBoundingClientRect();
    const top = this.root.getBoundingClientRect().top - area.top + this.scroller.scrollTop;
    return Math.max(LEAST, this.scroller.clientHeight - top - BELOW);
  }

  close(): void {
    this.observer.disconnect();
  }
}

function scrollParent(start: HTMLElement): HTMLElement {
  let node: Node | null = start;
  while ((node = node.parentNode ?? (node instanceof ShadowRoot ? node.host : null))) {
    if (!(node instanceof HTMLElement)) continue;
    const { overflowY } = getComputedStyle(node);
    if (overflowY === "auto" || overflowY === "scroll") return node;
  }
  return document.documentElement;
}

/** Tells the style sheet whether the page is light or dark. */
export function setScheme(root: HTMLElement): void {
  const background = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  root.dataset.scheme = isDark(background) ? "dark" : "light";
}

function isDark(colour: string): boolean {
  const probe = document.createElement("canvas").getContext("2d");
  if (!probe || !colour) return false;
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  const [red = 255, green = 255, blue = 255] = probe.getImageData(0, 0, 1, 1).data;
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}
