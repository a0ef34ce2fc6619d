#include "analyzer/dataflow/doubts.h"

#include <algorithm>
#include <optional>

namespace placecheck::dataflow {
namespace {

using Decision = std::pair<Name, bool>;
using Path = std::vector<Decision>;

constexpr size_t kMostPaths = 12;
constexpr size_t kMostDecisions = 12;

// Nothing where the two cannot hold together.
std::optional<Path> both(const Path& a, const Path& b) {
  Path together;
  std::ranges::set_union(a, b, std::back_inserter(together));
  const bool contradicts =
      std::ranges::adjacent_find(together, {}, &Decision::first) != together.end();
  return contradicts ? std::nullopt : std::optional(together);
}

Path without(Path path, const Decision& decision) {
  std::erase(path, decision);
  return path;
}

// `path or shorter`: what `path` decides otherwise than `shorter`, and need not, for all else that
// `shorter` decides is decided so there.
std::optional<Decision> needless(const Path& path, const Path& shorter) {
  for (const Decision& each : path) {
    const Decision opposite(each.first, !each.second);
    if (std::ranges::binary_search(shorter, opposite) &&
        std::ranges::includes(without(path, each), without(shorter, opposite)))
      return each;
  }
  return std::nullopt;
}

}  // namespace

void Doubts::decide(Name condition, bool holds) {
  Doubts decided;
  decided.paths_ = {{{condition, holds}}};
  conjoin(decided);
}

void Doubts::settle(Name condition) {
  for (Path& path : paths_) {
    std::erase_if(path, [&](const Decision& each) { return each.first == condition; });
  }
  simplify();
}

void Doubts::forget_if(const std::function<bool(Name)>& is_meant) {
  std::erase_if(paths_, [&](const Path& path) {
    return std::ranges::any_of(path, is_meant, &Decision::first);
  });
}

void Doubts::conjoin(const Doubts& other) {
  std::vector<Path> paths;
  for (const Path& a : paths_) {
    for (const Path& b : other.paths_) {
      if (std::optional<Path> path = both(a, b)) paths.push_back(std::move(*path));
    }
  }
  paths_ = std::move(paths);
  simplify();
}

bool Doubts::join(const Doubts& other) {
  const std::vector<Path> before = paths_;
  paths_.insert(paths_.end(), other.paths_.begin(), other.paths_.end());
  simplify();
  return paths_ != before;
}

bool Doubts::are_complementary(const Doubts& a, const Doubts& b) {
  if (a.is_exact() || b.is_exact()) return false;
  Doubts either = a;
  either.join(b);
  return either.is_exact();
}

void Doubts::simplify() {
  for (bool changes = true; changes;) {
    changes = false;
    for (Path& path : paths_) {
      for (const Path& shorter : paths_) {
        const std::optional<Decision> decision = needless(path, shorter);
        if (!decision) continue;
        std::erase(path, *decision);
        changes = true;
        break;
      }
    }
  }
  // The weakest first: they imply the others.
  std::ranges::sort(paths_, [](const Path& a, const Path& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  });
  std::vector<Path> kept;
  for (Path& path : paths_) {
    const bool is_implied = std::ranges::any_of(
        kept, [&](const Path& weaker) { return std::ranges::includes(path, weaker); });
    if (!is_implied && path.size() <= kMostDecisions && kept.size() < kMostPaths)
      kept.push_back(std::move(path));
  }
  paths_ = std::move(kept);
}

std::string Doubts::to_text(const Names& names) const {
  if (paths_.empty()) return "never known";
  std::string text;
  for (const Path& path : paths_) {
    if (!text.empty()) text += " or ";
    for (const Decision& each : path) {
      if (&each != &path.front()) text += " and ";
      text += (each.second ? "" : "not ") + names.text(each.first);
    }
  }
  return text;
}

void DoubtfulCalls::note(uint64_t caller, bool is_certain, uint64_t callee, const Doubts& doubts) {
  Caller& known = callers_[caller];
  known.is_certain |= is_certain;
  auto [path, is_new] = known.paths.try_emplace(callee, doubts);
  if (!is_new) path->second.join(doubts);
}

bool DoubtfulCalls::reaches(std::set<uint64_t> callees) const {
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [id, caller] : callers_) {
      if (callees.contains(id)) continue;
      Doubts all;
      all.give_up();
      for (const auto& [callee, doubts] : caller.paths)
        if (callees.contains(callee)) all.join(doubts);
      if (!all.is_exact()) continue;
      if (caller.is_certain) return true;
      callees.insert(id);
      grows = true;
    }
  }
  return false;
}

}  // namespace placecheck::dataflow
