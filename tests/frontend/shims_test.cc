#include "analyzer/frontend/clang/shims.h"

#include <gtest/gtest.h>

#include <set>

#include "analyzer/frontend/clang/system_paths.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Tooling/Tooling.h"

namespace placecheck::frontend {
namespace {

// A CUDA program as people write it, with no header but the standard library's.
constexpr char kProgram[] =
    "#include <memory>\n#include <vector>\n"
    "__global__ void fill(float* p, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) p[i] = 0.f;\n"
    "  __syncthreads();\n}\n"
    "int main() { dim3 grid(4, 1, 1); fill<<<grid, 256>>>(nullptr, 10); return 0; }\n";

struct File {
  std::string path;
  std::string text;
};

// The first error of parsing the first of the files, "" for none.
std::string first_error(const std::vector<File>& sources, const std::vector<std::string>& flags) {
  auto files = with_shims(llvm::vfs::getRealFileSystem());
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const File& each : sources) {
    memory->addFile(each.path, 0, llvm::MemoryBuffer::getMemBufferCopy(each.text));
  }
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
  overlay->pushOverlay(memory);
  auto manager = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);
  std::vector<std::string> args = {
      "clang++",    "-fsyntax-only", "-w",
      "-std=c++17", "-resource-dir", find_system_paths(false).resource_dir};
  args.insert(args.end(), flags.begin(), flags.end());
  args.push_back(sources.front().path);
  clang::TextDiagnosticBuffer diagnostics;
  clang::tooling::ToolInvocation invocation(args, std::make_unique<clang::SyntaxOnlyAction>(),
                                            manager.get());
  invocation.setDiagnosticConsumer(&diagnostics);
  invocation.run();
  return diagnostics.err_begin() == diagnostics.err_end() ? "" : diagnostics.err_begin()->second;
}

// The CUDA program behind a prelude.
std::string cuda_error(const std::vector<std::string>& cuda_flags) {
  std::vector<std::string> flags = {"-x", "cuda", "--cuda-host-only", "-nocudalib"};
  flags.insert(flags.end(), cuda_flags.begin(), cuda_flags.end());
  return first_error({{"/program.cu", kProgram}}, flags);
}

const std::vector<std::string> kLibraryFlags = {"-idirafter", std::string(kShimRoot) + "/include"};

std::string library_error(const std::string& program) {
  return first_error({{"/program.cc", program}}, kLibraryFlags);
}

TEST(Shims, CudaParsesWhereNoToolkitIsInstalled) {
  EXPECT_EQ(cuda_error({"-nocudainc", "-include",
                        std::string(kShimRoot) + "/prelude/cuda_without_toolkit.h"}),
            "");
}

TEST(Shims, CudaParsesBehindThePreludeWhereAToolkitIsInstalled) {
  const std::string cuda = find_system_paths(false).cuda;
  if (cuda.empty()) return;  // then the test above is the whole of it
  EXPECT_EQ(cuda_error({"--cuda-path=" + cuda, "-include", kCudaPrelude}), "");
}

TEST(Shims, WithoutAPreludeTheProgramDoesNotParse) { EXPECT_NE(cuda_error({"-nocudainc"}), ""); }

// These need Python's own headers.
bool is_python(const Shim& shim) {
  return shim.path.find("numpy") != std::string_view::npos ||
         shim.path.find("pybind11") != std::string_view::npos;
}

TEST(Shims, EveryLibraryParsesByItselfAndUnderAllItsNames) {
  constexpr std::string_view kInclude = "include/";
  std::string all;
  std::set<std::string_view> texts;
  for (const Shim& shim : shims()) {
    if (!shim.path.starts_with(kInclude) || is_python(shim)) continue;
    if (shim.text.find("placecheck_shims") == std::string_view::npos) continue;
    const std::string name(shim.path.substr(kInclude.size()));
    const std::string include = "#include <" + name + ">\n";
    all += include;
    if (!texts.insert(shim.text).second) continue;
    EXPECT_EQ(library_error(include), "") << name;
  }
  EXPECT_GT(texts.size(), 5u);
  EXPECT_EQ(library_error(all), "");
}

