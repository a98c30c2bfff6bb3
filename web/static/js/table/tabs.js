// The tabs of the operator's page. Without JavaScript, all sections show one after the other.

import { rest } from "/static/js/parts.js";

const list = document.getElementById("tabs"), tabs = [...list.querySelectorAll(".tab")];
const panels = new Map([...document.querySelectorAll("[data-panel]")].map((panel) => [panel.dataset.panel, panel]));
const openers = [];
let open = null;

/** Call `act(key)` whenever a tab is opened. */
export function opened(act) { openers.push(act); if (open) act(open); }

/** Open a tab by its key. `move`: the top of the page comes into view. */
export function show(key, move = false) {
  if (!panels.has(key)) return;
  if (key !== open) {
    const before = open;
    open = key;
    for (const tab of tabs) {
      const on = tab.dataset.tab === key, panel = panels.get(tab.dataset.tab);
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      panel.hidden = !on;
      // What comes up under a thumb ignores a second tap.
      if (on && before) rest(panel);
    }
    const chosen = new URLSearchParams(location.hash.slice(1));
    // #game=KEY opens this tab too, and new_game.js reads it.
    const names = chosen.get("tab") === key || (key === "games" && chosen.has("game"));
    if (!names && (key !== "game" || location.hash)) history.replaceState(null, "", key === "game" ? location.pathname + location.search : `#tab=${key}`);
    for (const act of openers) act(key);
  }
  if (move) scrollTo({ top: 0 });
}

/** The tab that the address names: #tab=KEY, or for a new game #game=KEY. */
function named() {
  const asked = new URLSearchParams(location.hash.slice(1));
  return asked.has("game") ? "games" : panels.has(asked.get("tab")) ? asked.get("tab") : "game";
}

list.setAttribute("role", "tablist");
for (const tab of tabs) {
  const { tab: key } = tab.dataset, panel = panels.get(key);
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", panel.id);
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", tab.id);
  tab.onclick = () => show(key, true);
}
list.onkeydown = (event) => {
  const at = tabs.indexOf(document.activeElement), last = tabs.length - 1;
  const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  tabs[to].focus();
  show(tabs[to].dataset.tab, true);
};
list.hidden = false;
document.body.dataset.tabs = "yes";
show(named());
addEventListener("hashchange", () => show(named()));
