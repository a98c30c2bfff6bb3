// The page of the display's QR code: the invitation comes in the fragment, and leaves the address bar at once. Old
// phones run it too: a plain script without new syntax.

(function () {
  function take() {
    var invitation = location.hash.slice(1);
    if (!invitation) return;
    document.getElementById("invitation").value = invitation;
    document.getElementById("typed").hidden = true;
    history.replaceState(null, "", location.pathname);
  }
  addEventListener("hashchange", take);
  take();
})();
