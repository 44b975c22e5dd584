/** Which key does what. */

export type Command =
  | "next-pass"
  | "previous-pass"
  | "next-hunk"
  | "previous-hunk"
  | "split"
  | "unified"
  | "after"
  | "layout"
  | "collapse"
  | "wrap"
  | "search"
  | "copy"
  | "copy-link"
  | "follow"
  | "find-all"
  | "next-hit"
  | "previous-hit"
  | "next-note"
  | "previous-note"
  | "next-name"
  | "previous-name"
  | "menu"
  | "help"
  | "top"
  | "bottom"
  | "up"
  | "down"
  | "page-up"
  | "page-down";

/** Keys that work wherever the focus is, unless something is being typed. */
const PAGE: Record<string, Command> = {
  "]": "next-pass",
  "[": "previous-pass",
  n: "next-hunk",
  p: "previous-hunk",
  N: "previous-hunk",
  d: "layout",
  u: "collapse",
  w: "wrap",
  f: "follow",
  a: "find-all",
  e: "next-note",
  E: "previous-note",
  F3: "next-hit",
  "/": "search",
  "?": "help",
};

/** Keys that only make sense within the text. */
const TEXT: Record<string, Command> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "previous-name",
  ArrowRight: "next-name",
  Enter: "menu",
  PageUp: "page-up",
  PageDown: "page-down",
  Home: "top",
  End: "bottom",
};

export const LEGEND: readonly (readonly [string, string])[] = [
  ["]  [", "next, previous changed pass"],
  ["n  p", "next, previous difference"],
  ["d", "side by side, one column, new text alone"],
  ["u", "fold or show unchanged lines"],
  ["w", "wrap long lines"],
  ["/", "search in this text"],
  ["f", "follow the name that was clicked, or is pointed at"],
  ["a", "find it in all passes"],
  ["←  →", "within the text: the name before, the next one"],
  ["F3  ⇧F3", "next, previous place of what is followed or found"],
  ["e  E", "next, previous defect"],
  ["?", "these keys"],
];

/** The command for a key press, or null. */
export function keyOf(event: KeyboardEvent, inside: boolean): Command | null {
  if (event.ctrlKey || event.metaKey) {
    const find = inside && event.key.toLowerCase() === "f" && !event.altKey && !event.shiftKey;
    return find ? "search" : null;
  }
  if (event.altKey) return null;
  if (event.key === "F3" && event.shiftKey) return "previous-hit";
  return PAGE[event.key] ?? (inside && !event.shiftKey ? (TEXT[event.key] ?? null) : null);
}
