"""The trained nets. SOURCE.md says what each was trained on and how to train it again."""

from pathlib import Path

WEIGHTS_FOLDER = Path(__file__).parent  # the folder of the `.onnx` files
