"""How often a game asks people, under the current rules and with two kinds of automatic answers."""
