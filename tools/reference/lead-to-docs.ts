/**
 * Writes of each page that a declaration cites where it lies for who has the package: docs/ is a part of that. In backticks, for of a tag such as
 * `@see` TypeScript takes the first word for a name, and editors show it apart from the rest.
 */
export function leadToDocs(declarations: string): string {
  return declarations.replace(cited, "`cometchat-functions/$1`");
}

const cited = /(?<![\w/.`"'])(docs\/(?:[\w-]+\/)?[\w-]+\.md(?:#[\w-]+)?)(?![`"'])/g;
