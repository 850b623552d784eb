import { allOperations, type CatalogueOperation } from "./operations.ts";

/** Lists the operations that a client has to offer: those that are not deprecated. */
export function ownOperations(): CatalogueOperation[] {
  return allOperations().filter(({ deprecated }) => deprecated !== true);
}

/**
 * The type of a field: a name of a type, words it must be one of, the fields of an object, or a list of one
 * type.
 */
export type FieldType = string | readonly [FieldType] | Fields;

/** Fields by name; a trailing `!` says that one must be there, and `*` stands for any name. */
export interface Fields {
  readonly [name: string]: FieldType;
}

/** What an operation takes. */
export interface DocumentedInput {
  api: CatalogueOperation["api"];
  id: string;
  /** One of the body's fields is required ("any"), or a list that is not empty ("items"); assumed. */
  needs?: "any" | "items";
  query?: Fields;
  body?: Fields;
  /** The body is a form; missing: JSON. */
  form?: boolean;
}
