/** Texts by address: fetched once, kept while they are used, forgotten oldest first. */

/** How many characters are kept, over all texts of all viewers on the page. */
const ROOM = 96 << 20;

interface Kept {
  text: Promise<string>;
  size: number;
}

const kept = new Map<string, Kept>();
let used = 0;

/** Where texts come from that a page brings along itself; undefined for those to be fetched. */
type Supply = (url: string) => string | undefined;

let supplied: Supply = () => undefined;

/** Take texts from the page, which then needs no server for them. */
export function supply(from: Supply): void {
  supplied = from;
}

/** A browser that never idles fetches ahead all the same after this long. */
const BUSY_MS = 1000;

/** One sentence that a reader can act on. */
export class FetchError extends Error {}

/** The text at an address. Rejects with FetchError. */
export function fetched(url: string, priority: RequestPriority = "high"): Promise<string> {
  const known = kept.get(url);
  if (known) {
    kept.delete(url);
    kept.set(url, known);
    return known.text;
  }
  const entry: Kept = { text: load(url, priority), size: 0 };
  kept.set(url, entry);
  entry.text.then(
    (text) => {
      if (kept.get(url) !== entry) return;
      entry.size = text.length;
      used += entry.size;
      for (const [oldest, { size }] of kept) {
        if (used <= ROOM || oldest === url) break;
        used -= size;
        kept.delete(oldest);
      }
    },
    () => kept.delete(url),
  );
  return entry.text;
}

/** Fetch what will probably be wanted next, when the browser has nothing better to do. */
export function prefetch(urls: readonly string[]): void {
  const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 200));
  const fetch = (url: string) => void fetched(url, "low").catch(() => {});
  for (const url of urls) if (!kept.has(url)) idle(() => fetch(url), { timeout: BUSY_MS });
}

async function load(url: string, priority: RequestPriority): Promise<string> {
  const own = supplied(url);
  if (own !== undefined) return own;
  let response: Response;
  try {
    response = await fetch(url, { priority });
  } catch {
    throw new FetchError("The server cannot be reached. Check that it still runs, then try again.");
  }
  if (!response.ok) {
    // The server has one sentence of its own for what it knows; a proxy would send a page.
    const said = (await response.text().catch(() => "")).trim();
    if (said && said.length < 200 && !said.includes("<")) throw new FetchError(said);
    throw new FetchError(`The server answered with status ${response.status}. Try again.`);
  }
  return response.text();
}
