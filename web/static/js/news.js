// Which plays are news to this page: each is news once.

/** Return a function that takes each view and returns the lines of its new plays. It returns null where none can be new:
    in the first view, in that of another game, and after something was taken back or corrected. */
export function news() {
  let seen = null, game = 0, heard;
  return ({ number, calls, before, plays }) => {
    const lines = [...before, ...plays];
    const back = calls.find(({ marks }) => marks.includes("back"))?.id ?? heard;
    const fresh = seen !== null && number === game && back === heard ? lines.filter(({ n }) => n > seen) : null;
    [seen, game, heard] = [lines.at(-1)?.n ?? -1, number, back];
    return fresh;
  };
}
