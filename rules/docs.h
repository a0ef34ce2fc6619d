// The pages of rules/docs, built in. Static storage; any thread may read them.
#ifndef PLACECHECK_RULES_DOCS_H_
#define PLACECHECK_RULES_DOCS_H_

#include <string_view>

namespace placecheck::rules {

// The page of a rule, as Markdown; empty if there is none.
std::string_view page(std::string_view rule_id);

}  // namespace placecheck::rules

#endif  // PLACECHECK_RULES_DOCS_H_
