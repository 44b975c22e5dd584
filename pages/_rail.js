// The strip of passes and the list of passes: one rendering each, the current pass only marked, so
// that stepping neither flickers nor loses the scroll position.

const states = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".rail");
  if (!root || !data) return;
  let state = states.get(root);
  if (!state) {
    state = { signature: "", items: new Map(), fit: () => {} };
    states.set(root, state);
    // What stands above the list may still be arriving: fit again whenever the page's height changes.
    state.watch = new ResizeObserver(() => state.fit());
    const page = root.getRootNode().host?.closest('[data-testid="stMainBlockContainer"]');
    for (const seen of [document.documentElement, page]) if (seen) state.watch.observe(seen);
  }
  state.pick = (index) => setTriggerValue("pick", index);
  root.style.setProperty("--changed", data.colours.changed);
  root.style.setProperty("--failed", data.colours.failed);
  if (state.signature !== data.signature) {
    state.signature = data.signature;
    state.items.clear();
    root.replaceChildren(data.kind === "strip" ? strip(data, state) : list(data, state, root));
    state.current = undefined;
  }
  state.fit();
  mark(state, data.current);
  return () => {
    state.watch.disconnect();
    states.delete(root);
  };
}

function mark(state, current) {
  if (state.current === current) return;
  state.items.get(state.current)?.classList.remove("current");
  state.current = current;
  const item = state.items.get(current);
  if (!item) return;
  item.classList.add("current");
  const box = item.closest(".list");
  if (!box) return;
  const top = item.offsetTop - 30;
  const bottom = item.offsetTop + item.offsetHeight + 8;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function strip(data, state) {
  const made = element("div", "strip");
  for (const [label, title, bars] of data.groups) {
    const segment = element("div", "segment");
    segment.style.flex = `${Math.max(bars.length, 3)} 1 0`;
    segment.title = title;
    const row = element("div", "bars");
    for (const [index, height, look, hover] of bars) {
      const bar = element("div", `bar ${look}`);
      bar.title = hover;
      const fill = document.createElement("i");
      fill.style.height = look === "failed" ? "100%" : `${Math.max(4, Math.round(height * 100))}%`;
      bar.append(fill);
      bar.onclick = () => state.pick(index);
      state.items.set(index, bar);
      row.append(bar);
    }
    segment.append(row, element("div", "label", label));
    made.append(segment);
  }
  return made;
}

function list(data, state, root) {
  const made = element("div", "list");
  made.tabIndex = 0;
  made.setAttribute("role", "listbox");
  made.setAttribute("aria-label", "Passes");
  const order = [];
  for (const [label, title, rows] of data.groups) {
    const heading = element("div", "group", label);
    heading.title = title;
    made.append(heading);
    for (const [index, name, lines, look, hover] of rows) {
      const row = element("div", `row ${look}`);
      row.title = hover;
      row.setAttribute("role", "option");
      row.dataset.pass = index;
      const sign = { changed: "●", failed: "✕" }[look] ?? "";
      row.append(
        element("span", "mark", sign),
        element("span", "name", name),
        element("span", "lines", lines),
      );
      row.onclick = () => state.pick(index);
      state.items.set(index, row);
      order.push(index);
      made.append(row);
    }
  }
  if (!order.length) made.append(element("div", "empty", data.empty));
  made.onkeydown = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = order.indexOf(state.current);
    const next = order[Math.min(Math.max(at + by, 0), order.length - 1)];
    if (next === undefined || next === state.current) return;
    mark(state, next);
    state.pick(next);
  };
  state.fit = () => {
    const scroller = root.getRootNode().host?.closest('[data-testid="stMain"]');
    const top = root.getBoundingClientRect().top + (scroller?.scrollTop ?? 0);
    const height = `${Math.max(220, Math.round(window.innerHeight - top - 16))}px`;
    if (made.style.height !== height) made.style.height = height;
  };
  return made;
}
