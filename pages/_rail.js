// The strip of passes, the list of passes, and lists of places in them: built once for each document,
// which is fetched by its hash. Everything else is put onto what stands there, so that stepping neither flickers nor loses
// the scroll position.

const states = new WeakMap();
const documents = new Map();
let base;

/** The pass that was asked for last, until the server has it open: answers to what was asked before
 *  must not lead back. All that is on the page shows it at once. */
let asked = null;
const PATIENCE = 4000;
const AT = "tilescope-at";

function ask(state, index, line = 0) {
  asked = { index, until: performance.now() + PATIENCE };
  state.send(index, line);
  document.dispatchEvent(new CustomEvent(AT, { detail: index }));
}

/** Where the page is: what was asked for, as long as the server has not come that far. */
function place(current) {
  if (asked && (asked.index === current || performance.now() > asked.until)) asked = null;
  return asked ? asked.index : current;
}

/** A document by its address: an address always means the same one. */
function fetched(address) {
  if (!address) return Promise.resolve(null);
  if (!documents.has(address)) {
    const answer = fetch(new URL(address, base)).then((response) => {
      if (!response.ok) throw new Error(`${response.status}`);
      return response.json();
    });
    answer.catch(() => documents.delete(address));
    documents.set(address, answer);
    if (documents.size > 64) documents.delete(documents.keys().next().value);
  }
  return documents.get(address);
}

/** Show what a page hands over; what is called when the element goes. STYLE is put before this. */
export function mount(component, server) {
  base = server;
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".rail");
  if (!root || !data) return () => {};
  let state = states.get(root);
  if (!state) {
    state = { turn: 0, document: "", marks: "", shown: undefined, items: new Map(), passes: [], told: new Set(), fit: () => {} };
    states.set(root, state);
    root.classList.add(data.kind);
    const style = document.createElement("style");
    style.textContent = STYLE;
    root.before(style);
    // What stands above the list may still be arriving: fit again whenever the page's height changes.
    state.watch = new ResizeObserver(() => state.fit());
    const page = root.getRootNode().host?.closest('[data-testid="stMainBlockContainer"]');
    for (const seen of [document.documentElement, page]) if (seen) state.watch.observe(seen);
    state.at = ({ detail }) => mark(state, detail);
    if (data.steps) {
      document.addEventListener(AT, state.at);
      if (data.kind === "strip") {
        state.keys = (event) => step(event, state);
        document.addEventListener("keydown", state.keys);
      }
    }
  }
  state.send = (index, line) => setTriggerValue("pick", [index, line]);
  state.pick = (index, line) => (data.steps ? ask(state, index, line) : state.send(index, line ?? 0));
  state.sort = (title) => setTriggerValue("sort", title);
  for (const [name, colour] of Object.entries(data.colours)) root.style.setProperty(`--${name}`, colour);
  const turn = ++state.turn;
  Promise.all([fetched(data.document), fetched(data.marks)])
    .then(([groups, marks]) => {
      if (turn === state.turn) show(root, state, data, groups, marks);
    })
    .catch(() => {
      if (turn === state.turn) root.replaceChildren(element("div", "empty", "The server has forgotten this list: reload the page."));
      state.document = "";
    });
  if (state.document === data.document) mark(state, data.steps ? place(data.current) : data.current);
  return () => {
    state.watch.disconnect();
    document.removeEventListener(AT, state.at);
    if (state.keys) document.removeEventListener("keydown", state.keys);
    states.delete(root);
  };
}

function show(root, state, data, groups, marks) {
  const anew = state.document !== data.document;
  if (anew) {
    state.document = data.document;
    state.items.clear();
    state.current = state.shown = undefined;
    root.replaceChildren({ strip, list, places, figures }[data.kind](groups, state, root));
  }
  if ((data.kind === "strip" || data.kind === "list") && (anew || state.marks !== data.marks)) {
    state.marks = data.marks;
    (data.kind === "strip" ? markStrip : markList)(state, marks);
  }
  if (data.kind === "list" && (anew || state.shown !== data.shown || state.empty.textContent !== data.empty)) {
    state.shown = data.shown;
    state.empty.textContent = data.empty;
    limit(state);
  }
  state.fit();
  mark(state, data.steps ? place(data.current) : data.current);
  root.dataset.ready = data.marks || data.document;
}

