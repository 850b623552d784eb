import { allOperations, type CatalogueOperation } from "./operations.ts";

/** Lists the operations that a client must offer. */
export function ownOperations(): CatalogueOperation[] {
  return allOperations().filter(({ deprecated }) => deprecated !== true);
}

/** The type of a field: a type's name, allowed words, the fields of an object, or a list of one type. */
export type FieldType = string | readonly [FieldType] | Fields;

/** Fields by name: a trailing `!` means required, `*` any name. */
export interface Fields {
  readonly [name: string]: FieldType;
}

export interface DocumentedInput {
  api: CatalogueOperation["api"];
  id: string;
  /** Requires one of the body's fields ("any"), or a filled list ("items"); assumed. */
  needs?: "any" | "items";
  query?: Fields;
  body?: Fields;
  /** Whether the body is a form; default: JSON. */
  form?: boolean;
}
