/** Making elements in one expression. */

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

/** An icon of the set that Streamlit itself loads (Material Symbols). */
export function icon(name: string): HTMLElement {
  return element("span", { class: "icon", "aria-hidden": "true" }, name);
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
