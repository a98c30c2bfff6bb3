// A page that is meant to be printed: its button.

const button = document.getElementById("print");
button.hidden = false;
button.onclick = () => print();
