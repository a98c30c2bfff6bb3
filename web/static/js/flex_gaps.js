// Margins for the children of flex boxes, in browsers that leave no gaps between them; older_browsers.js loads it there.
// These rules come first in the first sheet, so that every other one counts more.
(function () {
  "use strict";
  /** Selectors for the children of a box, with their margins. */
  function margins(style) {
    var row = style.rowGap, column = style.columnGap, half = "calc(" + row + " / 2)";
    if (style.flexDirection === "column") return [[" > * + *", "margin-top: " + row]];
    if (style.flexWrap !== "wrap") return [[" > * + *", "margin-left: " + column]];
    var right = [[" > *", "margin-right: " + column], [" > :last-child", "margin-right: 0"]];
    return parseFloat(row) ? right.concat([[" > *", "margin-top: " + half + "; margin-bottom: " + half]]) : right;
  }
  /** Collect the rules that those of a sheet, inside the media queries `around`, need. */
  function collect(rules, around, into) {
    for (var i = 0; i < rules.length; i += 1) {
      var rule = rules[i], style = rule.style;
      if (rule.cssRules && rule.media) collect(rule.cssRules, rule.media.mediaText, into);
      else if (style && /flex/.test(style.display) && style.columnGap && style.columnGap !== "normal") margins(style).forEach(function (made) {
        var text = rule.selectorText.split(/,\s*/).join(made[0] + ", ") + made[0] + " { " + made[1] + " }";
        into.push(around ? "@media " + around + " { " + text + " }" : text);
      });
    }
  }
  var spaced = [];
  function spaceSheets() {
    for (var i = 0; i < document.styleSheets.length; i += 1) {
      var sheet = document.styleSheets[i], made = [];
      if (spaced.indexOf(sheet.href) >= 0) continue;
      spaced.push(sheet.href);
      collect(sheet.cssRules, "", made);
      while (made.length) document.styleSheets[0].insertRule(made.pop(), 0);
    }
  }
  spaceSheets();
  // Some sheets arrive later, and another game's with its game.
  document.addEventListener("load", function (event) { if (event.target.rel === "stylesheet") spaceSheets(); }, true);
})();
