// A roll: typed die by die, or read by the camera and corrected before it counts.

import { picker } from "/static/js/asks/reroll.js";
import { drawn, names, printed, said, tappable, words } from "/static/js/asks/dice.js";
import { photograph } from "/static/js/asks/photo.js";
import { h, run, send } from "/static/js/parts.js";

// From this many identical dice, each is entered by one tap, in any order.
const MANY = 3;

/** One set of keys for many identical dice: each tap enters one more, and a tap on a die removes it. */
function tally(dice, done) {
  const faces = [], [die] = dice;
  const go = h("button", { class: "button", onclick: () => run(go, () => done([...faces])) });
  const note = h("p", { class: "which", "aria-live": "polite" }), row = h("div", { class: "counted" });
  const keys = die.faces.map((face) => h("button", { class: "key", onclick: () => { faces.push(face); draw(); } }, printed(die, face)));
  function draw() {
    const left = dice.length - faces.length;
    note.textContent = `${faces.length} of ${dice.length} entered. Tap each face, in any order.`;
    row.replaceChildren(...dice.map((_, i) => i < faces.length ? h("button", { class: "tap", "aria-label": `${faces[i]}: remove`, onclick: () => {
      faces.splice(i, 1);
      draw();
      keys[0].focus({ preventScroll: true });
    } }, drawn(die, faces[i])) : h("span", { class: "missing" })));
    for (const key of keys) key.disabled = left === 0;
    go.disabled = left > 0;
    go.textContent = left ? `${left} more ${left === 1 ? "die" : "dice"} to enter` : `Send ${words(dice, faces)}`;
    if (!left && document.activeElement === document.body) go.focus({ preventScroll: true });
  }
  draw();
  return h("div", { class: "keypad" }, note, row, h("div", { class: `keys of-${die.faces.length}`, role: "group", "aria-label": "What a die shows" }, keys), go);
}

/** Pickers for the faces of `dice`, then `done(faces)`: at once for one die, by a button for several. */
export function keypad(dice, done) {
  if (dice.length >= MANY && new Set(dice.map((die) => JSON.stringify(die))).size === 1) return tally(dice, done);
  const faces = dice.map(() => null), called = names(dice);
  const go = h("button", { class: "button", onclick: () => run(go, () => done([...faces])) });
  const draw = () => {
    const left = faces.filter((face) => face === null).length;
    go.disabled = left > 0;
    go.textContent = left ? `${left} more ${left === 1 ? "die" : "dice"} to enter` : `Send ${words(dice, faces)}`;
  };
  const rows = dice.map((die, i) => {
    const keys = die.faces.map((face) => h("button", {
      class: "key", "aria-pressed": "false", "aria-label": dice.length > 1 ? `${called[i]}: ${face}` : `${face}`,
      onclick: (event) => {
        faces[i] = face;
        keys.forEach((key, k) => key.setAttribute("aria-pressed", String(die.faces[k] === face)));
        if (dice.length === 1) run(event.currentTarget, () => done([...faces]));
        else draw();
      },
    }, printed(die, face)));
    return h("div", { class: `keys of-${die.faces.length}`, role: "group", "aria-label": called[i] },
      dice.length > 1 && h("span", { class: "which" }, called[i]), keys);
  });
  draw();
  return h("div", { class: "keypad" }, rows, dice.length > 1 && go);
}

/** Any touch of the page but of a control calls `hold`, so that nobody must find the right place within the countdown. */
function onTouch(card, hold) {
  const touched = ({ target }) => {
    if (!card.isConnected) document.removeEventListener("pointerdown", touched);
    else if (!target.closest("button, a, input, select, summary, label")) hold();
  };
  document.addEventListener("pointerdown", touched);
}

/** The picture of some dice, if there is one; a tap shows it as large as the screen, and why a reading was in doubt.
    `soon` marks one that may still change. Its space is reserved before it loads: nothing below may move under a thumb. */
export function proof(name, soon = "") {
  if (!name) return null;
  const seen = (alt) => h("img", { src: `/evidence/${name}.jpg${soon}`, alt });
  const small = seen("The dice as the camera saw them");
  const open = h("button", { class: "proof", "aria-label": "The dice as the camera saw them: enlarge", onclick: () => {
    const why = h("p", { class: "quiet", role: "status" });
    const large = h("dialog", { class: "closer", "aria-label": "The dice as the camera saw them", onclick: () => large.close(), onclose: () => large.remove() },
      seen("The dice as the camera saw them"), why, h("button", { class: "button quiet" }, "Close"));
    document.body.append(large);
    fetch(`/evidence/${name}.json`).then((said) => said.ok ? said.json() : {}).then((read) => { why.textContent = read.why ? `${read.advice} (${read.why})` : ""; }).catch(() => {});
    large.showModal();
  } }, small);
  small.onerror = () => { open.disabled = true; small.remove(); };
  return open;
}

/** The dice of a reading beside their picture. While it counts down, a ring around each die burns off. */
function lying({ evidence, seconds, total }, dice) {
  const made = h("div", { class: "beside" }, dice, proof(evidence, `?${Date.now()}`));
  if (seconds !== null) { made.style.animationDuration = `${total}s`; made.style.animationDelay = `${seconds - total}s`; }
  return made;
}

/** A roll that the table made for a computer: everybody sees it for a moment, and nobody changes it. */
export function tableRollCard({ faces, words: called, outcome, seconds, total }, { dice }, whose) {
  const beside = h("div", { class: "beside counting" }, h("div", { class: "tappable" }, h("div", { class: "dice" }, faces.map((face, i) => h("span", { class: "tap" }, drawn(dice[i], face))))));
  beside.style.animationDuration = `${total}s`;
  beside.style.animationDelay = `${seconds - total}s`;
  return h("article", { class: "ask proposed" }, h("p", { class: "whose" }, `${whose}: rolled by the table`), h("h2", {}, called), outcome && h("p", { class: "outcome" }, outcome), beside);
}

