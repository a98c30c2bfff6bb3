// The operator's deck editor: add, change and remove cards in a form made from the looks of their fields.

import { field, lists, plain, typed } from "/static/js/decks/fields.js";
import { focusOn, h, run, send, sure, tell } from "/static/js/parts.js";

const $ = (id) => document.getElementById(id);
const { game, deck: name } = document.body.dataset;
const API = `/api/decks/${game}/${encodeURIComponent(name)}`, editor = $("editor");
const MOST = 24;
let deck = null, house = null;

async function load() {
  [deck, house] = await Promise.all([send(API), house != null ? house : send(`/api/decks/${game}/house`)]);
}
const cardsOf = (kind) => deck.cards.filter((card) => card.kind === kind);

/** Replace the page's content with what the server renders now, without disturbing the person. */
async function refresh() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!(answer && answer.ok)) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["#title", "#state", ".take", "#cards"]) document.querySelector(part).replaceWith(page.querySelector(part));
  document.title = page.title;
  document.dispatchEvent(new Event("fresh"));
  ready();
}

/** Enable the buttons, now that something handles them. */
function ready() {
  for (const button of document.querySelectorAll("main button[disabled]")) button.disabled = button.closest("dialog") !== null;
}

// What is typed survives an error, a lost connection and a sleeping phone -------------------------------------------

const draftKey = (kind, place) => `card ${game}/${name} ${kind} ${place != null ? place : "new"}`;

function keep(key, was, fields) {
  try { localStorage.setItem(key, JSON.stringify({ was, fields })); } catch { /* Private browsing: the form itself still has it. */ }
}
function drop(key) {
  try { localStorage.removeItem(key); } catch { /* Nothing was kept. */ }
}
function kept(key, was) {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    return (found && found.was) === was ? found.fields : null;
  } catch { return null; }
}

// What a new card most likely has ----------------------------------------------------------------------------------

const scale = (look) => look.is === "one-of" ? look.values : look.is === "whole" ? Array.from({ length: look.high - look.low + 1 }, (_, i) => look.low + i) : [];

/** What rose by one from card to card keeps rising; past its end it restarts, and the choice before it moves on. */
function proposed(kind) {
  const cards = cardsOf(kind).map((card) => card.fields), last = cards.slice(-1)[0], next = {};
  if (!last) return next;
  const shape = Object.entries(deck.shapes[kind]).filter(([, look]) => !look.optional);
  const place = (look, value) => scale(look).indexOf(value);
  const rises = ([key, look]) => cards.every((card, i) => place(look, card[key]) === (i ? (place(look, cards[i - 1][key]) + 1) % scale(look).length : 0));
  const after = ([key, look]) => scale(look)[(place(look, last[key]) + 1) % scale(look).length];
  const [first] = shape, number = shape.find((one) => one[1].is === "whole" && rises(one));
  if (number) next[number[0]] = after(number);
  if ((first && first[1].is) !== "one-of") return next;
  if (cards.length > 1 && rises(first)) next[first[0]] = after(first);
  else if (number) next[first[0]] = place(number[1], next[number[0]]) ? last[first[0]] : after(first);
  return next;
}

/** The values of this kind of field on other cards of this deck and the house's, the most frequent first. */
function phrases(look) {
  if (look.is !== "phrase") return [];
  const count = new Map();
  for (const { kind, typed: texts } of [...deck.cards, ...house.cards]) {
    for (const [name, text] of Object.entries(texts)) {
      if (deck.shapes[kind][name].example === look.example) count.set(text, (count.get(text) || 0) + 1);
    }
  }
  return [...count].sort((one, other) => other[1] - one[1]).slice(0, MOST).map(([text]) => text);
}

// The form ---------------------------------------------------------------------------------------------------------

