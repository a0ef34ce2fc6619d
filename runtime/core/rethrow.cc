#include "runtime/core/rethrow.h"

#include <new>
#include <stdexcept>

#include "runtime/core/check.h"

namespace placecheck::runtime {

std::string caught_text(std::string_view kind, std::string_view where, std::string_view what) {
  return text_of("Caught ", kind, " ", where, ".\nOriginal Traceback (most recent call last):\n",
                 kind, ": ", what);
}

void rethrow_from(const std::exception_ptr& error, const std::string& where) {
  auto text = [&](const char* kind, const std::exception& original) {
    return caught_text(kind, where, original.what());
  };
  try {
    std::rethrow_exception(error);
  } catch (const RuleError& original) {
    throw RuleError(original.rule(), text("RuntimeError", original));
  } catch (const IndexError& original) {
    throw IndexError(text("IndexError", original));
  } catch (const ValueError& original) {
    throw ValueError(text("ValueError", original));
  } catch (const TypeError& original) {
    throw TypeError(text("TypeError", original));
  } catch (const KeyError& original) {
    throw KeyError(text("KeyError", original));
  } catch (const OutOfMemoryError& original) {
    throw OutOfMemoryError(text("OutOfMemoryError", original));
  } catch (const CommunicationError& original) {
    throw CommunicationError(text("CommunicationError", original));
  } catch (const std::invalid_argument& original) {
    throw std::invalid_argument(text("std::invalid_argument", original));
  } catch (const std::out_of_range& original) {
    throw std::out_of_range(text("std::out_of_range", original));
  } catch (const std::logic_error& original) {
    throw std::logic_error(text("std::logic_error", original));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& original) {
    throw Error(text("RuntimeError", original));
  }
}

}  // namespace placecheck::runtime
