import { editDistance } from "../base/edit-distance.ts";
import { InvalidInputError } from "./errors.ts";

/**
 * Suggests the correct name.
 * @param mayHaveOthers refuses only misspelled names
 * @throws InvalidInputError
 */
export function checkOptionNames(
  call: string,
  known: readonly string[],
  given: object,
  mayHaveOthers = false,
): void {
  for (const stray of Object.keys(given).filter((name) => !known.includes(name))) {
    const most = stray.length > 4 ? 2 : mayHaveOthers ? 0 : 1;
    const meant = known.find((name) => editDistance(name.toLowerCase(), stray.toLowerCase()) <= most);
    if (meant !== undefined) throw new InvalidInputError(call, stray, `called ${meant}`);
    const rule = `left out: there is no such option. It takes { ${known.join(", ")} }`;
    if (!mayHaveOthers) throw new InvalidInputError(call, stray, rule);
  }
}
