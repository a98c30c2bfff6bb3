// What browsers support, from MDN's table (@mdn/browser-compat-data), against the oldest that Dugout supports.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const here = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url)));
const require = createRequire(import.meta.url);
export const { api, css, javascript } = require("@mdn/browser-compat-data");
const OLDEST = here("oldest.json");

/** The first version of a browser that has it, perhaps in part, without a prefix or a flag; Infinity for none. */
function first(support) {
  const plain = [support].flat().filter((one) => !one.prefix && !one.alternative_name && !one.flags && (one.partial_implementation || !one.version_removed));
  const versions = plain.map(({ version_added: added }) => added === "preview" || !added ? Infinity : parseFloat(String(added).replace("≤", "")));
  return Math.min(Infinity, ...versions);
}

/** What `entry` of the table needs that the oldest browsers aren't: "chrome 86, safari 14.1"; "" for nothing. */
export function needs(entry) {
  const support = entry && entry.__compat && entry.__compat.support;
  if (!support) return "";
  return Object.entries(OLDEST).filter(([browser, oldest]) => support[browser] && first(support[browser]) > oldest)
    .map(([browser]) => `${browser} ${first(support[browser])}`.replace("Infinity", "none")).join(", ");
}

/** Every entry below `tree` by its own name, the first one for each. */
export function named(tree, found = new Map()) {
  for (const [name, entry] of Object.entries(tree)) {
    if (name === "__compat") continue;
    if (!found.has(name)) found.set(name, entry);
    named(entry, found);
  }
  return found;
}
