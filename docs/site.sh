#!/bin/sh
# Builds the documentation site in site/: `./bazelw run //docs:site`, or `-- serve` to read it while it is written.
# What that takes is fetched once from the Python package index, by the digests in requirements.txt.
set -eu
cd "${BUILD_WORKSPACE_DIRECTORY:-$(dirname "$(readlink -f "$0")")/..}"

packages=.cache/docs/$(sha256sum docs/requirements.txt | cut -c1-16)
if [ ! -d "$packages" ]; then
  # Debian's pip refuses to install for the system, and takes a folder.
  python3 -m pip install --quiet --no-deps --require-hashes --target "$packages.new" -r docs/requirements.txt
  mv "$packages.new" "$packages"
fi

[ "$#" -gt 0 ] || set -- build --strict
NO_MKDOCS_2_WARNING=1 PYTHONPATH="$PWD/$packages" exec python3 -m mkdocs "$@"
