"""Makes the wheel of placecheck-run: the Python package, the sources that it compiles against the PyTorch
of the machine, and the libraries of those releases that were compiled before.

    runtime_wheel.py --root=CHECKOUT --out=FOLDER [--native=FOLDER]

FOLDER of --native is a cache that placecheck-run filled (`~/.cache/placecheck/native`).
"""

import argparse
import ast
import base64
import glob
import hashlib
import json
import os
import platform
import re
import stat
import sys
import types
import zipfile
from typing import Dict, Iterable, Iterator, Tuple

# A wheel is a zip file: a fixed time makes it the same for the same input.
_TIME = (2020, 1, 1, 0, 0, 0)

_ENTRY_POINTS = """\
[console_scripts]
placecheck-run = placecheck.run:main

[pytest11]
placecheck = placecheck.pytest_plugin
"""


def version_of(root: str) -> str:
    with open(os.path.join(root, "runtime/python/placecheck/__init__.py"), encoding="utf-8") as file:
        for node in ast.parse(file.read()).body:
            if isinstance(node, ast.Assign) and node.targets[0].id == "__version__":
                return node.value.value
    raise SystemExit("placecheck/__init__.py has no __version__")


def package_files(root: str) -> Iterator[Tuple[str, str]]:
    """The path in the wheel and on disk of each file of the package."""
    package = os.path.join(root, "runtime/python")
    for path in glob.glob(os.path.join(package, "placecheck/**/*.py"), recursive=True):
        yield os.path.relpath(path, package), path
    for path in native_module(root).source_files(root):
        yield os.path.join("placecheck/source", os.path.relpath(path, root)), path


def native_module(root: str) -> types.ModuleType:
    """What compiles the sources, and knows by their digest what it compiled before."""
    sys.path.insert(0, os.path.join(root, "runtime/python"))
    from placecheck import native

    return native


def native_files(cache: str, digest: str) -> Iterator[Tuple[str, str]]:
    """The libraries that the cache holds of these sources, in folders that placecheck/native.py asks
    for; those of older sources are left out."""
    for manifest in sorted(glob.glob(os.path.join(glob.escape(cache), "*", "libraries.json"))):
        folder = os.path.dirname(manifest)
        key, _, sources = os.path.basename(folder).rpartition("-")
        if sources != digest:
            continue
        for name in sorted(os.listdir(folder)):
            yield os.path.join("placecheck/native", key, name), os.path.join(folder, name)


def platform_of(libraries: Iterable[str]) -> str:
    """The platform of these libraries: the newest glibc that one of them asks for."""
    newest = 17
    for path in libraries:
        with open(path, "rb") as file:
            versions = re.findall(rb"\0GLIBC_2\.(\d+)(?:\.\d+)?(?=\0)", file.read())
        newest = max([newest, *map(int, versions)])
    return f"manylinux_2_{newest}_{platform.machine()}"


def metadata(version: str, tag: str, root: str) -> Dict[str, str]:
    with open(os.path.join(root, "runtime/python/README.md"), encoding="utf-8") as readme:
        description = readme.read()
    return {
        "METADATA": "Metadata-Version: 2.1\nName: placecheck\n"
                    f"Version: {version}\nSummary: Virtual GPUs under stock PyTorch\n"
                    "Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n"
                    + description,
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: placecheck\nRoot-Is-Purelib: "
                 f"{'true' if tag.endswith('any') else 'false'}\nTag: {tag}\n",
        "entry_points.txt": _ENTRY_POINTS,
    }


class Wheel:
    """A wheel that is being written; close() adds the record of its files."""

    def __init__(self, path: str, info: str):
        self._info = info
        self._records = []
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)

    def add(self, name: str, content: bytes, mode: int = 0o644) -> None:
        entry = zipfile.ZipInfo(name, _TIME)
        entry.external_attr = (stat.S_IFREG | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._records.append(f"{name},sha256={digest},{len(content)}\n")

    def close(self) -> None:
        record = f"{self._info}/RECORD"
        self._zip.writestr(zipfile.ZipInfo(record, _TIME),
                           "".join([*self._records, f"{record},,\n"]))
        self._zip.close()


def make_wheel(root: str, out: str, native: str) -> str:
    version = version_of(root)
    libraries = list(native_files(native, native_module(root).source_digest(root))) if native else []
    if native and not libraries:
        raise SystemExit(f"runtime_wheel: {native} holds no libraries of these sources; fill it with "
                         "placecheck-run first")
    tag = "py3-none-" + (platform_of(path for _, path in libraries) if libraries else "any")
    texts = metadata(version, tag, root)
    info = f"placecheck-{version}.dist-info"
    path = os.path.join(out, f"placecheck-{version}-{tag}.whl")
    wheel = Wheel(path, info)
    for name, source in sorted([*package_files(root), *libraries]):
        with open(source, "rb") as file:
            wheel.add(name, file.read())
    for name, text in texts.items():
        wheel.add(f"{info}/{name}", text.encode())
    wheel.close()
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--native", default="")
    options = parser.parse_args()
    path = make_wheel(options.root, options.out, options.native)
    print(json.dumps({"wheel": path, "bytes": os.path.getsize(path)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
