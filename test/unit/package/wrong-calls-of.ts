import { oddities } from "./oddities.ts";
import type { RightCall } from "./right-call.ts";

/** A call with one thing in it that is wrong. */
export interface WrongCall {
  /** What is wrong, and where: `0.tags: symbol`, `0: unheardOf beside`. */
  readonly name: string;
  readonly args: readonly unknown[];
  readonly mayBeTaken: boolean;
}

type Names = readonly (string | number)[];

/** Makes every call that differs from the right one in one place. */
export function wrongCallsOf({ args, free = [], whole = [] }: RightCall): WrongCall[] {
  return placesIn(args(), whole).flatMap(({ names, value }) => {
    const place = names.join(".");
    const replaced = Object.entries(oddities).map(([oddity, make]) => ({
      name: `${place}: ${oddity}`,
      args: replace(args(), names, make()),
      mayBeTaken: true,
    }));
    if (!isPlain(value) || free.includes(place) || whole.includes(place)) return replaced;
    const stray = { name: `${place}: unheardOf beside`, mayBeTaken: false };
    return [...replaced, { ...stray, args: replace(args(), names, { ...value, unheardOf: 1 }) }];
  });
}

/** Lists the places of arguments: each argument, and what stands within plain objects and lists. */
function placesIn(args: readonly unknown[], whole: readonly string[]) {
  const places: { names: Names; value: unknown }[] = [];
  const walk = (value: unknown, names: Names): void => {
    if (names.length > 0) places.push({ names, value });
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
