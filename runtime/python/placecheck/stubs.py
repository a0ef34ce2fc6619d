"""Writes the libraries that a CUDA build of PyTorch links and that virtual GPUs replace.

`libtorch_python.so` names libtorch_cuda, libc10_cuda, cudart, cuDNN and others by SONAME and uses
few of their symbols. What the sources in runtime/torch/standin do not define is generated here from
the wheel's own symbols, as stubs: one of C++ throws NotImplementedError with the function's name; one
of C returns its library's code for "not supported".
"""

import os
import re
import subprocess
from typing import Dict, Iterable, List, NamedTuple, Set

# The libraries of the wheel whose needs are met.
_DEPENDENTS = ("libtorch_python.so", "libtorch_cpu.so", "libtorch.so", "libshm.so",
               "libtorch_global_deps.so", "libc10.so")

# The wheel's own, which are not loaded: extensions are compiled against them.
_REPLACED = ("libtorch_cuda.so", "libc10_cuda.so", "libtorch_cuda_linalg.so")
# What extensions call there: the C interface for extensions, and the devices.
_CALLED_BY_EXTENSIONS = re.compile(r"aoti_|torch_|_ZNK?(2at|3c10|5torch)4cuda")

# What each C library says where it cannot do something; 1 for the others.
_NOT_SUPPORTED = {
    "libcudart": 801,  # cudaErrorNotSupported
    "libcudnn": 3000,  # CUDNN_STATUS_NOT_SUPPORTED
    "libcupti": 15,  # CUPTI_ERROR_NOT_INITIALIZED
    "libcufile": 5001,  # CU_FILE_DRIVER_NOT_INITIALIZED
}

# The variable through which all libraries of a process find its one machine (runtime/devices).
_SHARED_STATE = "_ZN10placecheck7devices*the_machine*"

_STANDARD_VERSIONS = ("GLIBC", "GCC", "GOMP", "CXXABI", "GLIBCXX", "OMP", "GOACC")
# std:: and its abbreviations, operator new and delete, the ABI, Python.
_STANDARD_NAME = re.compile(r"_Z(T[A-Z])?(N[KVRO]*)?S[absiodt]|_Z(nw|na|dl|da)|_ZT[IV]N10__cxx"
                            r"|_ITM_|_?Py|__")


class MissingSymbols(NamedTuple):
    """Symbols without a definition: of C by the library that should have them, and of C++."""

    c: Dict[str, List[str]]
    cpp: List[str]


def is_standard(name: str) -> bool:
    """Whether the C++ library, its ABI or Python has the symbol: no library of PyTorch's does."""
    return _STANDARD_NAME.match(name) is not None


def _symbols(path: str, *flags: str) -> Iterable[List[str]]:
    table = "-D" if path.endswith(".so") or ".so." in path else "-g"
    lines = subprocess.run(["nm", table, *flags, path], capture_output=True, text=True, check=True)
    return (line.split() for line in lines.stdout.splitlines())


def _defined(path: str) -> Set[str]:
    return {fields[-1].split("@")[0] for fields in _symbols(path, "--defined-only")}


def needed(*paths: str) -> Set[str]:
    """The SONAMEs that these files ask the loader for."""
    lines = subprocess.run(["objdump", "-p", *paths], capture_output=True, text=True, check=True)
    return set(re.findall(r"NEEDED\s+(\S+)", lines.stdout))


def _existing(folder: str, names: Iterable[str]) -> List[str]:
    paths = [os.path.join(folder, name) for name in names]
    return [path for path in paths if os.path.exists(path)]


def _wanted(path: str) -> Set[str]:
    return {fields[-1] for fields in _symbols(path, "--undefined-only") if fields[-2] == "U"}


def _wanted_by_extensions(torch_libraries: str) -> Set[str]:
    """What a library that was compiled against this wheel may want of libtorch_cuda and of the CUDA runtime:
    it is loaded only if all of it is there."""
    names: Set[str] = set()
    for path in _existing(torch_libraries, _REPLACED):
        names.update(fields[-1] for fields in _symbols(path, "--defined-only")
                     if fields[-2] == "T" and _CALLED_BY_EXTENSIONS.match(fields[-1]))
        names.update(symbol for symbol in _wanted(path) if "@libcudart" in symbol)
    return names


