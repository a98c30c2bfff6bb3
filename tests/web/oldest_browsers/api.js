// A rule for scripts: no global, method or property that the oldest browsers lack. It goes by names: a method counts as
// supported if any interface of the table has one of this name that is.

import { SCRIPT as EXCEPTIONS } from "./exceptions.js";
import { api, javascript, needs } from "./table.js";

// Properties that are read, not called, are looked up on these alone: others share names with our own data.
const READ = new Set(["Document", "Element", "Event", "HTMLElement", "HTMLFormElement", "HTMLInputElement", "KeyboardEvent",
  "Navigator", "Node", "PointerEvent", "Request", "Response", "SubmitEvent", "Window"]);
const globals = new Map(), statics = new Map(), called = new Map(), read = new Map();

/** Note what a name needs: nothing, once one entry of this name needs nothing. */
const note = (map, name, lacks) => map.set(name, map.get(name) === "" ? "" : lacks);

for (const [owner, entry] of [...Object.entries(api), ...Object.entries(javascript.builtins)]) {
  globals.set(owner, needs(entry));
  for (const [key, member] of Object.entries(entry)) if (member.__compat) {
    const name = key.replace(/_static$/, ""), lacks = needs(member);
    statics.set(`${owner}.${name}`, lacks);
    note(called, name, lacks);
    if (READ.has(owner)) note(read, name, lacks);
    if (owner === "Window" || owner === "_globals") note(globals, name, lacks);
  }
}

export default {
  create(context) {
    const check = (node, name, lacks) => {
      if (lacks && !(name.split(".").pop() in EXCEPTIONS)) context.report({ node, message: `${name} needs ${lacks}` });
    };
    return {
      MemberExpression(node) {
        const name = node.computed ? node.property.value : node.property.name;
        if (typeof name !== "string") return;
        const whole = `${node.object.name}.${name}`, isCalled = node.parent.type === "CallExpression" && node.parent.callee === node;
        if (node.object.type === "Identifier" && statics.has(whole)) check(node, whole, statics.get(whole));
        else check(node, name, (isCalled ? called : read).get(name));
      },
      "ObjectPattern > Property"(node) { if (node.key.name) check(node, node.key.name, read.get(node.key.name)); },
      "Program:exit"(node) {
        for (const { identifier } of context.sourceCode.getScope(node).through) check(identifier, identifier.name, globals.get(identifier.name));
      },
    };
  },
};
