"""How pages look on phones that people own: focus, edges of the screen, letter sizes, buttons, paper."""
