// The lattice of places: on which device something lives, as far as it is known.
#pragma once

#include <cstdint>
#include <string>

#include "analyzer/dataflow/names.h"

namespace placecheck::dataflow {

enum class PlaceKind : uint8_t {
  kUnknown,  // top
  kCpu,
  kCuda,    // a CUDA device; see Place::index
  kChosen,  // a device the program lets its user choose (argument, option, environment), by symbol;
            // under the project's assumption a CUDA device of unknown index
  kAlike,   // wherever a certain tensor or module lives, by symbol; nothing else is known of it
  kCell,    // wherever registered state lives now: `symbol` is the id of an object that holds a
            // tensor
};

struct Place {
  static constexpr int32_t kCurrent = -1;  // "cuda": the device that is current when it is used
  static constexpr int32_t kSomeIndex =
      -2;  // an index that only `symbol` identifies (0: nothing does)

  // The last device. There are two at least, so that it is not the first one.
  static constexpr int32_t kLast = -3;

  PlaceKind kind = PlaceKind::kUnknown;
  int32_t index = 0;  // kCuda only
  Name symbol = 0;    // kChosen, kAlike, kCell, and kCuda with kSomeIndex or kLast

  static Place unknown() { return {}; }
  static Place cpu() { return {PlaceKind::kCpu, 0, 0}; }
  static Place cuda(int32_t index) { return {PlaceKind::kCuda, index, 0}; }
  static Place cuda_at(Name symbol) { return {PlaceKind::kCuda, kSomeIndex, symbol}; }
  static Place last_cuda(Name number) { return {PlaceKind::kCuda, kLast, number}; }
  static Place chosen(Name symbol) { return {PlaceKind::kChosen, 0, symbol}; }
  static Place alike(Name symbol) { return {PlaceKind::kAlike, 0, symbol}; }
  static Place cell(uint32_t object) { return {PlaceKind::kCell, 0, object}; }

  bool is_known() const { return kind == PlaceKind::kCpu || is_accelerator(); }
  bool is_cpu() const { return kind == PlaceKind::kCpu; }
  bool is_accelerator() const { return kind == PlaceKind::kCuda || kind == PlaceKind::kChosen; }
  bool operator==(const Place&) const = default;
};

enum class Relation : uint8_t { kUnknown, kSame, kDifferent };

// Whether two places (neither of them a cell) are certainly the same or certainly different.
Relation relate(const Place& a, const Place& b);

Place join(const Place& a, const Place& b);

// As PyTorch prints it ("cpu", "cuda:1"); a chosen device by its name; "an unknown device".
std::string to_text(const Place& place, const Names& names);

// The same in a sentence: "device 'args.device'", "the chosen device".
std::string readable_text(const Place& place, const Names& names);
// What a symbol is called in the source; empty for one that only the analysis has.
std::string readable_symbol(Name symbol, const Names& names);

// Parses a device string as PyTorch does; unknown for one that does not parse.
Place parse_device(std::string_view text);

}  // namespace placecheck::dataflow
