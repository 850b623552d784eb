#!/usr/bin/env bash
# Packs what `npm run pack` made, lists in sbom.cdx.json what installing that brings, and rehearses the upload:
# tools/release/rehearse.sh [<folder for the packed files>]
set -euo pipefail
cd "$(dirname "$0")/../.."

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

packed=${1:-$place/packed}
mkdir -p "$packed" "$place/app"
packed=$(cd "$packed" && pwd)
for package in dist package/create; do
  copy="$place/$(basename "$package")"
  cp -R "$package" "$copy"
  # The registry takes provenance only of a package that names the repository in which it was built
  # (https://docs.npmjs.com/generating-provenance-statements).
  if [ -n "${GITHUB_REPOSITORY:-}" ]; then
    page=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY
    (cd "$copy" && npm pkg set "repository.type=git" "repository.url=git+$page.git" "homepage=$page#readme" "bugs.url=$page/issues")
  fi
  npm pack "$copy" --pack-destination "$packed"
done
(
  cd "$place/app"
  echo '{ "name": "installation", "version": "0.0.0", "private": true }' >package.json
  npm install "$packed"/*.tgz --package-lock-only --ignore-scripts --no-audit --no-fund --loglevel=error
  npm sbom --sbom-format cyclonedx --package-lock-only >"$packed/sbom.cdx.json"
)
./tools/release/upload.sh "$packed" --dry-run
