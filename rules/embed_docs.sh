#!/bin/sh
# Writes a C++ file that holds the pages named as arguments, one string literal a line.
set -eu
cat <<'HEAD'
#include "rules/docs.h"

namespace placecheck::rules {
namespace {

struct Page {
  std::string_view id;
  std::string_view text;
};

constexpr Page kPages[] = {
HEAD
for page in "$@"; do
  printf '    {"%s",\n' "$(basename "$page" .md)"
  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/     "/' -e 's/$/\\n"/' "$page"
  printf '    },\n'
done
cat <<'TAIL'
};

}  // namespace

std::string_view page(std::string_view id) {
  for (const Page& page : kPages) {
    if (page.id == id) return page.text;
  }
  return {};
}

}  // namespace placecheck::rules
TAIL
