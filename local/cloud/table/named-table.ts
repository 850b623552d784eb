import type { Table } from "./table.ts";
import type { TableDescription } from "./table-inputs.ts";

export interface NamedTable {
  readonly name: string;
  readonly arn: string;
  readonly description: TableDescription;
  readonly createdAtMs: number;
  readonly table: Table;
}

export interface Tables {
  get(id: string): NamedTable;
}
