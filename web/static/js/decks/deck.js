// A deck's page for everybody: find a card among many, and print those that are shown.

const find = document.getElementById("find"), look = document.getElementById("look"), found = document.getElementById("found");
const MANY = 8;

function sift() {
  const words = look.value.toLowerCase().split(/\s+/).filter(Boolean), all = [...document.querySelectorAll(".face")];
  let shown = 0;
  for (const card of all) {
    const text = `${card.closest(".kind").dataset.kind} ${card.textContent}`.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
    shown += !card.hidden;
  }
  for (const kind of document.querySelectorAll(".kind")) kind.classList.toggle("none", words.length > 0 && !kind.querySelector(".face:not([hidden])"));
  const count = words.length ? `${shown} of ${all.length} cards` : "";
  if (found.textContent !== count) found.textContent = count;
}

function fresh() {
  const cards = document.querySelectorAll(".face").length, button = document.getElementById("print");
  find.hidden = cards < MANY && !look.value;
  button.hidden = cards === 0;
  button.onclick = () => print();
  for (const sheet of document.querySelectorAll(".sheet")) unprinted(sheet);
  sift();
}

look.addEventListener("input", sift);
const unprinted = (sheet) => sheet.closest(".kind").classList.toggle("unprinted", !sheet.checked);
document.addEventListener("change", ({ target }) => { if (target.matches(".sheet")) unprinted(target); });
document.addEventListener("fresh", fresh);
fresh();
