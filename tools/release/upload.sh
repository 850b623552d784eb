#!/usr/bin/env bash
# Uploads the packed files of a folder: tools/release/upload.sh <folder> [--dry-run]. It needs bash, tar, Node and npm, and
# nothing installed: it runs where the registry's token is. Started again after it broke off, it uploads what is missing.
set -euo pipefail

packed=$(cd "$1" && pwd)
mode=${2:-}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# Whether a version is on the registry. An upload takes a registry's word only: one that does not answer has not said no.
is_published() {
  local found
  if found=$(npm view "$1" version --loglevel=error 2>"$place/said"); then
    [ -n "$found" ]
  elif [ "$mode" = --dry-run ] || grep -q E404 "$place/said"; then
    return 1
  else
    cat "$place/said" >&2
    echo "Whether $1 is published could not be asked, and nothing of it was uploaded. Start this run again: what is published is left alone." >&2
    exit 1
  fi
}

for file in "$packed"/*.tgz; do
  tar -xzf "$file" -C "$place" package/package.json
  release=$(node --print 'const { name, version } = require(process.argv[1]); `${name}@${version}`' "$place/package/package.json")
  # npm refuses a version that is published, also in a dry run, and until the next release this is such a one.
  if is_published "$release"; then
    if [ "$mode" != --dry-run ]; then
      other=$(npm diff --diff="$release" --diff="file:$file" --diff-name-only)
      if [ -n "$other" ]; then
        echo "$release is published already, with other content than this. These files differ:" >&2
        echo "$other" >&2
        echo "A published version stays as it is: make another release, with npm run release." >&2
        exit 1
      fi
    fi
    echo "$release is published already."
  elif [ "$mode" = --dry-run ]; then
    npm publish "$file" --dry-run
  else
    npm publish "$file" --ignore-scripts --provenance --access public
  fi
done
