// Who plays: people to choose for a side of a new game, and one to add right there.

import { focusOn, h, run, send } from "/static/js/parts.js";

const LONGEST = 24, COLORS = ["red", "orange", "yellow", "green", "teal", "blue", "purple", "gray"];
const NOBODY = "", SOMEBODY_NEW = "+", PERSON = "person:";

/** Who manages a side, as the value of its select: "" is a person without a name, "+" one to add. */
export const isComputer = (value) => value !== NOBODY && value !== SOMEBODY_NEW && !value.startsWith(PERSON);
export const personOf = (value) => value.startsWith(PERSON) ? value.slice(PERSON.length) : null;

const option = ({ key, name }) => h("option", { value: PERSON + key }, name);

/** The options of people in a select: one without a name, those who are known, and one to add. */
export const personOptions = (people) => [h("option", { value: NOBODY }, "A person"),
  h("optgroup", { label: "People" }, people.map(option), h("option", { value: SOMEBODY_NEW }, "Somebody new …"))];

/** The fields for a new person below some selects. `ask(select)` shows them for one of them, or hides them (null).
    `added()` is called once the person is chosen there. */
export function newPerson(selects, people, added) {
  let chosen = null;
  const name = h("input", { id: "new-person", maxlength: LONGEST, autocomplete: "off" });
  const colour = h("select", { id: "color-of-person" }, COLORS.map((key) => h("option", { value: key }, key[0].toUpperCase() + key.slice(1))));
  const add = h("button", { class: "button quiet", type: "button" }, "Add");
  const box = h("div", { class: "whole new-person", hidden: true },
    h("p", {}, h("label", { for: name.id }, "New person’s name"), name), h("p", {}, h("label", { for: colour.id }, "New person’s color"), colour), h("p", {}, add));
  add.onclick = () => run(add, async () => {
    const person = await send("/api/people", { name: name.value.trim(), colour: colour.value });
    people.push(person);
    for (const select of selects) select.querySelector(`option[value="${SOMEBODY_NEW}"]`).before(option(person));
    chosen.value = PERSON + person.key;
    name.value = "";
    box.hidden = true;
    added();
    focusOn(chosen);
  });
  name.onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); add.click(); } };
  const ask = (select) => {
    chosen = select;
    box.hidden = !select;
    if (!select) return;
    colour.value = COLORS[people.length % COLORS.length];
    focusOn(name);
  };
  return { box, ask };
}
