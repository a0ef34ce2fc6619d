#include "analyzer/lsp/serve.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "analyzer/cache/store.h"
#include "analyzer/cache/version.h"
#include "analyzer/discovery/discovery.h"
#include "analyzer/lsp/message_reader.h"
#include "analyzer/lsp/server.h"
#include "analyzer/project_check.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck::lsp {
namespace {

using Clock = Server::Clock;

void make_absolute(std::string& path, const std::string& base) {
  if (!path.empty()) path = discovery::absolute_path(path, base);
}

// The analyses start in the folders of their projects.
Options with_absolute_paths(Options options, const std::string& base) {
  for (std::string* path :
       {&options.database_dir, &options.config, &options.cache_dir, &options.baseline})
    make_absolute(*path, base);
  for (std::string& path : options.models) make_absolute(path, base);
  return options;
}

// For poll(); -1: nothing is to be done by the clock. Rounded up, so as not to wake too early.
int milliseconds_until(const std::optional<Clock::time_point>& time) {
  if (!time) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*time - Clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1'000'000));
}

// False where the input has ended.
bool read_some(int input, MessageReader& reader) {
  char chunk[1 << 16];
  const ssize_t count = ::read(input, chunk, sizeof(chunk));
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  reader.feed(llvm::StringRef(chunk, static_cast<size_t>(count)));
  return count > 0;
}

void wait(const Server& server, int input, bool& has_input, bool& has_analysis) {
  struct pollfd polled[] = {{input, POLLIN, 0}, {server.analysis_descriptor(), POLLIN, 0}};
  const int ready = ::poll(polled, 2, milliseconds_until(server.next_tick()));
  has_input = ready > 0 && polled[0].revents != 0;
  has_analysis = ready > 0 && polled[1].revents != 0;
}

}  // namespace

int serve(Options options, const std::string& base, const std::string& version, int input,
          llvm::raw_ostream& out, const std::function<bool()>& is_interrupted) {
  options = with_absolute_paths(std::move(options), base);
  // Analyses leave that to us, who have time for it.
  cache::Store(cache_folder(options, base), cache::build_identity()).trim();
  Server server(std::move(options), version, out);
  MessageReader reader;
  while (!(is_interrupted && is_interrupted())) {
    bool has_input = false;
    bool has_analysis = false;
    wait(server, input, has_input, has_analysis);
    if (has_analysis) server.on_analysis();
    if (has_input && !read_some(input, reader)) break;
    while (auto message = reader.next()) {
      server.receive(*message);
      if (server.has_exited()) return server.exit_code();
    }
    server.tick();
  }
  return server.exit_code();
}

}  // namespace placecheck::lsp
