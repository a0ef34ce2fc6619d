// Where a program is entered: its main functions, then whatever they did not reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analyzer/dataflow/engine.h"

namespace placecheck::dataflow {

// Where something stands and what it is called: the same for each file that includes its header.
using RootIdentity = std::tuple<std::string_view, uint32_t, uint32_t, std::string_view>;

RootIdentity root_identity(const ir::Unit& unit, const ir::Range& range, std::string_view key);

// Which of several programs runs by itself what they share: a library's functions that no program
// calls, its unused classes, its exports. Each of the programs would come to the same. Refers to
// the units of the programs, which must outlive it; any thread may ask.
class RootOwners {
 public:
  explicit RootOwners(std::span<const ir::Program> programs);

  // The smallest program that contains it, and the registration of what is exported, owns it; the
  // first of several.
  bool owns(size_t program, const RootIdentity& root) const;
  // A number that tells apart what the program owns; the same in each run.
  uint64_t digest_of_owned(size_t program) const;

 private:
  struct Hash {
    size_t operator()(const RootIdentity& root) const;
  };

  std::unordered_map<RootIdentity, size_t, Hash> owners_;  // empty where there is one program
  std::vector<uint64_t> digests_;                          // of the programs; empty as well
};

// Whether what no entry reaches is run in this program; empty: always.
using OwnsRoot = std::function<bool(const RootIdentity&)>;

void run_program(Engine& engine, const ir::Program& program, const OwnsRoot& owns_root = {});

}  // namespace placecheck::dataflow
