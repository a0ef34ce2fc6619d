#!/bin/sh
# What --version says of the commit; nothing outside of a checkout.
commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || exit 0
[ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || commit="$commit-modified"
echo "STABLE_COMMIT $commit"
