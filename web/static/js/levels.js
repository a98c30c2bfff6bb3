// How much this device plays or speaks: off, low or full. A button goes from one to the next.

const LEVELS = ["off", "low", "full"];

/** Return the level that was chosen on this device for `name`. */
export const level = (name) => LEVELS.find((one) => one === localStorage.getItem(name)) || "off";

/** Choose the next level for `name`, and return it. */
export function next(name) {
  const chosen = LEVELS[(LEVELS.indexOf(level(name)) + 1) % LEVELS.length];
  localStorage.setItem(name, chosen);
  return chosen;
}
