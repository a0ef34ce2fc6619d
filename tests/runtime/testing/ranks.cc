#include "tests/runtime/testing/ranks.h"

#include <thread>

#include "runtime/core/check.h"

namespace placecheck::runtime {

std::vector<RankError> run_ranks(const comm::Ranks& ranks,
                                 const std::function<void(comm::Communicator&)>& body) {
  std::vector<RankError> errors(ranks.size());
  std::vector<std::thread> threads;
  threads.reserve(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        body(*ranks[i]);
      } catch (const RuleError& error) {
        errors[i] = {error.what(), std::string(error.rule())};
      } catch (const std::exception& error) {
        errors[i] = {error.what(), {}};
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return errors;
}

}  // namespace placecheck::runtime
