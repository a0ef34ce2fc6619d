// What the rules about state dicts share: how saved and expected keys relate.
#pragma once

#include <string>
#include <vector>

#include "analyzer/checks/check.h"

namespace placecheck::checks {

// How many "module." stand before the keys of each side, where the keys agree otherwise.
struct Prefixes {
  rules::PrefixFact saved;
  rules::PrefixFact expected;
};

Prefixes compare_keys(const dataflow::LoadStateEvent& event);

bool have_common_key(const std::vector<std::string>& a, const std::vector<std::string>& b);

// What stands before the keys of a part in those of the whole, such as "encoder."; empty where they
// do not relate so, or have a key in common.
std::string prefix_of_part(const std::vector<std::string>& whole,
                           const std::vector<std::string>& part);

// The error that the load raises; empty where that is not known.
std::string predicted_error(const dataflow::LoadStateEvent& event);

void add_saved_note(findings::Finding& finding, const dataflow::LoadStateEvent& event,
                    const dataflow::View& view);

}  // namespace placecheck::checks
