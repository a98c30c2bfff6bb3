// For older browsers, before the modules; itself in the syntax of 2009. It adds what the oldest supported browsers lack
// (Chrome 72, Safari 14, Firefox 115). Where a page can't start all the same, it says so, and reloads itself.
(function () {
  "use strict";
  var element = window.Element && Element.prototype;

  // Chrome 86
  if (element && !element.replaceChildren) element.replaceChildren = function () {
    while (this.lastChild) this.removeChild(this.lastChild);
    this.append.apply(this, arguments);
  };
  // Chrome 73
  if (!Object.fromEntries) Object.fromEntries = function (pairs) {
    var made = {};
    Array.from(pairs).forEach(function (pair) { made[pair[0]] = pair[1]; });
    return made;
  };
  // Chrome 105, Safari 17.4
  if (element && !element.checkVisibility) element.checkVisibility = function () {
    return this.getClientRects().length > 0 && getComputedStyle(this).visibility === "visible";
  };
  // Safari 15.4. Without the browser's own, the style sheet places a dialog over the page.
  if (!window.HTMLDialogElement && window.HTMLElement) {
    HTMLElement.prototype.showModal = function () {
      var dialog = this, first = dialog.querySelector("button, input, select");
      dialog.open = true;
      dialog.setAttribute("open", "");
      dialog.setAttribute("aria-modal", "true");
      dialog.onkeydown = function (event) { if (event.key === "Escape") dialog.close(); };
      if (first) first.focus();
    };
    HTMLElement.prototype.close = function () {
      this.open = false;
      this.removeAttribute("open");
      this.dispatchEvent(new Event("close"));
    };
  }

  // Chrome 84, Safari 14.1: a flex box leaves gaps between its children.
  function lacksGap() {
    var box = document.createElement("div");
    box.style.cssText = "display: flex; flex-direction: column; row-gap: 1px; position: absolute";
    box.appendChild(document.createElement("div"));
    box.appendChild(document.createElement("div"));
    document.body.appendChild(box);
    var lacks = box.scrollHeight !== 1;
    document.body.removeChild(box);
    return lacks;
  }
  if (window.CSS && lacksGap()) document.head.appendChild(document.createElement("script")).src = "/static/js/flex_gaps.js";

  // What the page is: one that follows the game reloads itself; on others somebody may be typing.
  var follows = document.getElementById("older-browsers").getAttribute("data-follows"), root = document.documentElement;
  // Both are in the oldest supported browsers, and not in the versions before them.
  var old = !(window.EventSource && window.Intl && Intl.RelativeTimeFormat), told = false, RELOAD_S = 15;

  function tell() {
    if (told) return;
    told = true;
    var words = !old ? "This page didn’t load completely." : follows ?
      "This browser is too old to answer or to update live." : "This browser is too old for everything on this page.";
    if (follows) words += " The page reloads every " + RELOAD_S + " seconds.";
    if (old) words += " Works with: Safari 14, Chrome 72, Firefox 115 or newer.";
    var note = document.createElement("p");
    note.className = "too-old";
    note.setAttribute("role", "status");
    note.appendChild(document.createTextNode(words));
    // A picture for a broadcast has no room for words.
    if (follows !== "silently") document.body.appendChild(note);
    if (follows) setTimeout(function () { location.reload(); }, 1000 * RELOAD_S);
  }

  // "started" comes from live.js when it runs, "following" once it has shown what the table sent.
  function check() {
    var state = root.getAttribute("data-live");
    if (follows ? !state || (old && state !== "following") : old && document.querySelector("script[type=module]")) tell();
  }
  if (old) addEventListener("error", tell);
  addEventListener("load", function () { setTimeout(check, 5000); });
})();