/** Arrow keys anywhere on the page, as long as nothing else could want them: the passes that changed
 *  something, with Shift one after another. A pass is asked for by its place, so that none is lost
 *  however quickly they are pressed. */
function step(event, state) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const wanting = 'input, textarea, select, [contenteditable="true"], [role="radiogroup"], [role="slider"], .cm-editor';
  if (event.composedPath().some((each) => each instanceof Element && each.matches(wanting))) return;
  const order = event.shiftKey ? state.passes : state.passes.filter((index) => state.told.has(index));
  const next = by > 0 ? order.find((index) => index > state.current) : order.findLast((index) => index < state.current);
  if (next === undefined) return;
  event.preventDefault();
  ask(state, next);
}

function mark(state, current) {
  if (state.current === current) return;
  state.items.get(state.current)?.classList.remove("current");
  state.current = current;
  state.moved?.(current);
  const item = state.items.get(current);
  if (!item) return;
  item.classList.add("current");
  const box = item.closest(".passes");
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

/** A red "!" where a defect of the code comes in; a hollow one where it only makes it slow. */
function sign(harm, title) {
  const made = element("span", `sign ${harm}`, "!");
  made.title = title;
  made.setAttribute("aria-label", title);
  return made;
}

// The strip

function strip(groups, state) {
  const made = element("div", "segments");
  [state.passes, state.told] = [[], new Set()];
  for (const [label, title, bars] of groups) {
    const segment = element("div", "segment");
    segment.style.flex = `${Math.max(bars.length, 3)} 1 0`;
    segment.title = title;
    const row = element("div", "bars");
    for (const [index, height, look, hover] of bars) {
      const bar = element("div", `bar ${look}`);
      bar.title = bar.dataset.hover = hover;
      const area = element("div", "area");
      const fill = document.createElement("i");
      fill.style.height = look === "failed" ? "100%" : `${Math.max(4, Math.round(height * 100))}%`;
      area.append(fill);
      bar.append(area);
      bar.onclick = () => state.pick(index);
      if (look !== "text") state.passes.push(index);
      if (look === "changed" || look === "failed") state.told.add(index);
      state.items.set(index, bar);
      row.append(bar);
    }
    segment.append(row, element("div", "label", label));
    made.append(segment);
  }
  return made;
}

function markStrip(state, marks) {
  for (const bar of state.items.values()) {
    while (bar.childElementCount > 1) bar.lastElementChild.remove();
    bar.querySelector(".sign")?.remove();
    bar.title = bar.dataset.hover;
  }
  for (const [kind, title, counts, appears, disappears] of marks?.rows ?? []) {
    const many = new Map(counts);
    const [came, went] = [new Set(appears), new Set(disappears)];
    for (const [index, bar] of state.items) {
      const cell = element("div", `cell ${kind}`);
      if (many.has(index)) cell.classList.add("there");
      if (came.has(index)) cell.classList.add("came");
      if (went.has(index)) cell.classList.add("went");
      const said = many.has(index) ? `${many.get(index).toLocaleString("en-US")} × ${title}` : "";
      const turn = came.has(index) ? "appears here" : went.has(index) ? `${title} is gone here` : "";
      if (said || turn) bar.title += `\n${[said, turn].filter(Boolean).join(", ")}`;
      bar.append(cell);
    }
  }
  for (const [index, harm, title] of marks?.signs ?? []) {
    const bar = state.items.get(index);
    if (!bar) continue;
    bar.title += `\n${title}`;
    if (!bar.querySelector(".sign")) bar.firstElementChild.append(sign(harm, title));
  }
}

// The list

function list(groups, state, root) {
  const made = element("div", "passes");
  made.tabIndex = 0;
  made.setAttribute("role", "listbox");
  made.setAttribute("aria-label", "Passes");
  state.groups = [];
  for (const [label, title, rows] of groups) {
    const heading = element("div", "group", label);
    heading.title = title;
    made.append(heading);
    const members = [];
    for (const [index, name, lines, look, hover] of rows) {
      const row = element("div", `row ${look}`);
      row.title = row.dataset.hover = hover;
      row.setAttribute("role", "option");
      row.dataset.pass = index;
      row.append(
        element("span", "mark", { changed: "●", failed: "✕" }[look] ?? ""),
        element("span", "name", name),
        element("span", "hits"),
        element("span", "lines", lines),
      );
      row.onclick = () => state.pick(index);
      state.items.set(index, row);
      members.push([index, row]);
      made.append(row);
    }
    state.groups.push([heading, members]);
  }
  state.empty = element("div", "empty");
  made.append(state.empty);
  made.onkeydown = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = state.order.indexOf(state.current);
    const next = state.order[Math.min(Math.max(at + by, 0), state.order.length - 1)];
    if (next === undefined || next === state.current) return;
    mark(state, next);
    state.pick(next);
  };
  state.fit = fitting(root, made);
  return made;
}

