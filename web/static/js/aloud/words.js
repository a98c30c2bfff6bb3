// What a part of the page says, in lines to read aloud. They come from the text and the accessible names on the page, not
// from the view: so nothing covered or folded away is ever read, and a new kind of question needs no second text.

const CONTROL = "button, summary", BLOCK = "p, li, h1, h2, h3, dl, dt, dd, table, legend, ul, ol, svg[role=img]";
// Not part of the question: the cards have a key of their own, and the names of buttons say what stands at a die.
const LEFT_OUT = ".between, .proof, .counted, .lies small, .proposed > .quiet";
// The faces of a die are said in one breath, from this many on as a range.
const KEY = ".key", FEW = 4;

export const controlsOf = (part) => [...part.querySelectorAll(CONTROL)].filter((one) => !one.matches(".proof") && !one.disabled && one.checkVisibility());

/** The control that `target` is part of, or null. */
export const controlAt = (target) => target.closest ? target.closest(CONTROL) : null;

/** The text of `node`; with `all`, also its sentences that show only while it is chosen. */
function text(node, all = false) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") return "";
  if (!node.checkVisibility() && !(all && node.closest(".more"))) return "";
  const named = node.getAttribute("aria-label") || node.getAttribute("alt") || (node.matches("abbr") && node.title);
  if (named) return named;
  const inside = [...node.childNodes].map((one) => text(one, all)).join("");
  return node.matches("small, dt, br, .slot, .more span") ? ` | ${inside} | ` : inside;
}

/** The text of `node`, with pauses where the type changes. */
export const phrase = (node, all) => text(node, all).replace(/\s+/g, " ").replace(/^[ |]+|[ |]+$/g, "").replace(/([.:;,?!])?(\s*\|)+\s*/g, (_, mark) => `${mark != null ? mark : ","} `);

/** The words of a control; with `all`, everything that it would do. */
export function nameOf(control, all = false) {
  const lid = control.matches(".veil") && control.getAttribute("aria-expanded") !== "true";
  return `${phrase(control, all)}${lid ? ", and hear it" : ""}`;
}

/** The name of a control without what it would do. */
export function briefOf(control) {
  const copy = control.cloneNode(true);
  for (const more of copy.querySelectorAll("small, [aria-hidden=true]")) more.remove();
  return (control.getAttribute("aria-label") || "").split(". ")[0] || copy.textContent.replace(/\s+/g, " ").trim();
}

function rows(table) {
  let heads = [];
  const lines = table.caption ? [phrase(table.caption)] : [];
  for (const row of table.rows) {
    const cells = [...row.cells].map((cell) => phrase(cell));
    if ([...row.cells].every((cell) => cell.scope === "col" || !cell.textContent.trim())) { heads = cells; continue; }
    const [first] = row.cells, named = (first && first.scope) === "row";
    const said = cells.map((words, at) => words && heads[at] ? `${heads[at]} ${words}` : words).slice(named ? 1 : 0).filter(Boolean).join(", ");
    if (said) lines.push(named ? `${cells[0]}: ${said}` : said);
  }
  return lines;
}

/** The lines of `part`: {text, key, control, face, group, secret, card, state}. A control has the `text` of its name; `key` is
    the same as long as the line says the same; `card` is the question it is part of, without whose move it is. `state`: it changes all the time. */
