// A rule for style sheets: nothing that the oldest browsers lack, unless they lose only what may be lost. Allowed are
// what stands in `@supports`, and a value after another of the same property that they know.

import { STYLE as EXCEPTIONS } from "./exceptions.js";
import { css, named, needs } from "./table.js";

const functions = named(css.types);
const DYNAMIC = css.types.length.viewport_percentage_units_dynamic, UNITS = { dvh: DYNAMIC, dvw: DYNAMIC, svh: DYNAMIC, svw: DYNAMIC, lvh: DYNAMIC, lvw: DYNAMIC };

export default {
  create(context) {
    let supports = 0;
    const check = (node, name, lacks) => {
      if (lacks && !supports && !(name in EXCEPTIONS)) context.report({ loc: node.loc, message: `${name} needs ${lacks}` });
    };
    const text = (node) => context.sourceCode.getText(node);

    /** What a declaration's value needs, and of which part. */
    function lacking({ property, value }) {
      const entry = css.properties[property], found = [];
      const walk = (node) => {
        if (node.type === "Function") found.push([`${node.name}()`, needs(functions.get(node.name))]);
        if (node.type === "Dimension" && UNITS[node.unit]) found.push([node.unit, needs(UNITS[node.unit])]);
        if (node.type === "Identifier" && entry && entry[node.name]) found.push([`${property}: ${node.name}`, needs(entry[node.name])]);
        for (const child of node.children || []) walk(child);
      };
      walk(value);
      return found.filter(([, lacks]) => lacks);
    }

    return {
      "Atrule[name=supports]"() { supports += 1; },
      "Atrule[name=supports]:exit"() { supports -= 1; },
      Atrule(node) {
        check(node, `@${node.name}`, needs(css["at-rules"][node.name]));
        if (node.name === "media" && /[<>]=?/.test(text(node.prelude))) check(node, "@media (a < b)", needs(css["at-rules"].media.range_syntax));
        if (node.name === "media") for (const [, feature] of text(node.prelude).matchAll(/\(([a-z-]+)/g)) check(node, `@media (${feature})`, needs(css["at-rules"].media[feature]));
      },
      Rule(node) {
        const selectors = node.prelude.children || [];
        for (const selector of selectors) for (const part of selector.children || []) {
          const name = part.name, kind = part.type;
          if (kind === "NestingSelector") check(part, "nesting", needs(css.selectors.nesting));
          if (!/^Pseudo/.test(kind) || /^-/.test(name)) continue;
          const colons = kind === "PseudoElementSelector" ? "::" : ":", lacks = needs(css.selectors[name]);
          // One that isn't known loses the whole rule, so what gets by without it has a rule of its own.
          const alone = selectors.every((other) => (other.children || []).some((another) => another.name === name));
          check(part, alone ? `${colons}${name}` : `a rule with ${colons}${name} among others`, lacks);
          if (name === "not" && /[ ,>+~]/.test(text(part))) check(part, ":not(a, b)", needs(css.selectors.not.selector_list));
        }
        const values = node.block.children.filter(({ type }) => type === "Declaration"), known = new Set();
        for (const { property } of values) if (property.startsWith("-webkit-")) known.add(property.slice("-webkit-".length));
        for (const one of values) {
          if (one.property.startsWith("-")) continue;
          if (!known.has(one.property)) check(one, one.property, needs(css.properties[one.property]));
          for (const [name, lacks] of lacking(one)) {
            // With a variable in it, a value that isn't understood counts as unset: the one before is lost as well.
            if (!known.has(one.property) || /var\(/.test(text(one.value))) check(one, name, lacks);
          }
          if (!lacking(one).length) known.add(one.property);
          if (one.property === "font") known.add("font-size");
        }
      },
    };
  },
};
