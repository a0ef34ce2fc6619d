#!/bin/sh
# Writes a C++ file that holds the page, its style, and its scripts in the order of the arguments.
#
# Usage: embed.sh PAGE STYLE SCRIPT...
set -eu

literals() {
  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' -e 's/$/\\n"/' "$@"
}

page=$1
style=$2
shift 2
cat <<'HEAD'
#include "analyzer/findings/html/page.h"

namespace placecheck::findings::html {

std::string_view page();

HEAD
for each in page style script; do
  printf 'std::string_view %s() {\n  static constexpr std::string_view kText =\n' "$each"
  case $each in
    page) literals "$page" ;;
    style) literals "$style" ;;
    script) literals "$@" ;;
  esac
  printf '      ;\n  return kText;\n}\n\n'
done
echo '}  // namespace placecheck::findings::html'
