import { oddities } from "./oddities.ts";
import type { RightCall } from "./right-call.ts";

/** A call with one thing in it that is wrong. */
export interface WrongCall {
  /** What is wrong, and where: `0.tags: symbol`. */
  readonly name: string;
  readonly args: readonly unknown[];
}

type Names = readonly (string | number)[];

/** Makes every call that differs from the right one in one place. */
export function wrongCallsOf({ args, whole = [] }: RightCall): WrongCall[] {
  return placesIn(args(), whole).flatMap((names) =>
    Object.entries(oddities).map(([oddity, make]) => ({
      name: `${names.join(".")}: ${oddity}`,
      args: replace(args(), names, make()),
    })),
  );
}

/** Lists the places of arguments: each argument, and what stands within plain objects and lists. */
function placesIn(args: readonly unknown[], whole: readonly string[]) {
  const places: Names[] = [];
  const walk = (value: unknown, names: Names): void => {
    if (names.length > 0) places.push(names);
    if (whole.includes(names.join("."))) return;
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...names, index]);
    else if (isPlain(value)) for (const [name, item] of Object.entries(value)) walk(item, [...names, name]);
  };
  for (const [index, arg] of args.entries()) walk(arg, [index]);
  return places;
}

function replace(value: unknown, [name, ...rest]: Names, by: unknown): readonly unknown[] {
  const next = rest.length === 0 ? by : replace(Reflect.get(Object(value), name ?? ""), rest, by);
  if (Array.isArray(value)) return value.map((item, index) => (index === name ? next : item));
  return { ...Object(value), [name ?? ""]: next };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
