#!/usr/bin/env bash
# Tests the page in a real browser, against a built program.
#
#   bash engine/web/test.sh [--pictures DIR] path/to/anqi
#
# Installs Chromium and the node modules if they are missing; builds nothing of Rust.
# With --pictures the screenshots of the documentation are written to DIR.
set -euo pipefail

fail() {
  echo "test.sh: $*" >&2
  exit 2
}

pictures=""
if [[ "${1:-}" == "--pictures" ]]; then
  [[ -n "${2:-}" ]] || fail "--pictures needs a folder"
  mkdir -p "$2"
  pictures="$(realpath "$2")"
  shift 2
fi
[[ $# -eq 1 ]] || fail "expected the path of an anqi program, such as target/debug/anqi"
[[ -x "$1" ]] || fail "$1 is not a program"
ANQI="$(realpath "$1")"
export ANQI
cd "$(dirname "${BASH_SOURCE[0]}")"

source ./browser.sh
# The test of a phone on another address makes network namespaces.
command -v ip >/dev/null || missing+=(iproute2)
# Only the pictures need these: the page draws its pieces itself.
fc-list 2>/dev/null | grep -q "Noto Serif CJK TC" || missing+=(fonts-noto-cjk)
[[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
[[ -x "$CHROMIUM" ]] || fail "no browser at $CHROMIUM"
command -v node >/dev/null || fail "Node.js is needed"
./install.sh

npx tsc --noEmit
node build.mjs --check
PICTURES="$pictures" node --test --test-concurrency=1 --test-timeout=600000 tests/*.test.mjs
