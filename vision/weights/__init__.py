"""Trained networks. SOURCE.md documents their training data and how to retrain them."""

from pathlib import Path

WEIGHTS_FOLDER = Path(__file__).parent
