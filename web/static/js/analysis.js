// "How it was won" on the page of a stored game: fetched when the table has worked it out. Until then there's a link.

const RETRY_DELAY_MS = 1000;
const place = document.getElementById("analysis");

async function show() {
  if (document.hidden) return void document.addEventListener("visibilitychange", show, { once: true });
  const answer = await fetch(`/games/${place.dataset.game}/analysis?part=true`).catch(() => null);
  if (answer && answer.status === 200) {
    place.innerHTML = await answer.text();
    document.dispatchEvent(new Event("analyzed"));
  } else if (!answer || answer.status === 202) setTimeout(show, RETRY_DELAY_MS);
}

show();
