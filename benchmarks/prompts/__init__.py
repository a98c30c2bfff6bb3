"""How often a game asks people something: today's rules, with moot answers, and with standing ones."""