TEST(Shims, AProgramWithOpenCvParses) {
  EXPECT_EQ(library_error(R"(
#include <opencv2/opencv.hpp>
void take(void* p, long n);
struct Sample { cv::Mat image; cv::Rect box; };
float mean_of(const std::vector<cv::Mat>& images) {
  float sum = 0;
  for (const cv::Mat& each : images) {
    cv::Mat image = each.clone(), real;
    cv::cvtColor(image, image, cv::COLOR_BGR2RGB);
    cv::resize(image, image, cv::Size(224, 224), 0, 0, cv::INTER_LINEAR);
    image.convertTo(real, CV_32FC3, 1.0 / 255);
    take(real.data, real.rows * real.cols * real.channels());
    static_assert(std::is_same<decltype(real.data), unsigned char*>::value, "");
    static_assert(std::is_same<decltype(real.ptr<float>()), float*>::value, "");
    static_assert(std::is_same<decltype(real.size().width), int>::value, "");
    sum += real.at<cv::Vec3f>(1, 2)[0] + static_cast<float>(cv::mean(real)[0]);
    std::vector<cv::Mat> channels(3);
    cv::split(real, channels);
    for (cv::Mat& channel : channels) channel = (channel - 0.5) / 0.25;
    cv::merge(channels, real);
    real.forEach<cv::Vec3f>([](cv::Vec3f& pixel, const int*) { pixel[0] = 1; });
  }
  return sum;
}
int main() {
  using namespace cv;
  VideoCapture capture(0);
  Mat frame, turn = (Mat_<float>(2, 3) << 1, 0, 0, 0, 1, 0);
  capture >> frame;
  if (frame.empty() || frame.size() != Size(640, 480)) return 1;
  Rect box = Rect(1, 2, 3, 4) & Rect(0, 0, frame.cols, frame.rows);
  rectangle(frame, box, {0, 0, 255}, 2);
  putText(frame, "cat", {1, 2}, FONT_HERSHEY_SIMPLEX, 1, Scalar(255, 255, 255));
  Mat mask = (frame > 3) & (frame == 4), product = frame.t() * turn + Mat::zeros(2, 2, CV_32F);
  imshow("frame", frame(box));
  return waitKey(1) == 27 ? 0 : static_cast<int>(std::max<size_t>(product.total(), 1));
}
)"),
            "");
}

TEST(Shims, AMatrixDoesNotConvertToWhatTheRealOneDoesNot) {
  EXPECT_NE(library_error("#include <opencv2/core.hpp>\nint* p = cv::Mat().data;\n"), "");
  EXPECT_NE(library_error("#include <opencv2/core.hpp>\nint n = cv::Mat();\n"), "");
}

TEST(Shims, AProgramWithOptionsParses) {
  EXPECT_EQ(library_error(R"(
#include <boost/program_options.hpp>
namespace po = boost::program_options;
int main(int argc, const char* argv[]) {
  po::options_description args("Options", 200, 30);
  args.add_options()("help", "show this")(
      "gpu", po::value<int>()->default_value(0), "device")(
      "sizes", po::value<std::vector<int>>()->multitoken(), "sizes");
  po::variables_map vm;
  po::store(po::parse_command_line(argc, argv, args), vm);
  po::notify(vm);
  if (vm.empty() || vm.count("help")) std::cout << args;
  return vm["gpu"].as<int>();
}
)"),
            "");
}

TEST(Shims, AProgramWithOtherReadersOfOptionsParses) {
  EXPECT_EQ(library_error(R"(
#include <argparse/argparse.hpp>
#include <cxxopts.hpp>
#include <CLI/CLI.hpp>
int main(int argc, char** argv) {
  argparse::ArgumentParser program("train");
  program.add_argument("--lr").help("rate").default_value(0.1).scan<'g', double>();
  program.parse_args(argc, argv);
  cxxopts::Options options("train", "trains");
  options.add_options()("e,epochs", "how many", cxxopts::value<int>()->default_value("3"))("h,help", "this");
  auto result = options.parse(argc, argv);
  CLI::App app{"train"};
  int depth = 2;
  app.add_option("-d,--depth", depth, "depth")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  return result["epochs"].as<int>() + depth + static_cast<int>(program.get<double>("--lr"));
}
)"),
            "");
}

