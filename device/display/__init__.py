"""The small display, its screens and menu, and the lights and buzzer. Draws views; never reads the table."""
