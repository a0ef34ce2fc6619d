#include "runtime/parallel/lost_state.h"

#include <cstddef>

#include "rules/data_parallel_lost_state.h"
#include "runtime/core/check.h"
#include "runtime/core/warning.h"

namespace placecheck::runtime::nn {
namespace {

namespace rule = rules::data_parallel_lost_state;
using rules::Trait;

}  // namespace

LostStateCheck::LostStateCheck(const Module& replica) : replica_(replica) {
  for (const auto& item : replica.named_buffers()) {
    owners_.push_back(item.value().impl_ptr().use_count());
  }
}

bool LostStateCheck::warn_of_lost_state() const {
  std::size_t i = 0;
  for (const auto& item : replica_.named_buffers()) {
    const bool is_replaced =
        i < owners_.size() && item.value().impl_ptr().use_count() < owners_[i++];
    // What is registered is saved and loaded, so that somebody reads it.
    const rule::WriteFact write{.replicated = Trait::kYes,
                                .written = is_replaced ? Trait::kYes : Trait::kNo,
                                .kept = Trait::kYes};
    if (rule::judge(write) != rules::Verdict::kBroken) continue;
    warn(text_of("the forward of ", replica_.name(), " gives its member for the buffer '",
                 item.key(),
                 "' another tensor, which is lost with the replica. Write into the buffer, or "
                 "return the tensor and assign it after the call [",
                 rule::kRule.id, "]"));
    return true;
  }
  return false;
}

}  // namespace placecheck::runtime::nn
