// Somebody opened a lesson on this phone: from now on its pages explain words, unless that was turned off here.

if (localStorage.getItem("explain") === null) localStorage.setItem("explain", "on");
localStorage.setItem("learned", "yes");
