// Pages of leagues while computers play or games are counted: results appear as they come, unless somebody uses the page.

const PERIOD = 3000; // ms

async function refresh() {
  const main = document.querySelector("main");
  if (document.hidden || !main.querySelector("[data-changing]")) return;
  if (main.contains(document.activeElement) || main.querySelector("details[open]")) return;
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  main.replaceWith(page.querySelector("main"));
}

setInterval(() => refresh().catch(() => {}), PERIOD); // a table that is out of reach is asked again
