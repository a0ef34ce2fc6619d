// Programs that call CUDA themselves: the virtual runtime reports, there is nothing to prepare.
#include "tests/agreement/harness.h"

namespace placecheck::agreement {

void prepare() {}

}  // namespace placecheck::agreement
