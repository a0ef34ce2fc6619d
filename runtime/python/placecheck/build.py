"""Compiles the native half of the virtual GPUs against one PyTorch.

The sources are the project's own (rules/, runtime/core, runtime/devices, runtime/cuda, runtime/torch);
the result is a folder of shared libraries and a manifest, `libraries.json`, that lists them in the order in which
they are loaded. Needs a C++20 compiler and, for CUDA builds, binutils.
"""

import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import tempfile
from typing import Callable, Dict, List, Optional

from . import stubs
from .torch_install import TorchInstall

MANIFEST = "libraries.json"
# A compilation that goes on, beside its result.
SCRATCH_PREFIX = ".building-"
TORCH_LIBRARY = "libplacecheck_torch.so"
CUDA_LIBRARY = "libplacecheck_cuda.so"
REAL_LIBRARY = "libplacecheck_real.so"

_SHARED_FOLDERS = ("rules", "runtime/core", "runtime/devices")
_TORCH_FOLDERS = ("runtime/torch/virtual_cuda", "runtime/torch/python")
# DataParallel for programs in C++, with what CPU builds of libtorch lack for it.
_LIBTORCH_FOLDERS = ("runtime/parallel/common", "runtime/torch")
# What the bindings of a CUDA build have themselves.
_FOR_CPU_BUILDS = ("runtime/torch/python/cuda_calls.cc", "runtime/torch/python/cuda_operators.cc")
_STANDIN_FOLDER = "runtime/torch/standin"
_CUDA_FOLDER = "runtime/cuda"
_REAL_FOLDER = "runtime/cuda/real"
# What judges calls, for virtual GPUs and real ones.
_JUDGEMENT = ("runtime/core/report.cc", "runtime/core/stack.cc",
              "runtime/cuda/blas_judgement.cc", "runtime/cuda/communicators.cc",
              "runtime/cuda/kernels.cc", "runtime/cuda/nccl_judgement.cc", "runtime/cuda/reach.cc",
              "runtime/cuda/witness.cc")

# The stand-ins for NVIDIA's C libraries: what is compiled into each, beside its generated stubs.
_C_LIBRARIES = {
    "libcudart": ("runtime/cuda", "runtime/torch/standin/cudart.cc"),
    "libcudnn": ("runtime/torch/standin/cudnn.cc",),
    "libcupti": ("runtime/torch/standin/cupti.cc",),
}
_PRECOMPILED = "#include <ATen/ATen.h>\n#include <torch/library.h>\n#include <torch/version.h>\n"


class BuildError(RuntimeError):
    """The native half cannot be compiled; the text says why and what to do."""


def source_root() -> str:
    """The folder that holds rules/ and runtime/: inside an installed package, or the checkout."""
    here = os.path.dirname(os.path.realpath(__file__))
    for root in (os.path.join(here, "source"), os.path.join(here, "..", "..", "..")):
        if os.path.exists(os.path.join(root, "runtime", "torch", "virtual_cuda", "install.cc")):
            return os.path.normpath(root)
    raise BuildError("placecheck: the sources of the virtual GPUs are missing from this installation")


def sources(torch: TorchInstall, root: str) -> List[str]:
    """The files to compile, relative to `root`, sorted."""
    folders = [*_SHARED_FOLDERS, *_TORCH_FOLDERS]
    folders += [_STANDIN_FOLDER, _CUDA_FOLDER] if torch.is_cuda_build else _LIBTORCH_FOLDERS
    return [path for path in _sources_in(folders, root)
            if not (torch.is_cuda_build and path in _FOR_CPU_BUILDS)]


def _sources_in(folders: List[str], root: str) -> List[str]:
    return sorted(os.path.relpath(path, root) for folder in folders
                  for path in glob.glob(os.path.join(root, folder, "*.cc")))


def _c_library_of(path: str) -> Optional[str]:
    """The C library ("libcudart") that a source belongs to; None for libtorch_cuda's."""
    for library, parts in _C_LIBRARIES.items():
        if any(path == part or os.path.dirname(path) == part for part in parts):
            return library
    return None


def find_compiler() -> str:
    for name in filter(None, (os.environ.get("CXX"), "g++", "c++", "clang++")):
        path = shutil.which(name)
        if path:
            return path
    raise BuildError("placecheck: no C++ compiler was found, and there are no built libraries for "
                     "this PyTorch; install g++ (Debian: apt-get install g++) or set CXX")


