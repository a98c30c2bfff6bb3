// "Share the result": the phone's own sheet with the picture, where it has one; otherwise the link saves the picture.

/** The shape of picture that suits this screen. */
const shape = () => matchMedia("(orientation: portrait)").matches ? "tall" : "wide";

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share]");
  if (!link) return;
  link.href = `/games/${link.dataset.share}/share.png?shape=${shape()}`;
  if (!navigator.canShare) return;
  event.preventDefault();
  try {
    const picture = await fetch(link.href).then((answer) => { if (!answer.ok) throw new Error(); return answer.blob(); });
    const files = [new File([picture], link.download, { type: "image/png" })];
    if (navigator.canShare({ files })) await navigator.share({ files });
    else open(link.href);
  } catch (error) {
    // Somebody who closes the sheet knows why nothing was shared.
    if (error.name !== "AbortError") (await import("/static/js/parts.js")).tell("Couldn't share the picture. Press and hold the button to save it.");
  }
});
