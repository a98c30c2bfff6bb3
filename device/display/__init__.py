"""The small display with its screens and menu, lights and buzzer. Draws views and never reads the table."""
