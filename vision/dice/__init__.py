"""From a settled frame to dice and doubts.

detect -> classify_pips, defects -> decide_pips for dice with pips; detect -> classify_numerals (top_face, d20_layout,
taught) -> decide_numerals for all others. `thresholds` holds every limit of what is believed.
"""
