// A picture of the dice, in place of typing them: taken or chosen on this phone, and read by the table.

import { h, send } from "/static/js/parts.js";

// The longer edge of a picture as it is sent, in pixels: more shows no more of a die. The seconds that a small table may
// take to read it.
const EDGE = 1920, PATIENCE = 90;

// A picture of 2 × 1 pixels that is to be turned by 90°. Some browsers ignore that, and would lose it.
const SIDEWAYS = "/9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAIBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z";

/** The picture in `file` as a JPEG that takes little time to send, upright; the file itself where this browser can't. */
async function reduced(file) {
  try {
    const probe = await createImageBitmap(new Blob([Uint8Array.from(atob(SIDEWAYS), (one) => one.charCodeAt(0))], { type: "image/jpeg" }));
    if (probe.width > probe.height) return file;
    const picture = await createImageBitmap(file), scale = Math.min(1, EDGE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas"), brush = canvas.getContext("2d");
    [canvas.width, canvas.height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    brush.imageSmoothingQuality = "high";
    brush.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return await new Promise((done) => canvas.toBlob((blob) => done(blob || file), "image/jpeg", 0.9));
  } catch { return file; }
}

/** Buttons that send a picture of the dice of `ask`. Its reading comes with the next view; why there is none stays below
    the buttons. `again`: a picture was read already. */
export function photograph({ n }, again = false) {
  const says = h("p", { class: "photo-words", role: "status", hidden: true });
  const say = (words, failed) => { says.textContent = words; says.hidden = false; says.classList.toggle("refusal", failed); };
  const sender = (words, more) => {
    const input = h("input", { type: "file", accept: "image/*", tabindex: -1, "aria-hidden": "true", hidden: true, ...more });
    const button = h("button", { class: "button quiet", onclick: () => input.click() }, words);
    input.onchange = async () => {
      const [file] = input.files;
      if (!file) return;
      for (const one of buttons) one.disabled = true;
      say("Reading your picture …", false);
      try {
        await send(`/api/photograph?n=${n}`, await reduced(file), PATIENCE);
        says.hidden = true;
      } catch (error) { say(error.message, true); }
      for (const one of buttons) one.disabled = false;
      // The same file may be chosen again.
      input.value = "";
    };
    return [button, input];
  };
  const [take, camera] = sender(again ? "Take another picture" : "Take a picture of the dice", { capture: "environment" });
  const [choose, file] = sender("Choose a picture");
  const buttons = [take, choose];
  take.classList.add("shoot");
  return h("div", { class: "photo" }, take, camera, choose, file, says);
}
