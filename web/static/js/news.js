// Which plays and calls are news to this page: each is news once.

/** Return a function that takes each view and returns the lines of its new plays. It returns null where none can be new:
    in the first view, in that of another game, after something was taken back or corrected, and after plays were `missed`. */
export function news() {
  let seen = null, game = 0, heard;
  return ({ number, calls, before, plays }, missed) => {
    const lines = [...before, ...plays];
    const back = (calls.find(({ marks }) => marks.includes("back")) || { id: heard }).id;
    const fresh = seen !== null && !missed && number === game && back === heard ? lines.filter(({ n }) => n > seen) : null;
    [seen, game, heard] = [(lines.slice(-1)[0] || { n: -1 }).n, number, back];
    return fresh;
  };
}

/** Return a function that takes each view and returns the calls that this page has not heard: none in the first view, nor
    of a game that had begun before it came to the table, nor after plays were `missed`. */
export function newCalls() {
  const heard = new Set();
  let game = null;
  return ({ number, calls }, missed) => {
    const fresh = calls.filter(({ id }) => !heard.has(id));
    for (const { id } of fresh) heard.add(id);
    const old = missed || game === null || (number !== game && fresh.some(({ n }) => n >= 0));
    game = number;
    return old ? [] : fresh;
  };
}
