#include "analyzer/dataflow/place.h"

#include <charconv>
#include <utility>

#include "analyzer/dataflow/symbols.h"

namespace placecheck::dataflow {

Relation relate(const Place& a, const Place& b) {
  if (a.kind == PlaceKind::kUnknown || b.kind == PlaceKind::kUnknown) return Relation::kUnknown;
  if (a.kind == PlaceKind::kCuda && b.kind == PlaceKind::kCuda) {
    if (a.index >= 0 && b.index >= 0)
      return a.index == b.index ? Relation::kSame : Relation::kDifferent;
    if (a.index == Place::kLast && b.index == Place::kLast) return Relation::kSame;
    if ((a.index == Place::kLast && b.index == 0) || (a.index == 0 && b.index == Place::kLast))
      return Relation::kDifferent;
    bool identified = a.index != Place::kSomeIndex || a.symbol != 0;
    return a == b && identified ? Relation::kSame : Relation::kUnknown;
  }
  if (a == b) return Relation::kSame;
  if ((a.is_cpu() && b.is_accelerator()) || (a.is_accelerator() && b.is_cpu())) {
    return Relation::kDifferent;
  }
  return Relation::kUnknown;
}

Place join(const Place& a, const Place& b) {
  if (a == b) return a;
  if (a.kind == PlaceKind::kCuda && b.kind == PlaceKind::kCuda) return Place::cuda_at(0);
  return Place::unknown();
}

std::string to_text(const Place& place, const Names& names) {
  switch (place.kind) {
    case PlaceKind::kCpu:
      return "cpu";
    case PlaceKind::kCuda:
      return place.index >= 0 ? "cuda:" + std::to_string(place.index) : "cuda";
    case PlaceKind::kChosen:
      return names.text(place.symbol);
    default:
      return "an unknown device";
  }
}

namespace {

// The sign of arithmetic on two operands; empty for other terms.
std::string_view sign_of(Name symbol, const Names& names) {
  constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"add", " + "}, {"div", " / "}, {"mod", " % "}, {"mul", " * "}, {"sub", " - "}};
  if (names.operands(symbol).size() != 2) return {};
  for (const auto& [operation, sign] : kSigns)
    if (names.is_term(symbol, operation)) return sign;
  return {};
}

}  // namespace

std::string readable_symbol(Name symbol, const Names& names) {
  const std::string& text = names.text(symbol);
  if (text.starts_with(kVariable)) return text.substr(kVariable.size());
  if (text == kDeviceCount) return "device_count()";
  const std::vector<Name>& operands = names.operands(symbol);
  if (names.is_term(symbol, kInteger) && operands.size() == 1)
    return readable_symbol(operands[0], names);
  if (const std::string_view sign = sign_of(symbol, names); !sign.empty())
    return readable_symbol(operands[0], names).append(sign) + readable_symbol(operands[1], names);
  std::string name = text.substr(0, text.find('#'));
  return name.starts_with('<') ? "" : name;
}

std::string readable_text(const Place& place, const Names& names) {
  if (place.kind == PlaceKind::kCuda && place.index == Place::kLast) return "the last GPU";
  if (place.kind != PlaceKind::kChosen) return to_text(place, names);
  std::string name = readable_symbol(place.symbol, names);
  return name.empty() ? "the chosen device" : "device '" + name + "'";
}

Place parse_device(std::string_view text) {
  std::string_view type = text.substr(0, text.find(':'));
  if (type != "cpu" && type != "cuda") return Place::unknown();
  if (type == "cpu") return Place::cpu();
  if (type.size() == text.size()) return Place::cuda(Place::kCurrent);
  std::string_view digits = text.substr(type.size() + 1);
  int32_t index = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  bool whole = error == std::errc() && end == digits.data() + digits.size();
  bool lawful = digits == "0" || (!digits.empty() && digits[0] != '0' && digits[0] != '-');
  return whole && lawful ? Place::cuda(index) : Place::unknown();
}

}  // namespace placecheck::dataflow
