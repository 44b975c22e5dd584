/** The bundle of a handout: a trace that is read without a server. */

import { element } from "../dom";
import styles from "./handout.css";
import { Page } from "./page";
import { unpacked } from "./trace";

const sheet = element("style", {}, styles);
document.head.append(sheet);
const root = element("main");
document.body.append(root);
try {
  const content = await unpacked(document.getElementById("trace")?.textContent ?? "");
  new Page(root, content);
} catch {
  root.append(element("p", { class: "failure" }, "This file is damaged or cut short: have it made again."));
}
