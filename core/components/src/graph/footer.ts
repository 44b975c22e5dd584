/** What stands below a graph: what is not drawn, the chosen node, the legend. */

import { button, element } from "../dom";

export interface Details {
  node: string;
  title: string;
  text: string;
  facts: readonly string[];
  follow: boolean;
  find: boolean;
}

/** Label, colour, and whether it explains a line. */
export type Entry = readonly [string, string, boolean];

const ASKS: Record<string, [string, string]> = {
  widen: ["Widen", "Show twice as many nodes"],
  whole: ["Show all anyway", "Draw the whole graph, which may take some seconds"],
  start: ["Start again", "What was shown at first: nothing folded or opened by hand"],
};

export class Footer {
  readonly box = element("div", { class: "below" });
  private readonly said = element("div", { class: "said" });
  private readonly about = element("div", { class: "about", "aria-live": "polite" });
  private readonly legend = element("div", { class: "key" });

  constructor(private readonly post: (kind: string, fields: Record<string, unknown>) => void) {
    this.box.append(this.said, this.about, this.legend);
  }

  note(note: string, asks: readonly string[]): void {
    const buttons = asks.flatMap((ask) => {
      const [label, title] = ASKS[ask] ?? [];
      return label ? [button(title!, label, () => this.post("ask", { ask }))] : [];
    });
    this.said.replaceChildren(...(note ? [element("span", { title: note }, note)] : []), ...buttons);
    this.said.hidden = !note && !buttons.length;
  }

  details(about: Details | null): void {
    this.about.hidden = about === null;
    if (about === null) return;
    const action = (name: string, label: string, title: string) =>
      button(title, label, () => this.post("action", { node: about.node, action: name }));
    this.about.replaceChildren(
      element(
        "div",
        {},
        element("strong", { title: about.title }, about.title),
        element("span", { class: "facts" }, about.facts.join(" · ")),
        element("span", { class: "gap" }),
        about.follow ? action("follow", "Follow", "Follow it through all passes") : null,
        about.find ? action("find", "Find in all passes", "Look for its name in all passes") : null,
      ),
      ...(about.text ? [element("code", { title: about.text }, about.text)] : []),
    );
  }

  key(entries: readonly Entry[]): void {
    this.legend.replaceChildren(
      ...entries.map(([label, colour, line]) =>
        element("span", {}, element("i", { class: line ? "line" : "box", style: `--of:${safeColour(colour)}` }), label),
      ),
    );
    this.legend.hidden = !entries.length;
  }
}

const NAMED = new Set(["GM", "UB", "L1", "L0A", "L0B", "L0C", "REG", "added", "removed", "changed"]);

/** A named colour in this theme, or a colour as CSS may hold it, and nothing more. */
function safeColour(colour: string): string {
  if (NAMED.has(colour)) return `var(--${colour})`;
  return /^[-\w#%.,()\s]+$/.test(colour) ? colour : "currentColor";
}
