// The pages' sources against the oldest browsers that Dugout supports: syntax by eslint-plugin-es-x, what scripts call and
// what style sheets use by MDN's table. test_sources.py runs it.

import css from "@eslint/css";
import esx from "eslint-plugin-es-x";
import api from "./api.js";
import style from "./style.js";

const compat = { rules: { api, style } };
const plain = ["**/older_browsers.js", "**/flex_gaps.js", "**/in.js"];
// Chrome had them in 63 and 71.
const older = { "es-x/no-dynamic-import": "off", "es-x/no-global-this": "off" };
const newer = ":(has|is|where)[(]|:not[(][^)]*[ ,>+~]";
const selectors = [`Literal[value=/${newer}/]`, `TemplateElement[value.raw=/${newer}/]`]
  .map((selector) => ({ selector, message: "Older browsers don't know this selector." }));

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.js"], ignores: plain,
    ...esx.configs["flat/restrict-to-es2019"],
    plugins: { ...esx.configs["flat/restrict-to-es2019"].plugins, compat },
    languageOptions: { ecmaVersion: 2025, sourceType: "module" },
    rules: { ...esx.configs["flat/restrict-to-es2019"].rules, ...older, "es-x/no-regexp-lookbehind-assertions": "error", "compat/api": "error", "no-restricted-syntax": ["error", ...selectors] },
  },
  // These run in browsers older than that, to say so.
  { files: plain, plugins: { compat }, languageOptions: { ecmaVersion: 5, sourceType: "script" }, rules: { "compat/api": "error" } },
  { files: ["**/*.css"], language: "css/css", languageOptions: { tolerant: true }, plugins: { css, compat }, rules: { "compat/style": "error" } },
];
