// Which pages of this browser have a stream. Browsers open six connections to the table for all their pages together, and
// what is beyond waits without a word. So only the pages that were used last have a stream, and of hidden ones that speak, one.

const MOST = 4, me = Math.random().toString(36).slice(2);
// The pages that were used since this one, and whether they speak.
const newer = new Map();

/** True if this page, which is `shown` or hidden, may have a stream of its own. */
export const mayStream = (shown) => newer.size < MOST && (shown || ![...newer.values()].includes("speaks"));

/** Let the other pages know how this one is used now: it "shows" the game, "speaks" too, or "" if nobody follows it. */
export function announceUse(how) {
  newer.clear();
  localStorage.setItem("stream", `${me} ${how} ${Date.now()}`);
}

/** Call `act` after each change of how another page is used. */
export const onOtherUse = (act) => addEventListener("storage", ({ key, newValue }) => {
  if (key !== "stream" || !newValue) return;
  const [id, how] = newValue.split(" ");
  newer.delete(id);
  if (how) newer.set(id, how);
  act();
});
