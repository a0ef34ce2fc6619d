"""Makes what users install: a wheel, a .deb or a tarball of the analyzer; the wheel holds the virtual
GPUs for Python, too.

    package.py --format=wheel|deb|tarball --analyzer=BINARY --license=FILE --notice=FILE
               --out=FOLDER --root=CHECKOUT HEADER...

HEADER are Clang's own headers, below a folder `include`. BINARY is asked for its help, rules and version.
"""

import argparse
import gzip
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from typing import Iterator, List, NamedTuple, Tuple

import help_pages
import runtime_wheel

_NAME = "placecheck"
_SUMMARY = "Finds values on the wrong device in libtorch, PyTorch and CUDA programs"
_HOMEPAGE_NOTE = "placecheck --list-rules says what it finds; placecheck --explain=RULE why it fails."
# The same input gives the same package.
_EPOCH = 1577836800


class Entry(NamedTuple):
    path: str  # below the prefix: /usr, or a virtual environment
    content: bytes
    mode: int = 0o644


class Program:
    """The analyzer's binary, and what it says of itself."""

    def __init__(self, path: str):
        self.path = os.path.abspath(path)
        first = self.ask("--version")
        match = re.match(r"placecheck (\S+)(?: \(commit (\S+)\))?", first)
        self.version, self.commit = match.group(1), match.group(2) or ""
        self.help = help_pages.parse(self.ask("--help"))
        self.rules = [line.split()[0] for line in self.ask("--list-rules").splitlines()]

    def ask(self, question: str) -> str:
        return subprocess.run([self.path, question], check=True, capture_output=True,
                              text=True).stdout

    def glibc(self) -> str:
        """The oldest release of glibc that has all the symbols that the binary needs."""
        symbols = subprocess.run(["objdump", "-T", self.path], check=True, capture_output=True,
                                 text=True).stdout
        releases = {tuple(map(int, each.split("."))) for each in
                    re.findall(r"GLIBC_([0-9.]+)", symbols)}
        return ".".join(map(str, max(releases)))


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def headers(paths: List[str]) -> Iterator[Entry]:
    for path in sorted(paths):
        yield Entry("lib/placecheck/clang/include/" + path.split("/include/", 1)[1], read(path))


def pages(program: Program) -> Iterator[Entry]:
    text = help_pages.man_page(program.help, program.version, program.commit)
    yield Entry("share/man/man1/placecheck.1.gz", gzip.compress(text.encode(), mtime=0))
    yield Entry("share/bash-completion/completions/placecheck",
                help_pages.bash_completion(program.help, program.rules).encode())
    yield Entry("share/zsh/site-functions/_placecheck",
                help_pages.zsh_completion(program.help, program.rules).encode())


def legal(options: argparse.Namespace) -> List[Tuple[str, bytes]]:
    return [("LICENSE", read(options.license)), ("NOTICE", read(options.notice))]


def installed(program: Program, options: argparse.Namespace) -> List[Entry]:
    """All files of an installation but those of Python."""
    return [Entry("bin/placecheck", read(program.path), 0o755), *headers(options.headers),
            *pages(program)]


def make_wheel(program: Program, options: argparse.Namespace) -> None:
    version = runtime_wheel.version_of(options.root)
    if version != program.version:
        raise SystemExit(f"the analyzer is {program.version}, the Python package {version}")
    tag = f"py3-none-manylinux_{program.glibc().replace('.', '_')}_x86_64"
    info = f"{_NAME}-{version}.dist-info"
    wheel = runtime_wheel.Wheel(os.path.join(options.out, f"{_NAME}-{version}-{tag}.whl"), info)
    data = f"{_NAME}-{version}.data"
    for entry in installed(program, options):
        folder, rest = entry.path.split("/", 1)
        place = f"scripts/{rest}" if folder == "bin" else f"data/{entry.path}"
        wheel.add(f"{data}/{place}", entry.content, entry.mode)
    for name, source in sorted(runtime_wheel.package_files(options.root)):
        wheel.add(name, read(source))
    texts = runtime_wheel.metadata(version, tag, options.root)
    texts["METADATA"] = re.sub(
        r"Summary: .*", f"Summary: {_SUMMARY}\nLicense: Apache-2.0 WITH LLVM-exception\n"
        "License-File: LICENSE\nLicense-File: NOTICE", texts["METADATA"])
    for name, text in texts.items():
        wheel.add(f"{info}/{name}", text.encode())
    for name, content in legal(options):
        wheel.add(f"{info}/licenses/{name}", content)
    wheel.close()


def make_tarball(program: Program, options: argparse.Namespace) -> None:
    top = f"{_NAME}-{program.version}-linux-x86_64"
    entries = installed(program, options) + [Entry(name, text) for name, text in legal(options)]
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for entry in sorted(entries):
            info = tarfile.TarInfo(f"{top}/{entry.path}")
            info.size, info.mode, info.mtime = len(entry.content), entry.mode, _EPOCH
            tar.addfile(info, io.BytesIO(entry.content))
    with open(os.path.join(options.out, top + ".tar.gz"), "wb") as file:
        file.write(gzip.compress(raw.getvalue(), mtime=_EPOCH))


def make_deb(program: Program, options: argparse.Namespace) -> None:
    entries = [entry._replace(path=entry.path.replace("zsh/site-functions", "zsh/vendor-completions"))
               for entry in installed(program, options)]
    licence = b"License: Apache-2.0 WITH LLVM-exception\n\n" + b"\n".join(
        text for _, text in legal(options))
    entries.append(Entry("share/doc/placecheck/copyright", licence))
    size = sum(len(entry.content) for entry in entries) // 1024
    control = (f"Package: {_NAME}\nVersion: {program.version}\nArchitecture: amd64\n"
               f"Maintainer: the placecheck developers <noreply@localhost>\n"
               f"Installed-Size: {size}\n"
               f"Depends: libc6 (>= {program.glibc()}), libgcc-s1\n"
               f"Recommends: g++ | libstdc++-12-dev | libstdc++-14-dev\nSection: devel\n"
               f"Priority: optional\nDescription: {_SUMMARY}\n {_HOMEPAGE_NOTE}\n")
    with tempfile.TemporaryDirectory() as tree:
        os.chmod(tree, 0o755)
        for entry in entries:
            write_file(os.path.join(tree, "usr", entry.path), entry.content, entry.mode)
        write_file(os.path.join(tree, "DEBIAN/control"), control.encode(), 0o644)
        target = os.path.join(options.out, f"{_NAME}_{program.version}_amd64.deb")
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, target], check=True,
                       stdout=subprocess.DEVNULL,
                       env={**os.environ, "SOURCE_DATE_EPOCH": str(_EPOCH)})


def write_file(path: str, content: bytes, mode: int) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, mode)


_FORMATS = {"wheel": make_wheel, "deb": make_deb, "tarball": make_tarball}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", choices=_FORMATS, required=True)
    for name in ("--analyzer", "--license", "--notice", "--out", "--root"):
        parser.add_argument(name, required=True)
    parser.add_argument("headers", nargs="+")
    options = parser.parse_args()
    os.umask(0o022)
    _FORMATS[options.format](Program(options.analyzer), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
