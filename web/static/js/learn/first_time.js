// "First time?" is asked on a seat's page until somebody has read the cards on this phone, or said no.

const draw = () => document.documentElement.classList.toggle("learned", localStorage.getItem("learned") !== null);
document.addEventListener("click", ({ target: { dataset: { learned } } }) => {
  if (!learned) return;
  localStorage.setItem("learned", learned);
  draw();
});
addEventListener("pageshow", draw); // also of a page that Back shows again as it was
draw();