class Build:
    """One compilation, in a scratch folder of its own."""

    def __init__(self, torch: Optional[TorchInstall], out: str):
        self.torch = torch
        self.out = out
        self.root = source_root()
        self.compiler = find_compiler()
        self.scratch = os.path.join(out, "objects")
        os.makedirs(self.scratch, exist_ok=True)

    def run(self, command: List[str]) -> None:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise BuildError(
                f"placecheck: the virtual GPUs could not be compiled for "
                f"{_subject(self.torch)}:\n  {' '.join(command)}\n{done.stderr[-4000:]}")

    def flags(self) -> List[str]:
        flags = ["-std=c++20", "-O2", "-fPIC", "-w", f"-I{self.root}"]
        if self.torch is None:
            return [*flags, f"-I{self.root}/{_CUDA_FOLDER}/include"]
        flags.append(f"-D_GLIBCXX_USE_CXX11_ABI={int(self.torch.uses_cxx11_strings)}")
        if self.torch.is_cuda_build:
            flags.append(f"-DPLACECHECK_CUDA_MAJOR={self.torch.cuda.split('.')[0]}")
            flags.append("-DPLACECHECK_CUDNN_MAJOR=9")
            flags.append(f"-I{self.root}/{_STANDIN_FOLDER}/include")
            flags.append(f"-I{self.root}/{_CUDA_FOLDER}/include")
        else:
            # The headers of CPU builds for CUDA do not compile, with a toolkit or without.
            flags += [f"-I{self.root}/runtime/torch/include", f"-I{self.root}/{_CUDA_FOLDER}/include",
                      "-DPLACECHECK_NO_CUDA_TOOLKIT"]
        flags += [f"-isystem{folder}" for folder in self.torch.include_folders]
        return flags

    def precompile(self) -> List[str]:
        """PyTorch's headers once: they take most of the time."""
        header = os.path.join(self.scratch, "torch_headers.h")
        with open(header, "w", encoding="utf-8") as text:
            text.write(_PRECOMPILED)
        self.run([self.compiler, *self.flags(), "-x", "c++-header", header, "-o", header + ".gch"])
        return ["-include", header]

    def compile(self, files: List[str], extra: List[str]) -> List[str]:
        def one(path: str) -> str:
            target = self.object_of(path)
            uses_torch = path.startswith("runtime/torch") and _c_library_of(path) is None
            self.run([self.compiler, *self.flags(), *(extra if uses_torch else []), "-c",
                      os.path.join(self.root, path), "-o", target])
            return target

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(one, files))

    def object_of(self, path: str) -> str:
        return os.path.join(self.scratch, path.replace("/", "_")[:-len(".cc")] + ".o")

    def link(self, name: str, inputs: List[str], soname: str, extra: List[str]) -> str:
        self.run([self.compiler, "-shared", *inputs, "-o", os.path.join(self.out, name),
                  f"-Wl,-soname,{soname}", "-Wl,-z,noexecstack", *extra])
        return name

    def torch_links(self) -> List[str]:
        inside = os.path.join(self.torch.folder, "lib")
        folder = [f"-L{inside}"] if os.path.exists(os.path.join(inside, "libc10.so")) else []
        return [*folder, "-Wl,--allow-shlib-undefined", "-ltorch_cpu", "-lc10", "-ldl",
                *self.stack_links()]

    def stack_links(self) -> List[str]:
        """What names the lines of C++ stacks, as far as the compiler has it (runtime/core/stack.cc)."""
        asked = subprocess.run([self.compiler, "-print-file-name=libbacktrace.a"],
                               capture_output=True, text=True, check=False)
        path = asked.stdout.strip()
        # Without a folder: there is none.
        return [path, "-Wl,--exclude-libs,libbacktrace.a"] if os.path.isabs(path) else []

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.scratch, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


def _build_cpu(build: Build, files: List[str]) -> List[Dict[str, str]]:
    objects = [build.object_of(path) for path in files]
    name = build.link(TORCH_LIBRARY, objects, TORCH_LIBRARY, build.torch_links())
    libraries = [{"torch": library} for library in ("libc10.so", "libtorch_cpu.so", "libtorch.so")]
    return [*libraries, {"own": name}]


def _build_c_library(build: Build, soname: str, names: List[str], objects: List[str]) -> str:
    """A stand-in for one of NVIDIA's C libraries: `objects`, and stubs for those of `names` that
    they lack."""
    defined = set().union(*(stubs.exported_c_functions(path) for path in objects))
    lacking = [name for name in names if name not in defined]
    code = build.write(soname + ".c", stubs.c_stubs(soname, lacking))
    script = build.write(soname + ".map", stubs.version_script(soname, {*names, *defined}))
    return build.link(soname, ["-x", "c", code, "-x", "none", *objects], soname,
                      [f"-Wl,--version-script={script}", "-ldl",
                       *(build.stack_links() if objects else [])])


