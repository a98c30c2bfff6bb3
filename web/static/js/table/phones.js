// The room, for the operator: each phone that is signed in, a count of the others, who was turned away, seats to free,
// and switching off.

import { seated } from "/static/js/asks/asks.js";
import { follow } from "/static/js/live.js";
import { h, run, send, sure, tell } from "/static/js/parts.js";

const $ = (id) => document.getElementById(id);
const AGAIN = 4000;
let ended = false;

const span = (seconds) => seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
let board = null;
const named = (seat) => board && seat in board.plays ? seated(board, seat).name : `the ${seat} seat`;
const role = (one) => one.role === "seat" ? named(one.seat) : one.seat ? `operator and ${named(one.seat)}` : "operator";
const word = (device) => device === "other" ? "another device" : device;
const ago = (seconds) => seconds < 60 ? "moments ago" : `${span(seconds)} ago`;
const seen = (one) => `${ago(one.seconds)}, ${one.unseen < 60 ? "here" : `last seen ${ago(one.unseen)}`}`;

/** Make a row of the list: its cells are filled by `show`, so that a button that was tapped once stays that way. */
function row(id, signOut) {
  const out = signOut && h("button", { class: "button quiet" }, "Sign out");
  if (out) out.onclick = () => {
    if (sure(out, "Sign out?")) run(out, async () => {
      await send("/api/sign-out", { id });
      tell("Phone signed out. The code has changed.");
      refresh();
    });
  };
  return h("tr", { "data-phone": id }, h("th", { scope: "row" }), h("td"), h("td"), h("td", {}, out));
}

/** Show who is signed in and who watches; leave the page alone if nothing changed. */
function show({ code, phones, spectators, refusals }) {
  const kinds = Object.entries(spectators), all = kinds.reduce((sum, [, many]) => sum + many, 0);
  const watching = kinds.map(([device, many]) => many === 1 ? word(device) : `${many} × ${word(device)}`).join(", ");
  const wanted = phones.map((one) => [one.id, !one.own, role(one), word(one.device) + (one.own ? ", this one" : ""), seen(one)]);
  if (all) wanted.push(["spectators", false, all === 1 ? "1 spectator" : `${all} spectators`, watching, ""]);
  const here = new Map([...$("here").children].map((made) => [made.dataset.phone, made]));
  wanted.forEach(([id, signOut, ...words], place) => {
    const made = here.get(id) || row(id, signOut);
    here.delete(id);
    words.forEach((text, cell) => { if (made.cells[cell].textContent !== text) made.cells[cell].textContent = text; });
    if ($("here").children[place] !== made) $("here").insertBefore(made, $("here").children[place] || null);
  });
  for (const gone of here.values()) gone.remove();
  if ($("open-code").textContent !== code) $("open-code").textContent = code;
  for (const button of document.querySelectorAll("[data-free]")) {
    const many = phones.filter((one) => one.seat === button.dataset.free).length;
    const note = $(`held-${button.dataset.free}`), words = many === 0 ? "no phone" : many === 1 ? "1 phone" : `${many} phones`;
    if (note.textContent !== words) note.textContent = words;
  }
  showRefused(refusals);
}

// By this phone's own clock: the table's may be wrong.
const clock = (ago) => new Date(Date.now() - 1000 * ago).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
const more = ({ times, asked }) => [times > 1 && `${times} times`, asked].filter(Boolean).join(", ");
const happened = (one) => `${clock(one.ago)} ${one.words}${more(one) && ` (${more(one)})`}`;

/** Show which phones were turned away, and why. */
function showRefused({ counts, last }) {
  const place = $("refused"), [newest, all] = place.querySelectorAll("ul");
  place.hidden = !last.length;
  fill(newest, last.map(happened));
  fill(all, Object.entries(counts).map(([gate, times]) => `${times} × ${gate}`));
}

/** Show these lines in a list, and leave it alone if it has them. */
function fill(list, lines) {
  const shown = [...list.children].map((one) => one.textContent);
  if (shown.join("\n") !== lines.join("\n")) list.replaceChildren(...lines.map((line) => h("li", {}, line)));
}

async function refresh() {
  if (document.hidden || ended) return;
  // A page that was hidden when its phone was signed out asks for the code now.
  const room = await send("/api/phones").catch(({ status }) => { if (status === 401 || status === 403) location.reload(); });
  if (room && !ended) show(room);
}

for (const button of document.querySelectorAll("[data-free]")) button.onclick = () => {
  const { free } = button.dataset;
  if (sure(button, "Free this seat? Its phones will be spectators.")) run(button, async () => {
    await send("/api/free", { seat: free });
    tell("Seat freed. The code has changed.");
    refresh();
  });
};

$("sign-out").onclick = () => {
  if (sure($("sign-out"), "Sign out every phone but this one?")) run($("sign-out"), async () => {
    await send("/api/sign-out", {});
    tell("All other phones signed out. The code has changed.");
    refresh();
  });
};

$("shutdown").onclick = () => {
  if (sure($("shutdown"), "Turn off the table? The game is saved.")) run($("shutdown"), async () => {
    await send("/api/shutdown", {});
    ended = true;
    document.body.dataset.ended = "yes";
    const main = $("main"), end = h("section", { class: "region sheet", tabindex: "-1", role: "status" },
      h("h1", {}, "The table is off"),
      h("p", { class: "lead" }, "Safe to unplug when the display says so."),
      h("p", {}, "The game is saved. This page reconnects when the table is back on."));
    for (const one of main.children) one.hidden = true;
    main.append(end);
    end.focus();
  });
};

follow(({ table }) => {
  if (ended) location.reload();
  // In a series the sides change seats.
  board = table.scoreboard;
  for (const place of document.querySelectorAll("[data-side]")) if (place.dataset.side in board.plays && place.textContent !== named(place.dataset.side)) place.textContent = named(place.dataset.side);
  for (const button of document.querySelectorAll("[data-free]")) button.parentElement.hidden = !(button.dataset.free in table.scoreboard.plays);
});
setInterval(refresh, AGAIN);
document.addEventListener("visibilitychange", refresh);
refresh();
