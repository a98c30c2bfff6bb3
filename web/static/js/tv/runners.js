// Runners move along the bases: from where each stood before to where he stands now.

// Home, first, second and third, in units of the drawing.
const BASES = [[100, 146], [148, 99], [100, 51], [52, 99]];
const LEG = 420;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let stood = new Map();

/** Note where everybody stands, before the field is drawn again. */
export function remember(field) {
  stood = new Map([...field.querySelectorAll(".man")].map((man) => [man.dataset.name, { base: Number(man.dataset.base), man: man.cloneNode(true) }]));
}

const spot = (base) => { const [x, y] = BASES[base % 4]; return `translate(${x}px, ${y}px)`; };

function along(from, to) {
  const path = [];
  for (let base = from; base <= to; base += 1) path.push({ transform: spot(base) });
  return path;
}

/** Move runners to where the field now has them. A runner who is gone runs home and fades. */
export function run(field) {
  if (calm.matches) return;
  const men = new Map([...field.querySelectorAll(".man")].map((man) => [man.dataset.name, man]));
  for (const [name, man] of men) {
    const [from, to] = [stood.get(name)?.base, Number(man.dataset.base)];
    if (from !== undefined && to > from) man.animate(along(from, to), { duration: LEG * (to - from), easing: "linear" });
    else if (from === undefined) man.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 300 });
  }
  const svg = field.querySelector("svg.park");
  if (!svg) return;
  for (const [name, { base, man }] of stood) {
    if (men.has(name) || base === 0) continue;
    svg.append(man);
    const home = man.animate([...along(base, 4), { transform: spot(4), opacity: 0 }], { duration: LEG * (4 - base) + 200 });
    home.onfinish = () => man.remove();
  }
}
