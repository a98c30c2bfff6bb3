// Keep the screen on while this page speaks or shows the television's page: once the screen sleeps, both are over.

import { h } from "/static/js/parts.js";

const ADVICE = "Turn off auto-lock on this device. It goes silent when its screen turns off.", READ_MS = 20000;

const chromium = navigator.vendor.startsWith("Google");
const reasons = new Set();
let held = null, turn = Promise.resolve();

/** Play a video of one still frame behind the page. Browsers offer the wake lock over HTTPS only, but Chromium leaves the
    screen on while any video plays that fills the page. Safari would want one with sound, which stops people's music. */
async function playStill() {
  const canvas = h("canvas", { width: 16, height: 16 }), video = h("video", { playsinline: true, "aria-hidden": "true" });
  canvas.getContext("2d").fillRect(0, 0, 16, 16);
  Object.assign(video.style, { position: "fixed", top: 0, left: 0, width: "100%", height: "100%", zIndex: -1, opacity: .01, pointerEvents: "none" });
  Object.assign(video, { muted: true, srcObject: canvas.captureStream(), onpause: () => { video.remove(); lost(); } });
  document.body.append(video);
  await video.play();
  return { release: () => video.pause() };
}

async function requestLock() {
  const lock = await navigator.wakeLock.request("screen");
  lock.onrelease = lost;
  return lock;
}

function lost() { held = null; }

async function update() {
  if (!reasons.size && held) held.release();
  if (!reasons.size || held || document.hidden || !(navigator.wakeLock || chromium)) return Boolean(held);
  held = await (navigator.wakeLock ? requestLock() : playStill()).catch(() => null);
  // Some browsers want a touch first, and some save their battery.
  if (!held) for (const touch of ["pointerup", "keydown"]) addEventListener(touch, next, { once: true });
  return Boolean(held);
}

const next = () => (turn = turn.then(update));
// A page that is hidden loses the lock.
document.addEventListener("visibilitychange", next);

/** Keep the screen on for `reason` from now on, or no longer. Resolves to whether it is kept on. */
export function keepAwake(reason, on) {
  reasons[on ? "add" : "delete"](reason);
  return next();
}

/** Say beside `button` for a moment what to do where the screen can't be kept on; return the words. */
export function advise(button) {
  const note = h("small", { role: "status" }, ADVICE);
  button.after(" ", note);
  setTimeout(() => note.remove(), READ_MS);
  return ADVICE;
}
