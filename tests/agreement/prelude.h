// All headers that fixtures include: they are read before the namespaces that fixtures are put in.
#pragma once

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
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
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

#include "runtime/torch/data_parallel.h"
