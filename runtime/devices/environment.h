// Changes of CUDA_VISIBLE_DEVICES by the program itself: too late once the devices are counted, or
// a list that cannot be read. CUDA says nothing of either; the virtual runtimes do.
//
// setenv() and putenv() of the process are this library's, which calls those of the C library. That
// reaches programs that link it or preload it, and what they link.
#ifndef PLACECHECK_RUNTIME_DEVICES_ENVIRONMENT_H_
#define PLACECHECK_RUNTIME_DEVICES_ENVIRONMENT_H_

#include <string>
#include <string_view>

#include "rules/rule.h"

namespace placecheck::devices {

// Told of a mistake on the thread that makes it, before the change is made: `function` is "setenv"
// or "putenv".
using EnvironmentObserver = void (*)(const rules::Rule& rule, std::string_view function,
                                     const std::string& message);

// One for each library that links this one; the last counts.
void set_environment_observer(EnvironmentObserver observer);

}  // namespace placecheck::devices

#endif  // PLACECHECK_RUNTIME_DEVICES_ENVIRONMENT_H_
