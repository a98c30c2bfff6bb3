// "Share the result" opens the phone's own sheet with the picture. Over plain http no browser has such a sheet: there the
// button says "Save the picture" and saves it, as it does without this script.

import { h, tell } from "/static/js/parts.js";

const empty = { files: [new File([""], "picture.png", { type: "image/png" })] };
const sharing = Boolean(navigator.canShare && navigator.canShare(empty));
document.documentElement.classList.toggle("sharing", sharing);

/** The shape of picture that suits this screen. */
const shape = () => matchMedia("(orientation: portrait)").matches ? "tall" : "wide";

/** Have the browser save what the link points to. */
const save = ({ href, download }) => h("a", { href, download }).click();

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share]");
  if (!link) return;
  link.href = `/games/${link.dataset.share}/share.png?shape=${shape()}`;
  if (!sharing) return tell("The picture goes to your downloads. Send it on from there.");
  event.preventDefault();
  try {
    const picture = await fetch(link.href).then((answer) => { if (!answer.ok) throw new Error(); return answer.blob(); });
    await navigator.share({ files: [new File([picture], link.download, { type: "image/png" })] });
  } catch (error) {
    // Somebody who closes the sheet knows why nothing was shared.
    if (error.name === "AbortError") return;
    tell("Couldn't share the picture. It goes to your downloads instead.");
    save(link);
  }
});