TEST(Shims, AProgramWithJsonParses) {
  EXPECT_EQ(library_error(R"(
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
using json = nlohmann::json;
struct Options { int epochs; };
void from_json(const json& from, Options& to) { from.at("epochs").get_to(to.epochs); }
int main() {
  std::ifstream file("config.json");
  json config;
  file >> config;
  std::string name = config["name"];
  name = config.value("other", "none");
  std::vector<int> sizes = config["sizes"].get<std::vector<int>>();
  for (auto& [key, value] : config.items()) std::cout << key << value.dump(2);
  for (const auto& each : config["list"]) sizes.push_back(each["size"]);
  json made = {{"a", 1}, {"b", {1, 2, 3}}};
  made["c"][0] = 1.5;
  Options options = config.get<Options>();
  return config.contains("seed") && config["mode"] == "train" ? options.epochs : sizes[0];
}
)"),
            "");
}

TEST(Shims, AProgramWithJsonCppParses) {
  EXPECT_EQ(library_error(R"(
#include <fstream>
#include <json/json.h>
int main() {
  std::ifstream file("config.json");
  Json::Value root;
  Json::CharReaderBuilder builder;
  std::string errors;
  if (!Json::parseFromStream(builder, file, &root, &errors)) return 1;
  int sum = root["epochs"].asInt();
  for (const Json::Value& each : root["sizes"]) sum += each[0].asInt();
  root["sum"] = sum;
  root["list"].append("x");
  return root.isMember("lr") ? static_cast<int>(root.get("lr", 0.1).asDouble()) : sum;
}
)"),
            "");
}

TEST(Shims, AProgramWithLabelImagesParses) {
  EXPECT_EQ(library_error(R"(
#include <png++/png.hpp>
int first_of(const std::string& path) {
  png::image<png::index_pixel> labels(path);
  png::palette colors = labels.get_palette();
  colors[0] = png::color(1, 2, 3);
  labels.set_palette(colors);
  return labels.get_width() > 0 ? static_cast<int>(labels[0][0]) : colors[0].red;
}
)"),
            "");
}

TEST(Shims, AProgramWithPlotsParses) {
  EXPECT_EQ(library_error(R"(
#include <matplot/matplot.h>
int main() {
  std::vector<double> x = matplot::linspace(0, 1), y = x;
  auto figure = matplot::figure(true);
  figure->size(800, 600);
  auto axes = figure->nexttile();
  matplot::plot(axes, x, y, "b")->line_width(2).display_name("loss");
  matplot::legend(axes, {"train", "test"});
  matplot::legend({});
  matplot::xlim(axes, {0, 1});
  auto [text, arrow] = matplot::textarrow(axes, 0.0, 0.0, 1.0, 1.0, "here");
  text->color("red").font_size(14);
  matplot::show();
}
)"),
            "");
}

TEST(Shims, AProgramWithLogsAndAProgressBarParses) {
  EXPECT_EQ(library_error(R"(
#include <boost/log/trivial.hpp>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <tqdm/tqdm.h>
int main() {
  spdlog::set_level(spdlog::level::debug);
  auto logger = spdlog::stdout_color_mt("train");
  logger->info("epoch {}", 1);
  spdlog::info("loss {:.3f}", 0.5);
  BOOST_LOG_TRIVIAL(info) << "epoch " << 1;
  tqdm bar;
  bar.progress(1, 10);
}
)"),
            "");
}

TEST(Shims, BoostsFilesParse) {
  EXPECT_EQ(library_error(R"(
#include <boost/filesystem.hpp>
namespace fs = boost::filesystem;
int main() {
  fs::path folder("data");
  boost::system::error_code error;
  if (!fs::exists(folder, error)) fs::create_directories(folder / "images");
  for (auto& entry : fs::directory_iterator(folder)) fs::extension(entry.path());
}
)"),
            "");
}

