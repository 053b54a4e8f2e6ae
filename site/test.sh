#!/usr/bin/env bash
# Tests a site that site/build has written: the package under Node.js, and the page's browser tests on its workers.
#
#   bash site/test.sh OUT          the package, and browser tests of each kind
#   bash site/test.sh OUT --all    the package, and every browser test that needs no server
set -euo pipefail

fail() {
  echo "site/test.sh: $*" >&2
  exit 2
}

[[ $# -ge 1 && -f "$1/index.html" ]] || fail "expected a folder that site/build has written"
SITE="$(realpath "$1")"
export SITE
all="${2:-}"
[[ -z "$all" || "$all" == --all ]] || fail "'$all' is not an option (expected --all)"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

node --test --test-timeout=300000 site/tests/*.test.mjs

source engine/web/browser.sh
[[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
cd engine/web/tests
kinds=(mouse game study lessons)
names='a whole game by mouse|undo keeps the deal|a reload and a lost connection|hint, resignation, and what is hidden|tables give every action|position strings and links|ideas are told in Chinese'
if [[ -n "$all" ]]; then
  node --test --test-concurrency=1 --test-timeout=600000 ./*.test.mjs
else
  node --test --test-concurrency=1 --test-timeout=300000 --test-name-pattern="$names" "${kinds[@]/%/.test.mjs}"
fi
