"""Cards of Clutch as they are typed: card types, charts, the language of strategy cards, rosters and sets."""