TEST(Shims, AnExtensionParsesWherePythonIsInstalled) {
  std::vector<std::string> flags = kLibraryFlags;
  for (const std::string& folder : find_system_paths(false).libraries) {
    flags.insert(flags.end(), {"-isystem", folder});
  }
  const std::string error = first_error({{"/program.cc", R"(
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
namespace py = pybind11;
struct Net { explicit Net(int n); int forward(int x) const; int n; };
int twice(int a);
PYBIND11_MODULE(extension, m) {
  m.doc() = "an extension";
  m.def("twice", &twice, "doubles", py::arg("a") = 3);
  using py::literals::operator""_a;
  m.attr("defaults") = py::dict("a"_a = 3, "b"_a = "x");
  m.def("call", [](py::object f) { py::gil_scoped_release free; return f.attr("x"); });
  py::class_<Net, std::shared_ptr<Net>>(m, "Net")
      .def(py::init<int>()).def("forward", &Net::forward).def_readwrite("n", &Net::n);
}
)"}},
                                        flags);
  EXPECT_EQ(error.find("Python.h") == std::string::npos ? error : "", "");
}

// Written for libtorch 2, whichever is installed.
TEST(Shims, OptionalsOfLibtorchAreTheStandardOnes) {
  std::vector<std::string> flags = kLibraryFlags;
  for (const std::string& folder : find_system_paths(false).torch) {
    flags.insert(flags.end(), {"-isystem", folder});
  }
  flags.insert(flags.end(), {"-include", kStandardPrelude});
  EXPECT_EQ(first_error({{"/program.cc", R"(
#include <c10/core/DeviceGuard.h>
#include <torch/script.h>
#include <torch/torch.h>
struct Images : torch::data::datasets::Dataset<Images> {
  torch::data::Example<> get(size_t) override { return {}; }
  std::optional<size_t> size() const override { return 3; }
};
torch::Tensor run(std::optional<torch::Device> device, torch::optional<int64_t> rows) {
  c10::OptionalDeviceGuard guard(device);
  std::optional<int64_t> same = rows;
  auto x = torch::rand({same.value_or(4), 2}, torch::TensorOptions().device(device));
  return torch::layer_norm(x, {2}, /*weight=*/std::nullopt, c10::nullopt).sum(std::optional<at::ScalarType>());
}
)"}},
                        flags),
            "");
}

TEST(Shims, MapsOfParallelHashmapAreTheStandardOnes) {
  EXPECT_EQ(first_error({{"/program.cc", R"(
#include <parallel_hashmap/phmap.h>
#include <string>
#include <utility>
int main() {
  phmap::flat_hash_map<std::pair<int, int>, int> edges;
  phmap::flat_hash_map<std::string, phmap::flat_hash_set<int>> nodes;
  edges[{1, 2}] = 3;
  nodes["a"].insert(1);
  for (const auto& [name, found] : nodes) edges.insert({{1, 1}, static_cast<int>(found.size())});
  phmap::flat_hash_map<std::pair<int, int>, int>::iterator at = edges.find({1, 2});
  return at == edges.end() ? 0 : at->second;
}
)"}},
                        kLibraryFlags),
            "");
}

TEST(Shims, AVisitorIsCalledForEachAlternative) {
  std::vector<std::string> flags = {"-std=c++20", "-include", kVisitPrelude};
  EXPECT_EQ(first_error({{"/program.cc", R"(
#include <string>
#include <variant>
using Value = std::variant<int, std::string>;
struct Named : Value { using Value::Value; };
struct Counter {
  int operator()(int) const { return 1; }
  int operator()(const std::string&) const { return 2; }
};
int main() {
  Value value = 1;
  const Value fixed = std::string("a");
  std::visit([](auto& each) { each = {}; }, value);
  int sum = std::visit([](const auto& each) -> int { return sizeof(each); }, fixed);
  sum += std::visit(Counter{}, Value(2)) + std::visit(Counter{}, Named("b"));
  sum += std::visit([](const auto&, const auto&) { return 1; }, value, fixed);
  return sum + static_cast<int>(std::visit<long>(Counter{}, value));
}
)"}},
                        flags),
            "");
}

TEST(Shims, StandardFormatIsThereForAnyLibrary) {
  std::vector<std::string> flags = kLibraryFlags;
  flags.push_back("-std=c++20");
  EXPECT_EQ(first_error({{"/program.cc",
                          "#include <format>\n#include <string>\n"
                          "std::string s = std::format(\"{} {}\", 1, 2.5);\n"}},
                        flags),
            "");
}

TEST(Shims, ARenderersMatricesParse) {
  const std::string program = R"(
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/gtx/quaternion.hpp>
#include <print>
#include <string>
template <class... A>
void report(std::format_string<A...> text, A&&... values) {
  std::println(text, values...);
}
glm::mat4 view(glm::vec3 eye, float angle) {
  glm::mat4 m = glm::lookAt(eye, glm::vec3(0.0f), glm::vec3(0, 1, 0));
  m = glm::rotate(m, glm::radians(angle), glm::vec3(0, 0, 1));
  m[3][0] = eye.x + eye[1];
  glm::vec4 h = m * glm::vec4(eye, 1.0f);
  eye = glm::vec3(h) / h.w;
  eye += 0.5f * glm::normalize(glm::cross(eye, -eye)) * glm::dot(eye, eye);
  const glm::mat3 r = glm::transpose(glm::mat3(m)) * 2.0f;
  const glm::quat q = glm::normalize(glm::quat_cast(r) * glm::angleAxis(angle, eye));
  const glm::ivec2 pixel(glm::vec2(eye.x, eye.y));
  report("{} {}", pixel.x, glm::value_ptr(m)[0]);
  return glm::perspective(angle, 1.5f, 0.1f, 10.0f) * glm::mat4_cast(q) *
         glm::translate(glm::mat4(1.0f), q * eye) * glm::inverse(m);
}
)";
  std::vector<std::string> flags = kLibraryFlags;
  flags.push_back("-std=c++20");
  EXPECT_EQ(first_error({{"/program.cc", program}}, flags), "");
}

TEST(Shims, AProgramForWindowsParses) {
  EXPECT_EQ(library_error(R"(
#include <Windows.h>
#include <io.h>
#include <vector>
#include <string>
void list(std::string path, std::vector<std::string>& files) {
  struct _finddata_t file;
  intptr_t handle = _findfirst(path.append("/*").c_str(), &file);
  if (handle == -1) return;
  do {
    if (!(file.attrib & _A_SUBDIR)) files.push_back(file.name);
  } while (_findnext(handle, &file) == 0);
  _findclose(handle);
  LARGE_INTEGER now;
  QueryPerformanceCounter(&now);
  LoadLibraryA("torch_cuda.dll");
}
)"),
            "");
}

TEST(Shims, Mpi) {
  EXPECT_EQ(library_error(R"(
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double sum = rank;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
)"),
            "");
}

// Where the real library is installed its own header is the one that is read.
TEST(Shims, ARealHeaderGoesFirst) {
  const File program = {"/program.cc",
                        "#include <opencv2/opencv.hpp>\n#include <nlohmann/json.hpp>\n"
                        "real::Mat image;\ncv::Mat other;\nnlohmann::json value;\n"};
  const File real = {"/real/opencv2/opencv.hpp", "namespace real { struct Mat {}; }\n"};
  std::vector<std::string> flags = kLibraryFlags;
  flags.insert(flags.end(), {"-isystem", "/real"});
  EXPECT_NE(first_error({program, real}, flags).find("'cv'"), std::string::npos);
  // The same for a project's own copy, whose folder comes before the stand-ins.
  const File own = {"/own/nlohmann/json.hpp", "namespace nlohmann { struct json { int own; }; }\n"};
  EXPECT_EQ(first_error({{"/program.cc",
                          "#include <nlohmann/json.hpp>\n"
                          "int n = nlohmann::json().own;\n"},
                         own},
                        {"-idirafter", "/own", "-idirafter", std::string(kShimRoot) + "/include"}),
            "");
}

}  // namespace
}  // namespace placecheck::frontend
