// Which sounds belong to a play. The crowd sides with the team at bat.

// What follows each moment, the greatest first: [seconds after the play, sound].
export const MOMENTS = {
  "walk-off": [[.25, "roar"], [1.6, "fanfare"]],
  final: [[.3, "applause"], [1, "closing"]],
  "home-run": [[.25, "roar"], [1.6, "fanfare"]],
  comeback: [[.25, "roar"], [1.4, "rally"]],
  lead: [[.25, "shout"], [1.2, "rally"]],
  "double-play": [[.3, "groan"]],
  strikeout: [[.1, "groan"]],
  tie: [[.25, "shout"], [1.2, "rally"]],
  run: [[.25, "shout"]],
  hit: [[.25, "stir"]],
  walk: [[.1, "claps"]],
  out: [[.35, "sigh"]],
  "half-inning": [[0, "change"]],
};
const ORDER = Object.keys(MOMENTS);
const EXTRA = { double: [[.25, "cheer"]], triple: [[.25, "shout"]] };
const HITS = ["single", "double", "triple", "home-run"];
const IN_PLAY = ["home-run", "double-play", "hit", "out"];
// These are heard only at full.
const SMALL = ["double-play", "strikeout", "hit", "walk", "out"];
const PAUSE = 1.2;

const inPlay = ({ code, moment }) => HITS.includes(code) || IN_PLAY.includes(moment) && !code.startsWith("strike");

/** Return the sounds of new lines of the play log as [second, sound], at the level "low" or "full". */
export function choose(lines, level) {
  const told = lines.filter(({ moment }) => moment && !(level === "low" && SMALL.includes(moment)));
  const [greatest] = told.sort((one, other) => ORDER.indexOf(one.moment) - ORDER.indexOf(other.moment));
  if (!greatest) return [];
  const { moment, code } = greatest;
  const sounds = [...(moment === "hit" && EXTRA[code] || MOMENTS[moment])];
  if (told.some(inPlay)) sounds.unshift([0, "bat"]);
  const turns = moment !== "half-inning" && told.some((line) => line.moment === "half-inning");
  return turns ? [...sounds, [PAUSE, "change"]] : sounds;
}
