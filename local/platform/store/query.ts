import { badRequest, ensureField } from "../errors/platform-error.ts";
import type { Range } from "./condition.ts";

/** All are optional on the wire. */
export type Query = {
  hasOnly(names: readonly string[]): boolean;
  text(name: string): string | undefined;
  /**
   * True for `true` and `1`, false for `false` and `0`.
   * @throws PlatformError ERR_BAD_REQUEST for anything else
   */
  flag(name: string): boolean | undefined;
  /** @throws PlatformError ERR_BAD_REQUEST if it is no integer */
  integer(name: string): number | undefined;
  /** Reads both array styles: `tags=a,b` and `tags=a&tags=b` (also `tags[]=a`). Undefined when absent. */
  list(name: string): string[] | undefined;
  /** Reads `name[from]`, `name[to]`, `name[gt|gte|lt|lte|eq]`. Undefined when none is there. */
  range(name: string): Range | undefined;
};

export function createQuery(parameters: URLSearchParams): Query {
  const integer = (name: string): number | undefined => {
    const value = parameters.get(name);
    if (value === null || value === "") return undefined;
    ensureField(/^-?\d{1,15}$/.test(value), name, `The ${name} must be an integer.`);
    return Number(value);
  };
  return {
    hasOnly: (names) => [...parameters.keys()].every((name) => names.includes(name)),
    text: (name) => parameters.get(name) ?? undefined,
    integer,
    flag(name) {
      const value = parameters.get(name);
      if (value === null || value === "") return undefined;
      if (value === "true" || value === "1") return true;
      if (value === "false" || value === "0") return false;
      throw badRequest({ [name]: `The ${name} field must be true or false.` });
    },
    list(name) {
      const values = [...parameters.getAll(name), ...parameters.getAll(`${name}[]`)]
        .flatMap((value) => value.split(","))
        .map((value) => value.trim())
        .filter((value) => value !== "");
      return values.length === 0 ? undefined : values;
    },
    range(name) {
      const range: Range = {};
      for (const bound of bounds) {
        const value = integer(`${name}[${bound}]`);
        if (value !== undefined) range[bound] = value;
      }
      return Object.keys(range).length === 0 ? undefined : range;
    },
  };
}

const bounds = ["from", "to", "gt", "gte", "lt", "lte", "eq"] as const;