/** Who read a roll, in words. */
const origin = (source) => source === "photo" ? "read from the picture" : `read by the ${source}`;

/** Buttons for another picture, if the roll was read from one. */
const retake = ({ source }, ask) => source === "photo" && photograph(ask, true);

/** The same as `proposalCard` for dice that were thrown again. */
function secondCard(first, ask, whose) {
  const { seat, n, faces, again, source, sure } = first;
  const { fixed } = ask, moved = again.filter((i) => !fixed || fixed.includes(i));
  let seen = first, now = faces.map((face, i) => moved.includes(i) ? face : null), touched = false;
  let whole = moved.length > 0 && moved.length <= ask.most && moved.every((i) => ask.free.includes(i)) && (!fixed || moved.length === fixed.length);
  const yes = h("button", { class: "button", onclick: () => run(yes, () => send("/api/answer", { seat, n, value: now })) });
  const over = h("button", { class: "button quiet", onclick: () => run(over, () => send("/api/reject", { n })) }, "Roll them again");
  const title = h("h2", {}), helps = h("p", {}), does = h("p", { class: "outcome" }, first.outcome);
  const draw = () => {
    const runs = sure && seen.seconds !== null && !touched;
    does.hidden = touched || !first.outcome;
    beside.classList.toggle("counting", runs);
    helps.textContent = seen.advice != null ? seen.advice : "";
    helps.hidden = !seen.advice;
    yes.hidden = !whole;
    yes.textContent = `Yes, ${said(ask, now)}`;
    title.textContent = runs ? `Recording: ${said(ask, now)} … Touch to stop.` : whole ? `Is this right: ${said(ask, now)}?` : fixed ? "Enter what they show." : "Which dice did you reroll? Tap them.";
  };
  const changed = (value, complete) => {
    if (!touched && seen.seconds !== null) send("/api/hold", { n }).catch(() => {});
    [now, whole, touched] = [value, complete, true];
    draw();
  };
  const beside = lying(first, picker(ask, now, changed));
  const card = h("article", { class: "ask proposed" },
    h("p", { class: "whose" }, `${whose}: ${sure ? origin(source) : "not sure"}`), title, does, helps, beside, h("div", { class: "choices" }, yes, over), retake(first, ask), h("p", { class: "quiet" }, ask.sentence));
  card.update = (proposal) => { seen = proposal; draw(); };
  onTouch(card, () => { if (seen.seconds !== null) send("/api/hold", { n }).catch(() => {}); });
  draw();
  return card;
}

/**
 * A roll that is shown and does not count yet. Taps correct its dice: if nothing else is open, the correction counts at
 * once, otherwise after Yes. `card.update(proposal)` shows whether it waits.
 */
export function proposalCard(first, ask, whose) {
  if (ask.kind === "reroll") return secondCard(first, ask, whose);
  const { seat, n, faces, doubt, clear, source, sure } = first, { dice } = ask;
  let seen = first, now = dice.map((_, i) => faces[i] != null ? faces[i] : null), touched = false;
  const count = (button) => run(button, () => send("/api/answer", { seat, n, value: now }));
  // Tapping a die takes longer than a sure roll is shown; if it has counted by then, the last roll is corrected.
  const hold = () => { if (seen.seconds !== null) send("/api/hold", { n }).catch(() => {}); };
  const put = (put, i, button) => {
    [now, touched] = [put, true];
    const swapped = i === null && (doubt === null || doubt === "alike");
    const alone = i !== null && clear && clear.every((die, k) => die || k === i);
    draw();
    if (!now.includes(null) && (dice.length === 1 || swapped || alone)) count(button);
    else if (!now.includes(null)) yes.focus();
  };
  const yes = h("button", { class: "button", onclick: () => count(yes) });
  const again = h("button", { class: "button quiet", onclick: () => run(again, () => send("/api/reject", { n })) }, "Roll again");
  const title = h("h2", {}), helps = h("p", {}), does = h("p", { class: "outcome" }, first.outcome);
  const beside = lying(first, tappable({ ...first, dice }, put, hold));
  const card = h("article", { class: "ask proposed" },
    h("p", { class: "whose" }, `${whose}: ${sure ? origin(source) : "not sure"}`), title, does, helps, beside,
    h("div", { class: "choices" }, yes, again), retake(first, ask),
    !ask.brief && h("p", { class: "quiet" }, ask.sentence));
  const draw = () => {
    const whole = !now.includes(null), runs = sure && seen.seconds !== null && !touched;
    // The table knows what the faces do that it read, not what others would do.
    does.hidden = touched || !first.outcome;
    beside.classList.toggle("counting", runs);
    helps.textContent = seen.advice != null ? seen.advice : "";
    helps.hidden = !seen.advice;
    yes.hidden = !whole;
    yes.textContent = `Yes, ${words(dice, now)}`;
    title.textContent = runs ? `Recording ${words(dice, now)} … Touch to stop.` : whole ? `Did you roll ${words(dice, now)}?` :
      doubt === "too-many" ? `Enter the ${dice.length === 1 ? "die that counts" : "dice that count"}.` : faces.length || dice.length === 1 ? "Enter the missing die." : "Enter what the dice show.";
  };
  card.update = (proposal) => { seen = proposal; draw(); };
  onTouch(card, hold);
  draw();
  return card;
}
