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
  /** What was taken for the same though it is not, and what is not shown, in words. */
  notes: readonly string[];
  /** How many defects are marked, in words; "" for none. */
  defects: string;
  /** Whether there is a line whose address can be copied. */
  link: boolean;
}

/** Where the walk through places of what is found or followed stands. */
export interface Hits {
  /** What it is; "" where nothing is. */
  what: string;
  /** From 0; -1 before the first. */
  at: number;
  count: number;
  /** Whether there are more than were counted. */
  more: boolean;
  /** Whether the browser cannot look for it. */
  unreadable: boolean;
}

export class Toolbar {
  readonly dom = element("div", { class: "toolbar", role: "toolbar", "aria-label": "Text" });
  private readonly titles = element("span", { class: "titles" });
  private readonly summary = element("span", { class: "summary" });
  private readonly position = element("span", { class: "position" });
  private readonly notes = element("span", { class: "note remarks", hidden: "" });
  private readonly hitName = element("span", { class: "hitname" });
  private readonly hitPlace = element("span", { class: "hitplace", role: "status" });
  private readonly hunks: HTMLElement;
  private readonly hits: HTMLElement;
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
    this.hits = element(
      "span",
      { class: "group hits", role: "group", "aria-label": "Places", hidden: "" },
      this.hitName,
      this.make("previous-hit", "Previous place (Shift+F3)", icon("keyboard_arrow_up")),
      this.hitPlace,
      this.make("next-hit", "Next place (F3)", icon("keyboard_arrow_down")),
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
      this.notes,
      this.hunks,
      this.hits,
      this.make("next-note", "Next defect (e)", ""),
      element("span", { class: "gap" }),
      this.layouts,
      element(
        "span",
        { class: "group" },
        this.make("collapse", "Fold unchanged lines (u)", icon("unfold_less")),
        this.make("wrap", "Wrap long lines (w)", icon("wrap_text")),
        this.make("search", "Search (/)", icon("search")),
        this.make("copy-link", "Copy a link to the chosen line", icon("link")),
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

  show({ counts, hunks, hunk, layout, layouts, collapse, wrap, folds, text, notes, defects, link }: State): void {
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
    this.notes.textContent = this.notes.title = notes.join(" · ");
    this.notes.toggleAttribute("hidden", !notes.length);
    const next = this.buttons.get("next-note")!;
    next.className = `defects ${defects.includes("wrong") ? "wrong" : "slow"}`;
    next.replaceChildren(icon(defects.includes("wrong") ? "dangerous" : "speed"), element("span", {}, defects));
    next.setAttribute("aria-label", `Next defect (e): ${defects}`);
    next.toggleAttribute("hidden", !defects);
    this.buttons.get("copy-link")!.toggleAttribute("hidden", !link);
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

  showHits({ what, at, count, more, unreadable }: Hits): void {
    this.hits.toggleAttribute("hidden", !what);
    this.hitName.textContent = what;
    this.hitName.title = unreadable ? "The browser cannot read this pattern: its places are not marked" : what;
    const total = `${thousands.format(count)}${more ? " or more" : ""}`;
    this.hitPlace.textContent = unreadable ? "not marked" : at < 0 || !count ? total : `${thousands.format(at + 1)} / ${total}`;
    for (const each of ["previous-hit", "next-hit"] as const) this.buttons.get(each)!.disabled = !count;
  }

  /** Say at the button that it is on the clipboard, or that the browser refused. */
  async copied(command: "copy" | "copy-link", writing: Promise<boolean>): Promise<void> {
    const made = this.buttons.get(command)!;
    const worked = await writing;
    const before = made.dataset.title ?? made.title;
    made.dataset.title = before;
    made.replaceChildren(icon(worked ? "check" : "close"));
    made.title = worked ? "Copied" : "The browser does not allow copying on this address";
    window.setTimeout(() => {
      made.replaceChildren(icon(command === "copy" ? "content_copy" : "link"));
      made.title = before;
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
