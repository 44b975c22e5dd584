/** What Streamlit hands to a component, and how events go back to Python without loss. */

export interface Component<Data> {
  data: Data;
  key: string;
  parentElement: HTMLElement | ShadowRoot;
  setStateValue(name: string, value: unknown): void;
}

/** A viewer that lives as long as its element is on the page. */
export interface Viewer<Data> {
  update(component: Component<Data>): void;
  close(): void;
}

interface Event {
  id: number;
  kind: string;
  [name: string]: unknown;
}

// Numbers only ever grow, also over a reload of the page into the same session.
let lastId = Date.now();

/** How many of the last events are repeated, so that none is lost while a rerun is under way. */
const REPEATED = 8;

export class Outbox {
  private events: Event[] = [];

  constructor(private send: (events: Event[]) => void) {}

  /** Called on every rerun: the way back belongs to the latest call of Streamlit. */
  through(send: (events: Event[]) => void): void {
    this.send = send;
  }

  post(kind: string, fields: Record<string, unknown>): void {
    lastId = Math.max(lastId + 1, Date.now());
    this.events = [...this.events, { id: lastId, kind, ...fields }].slice(-REPEATED);
    this.send(this.events);
  }
}

/**
 * Streamlit calls a component again for each change of its data or of the theme. Give every element
 * one viewer, made at the first call and reused at each further one.
 */
export function mounting<Data>(
  make: (root: HTMLElement, base: string, outbox: Outbox) => Viewer<Data>,
): (component: Component<Data>, base: string) => () => void {
  const viewers = new Map<HTMLElement, { viewer: Viewer<Data>; outbox: Outbox }>();
  return (component, base) => {
    const root = component.parentElement.querySelector<HTMLElement>(".tilescope-root");
    if (!root) throw new Error("The component's element is missing.");
    const send = (events: unknown) => component.setStateValue("events", events);
    let entry = viewers.get(root);
    if (entry) {
      entry.outbox.through(send);
    } else {
      const outbox = new Outbox(send);
      entry = { viewer: make(root, base, outbox), outbox };
      viewers.set(root, entry);
    }
    entry.viewer.update(component);
    return () => {
      viewers.get(root)?.viewer.close();
      viewers.delete(root);
    };
  };
}
