"""From a settled frame to dice: detect, classify, name defects, and decide what is certain."""
