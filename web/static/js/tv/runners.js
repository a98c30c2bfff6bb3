// Runners move along the bases: from where each stood before to where he stands now.

// Home, first, second and third, in units of the drawing.
const BASES = [[100, 146], [148, 99], [100, 51], [52, 99]];
const LEG = 420;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let stood = new Map(), scored = 0, gained = 0;

/** Note where everybody stands, and how many runs the next picture of the field brings in, those at stake too. */
export function remember(field, { sides, stake }) {
  const now = sides.away.runs + sides.home.runs + (stake != null ? stake : 0);
  [gained, scored] = [Math.max(0, now - scored), now];
  stood = new Map([...field.querySelectorAll(".man")].map((man) => [man.dataset.name, { base: Number(man.dataset.base), man: man.cloneNode(true) }]));
}

const spot = (base) => { const [x, y] = BASES[base % 4]; return `translate(${x}px, ${y}px)`; };

function along(from, to) {
  const path = [];
  for (let base = from; base <= to; base += 1) path.push({ transform: spot(base) });
  return path;
}

/** Move runners to where the field now has them. Of those who are gone, as many run home as runs came in, the ones
    nearest to it; the others were put out or left on base, and fade where they stood. */
export function run(field) {
  if (calm.matches) return;
  const men = new Map([...field.querySelectorAll(".man")].map((man) => [man.dataset.name, man]));
  for (const [name, man] of men) {
    const [from, to] = [(stood.get(name) || {}).base, Number(man.dataset.base)];
    if (from !== undefined && to > from) man.animate(along(from, to), { duration: LEG * (to - from), easing: "linear" });
    else if (from === undefined) man.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 300 });
  }
  const svg = field.querySelector("svg.park");
  if (!svg) return;
  const gone = [...stood].filter(([name, { base }]) => !men.has(name) && base > 0).sort(([, a], [, b]) => b.base - a.base);
  for (const [i, [, { base, man }]] of gone.entries()) {
    const home = i < gained, path = home ? along(base, 4) : [{ transform: spot(base), opacity: 1 }];
    svg.append(man);
    const last = man.animate([...path, { transform: spot(home ? 4 : base), opacity: 0 }], { duration: home ? LEG * (4 - base) + 200 : 400 });
    last.onfinish = () => man.remove();
  }
  gained = 0;
}
