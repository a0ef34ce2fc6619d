#include "analyzer/frontend/clang/library_shims.h"

#include <initializer_list>

namespace placecheck::frontend {
namespace {

constexpr std::string_view kOpenCvCore =
#include "analyzer/frontend/clang/shims/opencv_core.h.inc"
    ;
constexpr std::string_view kOpenCvModules =
#include "analyzer/frontend/clang/shims/opencv_modules.h.inc"
    ;

// A library's headers: each name leads to the one text, which lies beside them under its own name.
struct Library {
  std::string_view path;
  std::string_view text;
  std::string_view forward;  // what a header of the names says
  std::initializer_list<std::string_view> names;
};

const Library kLibraries[] = {
    {"include/placecheck_shims/opencv_core.h", kOpenCvCore, "", {}},
    {"include/placecheck_shims/opencv_modules.h",
     kOpenCvModules,
     "#include <placecheck_shims/opencv_modules.h>\n",
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
};

}  // namespace

void add_library_shims(std::vector<Shim>& shims) {
  for (const Library& library : kLibraries) {
    if (!library.text.empty()) shims.push_back({library.path, library.text});
    for (std::string_view name : library.names) shims.push_back({name, library.forward});
  }
}

}  // namespace placecheck::frontend
