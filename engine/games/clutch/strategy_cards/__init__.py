"""Strategy cards in play: windows, what each card does, conditions, hands and explanations."""
