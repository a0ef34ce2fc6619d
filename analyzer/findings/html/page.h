// The page of the HTML report, its style and its script, as they lie in this folder; built in.
// Static storage; any thread may read them.
#ifndef PLACECHECK_ANALYZER_FINDINGS_HTML_PAGE_H_
#define PLACECHECK_ANALYZER_FINDINGS_HTML_PAGE_H_

#include <functional>
#include <string_view>

namespace placecheck::findings::html {

std::string_view style();
// All scripts behind one another.
std::string_view script();

// Goes through page.html: `text` is given what stands there, `part` the names of what is to be
// filled in, written `{{name}}`.
void fill_page(const std::function<void(std::string_view)>& text,
               const std::function<void(std::string_view)>& part);

}  // namespace placecheck::findings::html

#endif  // PLACECHECK_ANALYZER_FINDINGS_HTML_PAGE_H_
