/** The whole text at a glance beside its scroll bar: differences, defects, places of a name. */

import { element } from "../dom";

export type TickKind = "added" | "removed" | "changed" | "alike" | "hit" | "named" | "match" | "wrong" | "slow" | "selected";

/** A run of rows of the text, in pixels from its top. */
export interface Tick {
  kind: TickKind;
  top: number;
  bottom: number;
}

/** Width in pixels; the style sheet has the same figure. */
const WIDTH = 14;
/** How near, in pixels, a click has to be to a tick to be meant for it. */
const NEAR = 5;
/** Where each kind is drawn: from and to across the width, and the least height. */
const PLACES: Record<TickKind, [number, number, number]> = {
  alike: [2, 4, 1],
  added: [1, 5, 2],
  removed: [1, 5, 2],
  changed: [1, 5, 2],
  named: [6, 13, 2],
  hit: [6, 13, 2],
  match: [6, 13, 2],
  selected: [0, 14, 1],
  slow: [6, 13, 6],
  wrong: [6, 13, 6],
};
const COLOURS: Record<TickKind, string> = {
  added: "--added",
  removed: "--removed",
  changed: "--changed",
  alike: "--faint-plain",
  hit: "--hit",
  named: "--hit",
  match: "--hit",
  wrong: "--wrong",
  slow: "--slow",
  selected: "--accent",
};

export class Ruler {
  // All that it shows can be reached by keys, so it need not be read out.
  readonly dom = element("div", { class: "ruler", "aria-hidden": "true" });
  private readonly canvas = element("canvas");
  private ticks: readonly Tick[] = [];
  private total = 1;

  /** `go` gets the height in the text that was clicked, in pixels. */
  constructor(go: (height: number) => void) {
    this.dom.append(this.canvas);
    this.dom.addEventListener("click", (event) => {
      const box = this.dom.getBoundingClientRect();
      const y = event.clientY - box.top;
      const scale = box.height / this.total;
      const far = (tick: Tick) => Math.max(tick.top * scale - y, y - Math.max(tick.bottom * scale, tick.top * scale + 2), 0);
      const nearest = this.ticks.reduce<Tick | null>((best, tick) => (!best || far(tick) < far(best) ? tick : best), null);
      go(nearest && far(nearest) <= NEAR ? nearest.top : y / scale);
    });
  }

  /** Draw; `total` is the height of the text. Ticks of later kinds lie above those of earlier ones. */
  show(ticks: readonly Tick[], total: number): void {
    this.ticks = ticks;
    this.total = Math.max(1, total);
    const { canvas } = this;
    const height = this.dom.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== WIDTH * ratio || canvas.height !== Math.round(height * ratio)) {
      canvas.width = WIDTH * ratio;
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext("2d");
    if (!context || !height) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, WIDTH, height);
    const styles = getComputedStyle(this.dom);
    const scale = height / this.total;
    for (const kind of Object.keys(PLACES) as TickKind[]) {
      const [from, to, least] = PLACES[kind];
      context.fillStyle = styles.getPropertyValue(COLOURS[kind]).trim() || "gray";
      let last = -1;
      for (const { kind: own, top, bottom } of ticks) {
        if (own !== kind) continue;
        const tall = Math.max(least, (bottom - top) * scale);
        const y = Math.min(height - tall, Math.max(top * scale, 0));
        // Thousands of ticks on one pixel are drawn once.
        if (y + tall <= last) continue;
        last = Math.ceil(y + tall);
        if (kind === "wrong") diamond(context, (from + to) / 2, y + tall / 2, 4.5);
        else context.fillRect(from, y, to - from, tall);
      }
    }
  }
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.fill();
}
