// An error that another thread caught, thrown where its result is asked for, in the words of
// Python's ExceptionWrapper. Threads: any.
#ifndef PLACECHECK_RUNTIME_CORE_RETHROW_H_
#define PLACECHECK_RUNTIME_CORE_RETHROW_H_

#include <exception>
#include <string>
#include <string_view>

namespace placecheck::runtime {

// Throws what `error` holds, as the kind it is, with the text
//   Caught KeyError {where}.
//   Original Traceback (most recent call last):
//   KeyError: {its text}
// A RuleError keeps its rule; a class of its own becomes an Error. C++ has no frames to show. What
// has no text, and std::bad_alloc, leaves as it came.
[[noreturn]] void rethrow_from(const std::exception_ptr& error, const std::string& where);

// That text: `kind` is the Python class of the error, `what` its own text.
std::string caught_text(std::string_view kind, std::string_view where, std::string_view what);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_RETHROW_H_
