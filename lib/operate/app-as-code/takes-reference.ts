import type * as z from "zod/mini";
import { secretReferenceSchema } from "./secret-reference.ts";

/**
 * Returns whether a reference may stand in a place of a file: the schema says so, leaves the
 * value free, or does not have the place.
 * @param path from the schema's value
 */
export function takesReference(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  const there = path.reduce<readonly z.core.$ZodType[]>(
    (schemas, name) => schemas.flatMap((one) => innerOf(one, name)),
    optionsOf(schema),
  );
  return there.length === 0 || there.some((one) => one === secretReferenceSchema || isFree(one));
}

function isFree({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type === "custom" || def.type === "unknown" || def.type === "any";
}

/** Without wrappers. */
function optionsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { innerType, options, getter } = Object(schema._zod.def);
  if (Array.isArray(options)) return options.flatMap(optionsOf);
  if (typeof getter === "function") return optionsOf(getter());
  return innerType === undefined ? [schema] : optionsOf(innerType);
}

function innerOf(schema: z.core.$ZodType, name: PropertyKey): readonly z.core.$ZodType[] {
  if (isFree(schema)) return [schema];
  if (schema === secretReferenceSchema) return [];
  const { shape = {}, catchall, element, valueType } = Object(schema._zod.def);
  const own = Object.hasOwn(shape, name) ? shape[name] : catchall;
  const inner = own ?? element ?? valueType;
  return inner === undefined || inner._zod.def.type === "never" ? [] : optionsOf(inner);
}
