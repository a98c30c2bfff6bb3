// The operator makes a deck: an empty one, a copy, or one from a file on this phone.

import { h, run, send } from "/static/js/parts.js";

const $ = (id) => document.getElementById(id);
const LARGEST = 256 * 1024;

const goTo = ({ game, name }) => location.assign(`/decks/${game}/${encodeURIComponent(name)}`);

function wrong(id, reason) {
  $(`${id}-wrong`).textContent = reason;
  if (!reason) return $(id).removeAttribute("aria-invalid");
  $(id).setAttribute("aria-invalid", "true");
  $(id).focus();
}

function on(form, act) {
  const button = $(form).querySelector(".button");
  $(form).addEventListener("submit", (event) => { event.preventDefault(); run(button, act); });
  button.disabled = false;
}

const options = [...$("from").options];
function offer() {
  $("from").replaceChildren(...options.filter((one) => !one.value || one.dataset.game === $("game").value));
  $("from").value = "";
}
$("game").addEventListener("change", offer);
offer();

on("begin", async () => {
  wrong("title", "");
  if (!$("title").value.trim()) return wrong("title", "Enter a name.");
  try { goTo(await send("/api/decks", { game: $("game").value, title: $("title").value.trim(), copy: $("from").value || null })); }
  catch (error) { if (!(error.faults && error.faults.length)) throw error; wrong("title", error.faults.map((fault) => fault.reason).join(" ")); }
});

on("upload", async () => {
  const [file] = $("file").files;
  wrong("file", "");
  $("faults").replaceChildren();
  if (!file) return wrong("file", "Choose a file first.");
  if (file.size > LARGEST) return wrong("file", "The file is larger than 256 kB.");
  const text = await new Response(file).text();
  if (text.includes("\ufffd")) return wrong("file", "The file is not UTF-8 text.");
  try { goTo(await send("/api/decks/import", { text, title: $("file-title").value.trim() || null })); }
  catch (error) { if (!(error.faults && error.faults.length)) throw error; list(error.faults); }
});

/** Every fault of the file, by card and field. */
function list(faults) {
  const row = ({ card, field, reason }) => h("tr", {}, h("th", { scope: "row" }, card || "the file"), h("td", {}, field), h("td", {}, reason));
  $("faults").replaceChildren(
    h("p", { class: "refusal" }, `Not uploaded. ${faults.length === 1 ? "1 problem" : `${faults.length} problems`}:`),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Problems, scrolls sideways" },
      h("table", { class: "faults" }, h("thead", {}, h("tr", {}, ["Card", "Field", "Problem"].map((words) => h("th", { scope: "col" }, words)))), h("tbody", {}, faults.map(row)))));
}
