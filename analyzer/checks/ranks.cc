#include "analyzer/checks/ranks.h"

#include <algorithm>

#include "analyzer/dataflow/ranks.h"

namespace placecheck::checks {

bool is_of_one_rank(const dataflow::View& view) {
  return std::ranges::any_of(view.state.assumptions, [&](const auto& each) {
    return dataflow::leaves_one_rank(each.first, each.second, view.names);
  });
}

}  // namespace placecheck::checks
