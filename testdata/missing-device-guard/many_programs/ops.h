#pragma once
#include <torch/extension.h>

void scale(torch::Tensor values, double factor);
