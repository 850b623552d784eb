import type { Table } from "./table.ts";
import type { TableDescription } from "./table-inputs.ts";

/** A table with what DynamoDB knows of it besides its items. */
export interface NamedTable {
  readonly name: string;
  readonly arn: string;
  readonly description: TableDescription;
  readonly createdAtMs: number;
  readonly table: Table;
}

/** What the operations need of the service. */
export interface Tables {
  get(id: string): NamedTable;
}
