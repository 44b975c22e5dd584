/** How the user likes to read texts: kept in this browser, overruled by the page where it says so. */

import type { Layout } from "./stage";

interface Values {
  layout: Layout;
  wrap: boolean;
  collapse: boolean;
}

type Forced = { [Name in keyof Values]: Values[Name] | null };

const STORED = "tilescope.ir";

export class Settings {
  private values: Values = { layout: "split", wrap: false, collapse: true };
  private forced = "";

  constructor() {
    try {
      Object.assign(this.values, JSON.parse(localStorage.getItem(STORED) ?? "{}"));
    } catch {
      // A browser that keeps nothing still shows texts.
    }
  }

  get layout(): Layout {
    return this.values.layout;
  }

  get wrap(): boolean {
    return this.values.wrap;
  }

  get collapse(): boolean {
    return this.values.collapse;
  }

  set<Name extends keyof Values>(name: Name, value: Values[Name]): void {
    this.values[name] = value;
    try {
      localStorage.setItem(STORED, JSON.stringify(this.values));
    } catch {
      // As above.
    }
  }

  /**
   * Take what the page asks for, when it asks anew: between two equal requests the user may have
   * chosen otherwise. True where something changed.
   */
  force(wanted: Forced): boolean {
    const asked = JSON.stringify(wanted);
    if (asked === this.forced) return false;
    this.forced = asked;
    const before = JSON.stringify(this.values);
    if (wanted.layout !== null) this.values.layout = wanted.layout;
    if (wanted.wrap !== null) this.values.wrap = wanted.wrap;
    if (wanted.collapse !== null) this.values.collapse = wanted.collapse;
    return JSON.stringify(this.values) !== before;
  }
}
