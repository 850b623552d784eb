import * as z from "zod/mini";

type Schema = z.core.$ZodType;

/** Lists the keys that objects may have in a place of a schema; of alternatives, those of each. */
export function keysAt(schema: Schema, path: readonly PropertyKey[]): readonly string[] {
  const objects = schemasAt(schema, path).filter((found) => found instanceof z.core.$ZodObject);
  return [...new Set(objects.flatMap((object) => Object.keys(object._zod.def.shape)))];
}

/** Gives the choice in a place of a schema; its options are in the order in which its issues list them. */
export function choiceAt(schema: Schema, path: readonly PropertyKey[]): z.core.$ZodUnion | undefined {
  return path.reduce(step, [schema]).map(unwrap).find(isUnion);
}

/** Every schema that a value in a place may have, without what only says that it need not be there. */
function schemasAt(schema: Schema, path: readonly PropertyKey[]): readonly Schema[] {
  return path.reduce(step, [schema]).flatMap(expand);
}

function step(schemas: readonly Schema[], key: PropertyKey): readonly Schema[] {
  return schemas.flatMap(expand).flatMap((schema) => {
    if (schema instanceof z.core.$ZodObject) return schema._zod.def.shape[String(key)] ?? [];
    if (schema instanceof z.core.$ZodArray) return schema._zod.def.element;
    return schema instanceof z.core.$ZodRecord ? schema._zod.def.valueType : [];
  });
}

function expand(schema: Schema): readonly Schema[] {
  const inner = unwrap(schema);
  return isUnion(inner) ? inner._zod.def.options.flatMap(expand) : [inner];
}

function unwrap(schema: Schema): Schema {
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodReadonly
  ) {
    return unwrap(schema._zod.def.innerType);
  }
  return schema instanceof z.core.$ZodPipe ? unwrap(schema._zod.def.in) : schema;
}

function isUnion(schema: Schema): schema is z.core.$ZodUnion {
  return schema instanceof z.core.$ZodUnion;
}
