// The one list of rules, sorted by id. Constants with static storage; any thread may read them.
#ifndef PLACECHECK_RULES_CATALOG_H_
#define PLACECHECK_RULES_CATALOG_H_

#include <span>
#include <string_view>

#include "rules/rule.h"

namespace placecheck::rules {

std::span<const Rule> catalog();

// The rule with this id, or null.
const Rule* find_rule(std::string_view id);

}  // namespace placecheck::rules

#endif  // PLACECHECK_RULES_CATALOG_H_
