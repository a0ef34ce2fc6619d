#include "analyzer/findings/html/page.h"

#include <cstddef>

namespace placecheck::findings::html {

std::string_view page();  // embedded

void fill_page(const std::function<void(std::string_view)>& text,
               const std::function<void(std::string_view)>& part) {
  std::string_view rest = page();
  while (!rest.empty()) {
    const std::size_t open = rest.find("{{");
    text(rest.substr(0, open));
    if (open == std::string_view::npos) return;
    rest.remove_prefix(open + 2);
    const std::size_t close = rest.find("}}");
    part(rest.substr(0, close));
    rest.remove_prefix(close + 2);
  }
}

}  // namespace placecheck::findings::html
