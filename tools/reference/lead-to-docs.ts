/**
 * Rewrites the pages that a declaration cites to their paths in the package, which contains docs/. In
 * backticks, because after a tag such as `@see` TypeScript reads the first word as a name, and editors show
 * it separately.
 */
export function leadToDocs(declarations: string): string {
  return declarations.replace(cited, "`cometchat-functions/$1`");
}

const cited = /(?<![\w/.`"'])(docs\/(?:[\w-]+\/)*[\w-]+\.md(?:#[\w-]+)?)(?![`"'])/g;