export function linesOf(part) {
  const lines = [];
  const add = (words, node, more = {}) => {
    const said = words.trim();
    if (said && (more.control || (lines.slice(-1)[0] || {}).text !== said)) lines.push({ text: said, key: `${more.group != null ? more.group : ""} ${said}`, secret: Boolean(node.closest(".veiled > div")), card: node.matches(".whose") ? null : node.closest(".asks > *"), ...more });
  };
  const walk = (node, group) => {
    for (const one of node.children) {
      if (one.matches(LEFT_OUT) || one.getAttribute("aria-hidden") === "true" || !one.checkVisibility()) continue;
      const label = one.getAttribute("aria-label") || (document.getElementById(one.getAttribute("aria-labelledby")) || {}).textContent;
      // What cannot be pressed is read only if it says what is missing.
      if (one.disabled && !one.matches(".button:not(.quiet)")) continue;
      if (one.matches(CONTROL)) add(nameOf(one), one, { control: one, face: one.matches(KEY), group });
      else if (one.matches("table")) rows(one).forEach((row) => add(row, one));
      else if ((one.matches("h2.explained") && !one.nextElementSibling.matches(".hush")) || one.matches(".which[id], [role=group] > .which")) continue;
      else if (one.matches("[role=group], ul[aria-label], section[aria-label]")) {
        if (label) add(label, one, { heading: true, group: label });
        walk(one, label != null ? label : group);
      } else if (!one.matches("p, li, h2, h3, legend, svg, dl > div") && one.querySelector(`${CONTROL}, ${BLOCK}`)) walk(one, group);
      else add(phrase(one), one, { state: one.matches(".watching") });
    }
  };
  walk(part);
  return lines;
}

/** The keys of a die in few words: "1 to 6", "1 for B, 2 for S, 3 for C". */
function keys(lines) {
  const faces = lines.map(({ control }) => control.textContent.trim()), numbers = faces.map((face) => parseInt(face));
  if (numbers.some(Number.isNaN)) return faces.map((face, at) => `${at + 1} for ${face}`).join(", ");
  return numbers.length >= FEW && numbers.every((number, at) => number === numbers[0] + at) ? `${numbers[0]} to ${numbers.slice(-1)[0]}` : numbers.join(", ");
}

/** Lines as sentences, each with its secrecy: [text, secret]. `numbers` are the controls that have a number. */
export function sentences(lines, numbers) {
  const said = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line.face) {
      const from = at;
      while (lines[at + 1] && lines[at + 1].face && lines[at + 1].group === line.group) at += 1;
      const words = keys(lines.slice(from, at + 1));
      if (from && lines[from - 1].heading && lines[from - 1].group === line.group) said.slice(-1)[0][0] += `${/[?.]$/.test(said.slice(-1)[0][0]) ? "" : ":"} ${words}`;
      else said.push([words, line.secret]);
    } else {
      const number = numbers.indexOf(line.control) + 1;
      said.push([number && !line.control.disabled ? `${number}: ${line.text}` : line.text, line.secret]);
    }
  }
  return said;
}

/** The controls of `lines` that are chosen by their number: not what was uncovered already, nor what must be held. */
export const numbered = (lines) => lines.filter(({ control, face }) => control && !face && !control.matches('.veil:not([aria-expanded="false"])')).map(({ control }) => control);

/** How a voice says what is printed: "+2" as "plus 2", "1–6" as "1 to 6". `abbreviations` are a game's own, with their
    words. */
export function aloud(printed, abbreviations = {}) {
  let words = printed;
  for (const [short, long] of Object.entries(abbreviations)) words = words.replace(new RegExp(`(^|[^\\w/])${short}(?![\\w/])`, "g"), `$1${long}`);
  words = words.replace(/\+\/[−-](?=\d)/g, "plus or minus ").replace(/(\d)\+(?!\d)/g, "$1 or more").replace(/(\d)\s?[–-]\s?(?=\d)/g, "$1 to ")
    .replace(/(^|[^\w.])[−-](?=\d)/g, "$1minus ").replace(/\+(?=\d)/g, "plus ").replace(/−/g, " minus ").replace(/\s\+\s/g, " plus ")
    .replace(/(\d) × (?=\p{L})/gu, "$1 times ").replace(/×(\d)/g, "$1 times").replace(/\s?%/g, " percent").replace(/\s*·\s*/g, ", ").replace(/ = /g, " equals ").replace(/…/g, "").replace(/\.{2,}/g, ".")
    .replace(/\s*\(([^)]*)\)(?=[.,:;?!]|$)/g, ", $1").replace(/\s*\(([^)]*)\)/g, ", $1,").replace(/\s+/g, " ").trim();
  const [first] = words;
  return `${first ? first.toUpperCase() : ""}${words.slice(1)}${/[.?!]$/.test(words) ? "" : "."}`;
}
