// All headers that fixtures include: they are read before the namespaces that fixtures are put in.
#pragma once

#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/nn/parallel/data_parallel.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <algorithm>
#include <any>
#include <array>
#include <cassert>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// After the others: it defines words of CUDA's as nothing.
#include <cuda_runtime_api.h>

#include "runtime/torch/data_parallel.h"
