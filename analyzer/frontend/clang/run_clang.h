// One run of Clang in this process, on a thread with a large stack, that survives a crash of it.
//
// Threads: any may call. Errors: false if the parser crashed; what it said went to `diagnostics`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::frontend {

// `arguments`: a whole command line, the compiler's name first, the file last.
bool run_clang(const std::vector<std::string>& arguments,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk,
               std::unique_ptr<clang::FrontendAction> action,
               clang::DiagnosticConsumer& diagnostics);

// Bodies are skipped where the consumer says so, warnings are off, and errors end nothing.
void use_house_options(clang::CompilerInstance& compiler);

}  // namespace placecheck::frontend
