#!/usr/bin/env bash
# Fails if a locked package that is installed with this one has a known vulnerability, or a locked package a wrong signature.
# A mirror of the registry may offer neither check: then it says so.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Only npm's findings count: their JSON names vulnerabilities, or packages with invalid and missing signatures.
check() {
  local said
  if said=$(npm audit "$@" --json --fetch-retries=0 2>/dev/null); then
    echo "npm audit $*: nothing found."
  elif grep -qE '^ *"(vulnerabilities|invalid)": *[[{]' <<<"$said"; then
    echo "$said" >&2
    return 1
  else
    echo "npm audit $*: skipped, as the registry does not answer it."
  fi
}
check --omit dev
check signatures
