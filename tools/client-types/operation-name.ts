import { methodNames, nouns } from "./nouns.ts";
import type { OperationFacts } from "./read-families.ts";

/** Returns verb, noun, and the rest of the operation's name. */
export function operationName({ family, method }: Pick<OperationFacts, "family" | "method">): string {
  const known = methodNames[`${family}.${method}`];
  if (known !== undefined) return known;
  const [verb = method] = method.split(/(?=[A-Z])/, 1);
  return `${capital(verb)}${nounOf(family, verb === "list")}${method.slice(verb.length)}`;
}

export function singular(name: string): string {
  return /[^su]s$/.test(name) ? name.slice(0, -1) : name;
}

export function capital(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function nounOf(family: string, isMany: boolean) {
  const noun = nouns[family] ?? capital(singular(family));
  if (typeof noun !== "string") return isMany ? noun[1] : noun[0];
  return isMany ? `${noun}s` : noun;
}