/** Open the form for a card, `place` null for a new one. `notice` is about the card before. */
function open(kind, place, notice = "") {
  const card = place && cardsOf(kind).find((one) => one.place === place);
  const key = draftKey(kind, place), was = card ? card.mark : `${cardsOf(kind).length}`, draft = kept(key, was);
  const given = draft != null ? draft : card ? { ...card.fields, ...card.typed } : proposed(kind);
  const fields = Object.entries(deck.shapes[kind]).map(([one, look]) => field(one, look, given[one], phrases(look)));
  const title = card ? `Edit ${kind} ${place}` : `Add a ${kind}`;
  const status = h("p", { class: "quiet", role: "status" });
  const alert = h("div", { role: "alert", class: "alert" });
  let dirty = Boolean(draft), lost = false, mark = card ? card.mark : null;

  const values = () => {
    const found = {};
    for (const one of fields) { try { found[one.name] = one.read(); } catch { /* Said when it is saved. */ } }
    return found;
  };
  const close = () => { drop(key); editor.close(); };
  const again = draft && h("p", { class: "again" }, "Your unsaved changes are back. ", h("button", { type: "button", class: "button quiet", onclick: () => { drop(key); open(kind, place); } }, "Start over"));
  const leave = h("button", { type: "button", class: "button quiet", onclick: () => { if (!dirty || sure(leave, "Discard changes?")) close(); } }, "Cancel");
  const save = h("button", { class: "button", value: "save" }, "Save");
  const next = h("button", { type: "button", class: "button quiet", onclick: () => put(true) }, "Save and next");

  /** Show each reason beside its field, and the others above all. Focus goes to the first. */
  function blame(faults, sentence) {
    const of = new Map(fields.map((one) => [one.name, []])), others = [];
    for (const fault of faults) (of.get(fault.field) || others).push(fault.field && !of.has(fault.field) ? `${fault.field}: ${fault.reason}` : fault.reason);
    for (const one of fields) one.wrong(of.get(one.name).join(" "));
    const wrong = fields.filter((one) => of.get(one.name).length);
    if (!faults.length) others.push(sentence);
    alert.replaceChildren(wrong.length || others.length ? h("p", { class: "refusal" }, others.join(" ") || `Not saved. Fix ${wrong.map((one) => plain(one.name)).join(", ")} first.`) : "");
    (wrong[0] != null ? wrong[0] : { focus: () => alert.scrollIntoView({ block: "nearest" }) }).focus();
  }

  const same = (one, sent) => Object.entries(sent).every(([key, value]) => typed(one.fields[key]) === typed(value));

  /** Say why nothing was saved, and what to do; true if it was saved and only the response was lost. */
  async function meant(error, sent) {
    const barred = error.status === 401 || error.status === 403;
    let more = barred || !error.status ? " Your changes are kept here." : "";
    if (error.status === 409 && await load().then(() => true, () => false)) {
      const now = cardsOf(kind).find((one) => one.place === place);
      if (lost && now && same(now, sent)) return true;
      more = ` Your changes are kept here. Save again to ${now ? "replace the card" : "add it as a new card"}.`;
      [place, mark] = now ? [place, now.mark] : [null, null];
    }
    lost = lost || !error.status;
    blame(error.faults || [], error.message + more);
    if (barred) alert.append(h("p", {}, h("a", { href: "/table" }, "Enter the code"), " and come back to this page."));
    return false;
  }

  async function put(more) {
    if (save.disabled) return;
    save.disabled = next.disabled = true;
    try { await post(more); } finally { save.disabled = next.disabled = false; }
  }

  async function post(more) {
    const sent = {}, faults = [];
    for (const one of fields) { try { const value = one.read(); if (value !== undefined) sent[one.name] = value; } catch (error) { faults.push({ field: one.name, reason: error.message }); } }
    if (faults.length) return blame(faults, "");
    keep(key, was, values());
    let at = place;
    try {
      if (lost && !place) await load();
      const came = lost && !place && cardsOf(kind).length > Number(was) && cardsOf(kind).pop();
      if (came && same(came, sent)) at = came.place;
      else ({ place: at } = await send(`${API}/card`, { kind, place, fields: sent, mark }));
    } catch (error) {
      if (!await meant(error, sent)) return;
      at = place;
    }
    drop(key);
    const named = fields.find((one) => deck.shapes[kind][one.name].is === "text");
    let saved = `Saved: ${(named && sent[named.name]) || `${kind} ${at}`}.`;
    await load().catch(() => {});
    const odd = deck.notes.filter(({ card }) => card === `${kind} ${at}`).map(({ sentence }) => sentence);
    if (odd.length) saved += ` Check: ${odd.join(" ")}`;
    await refresh();
    if (more) open(kind, cardsOf(kind).some((one) => one.place === at + 1) ? at + 1 : null, saved);
    else { editor.close(); find(kind, at); if (odd.length) tell(saved); }
  }

  const form = h("form", { method: "dialog", novalidate: true, onsubmit: (event) => { event.preventDefault(); put(false); }, oninput: () => { dirty = true; keep(key, was, values()); } },
    h("div", { class: "formhead" }, h("h2", { id: "editing", tabindex: "-1" }, title), status),
    h("div", { class: "formbody" }, again, alert, fields.map((one) => one.box), ...lists(Object.values(deck.shapes[kind]), deck.cards)),
    h("div", { class: "formfoot" }, save, next, leave));
  editor.replaceChildren(form);
  if (!editor.open) editor.showModal();
  requestAnimationFrame(() => { status.textContent = notice; });
  editor.querySelector(".formbody").scrollTop = 0;
  const empty = fields.find((one) => given[one.name] === undefined);
  card || !empty ? $("editing").focus() : empty.focus();
}

/** Set scroll position and focus after a card was saved. */
function find(kind, place) {
  const button = document.querySelector(`[data-change="${kind} ${place}"]`) || document.querySelector(`[data-add="${kind}"]`);
  if (button) button.focus();
  if (button && button.closest(".face")) button.closest(".face").classList.add("saved");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-add], [data-change], [data-out]");
  if (!button) return;
  const { add, change, out } = button.dataset;
  if (out && !sure(button, "Remove this card?")) return;
  run(button, async () => {
    const [kind, place] = (add || change || out).split(" ");
    await load();
    if (!out) return open(kind, place ? Number(place) : null);
    await send(`${API}/card/remove`, { kind, place: Number(place), mark: (cardsOf(kind).find((one) => one.place === Number(place)) || { mark: null }).mark });
    await refresh();
    focusOn(document.querySelector(`[data-add="${kind}"]`));
  });
});
editor.addEventListener("close", () => editor.replaceChildren());

// The deck itself --------------------------------------------------------------------------------------------------

function on(id, act) {
  const form = $(id);
  if (form) form.addEventListener("submit", (event) => { event.preventDefault(); run(form.querySelector("button"), act); });
}
on("rename", async () => { await send(`${API}/title`, { title: $("new-title").value }); await refresh(); $("deck").open = false; });
on("copy", async () => { const made = await send("/api/decks", { game, title: $("copy-title").value, copy: name }); location.assign(`/decks/${made.game}/${encodeURIComponent(made.name)}`); });
if ($("remove")) $("remove").addEventListener("click", (event) => {
  if (sure(event.currentTarget, "Delete this deck?")) run(event.currentTarget, async () => { await send(`${API}/remove`, {}); location.assign("/decks"); });
});
ready();
