// The controls of a card's form: each is made from the look of its field, and read back as the deck's file has it.

import { focusOn, h } from "/static/js/parts.js";

/** A plain value as TOML writes it on one line. */
export function toml(value) {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const key = (name) => /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
  return `{ ${Object.entries(value).map(([name, one]) => `${key(name)} = ${toml(one)}`).join(", ")} }`;
}

/** A value as it is typed: a text as it is, anything else as TOML. */
export const typed = (value) => value == null ? "" : typeof value === "string" ? value : toml(value);

/** A field's name as words. */
export const plain = (name) => name.replace(/_/g, " ");

const PLAIN = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
const number = (text) => /^[-+]?\d{1,9}$/.test(text) ? Number(text) : text;

/** The id of the list of names for a field that takes a card's name; undefined for others. */
const choices = (look) => look.names && `names-${look.names}${look.like ? "-like" : ""}`;

/** A small control for one value: {element, read}. `read` returns "" if nothing is chosen or typed. */
function small(look, value, label) {
  if (look.is === "one-of") {
    const element = h("select", { "aria-label": label }, h("option", { value: "" }, "–"), look.values.map((one) => h("option", { value: one }, one)));
    element.value = look.values.includes(value) ? value : "";
    return { element, read: () => element.value };
  }
  const element = h("input", { ...PLAIN, list: choices(look), "aria-label": label, inputmode: look.is === "whole" && "numeric", value: typed(value) });
  return { element, read: () => look.is === "whole" ? number(element.value.trim()) : element.value.trim() };
}

/** Rows that can be added and removed; `row(value)` makes one: {element, read}. */
function rows(what, values, row, filled) {
  const list = h("div", { class: "list" }), all = [];
  const more = h("button", { type: "button", class: "button quiet", onclick: () => add().element.querySelector("select, input").focus() }, `Add ${what}`);
  function add(value) {
    const made = row(value);
    const drop = h("button", { type: "button", class: "button quiet drop", "aria-label": "Remove this one", onclick: () => {
      all.splice(all.indexOf(made), 1);
      line.remove();
      more.focus();
      more.dispatchEvent(new Event("input", { bubbles: true }));
    } }, "✕");
    const line = h("div", { class: "line" }, made.element, drop);
    all.push(made);
    list.append(line);
    return made;
  }
  values.forEach(add);
  if (!values.length) add();
  return { inside: [list, more], read: () => all.map((one) => one.read()).filter(filled) };
}

const word = (id, text) => h("small", { id, class: "means" }, text);

function choice(id, look, value, describe) {
  const values = look.optional ? ["", ...look.values] : look.values;
  if (values.length <= 7 && values.join("").length <= 24) {
    const inputs = values.map((one) => h("input", { type: "radio", name: id, value: one, checked: one === (value != null ? value : "") }));
    const group = h("div", { class: "segments" }, inputs.map((input) => h("label", {}, input, h("span", {}, input.value || "none"))));
    return { group: "radiogroup", inside: [group], read: () => (inputs.find((input) => input.checked) || {}).value || undefined };
  }
  const { element, read } = small({ is: "one-of", values: look.values }, value);
  element.id = id;
  element.removeAttribute("aria-label");
  element.setAttribute("aria-describedby", describe);
  return { inside: [element], read: () => read() || undefined };
}

/** A list of fixed length: a cell for each value, and a pad that fills one after the other. */
function cells(look, value) {
  const all = Array.from({ length: look.count }, (_, i) => small(look.of, value && value[i], `${i + 1}`));
  let at = Math.max(0, all.findIndex((cell) => cell.read() === ""));
  const mark = () => all.forEach((cell, i) => cell.element.classList.toggle("next", i === at));
  all.forEach((cell, i) => cell.element.addEventListener("focus", () => { at = i; mark(); }));
  const pad = look.of.is === "one-of" && look.of.values.length <= 12 && h("div", { class: "pad", role: "group", "aria-label": "Tap them in order" },
    look.of.values.map((one) => h("button", { type: "button", class: "key", onclick: () => {
      all[at].element.value = one;
      all[at].element.dispatchEvent(new Event("input", { bubbles: true }));
      at = (at + 1) % look.count;
      mark();
    } }, one)));
  mark();
  const read = () => { const values = all.map((cell) => cell.read()); return values.every((one) => one === "") ? undefined : values; };
  return { inside: [h("div", { class: `cells of-${look.count}` }, all.map((cell, i) => h("span", { class: "cell" }, h("span", { class: "face-no", "aria-hidden": "true" }, `${i + 1}`), cell.element))), pad], read };
}

function pairs(look, value) {
  const { inside, read } = rows("a line", Object.entries(value || {}), (pair) => {
    const key = small(look.key, pair && pair[0], "from"), to = small(look.of, pair && pair[1], "to");
    return { element: h("span", { class: "pair" }, key.element, h("span", { "aria-hidden": "true" }, "→"), to.element), read: () => [key.read(), to.read()] };
  }, ([from, to]) => from !== "" || to !== "");
  return { inside, read: () => {
    const found = read(), made = Object.fromEntries(found), twice = found.find(([from], i) => found.findIndex(([other]) => other === from) < i);
    if (twice) throw new Error(`${twice[0] || "An empty entry"} is listed twice.`);
    return found.length ? made : undefined;
  } };
}

