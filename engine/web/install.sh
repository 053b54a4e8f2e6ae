#!/usr/bin/env bash
# Installs the packages of package-lock.json where they are not installed yet. Of two at a time the second waits.
set -euo pipefail
cd "$(dirname "$0")"
if command -v flock >/dev/null; then
  exec 9<package-lock.json
  flock 9
fi
if ! cmp -s package-lock.json node_modules/.lock-of-install; then
  npm ci --no-audit --no-fund
  cp package-lock.json node_modules/.lock-of-install
fi
