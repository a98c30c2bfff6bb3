// Margins for the children of flex boxes, in browsers that leave no gaps between them; older_browsers.js loads it there.
// These rules come first in the first sheet, so that every other one counts more.
(function () {
  "use strict";
  function margins(style) {
    var down = style.flexDirection === "column", row = style.rowGap, column = style.columnGap;
    if (down) return [" > * + *", "margin-top: " + row];
    if (style.flexWrap !== "wrap") return [" > * + *", "margin-left: " + column];
    var half = "calc(" + row + " / 2)";
    return [" > *", "margin-right: " + column + (parseFloat(row) ? "; margin-top: " + half + "; margin-bottom: " + half : "")];
  }
  function space(rules, around, into) {
    for (var i = 0; i < rules.length; i += 1) {
      var rule = rules[i], style = rule.style;
      if (rule.cssRules && rule.media) space(rule.cssRules, rule.media.mediaText, into);
      else if (style && /flex/.test(style.display) && style.columnGap && style.columnGap !== "normal") {
        var made = margins(style), selector = rule.selectorText.split(/,\s*/).join(made[0] + ", ") + made[0];
        into.push(around ? "@media " + around + " { " + selector + " { " + made[1] + " } }" : selector + " { " + made[1] + " }");
      }
    }
  }
  var spaced = [];
  function spaceSheets() {
    for (var i = 0; i < document.styleSheets.length; i += 1) {
      var sheet = document.styleSheets[i], made = [];
      if (spaced.indexOf(sheet.href) >= 0) continue;
      spaced.push(sheet.href);
      space(sheet.cssRules, "", made);
      while (made.length) document.styleSheets[0].insertRule(made.pop(), 0);
    }
  }
  spaceSheets();
  // Some sheets arrive later, and another game's with its game.
  document.addEventListener("load", function (event) { if (event.target.rel === "stylesheet") spaceSheets(); }, true);
})();