/** Phrases of other cards, to tap instead of typing them. */
function often(area, phrases) {
  const summary = h("summary", {}, "Common entries");
  const list = h("details", { class: "often" }, summary, h("div", { class: "phrases" }, phrases.map((phrase) =>
    h("button", { type: "button", class: "button quiet", onclick: () => put(phrase) }, phrase))));
  function put(phrase) {
    area.value = phrase;
    area.dispatchEvent(new Event("input", { bubbles: true }));
    list.open = false;
    summary.focus();
  }
  return list;
}

/** Every phrase that can be typed, and what it does. */
const known = (phrases) => (phrases && phrases.length) > 0 && h("details", { class: "often" }, h("summary", {}, "Allowed phrases"),
  h("table", { class: "known" }, h("thead", {}, h("tr", {}, ["Phrase", "What it does"].map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, phrases.map(({ say, does }) => h("tr", {}, h("th", { scope: "row" }, say), h("td", {}, does))))));

function control(id, look, value, describe, phrases) {
  const line = (attributes) => h("input", { id, autocomplete: "off", value: typed(value), "aria-describedby": describe, ...attributes });
  switch (look.is) {
    case "one-of": return choice(id, look, value, describe);
    case "list": return { group: "group", ...cells(look, value) };
    case "map": return { group: "group", ...pairs(look, value) };
    case "several": {
      const { inside, read } = rows("another", value == null ? [] : [value].flat(), (one) => small(look.of, one, "one of them"), (one) => one !== "");
      return { group: "group", inside: [...inside, known(look.of.phrases)], read: () => { const found = read(); return found.length ? found : undefined; } };
    }
    case "flag": {
      const normal = look.default != null ? look.default : false;
      const box = h("input", { id, type: "checkbox", role: "switch", checked: value != null ? value : normal, "aria-describedby": describe });
      return { flag: true, inside: [box], read: () => !look.optional || value !== undefined || box.checked !== normal ? box.checked : undefined };
    }
    case "whole": {
      const input = line({ inputmode: look.low < 0 ? "text" : "numeric", class: "number", maxlength: 9 });  // numeric keypads lack a minus
      return { inside: [input], read: () => input.value.trim() === "" ? undefined : number(input.value.trim()) };
    }
    case "text": {
      const input = line({ list: choices(look), autocapitalize: "words", spellcheck: "false" });
      return { inside: [input], read: () => input.value.trim() || undefined };
    }
    default: {
      const area = h("textarea", { id, ...PLAIN, rows: typed(value).length > 34 ? 3 : 1, "aria-describedby": describe }, typed(value));
      return { inside: [area], after: [known(look.phrases), phrases.length > 0 && often(area, phrases)], read: () => area.value.replace(/\s*\n\s*/g, " ").trim() || undefined };
    }
  }
}

function hint(look) {
  const one = look.is === "several" ? look.of : look;
  const some = one.is === "phrase" ? one.example && `For example: ${one.example}` : look.is === "whole" ? `${look.low} to ${look.high}.` : look.is === "text" && `At most ${look.longest} characters.`;
  return [look.means, some].filter(Boolean).join(" ");
}

/** A list of card names for each field of a form that takes one, by the fields' looks. */
export function lists(looks, cards) {
  const wanted = new Map(looks.map((look) => look.of != null ? look.of : look).filter(choices).map((look) => [choices(look), look]));
  return [...wanted].map(([id, { names, like = ["{}"] }]) => h("datalist", { id }, cards.filter(({ kind }) => kind === names).flatMap(({ fields }) =>
    like.map((text) => h("option", { value: text.replace("{}", () => typed(fields.name)) })))));
}

/** One field of a card: {name, box: its element, read: its value or undefined if left out, wrong(reason), focus}.
    `phrases` are frequent ones in similar fields. */
export function field(name, look, value, phrases = []) {
  const id = `field-${name}`, note = `${id}-means`, fault = `${id}-wrong`;
  const made = control(id, look, value, `${note} ${fault}`, phrases);
  const words = [plain(name), look.optional && made.group !== undefined && h("small", {}, " (optional)")];
  const wrong = h("span", { id: fault, class: "wrong" }), means = word(note, hint(look));
  const box = made.group
    ? h("fieldset", { class: "entry", role: made.group === "radiogroup" && "radiogroup", "aria-describedby": `${note} ${fault}` }, h("legend", {}, words), means, made.inside, wrong)
    : made.flag
      ? h("div", { class: "entry" }, h("label", { class: "switch" }, made.inside, h("span", {}, words)), means, wrong)
      : h("div", { class: "entry" }, h("label", { for: id }, words, look.optional && h("small", {}, " (optional)")), means, made.inside, wrong, made.after);
  const bearers = () => made.group === "radiogroup" ? [box] : [...box.querySelectorAll("input, select, textarea")];
  const say = (reason) => {
    wrong.textContent = reason && reason[0].toUpperCase() + reason.slice(1);
    box.classList.toggle("bad", Boolean(reason));
    for (const one of bearers()) reason ? one.setAttribute("aria-invalid", "true") : one.removeAttribute("aria-invalid");
  };
  box.addEventListener("input", () => say(""));
  return { name, box, read: made.read, wrong: say, focus: () => focusOn(box.querySelector("input:checked, input, select, textarea")) };
}
