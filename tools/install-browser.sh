#!/usr/bin/env bash
# Brings a Chromium for the tests of the console, where the machine has none.
set -euo pipefail

for name in "${CHROME_PATH:-chromium}" chromium-browser google-chrome google-chrome-stable; do
  command -v "$name" >/dev/null && exit 0
done
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
