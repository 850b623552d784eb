import type * as z from "zod/mini";
import type { tableSchema } from "./table-inputs.ts";
import type { Table } from "./table-model.ts";

/** What CreateTable or serverless.yml says of a table. */
export type TableDescription = z.infer<typeof tableSchema>;

/** A table with what DynamoDB knows of it besides its items. */
export interface NamedTable {
  readonly name: string;
  readonly arn: string;
  readonly description: TableDescription;
  readonly createdAtMs: number;
  readonly table: Table;
}

/** What everything in this room shares. */
export interface TableRoom {
  readonly now: () => number;
  readonly tables: ReadonlyMap<string, NamedTable>;
  /** Finds a table by its name or ARN. @throws TableError if there is none */
  get(id: string): NamedTable;
  /** Makes a table, or gives the one of this name this description. */
  ensure(description: TableDescription, region: string): NamedTable;
  remove(name: string): void;
  /** How many entries of the next batch are to be left undone; asking takes them. */
  takeUnprocessed(): number;
}
