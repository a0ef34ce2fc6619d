// What the two rules about state-dict prefixes share: how saved and expected keys relate.
#pragma once

#include "analyzer/checks/check.h"

namespace placecheck::checks {

// How many "module." stand before the keys of each side, where the keys agree otherwise.
struct Prefixes {
  rules::PrefixFact saved;
  rules::PrefixFact expected;
};

Prefixes compare_keys(const dataflow::LoadStateEvent& event);

void add_saved_note(findings::Finding& finding, const dataflow::LoadStateEvent& event,
                    const dataflow::View& view);

}  // namespace placecheck::checks
