// Classes of the body for the style sheets: which regions are empty, and what the others show. Browsers before 2023
// have no `:has`. The server sets the same for the first view: web/render/body_marks.py.

const SHOWN = ["before", "crop", "final", "reasons", "shown", "side", "with-count", "with-tally", "zoned"];

/** Set the classes after `regions`, HTML by name, were drawn. */
export function mark(regions) {
  const { classList } = document.body;
  for (const [name, html] of Object.entries(regions)) classList.toggle(`no-${name}`, !html);
  for (const name of SHOWN) classList.toggle(`has-${name}`, document.querySelector(`.region .${name}`) !== null);
}
