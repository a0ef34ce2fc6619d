// A library that has the machine's code for itself.
#include "runtime/devices/machine.h"

extern "C" placecheck::devices::Machine* the_machine_of_this_library() {
  return &placecheck::devices::machine();
}