def _build_cuda(build: Build, files: List[str]) -> List[Dict[str, str]]:
    """The stand-ins, by the SONAMEs that the wheel's libraries ask for."""
    folder = os.path.join(build.torch.folder, "lib")
    shared = [build.object_of(path) for path in files
              if os.path.dirname(path) in _SHARED_FOLDERS]
    own = [build.object_of(path) for path in files if _c_library_of(path) is None]
    missing = stubs.missing_symbols(folder, own)
    libraries = []
    for soname in sorted({*missing.c, *stubs.needed_libraries(folder)}):
        parts = [build.object_of(path) for path in files
                 if _c_library_of(path) == soname.split(".")[0]]
        libraries.append({"own": _build_c_library(build, soname, missing.c.get(soname, []),
                                                  [*parts, *shared] if parts else [])})
    cudart = [os.path.join(build.out, entry["own"]) for entry in libraries
              if entry["own"].startswith("libcudart")]
    # Their files have other names than the libraries that they stand for: by the file's name the
    # devices tell whether the real ones are loaded.
    empty = build.write("empty.c", "typedef int empty;\n")
    c10_cuda = build.link("libplacecheck_c10_cuda.so", ["-x", "c", empty], "libc10_cuda.so", [])
    assembly = build.write("refusals.S", stubs.cpp_stubs(missing.cpp))
    torch_cuda = build.link("libplacecheck_torch_cuda.so", [*own, assembly, *cudart],
                            "libtorch_cuda.so", build.torch_links())
    return [*libraries, {"torch": "libgomp.so.1"}, {"torch": "libc10.so"}, {"own": c10_cuda},
            {"torch": "libtorch_cpu.so"}, {"own": torch_cuda}]


def _build_cuda_library(build: Build) -> List[Dict[str, str]]:
    files = _sources_in([*_SHARED_FOLDERS, _CUDA_FOLDER], build.root)
    objects = build.compile(files, [])
    return [{"own": build.link(CUDA_LIBRARY, objects, CUDA_LIBRARY,
                               ["-ldl", "-lpthread", *build.stack_links()])}]


def _build_real_library(build: Build) -> List[Dict[str, str]]:
    files = [*_JUDGEMENT, *_sources_in([_REAL_FOLDER], build.root)]
    script = os.path.join(build.root, _REAL_FOLDER, "exports.map")
    # Loaded before the program's own C++ library, which may be a newer one than this machine's.
    return [{"own": build.link(REAL_LIBRARY, build.compile(files, []), REAL_LIBRARY,
                               [f"-Wl,--version-script={script}", "-static-libstdc++",
                                "-static-libgcc", "-ldl", "-lpthread", *build.stack_links()])}]


def _build_torch_libraries(build: Build) -> List[Dict[str, str]]:
    torch = build.torch
    if not torch.has_headers:
        raise BuildError(
            f"placecheck: the headers of PyTorch {torch.version} are missing (ATen/ATen.h below "
            f"{' or '.join(torch.include_folders)}); wheels bring them, and on Debian: apt-get install "
            "libtorch-dev")
    files = sources(torch, build.root)
    if torch.is_cuda_build:
        for tool in ("nm", "objdump", "c++filt"):
            if shutil.which(tool) is None:
                raise BuildError(f"placecheck: the program {tool} was not found; install binutils "
                                 "(Debian: apt-get install binutils)")
    build.compile(files, build.precompile())
    return (_build_cuda if torch.is_cuda_build else _build_cpu)(build, files)


def _subject(torch: Optional[TorchInstall]) -> str:
    return "programs that call CUDA" if torch is None else f"PyTorch {torch.version}"


def _fill(torch: Optional[TorchInstall], out: str, make: Callable[[Build], List[Dict[str, str]]],
          report: Optional[Callable[[str], None]]) -> None:
    """Fills the folder `out`; on an error nothing is left of it."""
    parent = os.path.dirname(os.path.abspath(out))
    os.makedirs(parent, exist_ok=True)
    scratch = tempfile.mkdtemp(prefix=SCRATCH_PREFIX, dir=parent)
    try:
        build = Build(torch, scratch)
        if report:
            report(f"placecheck: compiling the virtual GPUs for {_subject(torch)}, once, with "
                   f"{build.compiler}; this takes a few minutes")
        libraries = make(build)
        with open(os.path.join(scratch, MANIFEST), "w", encoding="utf-8") as manifest:
            json.dump(libraries, manifest, indent=1)
        shutil.rmtree(build.scratch)
        os.rename(scratch, out)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise


def build_for(torch: TorchInstall, out: str,
              report: Optional[Callable[[str], None]] = None) -> None:
    """The libraries that `import torch` is to find; on an error nothing is left of `out`."""
    _fill(torch, out, _build_torch_libraries, report)


def build_for_real_cuda(out: str, report: Optional[Callable[[str], None]] = None) -> None:
    """The one library for programs on real GPUs."""
    _fill(None, out, _build_real_library, report)


def build_for_cuda_programs(out: str, report: Optional[Callable[[str], None]] = None) -> None:
    """The one library for programs that call CUDA, cuBLAS or NCCL themselves."""
    _fill(None, out, _build_cuda_library, report)
