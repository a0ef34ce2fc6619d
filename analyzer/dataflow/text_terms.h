// What is known of a text that a program puts together of literals and numbers:
// `"cuda:" + std::to_string(rank)`, `f"cuda:{rank}"`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/names.h"
#include "analyzer/dataflow/value.h"

namespace placecheck::dataflow {

// The operation of a symbol for one of several texts, each of which names a CUDA device.
inline constexpr std::string_view kTextOfCudaDevice = "joined texts of CUDA devices";

// The characters that a text may have, in their order.
class TextPattern {
 public:
  // A text of which nothing is known matches everything.
  TextPattern(const Value& text, const Names& names);

  // The answers hold for each text that matches; nothing where these differ.
  std::optional<bool> equals(std::string_view other) const;
  std::optional<bool> begins_with(std::string_view part) const;
  std::optional<bool> contains(std::string_view part) const;
  // The literal that the text begins with, as far as that is known; else empty.
  std::string_view beginning() const&;
  std::string_view beginning() && = delete;

 private:
  struct Piece {
    enum class Kind { kLiteral, kNumber, kDeviceIndex, kAnything };
    Kind kind;
    std::string literal = {};

    bool may_be(std::string_view text) const;
  };

  void add(Name text, const Names& names);
  void add_literal(std::string_view text);
  bool matches(std::string_view text) const;

  std::vector<Piece> pieces_;
};

// Whether the text certainly names a CUDA device.
bool names_cuda_device(const Value& text, const Names& names);

}  // namespace placecheck::dataflow
