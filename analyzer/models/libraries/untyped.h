// What a method or operator of unknown type means once its receiver is known: the spelled name that
// the tables have for it.
//
// Static and constant; call from anywhere. Empty: no such thing is modelled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace placecheck::models {

enum class ReceiverKind : uint8_t { kTensor, kDevice, kOptions, kModule, kContainer };

// `method` is a bare name ("to", "operator+") or a built-in operation ("op.add").
std::string typed_name(ReceiverKind receiver, std::string_view method);

}  // namespace placecheck::models
