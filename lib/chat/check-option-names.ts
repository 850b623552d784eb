import { editDistance } from "../base/edit-distance.ts";
import { InvalidInputError } from "./errors.ts";

/** Suggests the correct name. @throws InvalidInputError */
export function checkOptionNames(call: string, known: readonly string[], given: object): void {
  const stray = Object.keys(given).find((name) => !known.includes(name));
  if (stray === undefined) return;
  const most = stray.length < 5 ? 1 : 2;
  const meant = known.find((name) => editDistance(name.toLowerCase(), stray.toLowerCase()) <= most);
  const rule = `left out: there is no such option. It takes { ${known.join(", ")} }`;
  throw new InvalidInputError(call, stray, meant === undefined ? rule : `called ${meant}`);
}
