// Whether this thread records operations for gradients.
#ifndef PLACECHECK_RUNTIME_AUTOGRAD_GRAD_MODE_H_
#define PLACECHECK_RUNTIME_AUTOGRAD_GRAD_MODE_H_

namespace placecheck::runtime {

class GradMode {
 public:
  static bool is_enabled();
  static void set_enabled(bool enabled);
};

// Sets it for a scope.
class AutoGradMode {
 public:
  explicit AutoGradMode(bool enabled) : previous_(GradMode::is_enabled()) {
    GradMode::set_enabled(enabled);
  }
  ~AutoGradMode() { GradMode::set_enabled(previous_); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;

 private:
  bool previous_;
};

class NoGradGuard : public AutoGradMode {
 public:
  NoGradGuard() : AutoGradMode(false) {}
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_AUTOGRAD_GRAD_MODE_H_
