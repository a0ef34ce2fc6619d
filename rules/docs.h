// The pages of rules/docs and rules/assumptions.md, built in. Static storage; any thread may read
// them.
#ifndef PLACECHECK_RULES_DOCS_H_
#define PLACECHECK_RULES_DOCS_H_

#include <string_view>

namespace placecheck::rules {

// The page of what is assumed about programs.
inline constexpr std::string_view kAssumptionsPage = "assumptions";

// The page of a rule, or kAssumptionsPage, as Markdown; empty if there is none.
std::string_view page(std::string_view id);

}  // namespace placecheck::rules

#endif  // PLACECHECK_RULES_DOCS_H_
