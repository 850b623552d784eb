/**
 * Rewrites cited pages to their paths in the package. In backticks, because TypeScript reads the first word
 * after a tag such as `@see` as a name, and editors show it separately.
 */
export function leadToDocs(declarations: string): string {
  return declarations.replace(cited, "`cometchat-functions/$1`");
}

const cited = /(?<![\w/.`"'])(docs\/(?:[\w-]+\/)*[\w-]+\.md(?:#[\w-]+)?)(?![`"'])/g;
