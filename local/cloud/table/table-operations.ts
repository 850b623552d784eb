import { defineOperation, type TableOperation } from "./define-operation.ts";
import { TableError } from "./table-error.ts";
import { inputs } from "./table-inputs.ts";
import type { NamedTable, TableRoom } from "./table-room.ts";

/** Makes the operations on whole tables. A table is there as soon as it was asked for. */
export function createTableOperations(room: TableRoom): [string, TableOperation][] {
  return [
    defineOperation("CreateTable", inputs.CreateTable, (description, region) => {
      if (room.tables.has(description.TableName)) {
        throw new TableError("ResourceInUseException", `Table already exists: ${description.TableName}`);
      }
      return { TableDescription: describe(room.ensure(description, region)) };
    }),
    defineOperation("DescribeTable", inputs.DescribeTable, ({ TableName }) => ({
      Table: describe(room.get(TableName)),
    })),
    defineOperation("DeleteTable", inputs.DeleteTable, ({ TableName }) => {
      const named = room.get(TableName);
      room.remove(named.name);
      return { TableDescription: { ...describe(named), TableStatus: "DELETING" } };
    }),
    defineOperation("ListTables", inputs.ListTables, () => ({ TableNames: [...room.tables.keys()].sort() })),
    defineOperation("UpdateTimeToLive", inputs.UpdateTimeToLive, ({ TableName, TimeToLiveSpecification }) => {
      const { description, arn } = room.get(TableName);
      room.ensure({ ...description, TimeToLiveSpecification }, arn.split(":")[3] ?? "");
      return { TimeToLiveSpecification };
    }),
    defineOperation("DescribeTimeToLive", inputs.DescribeTimeToLive, ({ TableName }) => {
      const { AttributeName, Enabled = false } =
        room.get(TableName).description.TimeToLiveSpecification ?? {};
      const status = { TimeToLiveStatus: Enabled ? "ENABLED" : "DISABLED" };
      return { TimeToLiveDescription: Enabled ? { ...status, AttributeName } : status };
    }),
  ];
}

function describe({ arn, description, createdAtMs, table }: NamedTable): object {
  const { TimeToLiveSpecification: _expiry, ...declared } = description;
  return {
    ...declared,
    TableArn: arn,
    TableStatus: "ACTIVE",
    CreationDateTime: createdAtMs / 1000,
    ItemCount: table.all().length,
    BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
  };
}
