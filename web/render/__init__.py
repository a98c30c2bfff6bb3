"""From views to HTML and print: templates, cards, box score and scorecard."""
