#!/usr/bin/env bash
# Goes through publishing what `npm run pack` made, up to the upload. `rehearse.sh --publish` uploads it; begun again after it broke
# off, it uploads what is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for package in dist package/create; do
  copy="$place/$(basename "$package")"
  cp -R "$package" "$copy"
  # The registry takes provenance only of a package that names the repository in which it was built
  # (https://docs.npmjs.com/generating-provenance-statements).
  if [ -n "${GITHUB_REPOSITORY:-}" ]; then
    (cd "$copy" && npm pkg set "repository.type=git" "repository.url=git+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git")
  fi
  release=$(node --print 'const { name, version } = require(process.argv[1]); `${name}@${version}`' "$copy/package.json")
  # npm refuses a version that is published, also in a dry run, and until the next release this is such a one.
  if [ -n "$(npm view "$release" version 2>/dev/null || true)" ]; then
    echo "$release is published already."
    npm pack "$copy" --dry-run
  elif [ "${1:-}" = --publish ]; then
    npm publish "$copy" --provenance --access public
  else
    npm publish "$copy" --dry-run
  fi
done
