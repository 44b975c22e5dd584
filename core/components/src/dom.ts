/** Making elements in one expression. */

import { drawing, type IconName } from "./icons";

type Child = Node | string | null;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children) if (child !== null) made.append(child);
  return made;
}

/** An icon, for the eye alone. */
export function icon(name: IconName): HTMLElement {
  return element("span", { class: "icon", "aria-hidden": "true" }, drawing(name));
}

export function button(
  title: string,
  content: string | Node,
  action: (event: MouseEvent) => void,
): HTMLButtonElement {
  const made = element("button", { type: "button", title, "aria-label": title }, content);
  made.addEventListener("click", action);
  return made;
}

export const thousands = new Intl.NumberFormat("en-US");

/** "1 line", "1,234 lines". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${thousands.format(count)} ${count === 1 ? one : many}`;
}

/** Put a text on the clipboard; false where the browser refuses. */
export async function copy(text: string): Promise<boolean> {
  // Browsers have the modern way on https and localhost alone; many servers are neither.
  if (navigator.clipboard) {
    const worked = await navigator.clipboard.writeText(text).then(() => true, () => false);
    if (worked) return true;
  }
  const area = element("textarea", { style: "position: fixed; opacity: 0" });
  area.value = text;
  const focused = deepFocus();
  document.body.append(area);
  area.select();
  const worked = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return worked;
}

function deepFocus(): HTMLElement | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found instanceof HTMLElement ? found : null;
}
