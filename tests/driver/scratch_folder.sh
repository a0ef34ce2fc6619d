# Sourced by the tests that run the program, whose first argument it is: from here on `$analyzer`, in
# an empty folder that goes when the test ends.
analyzer=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(mktemp -d)
trap 'chmod -R u+w "$root"; rm -rf "$root"' EXIT
cd "$root" || exit 1
# As on a command line, not under `bazel run`.
unset BUILD_WORKING_DIRECTORY
