#include <csignal>
#include <string>
#include <vector>

#include "analyzer/build_commit.h"
#include "analyzer/driver.h"
#include "analyzer/options.h"
#include "llvm/Support/raw_ostream.h"

namespace {

volatile std::sig_atomic_t is_interrupted = 0;

void on_signal(int) { is_interrupted = 1; }

// The first signal asks the run to end with what is known; a second one ends it at once.
void handle_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int each : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(each, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(each, &action, nullptr);
  }
  // A reader that goes away is a failed write, which is said.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow (ulimit -f).
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace

int main(int argc, char** argv) {
  handle_signals();
  llvm::raw_fd_ostream& out = llvm::outs();
  llvm::raw_fd_ostream& err = llvm::errs();
  std::vector<std::string> args(argv + 1, argv + argc);
  placecheck::Environment environment{out.is_displayed(), err.is_displayed(),
                                      [] { return is_interrupted != 0; }, placecheck::kBuildCommit};
  int code = placecheck::run(args, out, err, std::move(environment));
  out.flush();
  if (out.has_error()) {
    err << "placecheck: cannot write to standard output: " << out.error().message() << '\n';
    out.clear_error();  // an unchecked error would abort
    code = placecheck::kExitIncomplete;
  }
  if (err.has_error()) {
    err.clear_error();
    code = placecheck::kExitIncomplete;  // what it could not say may matter
  }
  return code;
}
