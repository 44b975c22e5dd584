/** The small menu beside a name: what can be asked about it. */

import { button, counted, element, icon } from "../dom";
import type { Place } from "./stage";

/** The name that was pointed at. */
export interface Chosen {
  text: string;
  place: Place;
}

export type WordAction = "follow" | "find" | "copy";

const GAP = 4;

export class WordMenu {
  readonly dom = element("div", { class: "wordmenu", role: "group", hidden: "" });
  private chosen: Chosen | null = null;

  constructor(private readonly act: (action: WordAction, chosen: Chosen) => void) {
    // The text keeps its focus, and with it the keys, when the menu is used by mouse.
    this.dom.addEventListener("mousedown", (event) => event.preventDefault());
  }

  get open(): boolean {
    return !this.dom.hasAttribute("hidden");
  }

  /**
   * Show it at a name. All boxes are those in the window: of the name, of what the menu must stay
   * within, and of the element that it stands in.
   */
  show(chosen: Chosen, count: number, name: DOMRect, area: DOMRect, parent: DOMRect): void {
    this.chosen = chosen;
    const act = (action: WordAction) => () => {
      const { chosen: now } = this;
      if (action !== "copy") this.hide();
      if (now) this.act(action, now);
    };
    const follow = button(`Follow ${chosen.text} through the passes (f)`, "", act("follow"));
    follow.append(icon("route"), element("span", {}, "Follow"), element("span", { class: "name" }, chosen.text));
    const find = button(`Find ${chosen.text} in all passes (a)`, "", act("find"));
    find.append(icon("manage_search"), element("span", {}, "Find in all passes"));
    const copy = button(`Copy ${chosen.text}`, icon("content_copy"), act("copy"));
    copy.classList.add("copy");
    this.dom.replaceChildren(follow, find, copy, element("span", { class: "here", role: "status" }, counted(count, "place") + " here"));
    this.dom.setAttribute("aria-label", `What to do with ${chosen.text}`);
    this.dom.removeAttribute("hidden");
    const { offsetWidth: width, offsetHeight: height } = this.dom;
    const below = name.bottom + GAP + height <= area.bottom;
    const top = below ? name.bottom + GAP : name.top - GAP - height;
    const left = Math.max(area.left + GAP, Math.min(name.left, area.right - width - GAP));
    this.dom.style.top = `${Math.max(area.top, top) - parent.top}px`;
    this.dom.style.left = `${left - parent.left}px`;
  }

  /** True where it was open. */
  hide(): boolean {
    const { open } = this;
    this.dom.setAttribute("hidden", "");
    this.chosen = null;
    return open;
  }

  focus(): void {
    this.dom.querySelector("button")?.focus();
  }

  /** Say at the button whether the name is on the clipboard. */
  copied(worked: boolean): void {
    const made = this.dom.querySelector(".copy");
    made?.replaceChildren(icon(worked ? "check" : "close"));
    made?.setAttribute("title", worked ? "Copied" : "The browser does not allow copying here");
  }
}
