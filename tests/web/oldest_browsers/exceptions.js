// What older browsers lack and the pages use all the same, each with the reason why they get by without it.

const ADDED = "older_browsers.js adds it";
const FALLBACK = "flex_gaps.js gives the children of a flex box margins";
const COLOR = "only colors";
const LONG_WORDS = "body breaks words between letters too; this only keeps a word that fits elsewhere from widening its box";
const START = "known in a grid since Chrome 57; in a flex box it is where the others begin, too";
const PAPER = "only on paper, where a table spans two pages";
const DRAWN = "they draw a ring of their own";

export const SCRIPT = {
  replaceChildren: ADDED,
  fromEntries: ADDED,
  checkVisibility: ADDED,
  showModal: ADDED,
  getAnimations: "tv.js asks first",
  getComputedTiming: "tv.js asks first",
  effect: "tv.js asks first",
  share: "share.js asks first",
  canShare: "share.js asks first",
  wakeLock: "awake.js asks first",
  userActivation: "sounds.js asks first",
  hasBeenActive: "sounds.js asks first",
  AudioContext: "sounds.js takes the older name as well",
  createImageBitmap: "photo.js sends the picture as it is without it",
  scrollLeft: "changed in Chrome 86, for pages read from right to left",
  // The table goes by names: what the table of a game sends, or another interface, is called the same.
  hand: "our own",
  part: "our own",
  role: "our own",
  watch: "our own",
  rel: "a link's is older than a form's",
};

export const STYLE = {
  gap: FALLBACK,
  "row-gap": FALLBACK,
  "column-gap": FALLBACK,
  ":focus-visible": DRAWN,
  "::backdrop": "where there are no dialogs, dugout.css has a shadow instead",
  "::file-selector-button": "only how the button of a file looks",
  "@container": "only large letters on small phones",
  "container-type": "only large letters on small phones",
  "container-type: inline-size": "only large letters on small phones",
  "@media (forced-colors)": COLOR,
  "forced-color-adjust": COLOR,
  "forced-color-adjust: none": COLOR,
  "@media (prefers-color-scheme)": "always light",
  "color-scheme": COLOR,
  "color-scheme: dark": COLOR,
  "color-scheme: light": COLOR,
  "color-scheme: normal": COLOR,
  "accent-color": COLOR,
  "@media (prefers-reduced-motion)": "nothing moves",
  "@property": "no ring burns off; the words say that the roll is about to count",
  "@media (scripting)": "hides for a moment what a script is about to move",
  "@page": PAPER,
  page: PAPER,
  "overflow-wrap: anywhere": LONG_WORDS,
  "align-content: start": START,
  "align-self: start": START,
  "align-self: end": START,
  "justify-content: start": START,
  "place-items: start": START,
  "field-sizing": "a text field scrolls instead of growing",
  "field-sizing: content": "a text field scrolls instead of growing",
  "scroll-margin-top": "a heading stands closer to the edge",
  "scrollbar-width": "a scroll bar shows",
  "scrollbar-width: none": "a scroll bar shows",
  "text-align-last": "text stands left",
  "text-align-last: center": "text stands left",
  "text-underline-offset": "a line is closer to its letters",
};
