#include "analyzer/frontend/clang/library_shims.h"

#include <initializer_list>

namespace placecheck::frontend {
namespace {

// Moved since; extensions of older versions of torch name the old place.
constexpr std::string_view kCudaGuard = "#pragma once\n#include <c10/cuda/CUDAGuard.h>\n";

constexpr std::string_view kPhiloxState =
    "#pragma once\n#include <ATen/cuda/CUDAGeneratorImpl.h>\n";
constexpr std::string_view kPhiloxUtils =
    "#pragma once\n#include <ATen/cuda/CUDAGeneratorImpl.h>\n"
    "#include <ATen/cuda/CUDAGraphsUtils.cuh>\n";

constexpr std::string_view kBoostFilesystem =
#include "analyzer/frontend/clang/shims/boost_filesystem.h.inc"
    ;
constexpr std::string_view kBoostLog =
#include "analyzer/frontend/clang/shims/boost_log.h.inc"
    ;
constexpr std::string_view kProgramOptions =
#include "analyzer/frontend/clang/shims/boost_program_options.h.inc"
    ;
constexpr std::string_view kCommandLine =
#include "analyzer/frontend/clang/shims/command_line.h.inc"
    ;
constexpr std::string_view kDeviceAssertion =
#include "analyzer/frontend/clang/shims/device_assertion.h.inc"
    ;
constexpr std::string_view kDispatchV2 =
#include "analyzer/frontend/clang/shims/dispatch_v2.h.inc"
    ;
constexpr std::string_view kFormat =
#include "analyzer/frontend/clang/shims/format.h.inc"
    ;
constexpr std::string_view kGlm =
#include "analyzer/frontend/clang/shims/glm.h.inc"
    ;
constexpr std::string_view kPrint =
#include "analyzer/frontend/clang/shims/print.h.inc"
    ;
constexpr std::string_view kJsonCpp =
#include "analyzer/frontend/clang/shims/jsoncpp.h.inc"
    ;
constexpr std::string_view kMatplot =
#include "analyzer/frontend/clang/shims/matplot.h.inc"
    ;
constexpr std::string_view kJson =
#include "analyzer/frontend/clang/shims/nlohmann_json.h.inc"
    ;
constexpr std::string_view kMpi =
#include "analyzer/frontend/clang/shims/mpi.h.inc"
    ;
constexpr std::string_view kNumpy =
#include "analyzer/frontend/clang/shims/numpy.h.inc"
    ;
constexpr std::string_view kOpenCvCore =
#include "analyzer/frontend/clang/shims/opencv_core.h.inc"
    ;
constexpr std::string_view kOpenCvModules =
#include "analyzer/frontend/clang/shims/opencv_modules.h.inc"
    ;
constexpr std::string_view kPhmap =
#include "analyzer/frontend/clang/shims/phmap.h.inc"
    ;
constexpr std::string_view kPng =
#include "analyzer/frontend/clang/shims/png.h.inc"
    ;
constexpr std::string_view kPybind =
#include "analyzer/frontend/clang/shims/pybind11.h.inc"
    ;
constexpr std::string_view kReduceOnPlateau =
#include "analyzer/frontend/clang/shims/reduce_on_plateau.h.inc"
    ;
constexpr std::string_view kSpdlog =
#include "analyzer/frontend/clang/shims/spdlog.h.inc"
    ;
constexpr std::string_view kStable =
#include "analyzer/frontend/clang/shims/stable.h.inc"
    ;
constexpr std::string_view kTqdm =
#include "analyzer/frontend/clang/shims/tqdm.h.inc"
    ;
constexpr std::string_view kTvmFfi =
#include "analyzer/frontend/clang/shims/tvm_ffi.h.inc"
    ;
constexpr std::string_view kWindows =
#include "analyzer/frontend/clang/shims/windows.h.inc"
    ;

// A library's headers: each name leads to the one text, which lies beside them under its own name.
struct Library {
  std::string_view path;
  std::string_view text;
  std::string_view forward;  // what a header of the names says
  std::initializer_list<std::string_view> names;
};

const Library kLibraries[] = {
    {"include/ATen/cuda/CUDAGuard.h", kCudaGuard, "", {}},
    {"include/ATen/Dispatch_v2.h", kDispatchV2, "", {}},
    {"include/ATen/cuda/PhiloxCudaState.h", kPhiloxState, "", {}},
    {"include/ATen/cuda/PhiloxUtils.cuh", kPhiloxUtils, "", {}},
    {"include/placecheck_shims/boost_filesystem.h",
     kBoostFilesystem,
     "#pragma once\n#include <placecheck_shims/boost_filesystem.h>\n",
     {"include/boost/filesystem.hpp", "include/boost/filesystem/directory.hpp",
      "include/boost/filesystem/fstream.hpp", "include/boost/filesystem/operations.hpp",
      "include/boost/filesystem/path.hpp"}},
    {"include/placecheck_shims/boost_log.h",
     kBoostLog,
     "#pragma once\n#include <placecheck_shims/boost_log.h>\n",
     {"include/boost/log/core.hpp", "include/boost/log/expressions.hpp",
      "include/boost/log/trivial.hpp", "include/boost/log/utility/setup.hpp"}},
    {"include/placecheck_shims/boost_program_options.h",
     kProgramOptions,
     "#pragma once\n#include <placecheck_shims/boost_program_options.h>\n",
     {"include/boost/any.hpp", "include/boost/program_options.hpp",
      "include/boost/program_options/cmdline.hpp", "include/boost/program_options/option.hpp",
      "include/boost/program_options/options_description.hpp",
      "include/boost/program_options/parsers.hpp",
      "include/boost/program_options/positional_options.hpp",
      "include/boost/program_options/value_semantic.hpp",
      "include/boost/program_options/variables_map.hpp"}},
    {"include/placecheck_shims/command_line.h",
     kCommandLine,
     "#pragma once\n#include <placecheck_shims/command_line.h>\n",
     {"include/CLI/CLI.hpp", "include/CLI11.hpp", "include/argparse.hpp",
      "include/argparse/argparse.hpp", "include/cxxopts.hpp", "include/cxxopts/cxxopts.hpp"}},
    {"include/placecheck_shims/device_assertion.h",
     kDeviceAssertion,
     "#pragma once\n#include <placecheck_shims/device_assertion.h>\n",
     {"include/c10/cuda/CUDADeviceAssertion.h", "include/c10/cuda/CUDADeviceAssertionHost.h"}},
    {"include/format", kFormat, "", {}},
    {"include/print", kPrint, "", {}},
    {"include/placecheck_shims/glm.h",
     kGlm,
     "#pragma once\n#include <placecheck_shims/glm.h>\n",
     {"include/glm/ext.hpp",
      "include/glm/fwd.hpp",
      "include/glm/glm.hpp",
      "include/glm/gtc/constants.hpp",
      "include/glm/gtc/matrix_access.hpp",
      "include/glm/gtc/matrix_inverse.hpp",
      "include/glm/gtc/matrix_transform.hpp",
      "include/glm/gtc/quaternion.hpp",
      "include/glm/gtc/type_ptr.hpp",
      "include/glm/gtx/component_wise.hpp",
      "include/glm/gtx/euler_angles.hpp",
      "include/glm/gtx/io.hpp",
      "include/glm/gtx/matrix_operation.hpp",
      "include/glm/gtx/norm.hpp",
      "include/glm/gtx/quaternion.hpp",
      "include/glm/gtx/string_cast.hpp",
      "include/glm/gtx/transform.hpp",
      "include/glm/mat3x3.hpp",
      "include/glm/mat4x4.hpp",
      "include/glm/matrix.hpp",
      "include/glm/trigonometric.hpp",
      "include/glm/vec2.hpp",
      "include/glm/vec3.hpp",
      "include/glm/vec4.hpp"}},
    {"include/placecheck_shims/jsoncpp.h",
     kJsonCpp,
     "#pragma once\n#include <placecheck_shims/jsoncpp.h>\n",
     {"include/json/allocator.h", "include/json/config.h", "include/json/forwards.h",
      "include/json/version.h", "include/json/json.h", "include/json/json_features.h",
      "include/json/reader.h", "include/json/value.h", "include/json/writer.h",
      "include/jsoncpp/json/allocator.h", "include/jsoncpp/json/config.h",
      "include/jsoncpp/json/forwards.h", "include/jsoncpp/json/version.h",
      "include/jsoncpp/json/json.h", "include/jsoncpp/json/json_features.h",
      "include/jsoncpp/json/reader.h", "include/jsoncpp/json/value.h",
      "include/jsoncpp/json/writer.h"}},
    {"include/placecheck_shims/matplot.h",
     kMatplot,
     "#pragma once\n#include <placecheck_shims/matplot.h>\n",
     {"include/matplot/matplot.h"}},
    {"include/mpi.h", kMpi, "", {}},
    {"include/placecheck_shims/nlohmann_json.h",
     kJson,
     "#pragma once\n#include <placecheck_shims/nlohmann_json.h>\n",
     {"include/json.hpp", "include/nlohmann/json.hpp", "include/nlohmann/json_fwd.hpp"}},
    {"include/placecheck_shims/numpy.h",
     kNumpy,
     "#pragma once\n#include <placecheck_shims/numpy.h>\n",
     {"include/numpy/arrayobject.h", "include/numpy/ndarrayobject.h",
      "include/numpy/ndarraytypes.h"}},
    {"include/placecheck_shims/opencv_core.h", kOpenCvCore, "", {}},
    {"include/placecheck_shims/opencv_modules.h",
     kOpenCvModules,
     "#pragma once\n#include <placecheck_shims/opencv_modules.h>\n",
     {"include/opencv/cv.h",
      "include/opencv/cxcore.h",
      "include/opencv/highgui.h",
      "include/opencv2/calib3d.hpp",
      "include/opencv2/calib3d/calib3d.hpp",
      "include/opencv2/core.hpp",
      "include/opencv2/core/core.hpp",
      "include/opencv2/core/cuda.hpp",
      "include/opencv2/core/cvdef.h",
      "include/opencv2/core/cvstd.hpp",
      "include/opencv2/core/hal/interface.h",
      "include/opencv2/core/mat.hpp",
      "include/opencv2/core/matx.hpp",
      "include/opencv2/core/ocl.hpp",
      "include/opencv2/core/persistence.hpp",
      "include/opencv2/core/traits.hpp",
      "include/opencv2/core/types.hpp",
      "include/opencv2/core/types_c.h",
      "include/opencv2/core/utility.hpp",
      "include/opencv2/core/utils/filesystem.hpp",
      "include/opencv2/core/utils/logger.hpp",
      "include/opencv2/core/version.hpp",
      "include/opencv2/cudaarithm.hpp",
      "include/opencv2/cudaimgproc.hpp",
      "include/opencv2/cudawarping.hpp",
      "include/opencv2/cvconfig.h",
      "include/opencv2/dnn.hpp",
      "include/opencv2/dnn/dnn.hpp",
      "include/opencv2/features2d.hpp",
      "include/opencv2/features2d/features2d.hpp",
      "include/opencv2/highgui.hpp",
      "include/opencv2/highgui/highgui.hpp",
      "include/opencv2/highgui/highgui_c.h",
      "include/opencv2/imgcodecs.hpp",
      "include/opencv2/imgcodecs/imgcodecs.hpp",
      "include/opencv2/imgcodecs/imgcodecs_c.h",
      "include/opencv2/imgcodecs/legacy/constants_c.h",
      "include/opencv2/imgproc.hpp",
      "include/opencv2/imgproc/imgproc.hpp",
      "include/opencv2/imgproc/imgproc_c.h",
      "include/opencv2/imgproc/types_c.h",
      "include/opencv2/objdetect.hpp",
      "include/opencv2/objdetect/objdetect.hpp",
      "include/opencv2/opencv.hpp",
      "include/opencv2/opencv_modules.hpp",
      "include/opencv2/photo.hpp",
      "include/opencv2/photo/photo.hpp",
      "include/opencv2/video.hpp",
      "include/opencv2/video/background_segm.hpp",
      "include/opencv2/video/tracking.hpp",
      "include/opencv2/video/video.hpp",
      "include/opencv2/videoio.hpp",
      "include/opencv2/videoio/videoio.hpp",
      "include/opencv2/videoio/videoio_c.h"}},
    {"include/placecheck_shims/phmap.h",
     kPhmap,
     "#pragma once\n#include <placecheck_shims/phmap.h>\n",
     {"include/parallel_hashmap/phmap.h"}},
    {"include/placecheck_shims/png.h",
     kPng,
     "#pragma once\n#include <placecheck_shims/png.h>\n",
     {"include/png++/png.hpp"}},
    {"include/placecheck_shims/pybind11.h",
     kPybind,
     "#pragma once\n#include <placecheck_shims/pybind11.h>\n",
     {"include/pybind11/cast.h", "include/pybind11/chrono.h", "include/pybind11/complex.h",
      "include/pybind11/embed.h", "include/pybind11/eval.h", "include/pybind11/functional.h",
      "include/pybind11/iostream.h", "include/pybind11/numpy.h", "include/pybind11/operators.h",
      "include/pybind11/pybind11.h", "include/pybind11/pytypes.h", "include/pybind11/stl.h",
      "include/pybind11/stl_bind.h"}},
    {"include/torch/optim/schedulers/reduce_on_plateau_scheduler.h", kReduceOnPlateau, "", {}},
    {"include/placecheck_shims/spdlog.h",
     kSpdlog,
     "#pragma once\n#include <placecheck_shims/spdlog.h>\n",
     {"include/fmt/chrono.h",
      "include/fmt/color.h",
      "include/fmt/core.h",
      "include/fmt/format.h",
      "include/fmt/ostream.h",
      "include/fmt/printf.h",
      "include/fmt/ranges.h",
      "include/spdlog/async.h",
      "include/spdlog/cfg/env.h",
      "include/spdlog/common.h",
      "include/spdlog/fmt/bundled/ostream.h",
      "include/spdlog/fmt/fmt.h",
      "include/spdlog/fmt/ostr.h",
      "include/spdlog/logger.h",
      "include/spdlog/sinks/basic_file_sink.h",
      "include/spdlog/sinks/daily_file_sink.h",
      "include/spdlog/sinks/rotating_file_sink.h",
      "include/spdlog/sinks/stdout_color_sinks.h",
      "include/spdlog/sinks/stdout_sinks.h",
      "include/spdlog/spdlog.h"}},
    {"include/placecheck_shims/stable.h",
     kStable,
     "#pragma once\n#include <placecheck_shims/stable.h>\n",
     {"include/torch/csrc/inductor/aoti_torch/c/shim.h",
      "include/torch/csrc/inductor/aoti_torch/utils.h",
      "include/torch/csrc/stable/accelerator.h",
      "include/torch/csrc/stable/c/shim.h",
      "include/torch/csrc/stable/device.h",
      "include/torch/csrc/stable/library.h",
      "include/torch/csrc/stable/macros.h",
      "include/torch/csrc/stable/ops.h",
      "include/torch/csrc/stable/stableivalue_conversions.h",
      "include/torch/csrc/stable/tensor.h",
      "include/torch/headeronly/core/DeviceType.h",
      "include/torch/headeronly/core/Dispatch.h",
      "include/torch/headeronly/core/Layout.h",
      "include/torch/headeronly/core/MemoryFormat.h",
      "include/torch/headeronly/core/ScalarType.h",
      "include/torch/headeronly/core/TensorAccessor.h",
      "include/torch/headeronly/macros/Macros.h",
      "include/torch/headeronly/util/BFloat16.h",
      "include/torch/headeronly/util/Exception.h",
      "include/torch/headeronly/util/Half.h",
      "include/torch/headeronly/util/HeaderOnlyArrayRef.h",
      "include/torch/headeronly/util/Metaprogramming.h",
      "include/torch/headeronly/util/shim_utils.h"}},
    {"include/placecheck_shims/tvm_ffi.h",
     kTvmFfi,
     "#pragma once\n#include <placecheck_shims/tvm_ffi.h>\n",
     {"include/dlpack/dlpack.h",
      "include/tvm/ffi/any.h",
      "include/tvm/ffi/base_details.h",
      "include/tvm/ffi/c_api.h",
      "include/tvm/ffi/cast.h",
      "include/tvm/ffi/container/array.h",
      "include/tvm/ffi/container/map.h",
      "include/tvm/ffi/container/shape.h",
      "include/tvm/ffi/container/tensor.h",
      "include/tvm/ffi/container/tuple.h",
      "include/tvm/ffi/container/variant.h",
      "include/tvm/ffi/dtype.h",
      "include/tvm/ffi/error.h",
      "include/tvm/ffi/extra/c_env_api.h",
      "include/tvm/ffi/extra/cuda/device_guard.h",
      "include/tvm/ffi/extra/module.h",
      "include/tvm/ffi/function.h",
      "include/tvm/ffi/memory.h",
      "include/tvm/ffi/object.h",
      "include/tvm/ffi/optional.h",
      "include/tvm/ffi/reflection/registry.h",
      "include/tvm/ffi/string.h",
      "include/tvm/ffi/tvm_ffi.h"}},
    {"include/placecheck_shims/tqdm.h",
     kTqdm,
     "#pragma once\n#include <placecheck_shims/tqdm.h>\n",
     {"include/tqdm/tqdm.h", "include/cpptqdm/tqdm.h", "include/vendors/cpptqdm/tqdm.h"}},
    {"include/placecheck_shims/windows.h",
     kWindows,
     "#pragma once\n#include <placecheck_shims/windows.h>\n",
     {"include/Windows.h", "include/conio.h", "include/direct.h", "include/io.h",
      "include/process.h", "include/psapi.h", "include/Psapi.h", "include/tchar.h",
      "include/winbase.h", "include/windows.h"}},
};

}  // namespace

void add_library_shims(std::vector<Shim>& shims) {
  for (const Library& library : kLibraries) {
    if (!library.text.empty()) shims.push_back({library.path, library.text});
    for (std::string_view name : library.names) shims.push_back({name, library.forward});
  }
}

}  // namespace placecheck::frontend
