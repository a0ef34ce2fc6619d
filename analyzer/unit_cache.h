// Lowered units of earlier runs, each with what it was made from: an unchanged file is not parsed.
//
// A unit is good for as long as the file, the project's headers that it includes (by content), the
// external ones (by size and times), which of them are the project's own, the shared header it was
// parsed over, and the places where a header was looked for in vain are what they were. Nothing is
// preprocessed to find that out.
// Ownership: values. Threads: any may call. Errors: none; in doubt there is no unit.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/cache/file_facts.h"
#include "analyzer/cache/file_log.h"
#include "analyzer/cache/store.h"
#include "analyzer/frontend/clang/header_cache.h"
#include "analyzer/frontend/clang/lower.h"

namespace placecheck {

struct LoweredUnit {
  frontend::LowerResult result;
  std::vector<std::string> left_out;  // functions that the verifier refused, and why
  std::string digest = {};  // of this and of all that it was made from; empty: that is not known
};

// A unit as bytes, without the messages behind the first; none from other bytes.
std::string bytes_of(const LoweredUnit& unit);
std::optional<LoweredUnit> unit_from(llvm::StringRef bytes);

class UnitCache {
 public:
  UnitCache(cache::Store& store, cache::FileFacts& facts, frontend::HeaderCache& headers)
      : store_(store), facts_(facts), headers_(headers) {}

  // A name for the file with its command line.
  static std::string key_of(const frontend::LowerInput& input, const std::string& directory);

  std::optional<LoweredUnit> find(const std::string& key, const frontend::LowerInput& input);

  // `log`: what the parse read; `use`: the header it was made over, if any. Returns the digest of
  // the unit, empty where nothing is kept.
  std::string keep(const std::string& key, const frontend::LowerInput& input,
                   const cache::FileLog& log, const frontend::HeaderUse& use,
                   const LoweredUnit& unit);

 private:
  bool is_unchanged(const std::string& surroundings, const frontend::LowerInput& input);

  cache::Store& store_;
  cache::FileFacts& facts_;
  frontend::HeaderCache& headers_;
  std::mutex mutex_;
  std::map<std::string, bool> unchanged_;  // surroundings that were looked at in this run
};

}  // namespace placecheck
