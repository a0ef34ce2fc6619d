#include "analyzer/frontend/clang/nvcc_flags.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

namespace placecheck::frontend {
namespace {

// nvcc's flags that take their value from the next argument, or after "=".
constexpr llvm::StringLiteral kDroppedWithValue[] = {"-gencode",
                                                     "--generate-code",
                                                     "-arch",
                                                     "--gpu-architecture",
                                                     "-code",
                                                     "--gpu-code",
                                                     "-ccbin",
                                                     "--compiler-bindir",
                                                     "-maxrregcount",
                                                     "--maxrregcount",
                                                     "-Xptxas",
                                                     "--ptxas-options",
                                                     "-Xcudafe",
                                                     "--cudafe-options",
                                                     "-Xlinker",
                                                     "--linker-options",
                                                     "-Xnvlink",
                                                     "-Xfatbin",
                                                     "-t",
                                                     "--threads",
                                                     "-rdc",
                                                     "--relocatable-device-code",
                                                     "-diag-suppress",
                                                     "--diag-suppress",
                                                     "-cudart",
                                                     "--cudart",
                                                     "-odir",
                                                     "--output-directory",
                                                     "-Xarchive",
                                                     "-nvlink-options",
                                                     "-Xclang",
                                                     "-Xarch_host",
                                                     "-Xarch_device",
                                                     "-Xassembler",
                                                     "-Xpreprocessor"};

constexpr llvm::StringLiteral kDropped[] = {"--expt-relaxed-constexpr",
                                            "-expt-relaxed-constexpr",
                                            "--expt-extended-lambda",
                                            "-expt-extended-lambda",
                                            "--extended-lambda",
                                            "-extended-lambda",
                                            "--use_fast_math",
                                            "-use_fast_math",
                                            "-lineinfo",
                                            "--generate-line-info",
                                            "-dc",
                                            "--device-c",
                                            "-dlink",
                                            "--device-link",
                                            "-keep",
                                            "--keep",
                                            "-forward-unknown-to-host-compiler",
                                            "--forward-unknown-to-host-compiler",
                                            "-G",
                                            "--device-debug",
                                            "--compile",
                                            "-ptx",
                                            "-cubin"};

// nvcc's long names of flags that every compiler has, and the "=" it allows behind the short ones.
llvm::StringRef common_name(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases({"--define-macro", "-D"}, "-D")
      .Cases({"--undefine-macro", "-U"}, "-U")
      .Cases({"--include-path", "-I"}, "-I")
      .Cases({"--system-include", "-isystem"}, "-isystem")
      .Cases({"--pre-include", "-include"}, "-include")
      .Cases({"--x", "-x"}, "-x")
      .Default("");
}

// The flags inside -Xcompiler: separated by commas, maybe quoted.
void unpack(llvm::StringRef list, std::vector<std::string>& out) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  list.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    part = part.trim("\"' \\");
    if (!part.empty()) out.push_back(part.str());
  }
}

// Whether the compile command's first word is a compiler and not a flag.
size_t first_flag(const std::vector<std::string>& args) {
  return !args.empty() && !llvm::StringRef(args[0]).starts_with("-") ? 1 : 0;
}

}  // namespace

std::vector<std::string> translate_nvcc_flags(const std::vector<std::string>& args) {
  std::vector<std::string> out;
  for (size_t i = first_flag(args); i < args.size(); ++i) {
    const llvm::StringRef arg = args[i];
    const size_t equals = arg.find('=');
    const llvm::StringRef name = arg.substr(0, equals);
    const auto value = [&]() -> llvm::StringRef {
      if (equals != llvm::StringRef::npos) return arg.substr(equals + 1);
      return i + 1 < args.size() ? llvm::StringRef(args[++i]) : llvm::StringRef();
    };
    if (name == "-Xcompiler" || name == "--compiler-options") {
      unpack(value(), out);
    } else if (name == "--std") {
      out.push_back("-std=" + value().str());
    } else if (llvm::is_contained(kDroppedWithValue, name)) {
      value();
    } else if (const llvm::StringRef common = common_name(name); !common.empty()) {
      out.push_back(common.str());
      out.push_back(value().str());
    } else if (!llvm::is_contained(kDropped, arg)) {
      out.push_back(arg.str());
    }
  }
  return out;
}

}  // namespace placecheck::frontend
