// The call in a race: a button over the lower half of the page. It calls as the finger comes down: a click event comes
// only when the finger is lifted, which is too late.

import { onto } from "/static/js/asks/asks.js";
import { h, send, tell } from "/static/js/parts.js";

const CALLS = { home: "SAFE!", away: "OUT!" };

/** Show the button of `seat` while a race is on; return the follower of the views. */
export function caller(seat) {
  let n = null, standing = null, sending = false;
  const words = h("span", { class: "words", role: "status" });
  const button = h("button", { class: `call ${seat}` }, h("b", {}, CALLS[seat]), words);

  const draw = (state, sentence) => {
    button.dataset.state = state;
    document.body.classList.toggle("confirming", state === "confirm");
    if (words.textContent !== sentence) words.textContent = sentence;
  };
  const call = async () => {
    if (sending || standing.state === "called" || standing.state === "confirm") return;
    const before = standing;
    let refused = false;
    sending = true;
    draw("called", "Called!");
    try { await send("/api/seat/call", { seat, n }); } catch (error) { refused = true; tell(error.message); }
    sending = false;
    // The next view shows the result.
    if (standing && (refused || standing !== before)) draw(standing.state, standing.words);
  };

  button.onpointerdown = (event) => { if (event.isPrimary && !event.button) call(); };
  button.onkeydown = (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) call();
  };
  // A screen reader clicks without a pointer.
  button.onclick = (event) => { if (!event.detail) call(); };
  button.oncontextmenu = (event) => event.preventDefault();

  return (view) => {
    standing = seat in view.managers ? null : view.race && view.race.seats[seat] || null;
    document.body.classList.toggle("racing", standing !== null);
    if (!standing) {
      const focused = document.activeElement === button;
      button.remove();
      if (focused) onto(document.getElementById("asks"));
      return;
    }
    n = view.race.n[seat];
    if (!sending) draw(standing.state, standing.words);
    if (!button.isConnected) {
      document.body.append(button);
      button.focus({ preventScroll: true });
    }
  };
}
