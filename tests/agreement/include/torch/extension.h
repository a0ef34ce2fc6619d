// In place of libtorch's: without Python, what an extension registers is called by the harness.
#pragma once

#include <torch/torch.h>

#include "tests/agreement/extension_binding.h"
