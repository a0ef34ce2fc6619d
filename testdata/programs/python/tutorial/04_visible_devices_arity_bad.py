# setdefault() takes one string with commas.
# raises: TypeError: setdefault() takes 3 positional arguments but 4 were given
import os

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "2", "3")  # expect: visible-devices  # raises
