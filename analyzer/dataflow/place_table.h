// Where the values of a program are, by the expressions that yield them: what a reader is shown
// beside the source.
//
// Plain values that own their text; any thread may read them once made. Files are named as the
// units name them; lines and columns count from 1, columns in bytes, and ends are exclusive.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::dataflow {

enum class PlaceClass : uint8_t {
  kCpu,
  kCuda,
  kSymbolic,    // a device of which only the name is known: a parameter, an option
  kUnknown,     // a tensor, a module or a device whose place is not known
  kUnfollowed,  // nothing is known of the value, not even whether it has a place
};

struct SourceSpan {
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t end_line = 0;
  uint32_t end_column = 0;

  auto operator<=>(const SourceSpan&) const = default;
};

// One place, and where it was decided that a value is there.
struct DecidedPlace {
  PlaceClass place_class = PlaceClass::kUnknown;
  int32_t index = -1;   // kCuda: of the device; -1: the one that is current, or any
  std::string place{};  // as people call it: "cpu", "cuda:1", "device 'args.device'"
  std::string how{};    // "moved to cuda:1"; or why the place is not known
  std::string file{};   // where that happened; line 0: at no place of the source
  uint32_t line = 0;
  uint32_t column = 0;

  auto operator<=>(const DecidedPlace&) const = default;
};

// What the analysis knew of an expression, in all the contexts in which it was run.
struct PlacedExpression {
  std::string what{};              // "tensor", "module NetImpl", "device", ...
  std::vector<uint32_t> places{};  // indices into PlaceTable::places(), in the order of discovery
  bool has_more = false;           // and further ones, which were not kept
};

class PlaceTable {
 public:
  using Expressions = std::map<SourceSpan, PlacedExpression>;

  // The index of a place; equal ones have the same.
  uint32_t intern(const DecidedPlace& place);
  // One more place that the expression was found at. The first `what` counts, unless it said
  // nothing.
  void record(const std::string& file, const SourceSpan& span, std::string_view what,
              uint32_t place);
  void mark_more(const std::string& file, const SourceSpan& span);
  // What another program shows of the same files.
  void add(const PlaceTable& other);
  // Drops the files for which `is_kept(file)` is false.
  template <class Predicate>
  void keep_files(Predicate is_kept) {
    std::erase_if(files_, [&](const auto& entry) { return !is_kept(entry.first); });
  }

  const std::vector<DecidedPlace>& places() const { return places_; }
  const std::map<std::string, Expressions>& files() const { return files_; }
  bool empty() const { return files_.empty(); }

  // The smallest expression around a position, of which something is known; null if there is none.
  const PlacedExpression* at(const std::string& file, uint32_t line, uint32_t column,
                             SourceSpan* span = nullptr) const;

 private:
  std::vector<DecidedPlace> places_;
  std::map<DecidedPlace, uint32_t> indices_;
  std::map<std::string, Expressions> files_;
};

}  // namespace placecheck::dataflow
