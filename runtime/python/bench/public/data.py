"""Small data in the form that a public script reads, where its own would have to be downloaded."""

import gzip
import os
import pickle
import random
import struct
from typing import Callable, Dict


def _write_idx(path: str, shape: tuple, values: bytes) -> None:
    """The format of MNIST's files, packed and unpacked: datasets look for either."""
    header = struct.pack(f">HBB{len(shape)}I", 0, 8, len(shape), *shape)
    for opener, name in ((open, path), (gzip.open, path + ".gz")):
        with opener(name, "wb") as file:
            file.write(header + values)


def _write_mnist(folder: str) -> None:
    """Noise whose brightest rows say the digit."""
    source = random.Random(0)
    raw = os.path.join(folder, "MNIST", "raw")
    os.makedirs(raw, exist_ok=True)
    for name, count in (("train", 1280), ("t10k", 128)):
        labels = bytes(i % 10 for i in range(count))
        images = b"".join(bytes(source.randrange(128) + (127 if row // 2 == label else 0)
                                for row in range(28) for _ in range(28)) for label in labels)
        _write_idx(os.path.join(raw, f"{name}-images-idx3-ubyte"), (count, 28, 28), images)
        _write_idx(os.path.join(raw, f"{name}-labels-idx1-ubyte"), (count,), labels)


def _write_characters(folder: str) -> None:
    """What nanoGPT's prepare.py makes of a text: indices of characters in 16 bits."""
    source = random.Random(0)
    letters = "abcdefghijklmnopqrstuvwxyz \n"
    text = [source.randrange(len(letters)) for _ in range(4000)]
    os.makedirs(folder, exist_ok=True)
    for name, part in (("train", text[:3600]), ("val", text[3600:])):
        with open(os.path.join(folder, name + ".bin"), "wb") as file:
            file.write(struct.pack(f"<{len(part)}H", *part))
    with open(os.path.join(folder, "meta.pkl"), "wb") as file:
        pickle.dump({"vocab_size": len(letters), "itos": dict(enumerate(letters)),
                     "stoi": {letter: i for i, letter in enumerate(letters)}}, file)


WRITERS: Dict[str, Callable[[str], None]] = {"mnist": _write_mnist, "characters": _write_characters}