/** Down to the lower edge of the window. */
function fitting(root, made) {
  return () => {
    const scroller = root.getRootNode().host?.closest('[data-testid="stMain"]');
    const top = root.getBoundingClientRect().top + (scroller?.scrollTop ?? 0);
    const height = `${Math.max(220, Math.round(window.innerHeight - top - 16))}px`;
    if (made.style.height !== height) made.style.height = height;
  };
}

function markList(state, marks) {
  for (const row of state.items.values()) {
    row.querySelector(".hits").textContent = "";
    row.querySelector(".sign")?.remove();
    row.title = row.dataset.hover;
  }
  // Of several rows on the strip, the list counts the first: what is looked for.
  const [kind, what, counts] = marks?.rows[0] ?? ["", "", []];
  for (const [index, count] of counts) {
    const hits = state.items.get(index)?.querySelector(".hits");
    if (!hits) continue;
    hits.className = `hits ${kind}`;
    hits.textContent = count.toLocaleString("en-US");
    hits.title = `${hits.textContent} × ${what}`;
  }
  for (const [index, harm, title] of marks?.signs ?? []) {
    const row = state.items.get(index);
    if (!row) continue;
    row.title += `\n${title}`;
    if (!row.querySelector(".sign")) row.querySelector(".name").after(sign(harm, title));
  }
}

/** Hide the rows that are not shown, and the headings that have none left. */
function limit(state) {
  let wanted = null;
  if (state.shown !== null) {
    wanted = new Set();
    for (const run of state.shown.split(" ").filter(Boolean)) {
      const [from, to = from] = run.split("-").map(Number);
      for (let index = from; index <= to; index++) wanted.add(index);
    }
  }
  state.order = [];
  for (const [heading, members] of state.groups) {
    let any = false;
    for (const [index, row] of members) {
      row.hidden = wanted !== null && !wanted.has(index);
      if (row.hidden) continue;
      any = true;
      state.order.push(index);
    }
    heading.hidden = !any;
  }
  state.empty.hidden = state.order.length > 0;
}

// Places: what is to be seen at which lines of which pass

function places(groups, state, root) {
  const made = element("div", "passes");
  made.setAttribute("role", "list");
  for (const [label, rows] of groups) {
    if (label) made.append(element("div", "group", label));
    for (const [index, last, harm, name, note, lines] of rows) {
      const row = element("div", "place");
      row.title = note ? `${name}\n${note}` : name;
      row.setAttribute("role", "listitem");
      const head = element("div", "head");
      if (harm) head.append(sign(harm, harm === "wrong" ? "wrong" : "slow"));
      head.append(element("span", "name", name));
      for (const line of lines.slice(0, 6)) {
        const chip = element("button", "line", line.toLocaleString("en-US"));
        chip.title = `Line ${line.toLocaleString("en-US")}`;
        chip.onclick = (event) => {
          event.stopPropagation();
          state.pick(index, line);
        };
        head.append(chip);
      }
      if (lines.length > 6) head.append(element("span", "more", `+${lines.length - 6}`));
      row.append(head);
      if (note) row.append(element("div", "note", note));
      row.onclick = () => state.pick(index, lines[0] ?? 0);
      for (let each = index; each <= last; each++) if (!state.items.has(each)) state.items.set(each, row);
      made.append(row);
    }
  }
  state.fit = fitting(root, made);
  return made;
}