def missing_symbols(torch_libraries: str, objects: Iterable[str]) -> MissingSymbols:
    """What the wheel's libraries and extensions want, and neither they nor `objects` define."""
    paths = _existing(torch_libraries, _DEPENDENTS)
    present = set().union(*(_defined(path) for path in [*paths, *objects]))
    wanted = set().union(*(_wanted(path) for path in paths)) | _wanted_by_extensions(torch_libraries)
    c: Dict[str, List[str]] = {}
    cpp: List[str] = []
    for symbol in sorted(wanted):
        name, _, version = symbol.partition("@")
        version = version.lstrip("@")
        if version.startswith(_STANDARD_VERSIONS) or name in present:
            continue
        if version.startswith("lib"):
            c.setdefault(version, []).append(name)
        elif name.startswith("cuFile"):
            c.setdefault("libcufile.so.0", []).append(name)
        elif name.startswith("_Z") and not is_standard(name):
            cpp.append(name)
        elif name.startswith(("aoti_", "torch_")):
            cpp.append(name)
    return MissingSymbols(c, cpp)


def needed_libraries(torch_libraries: str) -> Set[str]:
    """The SONAMEs of NVIDIA's libraries that the wheel's libraries, but for the CUDA ones, name."""
    names: Set[str] = set()
    for name in _DEPENDENTS:
        path = os.path.join(torch_libraries, name)
        if os.path.exists(path):
            names.update(needed(path))
    return {name for name in names if name.startswith(("libcu", "libnv", "libnccl"))}


def _type_info(symbol: str) -> str:
    """std::type_info of a class without bases: casts to the class fail, as they should."""
    return (f'.section .data.rel.ro,"aw"\n.align 8\n.weak {symbol}\n{symbol}:\n'
            f".quad _ZTVN10__cxxabiv117__class_type_infoE+16\n.quad 1f\n"
            f'.section .rodata\n1: .string "{symbol[4:]}"\n')


def _virtual_table(symbol: str) -> str:
    return (f'.section .data.rel.ro,"aw"\n.align 8\n.globl {symbol}\n{symbol}:\n.quad 0\n.quad 0\n'
            f".rept 80\n.quad placecheck_refuse_virtual\n.endr\n")


def _function(symbol: str, demangled: str) -> str:
    text = re.sub(r"\(.*", "", demangled).replace('"', "'")
    return (f".text\n.globl {symbol}\n.type {symbol},@function\n{symbol}:\n"
            f"endbr64\nleaq 1f(%rip), %rdi\njmp placecheck_refuse@PLT\n"
            f'.section .rodata\n1: .string "{text}"\n')


def cpp_stubs(symbols: List[str]) -> str:
    """Assembly (x86-64) for the missing symbols of C++."""
    demangled = subprocess.run(["c++filt"], input="\n".join(symbols), capture_output=True, text=True,
                               check=True).stdout.splitlines()
    parts = []
    for symbol, text in zip(symbols, demangled):
        if symbol.startswith("_ZTI"):
            parts.append(_type_info(symbol))
        elif symbol.startswith("_ZTV"):
            parts.append(_virtual_table(symbol))
        else:
            parts.append(_function(symbol, text))
    parts.append(_function("placecheck_refuse_virtual", "a class of libtorch_cuda"))
    parts.append('.section .note.GNU-stack,"",@progbits\n')
    return "".join(parts)


def c_stubs(library: str, symbols: List[str]) -> str:
    code = _NOT_SUPPORTED.get(library.split(".")[0], 1)
    functions = "".join(f"int {name}(void) {{ return {code}; }}\n" for name in symbols)
    return functions or "typedef int empty;\n"


def version_script(library: str, symbols: Iterable[str]) -> str:
    """Gives the symbols the version under which the wheel asks for them: the library's name."""
    names = "".join(f"    {name};\n" for name in sorted([*symbols, _SHARED_STATE]))
    return f"{library} {{\n  global:\n{names}  local: *;\n}};\n"


def exported_c_functions(path: str) -> Set[str]:
    """The functions of C that an object file defines."""
    return {name for name in _defined(path) if not name.startswith("_Z")}
