/** The bundle of the graph viewer. */

import { mounting } from "../component";
import shared from "../shared.css";
import styles from "./graph.css";
import { GraphViewer, type Data } from "./viewer";

export const mount = mounting<Data>((root, base, outbox) => {
  const sheet = document.createElement("style");
  sheet.textContent = shared + styles;
  root.before(sheet);
  return new GraphViewer(root, base, outbox);
});
