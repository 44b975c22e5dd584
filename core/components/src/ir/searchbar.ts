/** The line in which a search is typed. */

import { button, element, icon, thousands } from "../dom";
import { toQuery, type Query } from "./search";

interface Actions {
  search(query: Query | null): void;
  move(by: number): void;
  close(): void;
}

export class SearchBar {
  readonly dom = element("div", { class: "searchbar", hidden: "", role: "search" });
  private readonly input = element("input", {
    type: "text",
    placeholder: "Search",
    "aria-label": "Search",
    spellcheck: "false",
    autocomplete: "off",
  });
  private readonly state = element("span", { class: "state", role: "status" });
  private matchCase = false;
  private expression = false;

  constructor(private readonly actions: Actions) {
    const toggle = (title: string, label: string, flip: () => boolean) => {
      const made = button(title, label, () => {
        made.setAttribute("aria-pressed", String(flip()));
        this.ask();
      });
      made.setAttribute("aria-pressed", "false");
      return made;
    };
    this.input.addEventListener("input", () => this.ask());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.actions.move(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape") this.actions.close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.dom.append(
      icon("search"),
      this.input,
      toggle("Match case", "Aa", () => (this.matchCase = !this.matchCase)),
      toggle("Regular expression", ".*", () => (this.expression = !this.expression)),
      this.state,
      button("Previous match (Shift+Enter)", icon("keyboard_arrow_up"), () => this.actions.move(-1)),
      button("Next match (Enter)", icon("keyboard_arrow_down"), () => this.actions.move(1)),
      button("Close (Esc)", icon("close"), () => this.actions.close()),
    );
  }

  show(): void {
    this.dom.removeAttribute("hidden");
    this.input.focus();
    this.input.select();
    if (this.input.value) this.ask();
  }

  hide(): void {
    this.dom.setAttribute("hidden", "");
  }

  report(index: number, count: number, more: boolean): void {
    if (this.input.getAttribute("aria-invalid") === "true") return;
    const total = `${thousands.format(count)}${more ? " or more" : ""}`;
    if (!this.input.value) this.state.textContent = "";
    else if (!count) this.state.textContent = "Not found";
    else this.state.textContent = index < 0 ? total : `${thousands.format(index + 1)} of ${total}`;
  }

  private ask(): void {
    this.input.removeAttribute("aria-invalid");
    try {
      this.actions.search(
        toQuery({ text: this.input.value, matchCase: this.matchCase, expression: this.expression }),
      );
    } catch {
      this.actions.search(null);
      this.input.setAttribute("aria-invalid", "true");
      this.state.textContent = "Not a regular expression";
    }
  }
}
