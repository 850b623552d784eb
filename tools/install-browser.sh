#!/usr/bin/env bash
# Installs a browser for the tests of the console, if the machine has none. A headless shell is preferred: it opens a
# page three times as fast as a whole browser.
set -euo pipefail

has() { command -v "$1" >/dev/null; }
has "${CHROME_PATH:-chromium-headless-shell}" && exit 0
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
install() { "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
"${as_root[@]}" apt-get update -qq || true
install chromium-headless-shell fonts-dejavu-core 2>/dev/null && exit 0
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  has "$name" && exit 0
done
install chromium fonts-dejavu-core
