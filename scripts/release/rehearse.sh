#!/usr/bin/env bash
# Goes through publishing what `npm run pack` made, up to the upload. `rehearse.sh --publish` uploads it; begun again after it broke
# off, it uploads what is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# Whether a version is on the registry. An upload takes a registry's word only: one that does not answer has not said no.
is_published() {
  local found
  if found=$(npm view "$1" version --loglevel=error 2>"$place/said"); then
    [ -n "$found" ]
  elif [ "$mode" != --publish ] || grep -q E404 "$place/said"; then
    return 1
  else
    cat "$place/said" >&2
    echo "Whether $1 is published could not be asked, and nothing of it was uploaded. Start this run again: what is published is left alone." >&2
    exit 1
  fi
}

mode=${1:-}
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
  if is_published "$release"; then
    if [ "$mode" = --publish ]; then
      other=$(npm diff --diff="$release" --diff="$copy" --diff-name-only)
      if [ -n "$other" ]; then
        echo "$release is published already, with other content than this. These files differ:" >&2
        echo "$other" >&2
        echo "A published version stays as it is: make another release, with npm run release." >&2
        exit 1
      fi
    fi
    echo "$release is published already."
    npm pack "$copy" --dry-run
  elif [ "$mode" = --publish ]; then
    npm publish "$copy" --provenance --access public
  else
    npm publish "$copy" --dry-run
  fi
done
