"""Half-innings: offence, defence, the dice pool and relief pitching."""
