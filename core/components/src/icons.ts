/** The icons of both viewers: Material Symbols, as drawings that need no font of the page. */

import add from "@material-symbols/svg-400/rounded/add.svg";
import arrow_forward from "@material-symbols/svg-400/rounded/arrow_forward.svg";
import check from "@material-symbols/svg-400/rounded/check.svg";
import close from "@material-symbols/svg-400/rounded/close.svg";
import content_copy from "@material-symbols/svg-400/rounded/content_copy.svg";
import dangerous from "@material-symbols/svg-400/rounded/dangerous-fill.svg";
import difference from "@material-symbols/svg-400/rounded/difference.svg";
import error from "@material-symbols/svg-400/rounded/error.svg";
import fit_screen from "@material-symbols/svg-400/rounded/fit_screen.svg";
import keyboard from "@material-symbols/svg-400/rounded/keyboard.svg";
import keyboard_arrow_down from "@material-symbols/svg-400/rounded/keyboard_arrow_down.svg";
import keyboard_arrow_up from "@material-symbols/svg-400/rounded/keyboard_arrow_up.svg";
import link from "@material-symbols/svg-400/rounded/link.svg";
import manage_search from "@material-symbols/svg-400/rounded/manage_search.svg";
import remove from "@material-symbols/svg-400/rounded/remove.svg";
import route from "@material-symbols/svg-400/rounded/route.svg";
import search from "@material-symbols/svg-400/rounded/search.svg";
import speed from "@material-symbols/svg-400/rounded/speed-fill.svg";
import unfold_less from "@material-symbols/svg-400/rounded/unfold_less.svg";
import wrap_text from "@material-symbols/svg-400/rounded/wrap_text.svg";

const DRAWINGS = {
  add,
  arrow_forward,
  check,
  close,
  content_copy,
  dangerous,
  difference,
  error,
  fit_screen,
  keyboard,
  keyboard_arrow_down,
  keyboard_arrow_up,
  link,
  manage_search,
  remove,
  route,
  search,
  speed,
  unfold_less,
  wrap_text,
};

export type IconName = keyof typeof DRAWINGS;

/** The drawing of an icon, in the colour and at the size of the text around it. */
export function drawing(name: IconName): SVGSVGElement {
  const drawn = new DOMParser().parseFromString(DRAWINGS[name], "image/svg+xml").documentElement;
  return document.importNode(drawn, true) as unknown as SVGSVGElement;
}
