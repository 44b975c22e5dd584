/** The row of buttons above the texts. */

import { button, element, icon, thousands } from "../dom";
import type { Command } from "./keys";
import type { Layout } from "./stage";

export interface State {
  counts: readonly [number, number, number] | null;
  hunks: number;
  /** The hunk stood on, from 0; -1 where before the first. */
  hunk: number;
  layout: Layout;
  /** Whether there is a difference, so that layouts make sense. */
  layouts: boolean;
  collapse: boolean;
  wrap: boolean;
  /** Whether there is anything to fold. */
  folds: boolean;
  /** Whether there is a text to work on. */
  text: boolean;
  steps: readonly [boolean, boolean];
}

export class Toolbar {
  readonly dom = element("div", { class: "toolbar", role: "toolbar", "aria-label": "Text" });
  private readonly titles = element("span", { class: "titles" });
  private readonly summary = element("span", { class: "summary" });
  private readonly position = element("span", { class: "position" });
  private readonly hunks: HTMLElement;
  private readonly layouts: HTMLElement;
  private readonly buttons = new Map<Command, HTMLButtonElement>();

  constructor(private readonly run: (command: Command) => void) {
    this.hunks = element(
      "span",
      { class: "group" },
      this.make("previous-hunk", "Previous difference (p)", icon("keyboard_arrow_up")),
      this.position,
      this.make("next-hunk", "Next difference (n)", icon("keyboard_arrow_down")),
    );
    this.layouts = element(
      "span",
      { class: "group segmented", role: "group", "aria-label": "Layout" },
      this.make("split", "Side by side (d)", "Split"),
      this.make("unified", "One column (d)", "Unified"),
      this.make("after", "The new text alone (d)", "New"),
    );
    this.dom.append(
      this.titles,
      this.summary,
      this.hunks,
      element("span", { class: "gap" }),
      this.layouts,
      element(
        "span",
        { class: "group" },
        this.make("collapse", "Fold unchanged lines (u)", icon("unfold_less")),
        this.make("wrap", "Wrap long lines (w)", icon("wrap_text")),
        this.make("search", "Search (/)", icon("search")),
        this.make("copy", "Copy the whole text", icon("content_copy")),
        this.make("help", "Keys (?)", icon("keyboard")),
      ),
    );
  }

  /** Put a title before everything else, or none. */
  title(title: HTMLElement | null): void {
    this.titles.replaceChildren(...(title ? [title] : []));
    this.titles.toggleAttribute("hidden", !title);
  }

  show({ counts, hunks, hunk, layout, layouts, collapse, wrap, folds, text }: State): void {
    const part = (kind: string, sign: string, count: number, what: string) =>
      count
        ? element("span", { class: `count ${kind}`, title: `${thousands.format(count)} ${what}` }, `${sign}${thousands.format(count)}`)
        : null;
    const parts = counts
      ? [
          part("added", "+", counts[0], "lines added"),
          part("removed", "−", counts[1], "lines removed"),
          part("changed", "~", counts[2], "lines changed"),
        ].filter((each) => each !== null)
      : [];
    if (counts && !parts.length) parts.push(element("span", { class: "note" }, "No line differs"));
    this.summary.replaceChildren(...parts);
    this.hunks.toggleAttribute("hidden", !hunks || layout === "after");
    this.position.textContent = `${hunk < 0 ? "–" : thousands.format(hunk + 1)} / ${thousands.format(hunks)}`;
    this.layouts.toggleAttribute("hidden", !layouts);
    for (const each of ["split", "unified", "after"] as const) this.press(each, each === layout);
    this.buttons.get("collapse")!.toggleAttribute("hidden", !layouts);
    this.buttons.get("collapse")!.disabled = !folds && collapse;
    this.press("collapse", collapse);
    this.press("wrap", wrap);
    for (const each of ["wrap", "search", "copy"] as const) {
      this.buttons.get(each)!.toggleAttribute("hidden", !text);
    }
  }

  /** Say at the button that the text is on the clipboard, or that the browser refused. */
  async copied(writing: Promise<void> | undefined): Promise<void> {
    const made = this.buttons.get("copy")!;
    let worked = writing !== undefined;
    await writing?.catch(() => (worked = false));
    made.replaceChildren(icon(worked ? "check" : "close"));
    made.title = worked ? "Copied" : "The browser does not allow copying on this address";
    window.setTimeout(() => {
      made.replaceChildren(icon("content_copy"));
      made.title = "Copy the whole text";
    }, 1500);
  }

  private make(command: Command, title: string, content: string | Node): HTMLButtonElement {
    const made = button(title, content, () => this.run(command));
    this.buttons.set(command, made);
    return made;
  }

  private press(command: Command, pressed: boolean): void {
    this.buttons.get(command)!.setAttribute("aria-pressed", String(pressed));
  }
}
