// rules/witnesses.md: which rules are seen at run time, and by whom. Each test that runs witnesses
// holds one column of it.
#ifndef PLACECHECK_TESTS_RUNTIME_TESTING_WITNESS_TABLE_H_
#define PLACECHECK_TESTS_RUNTIME_TESTING_WITNESS_TABLE_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace placecheck::testing_support {

// Breaks a rule, and returns the id that was reported.
using Witness = std::function<std::string()>;
using Witnesses = std::map<std::string_view, Witness>;

// Runs each of them, and expects that the column "runtime", "torch" or "cuda" names the same rules.
// Where it does not, a corrected table is written to $TEST_UNDECLARED_OUTPUTS_DIR.
void expect_column(std::string_view column, const Witnesses& witnesses);

// Expects that the catalogue and the table agree: a rule is seen at run time where a column has it.
void expect_catalogue();

}  // namespace placecheck::testing_support

#endif  // PLACECHECK_TESTS_RUNTIME_TESTING_WITNESS_TABLE_H_
