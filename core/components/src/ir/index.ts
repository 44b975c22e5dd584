/** The bundle of the IR viewer. */

import { mounting } from "../component";
import styles from "./ir.css";
import shared from "../shared.css";
import { IrViewer, type Data } from "./viewer";

export const mount = mounting<Data>((root, base, outbox) => {
  const sheet = document.createElement("style");
  sheet.textContent = shared + styles;
  root.before(sheet);
  return new IrViewer(root, base, outbox);
});
