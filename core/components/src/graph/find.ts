/** Looking for nodes by what they say: all are marked, one after the other is brought into view. */

import { button, element, icon, thousands } from "../dom";
import type { Drawing } from "./drawing";

export class Find {
  readonly box = element("span", { class: "find" });
  private readonly input = element("input", {
    type: "search",
    placeholder: "Find a node",
    "aria-label": "Find a node",
    spellcheck: "false",
  });
  private readonly counter = element("span", { class: "counter", "aria-live": "polite" });
  private drawing: Drawing | null = null;
  private found: SVGGElement[] = [];
  private at = 0;

  constructor(
    private readonly show: (group: SVGGElement) => void,
    /** Nothing in the drawing has this text. */
    private readonly seek: (text: string) => void,
    private readonly done: () => void,
  ) {
    this.input.addEventListener("input", () => this.search(true));
    this.input.addEventListener("keydown", (event) => this.onKey(event));
    this.input.addEventListener("blur", () => {
      if (!this.input.value) this.close();
    });
    this.box.append(button("Find a node (/)", icon("search"), () => this.open()), this.input, this.counter);
    this.close();
  }

  open(): void {
    this.box.classList.add("open");
    this.input.hidden = this.counter.hidden = false;
    this.input.focus();
    this.input.select();
  }

  /** Another drawing is shown: mark what it has, but leave the view where it is. */
  on(drawing: Drawing): void {
    this.drawing = drawing;
    if (this.input.value) this.search(false);
  }

  private close(): void {
    this.box.classList.remove("open");
    this.input.hidden = this.counter.hidden = true;
    this.input.value = "";
    this.search(false);
  }

  private search(move: boolean): void {
    for (const group of this.found) group.classList.remove("match", "at");
    const wanted = this.input.value.trim().toLowerCase();
    const { drawing } = this;
    this.found = drawing && wanted ? drawing.having(wanted) : [];
    for (const group of this.found) group.classList.add("match");
    this.at = 0;
    this.counter.textContent = wanted ? (this.found.length ? "" : "none here") : "";
    if (this.found.length) this.go(0, move);
  }

  private go(by: number, move = true): void {
    this.found[this.at]?.classList.remove("at");
    this.at = (this.at + by + this.found.length) % this.found.length;
    const group = this.found[this.at]!;
    group.classList.add("at");
    this.counter.textContent = `${thousands.format(this.at + 1)} / ${thousands.format(this.found.length)}`;
    if (move) this.show(group);
  }

  private onKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.close();
      this.done();
    } else if (event.key === "Enter") {
      const wanted = this.input.value.trim();
      if (this.found.length) this.go(event.shiftKey ? -1 : 1);
      else if (wanted) this.seek(wanted);
    }
  }
}
