#include <string>
#include <vector>

#include "analyzer/driver.h"
#include "analyzer/options.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char** argv) {
  llvm::raw_fd_ostream& out = llvm::outs();
  llvm::raw_fd_ostream& err = llvm::errs();
  std::vector<std::string> args(argv + 1, argv + argc);
  int code = placecheck::run(args, out, err, {out.is_displayed(), err.is_displayed()});
  out.flush();
  if (out.has_error()) {
    err << "placecheck: cannot write to standard output: " << out.error().message() << '\n';
    out.clear_error();  // an unchecked error would abort
    code = placecheck::kExitIncomplete;
  }
  return code;
}
