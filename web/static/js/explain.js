// Explained words, on a phone that asks for them: a dotted line below each in the question and the last play, and below
// the choices a line with the words in them. In somebody's first inning against the computer the coach speaks unasked.

import { follow } from "/static/js/live.js";
import { h, send } from "/static/js/parts.js";
import { coachFirstInning } from "/static/js/learn/first_inning.js";
import { finder } from "/static/js/learn/words.js";

const SENTENCES = "#asks .ask h2, #asks .ask > .why, #dice .last, #dice .since, #now .awaited > p, #box .wpa";
// Below a question stand at most MOST words.
const MOST = 10;
const asks = document.getElementById("asks");
// Where words are marked: what the table draws there is marked again.
const parts = [asks, document.getElementById("dice"), document.getElementById("now"), document.getElementById("box")].filter(Boolean);
const byEar = () => document.body.classList.contains("by-ear");

let on = localStorage.getItem("explain") === "on", game = "", find = null, latest = null;

// The explanation lies over the page, so that no choice moves under a finger.
const word = h("b", {}), text = h("p", {}), shut = h("button", { class: "button", onclick: () => sheet.close() }, "Got it");
const sheet = h("dialog", { class: "explanation", "aria-labelledby": "explained", onclick: ({ target }) => { if (target === sheet) sheet.close(); } },
  h("div", {}, h("h2", { id: "explained" }, word), text, shut));
let asked = null;
sheet.addEventListener("close", () => { if (asked && asked.isConnected) asked.focus({ preventScroll: true }); });
document.body.append(sheet);
// The page for everybody has no forms and dialogs of its own.
for (const href of ["/static/css/forms.css", "/static/css/explain.css"]) {
  if (!document.querySelector(`link[href="${href}"]`)) document.head.append(h("link", { rel: "stylesheet", href }));
}

function explain(one, button) {
  asked = button;
  word.textContent = one.word;
  text.textContent = one.text;
  sheet.showModal();
}

const term = (said, one) => h("button", { class: "term", type: "button", "aria-haspopup": "dialog", onclick: ({ currentTarget }) => explain(one, currentTarget) }, said);

// What the page says around a question is plain; what the game says beside the batter's card is not.
const isPlain = (around) => around.closest(".whose, .quiet, .watching") && !around.closest(".between");

/** The texts of the game in `node` that can be seen and are not a word's own button. */
function texts(node) {
  const found = [], walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: around } = walk.currentNode;
    if (!around.closest(".term, .unseen, .more") && !isPlain(around) && around.checkVisibility()) found.push(walk.currentNode);
  }
  return found;
}

/** Mark the words in a sentence that are not in `known` yet. */
function mark(sentence, known) {
  for (const node of texts(sentence)) {
    if (node.parentElement.closest("button, a")) continue;
    let rest = node, past = 0;
    for (const { at, said, word: one } of find(node.data)) {
      if (known.has(one)) continue;
      known.add(one);
      rest = rest.splitText(at - past);
      past = at + said.length;
      const after = rest.splitText(said.length);
      rest.replaceWith(term(said, one));
      rest = after;
    }
  }
}

/** The words that a question's card shows elsewhere, as on its choices, in a line at its end. */
function listWords(card, known) {
  const listed = [...new Set(texts(card).flatMap(({ data }) => find(data).map(({ word: one }) => one)))].filter((one) => !known.has(one)).slice(0, MOST);
  const old = card.querySelector(".terms"), said = listed.map((one) => one.word).join();
  if (old && old.dataset.words === said) return;
  if (old) old.remove();
  if (listed.length) card.append(h("p", { class: "terms", "data-words": said, role: "group", "aria-label": "Words explained" }, listed.map((one) => term(one.word, one))));
}

const marked = new WeakMap();
function markAll() {
  for (const part of parts) for (const around of part === asks ? part.querySelectorAll(".ask") : [part]) {
    const known = marked.get(around) && around !== part ? marked.get(around) : new Set();
    marked.set(around, known);
    for (const sentence of around.querySelectorAll(SENTENCES)) mark(sentence, known);
    if (around !== part) listWords(around, known);
  }
}

/** Take all marks away. */
function unmark() {
  for (const part of parts) {
    for (const line of part.querySelectorAll(".terms")) line.remove();
    for (const one of part.querySelectorAll(".term")) { const { parentNode } = one; one.replaceWith(one.textContent); parentNode.normalize(); }
  }
}

const changes = new MutationObserver(() => draw());
/** Mark what is there now, without observing these changes. */
function draw() {
  changes.disconnect();
  if (on && find && !byEar()) { markAll(); if (asks) coachFirstInning(asks); }
  else unmark();
  if (on) for (const part of parts) changes.observe(part, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden"] });
}

async function load() {
  const key = latest && latest.game.key;
  if (!on || key === game) return;
  [game, find] = [key, null];
  const found = await send(`/learn/${key}.json`).catch(() => null);
  if (found && key === game) find = finder(found.words);
  draw();
}
follow((view) => { latest = view; load(); });

/** Turn the explanations on or off after a `tap`; `button` says which. */
export function turn(button, tap) {
  if (tap) {
    on = !on;
    localStorage.setItem("explain", on ? "on" : "off");
    if (latest) load();
    draw();
  }
  button.textContent = `Explain words: ${on ? "on" : "off"}`;
}
