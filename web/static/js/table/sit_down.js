// One person, one phone: who plays against the computer, or alone, gets the seat on this phone.

import { h, send } from "/static/js/parts.js";

/** Take the only seat that a person plays, and go to its page, unless another phone holds it. False if nobody sat down. */
export async function sitDown() {
  const { managers, table: { scoreboard: { plays } } } = await send("/api/view");
  const [seat, other] = Object.keys(plays).filter((one) => !(one in managers));
  if (!seat || other) return false;
  const { phones } = await send("/api/phones");
  if (phones.some((phone) => phone.seat === seat && !phone.own)) return false;
  const form = h("form", { method: "post", action: "/seat", hidden: true }, h("input", { type: "hidden", name: "seat", value: seat }));
  document.body.append(form);
  // What this page asks for later would still come with the pass that ends now, and be refused.
  document.body.dataset.leaving = "yes";
  for (let timer = setTimeout(() => {}); timer > 0; timer -= 1) clearTimeout(timer);
  form.submit();
  return true;
}
