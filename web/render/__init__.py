"""HTML and print from views: templates, cards, portraits, play log and scorecard."""