// Figures: what they are in the current pass, and their course over the sequence

const WIDE = 200;
const HIGH = 30;

function drawn(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function figures({ names, figures: all }, state, root) {
  const made = element("div", "passes");
  const rows = [];
  for (const [title, colour, values, changes] of all) {
    const row = element("div", "figure");
    const label = element("button", "title", title);
    label.title = `Sort the passes by ${title}, the largest first`;
    label.onclick = () => state.sort(title);
    const value = element("span", "value");
    const change = element("span", "change");
    const chart = course(values, changes, colour, names, state);
    row.append(label, value, change, chart.dom);
    rows.push({ row, value, change, chart, values, changes });
    made.append(row);
  }
  state.moved = (current) => {
    for (const { row, value, change, chart, values, changes } of rows) {
      const [now, by] = [values[current], changes[current]];
      value.textContent = now === null || now === undefined ? "–" : now.toLocaleString("en-US");
      change.textContent = by ? `${by > 0 ? "+" : "−"}${Math.abs(by).toLocaleString("en-US")}` : "";
      row.classList.toggle("moved", Boolean(by));
      chart.at(current);
    }
  };
  state.fit = fitting(root, made);
  return made;
}

/** A line in steps over the passes; a click goes to the change that is nearest. */
function course(values, changes, colour, names, state) {
  const count = values.length;
  const known = values.filter((value) => value !== null);
  const top = Math.max(...known, 1);
  const x = (index) => ((index + 0.5) / count) * WIDE;
  const y = (value) => HIGH - 3 - (value / top) * (HIGH - 7);
  let path = "";
  let last = null;
  values.forEach((value, index) => {
    if (value === null) {
      last = null;
      return;
    }
    path += last === null ? `M${x(index).toFixed(1)} ${y(value).toFixed(1)}` : `H${x(index).toFixed(1)}`;
    if (last !== null && last !== value) path += `V${y(value).toFixed(1)}`;
    last = value;
  });
  const dom = drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", class: "course" });
  const cursor = drawn("line", { y1: 0, y2: HIGH, class: "cursor", "vector-effect": "non-scaling-stroke" });
  const line = drawn("path", { d: path, stroke: colour, fill: "none", "vector-effect": "non-scaling-stroke" });
  const tip = drawn("title", {});
  dom.append(cursor, line, tip);
  const moved = [...changes.keys()].filter((index) => changes[index]);
  const nearest = (event) => {
    const box = dom.getBoundingClientRect();
    const at = Math.min(Math.max(Math.floor(((event.clientX - box.left) / box.width) * count), 0), count - 1);
    const reach = Math.max(1, count / 40);
    const close = moved.filter((index) => Math.abs(index - at) <= reach);
    return close.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0] ?? at;
  };
  dom.onmousemove = (event) => {
    const index = nearest(event);
    const by = changes[index];
    const said = values[index] === null ? "no text" : values[index].toLocaleString("en-US");
    tip.textContent = `${names[index]}: ${said}${by ? ` (${by > 0 ? "+" : "−"}${Math.abs(by).toLocaleString("en-US")})` : ""}`;
  };
  dom.onclick = (event) => state.pick(nearest(event));
  return {
    dom,
    at: (current) => {
      const shown = current < count;
      cursor.setAttribute("visibility", shown ? "visible" : "hidden");
      if (shown) for (const end of ["x1", "x2"]) cursor.setAttribute(end, x(current));
    },
  };
}
