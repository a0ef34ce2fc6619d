"""Virtual GPUs under stock PyTorch: `placecheck-run -- python train.py`."""

__version__ = "0.1.0"
