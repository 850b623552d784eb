import { AwsCallError, type AwsCaller } from "../../lib/aws/aws-call.ts";
import { createTable } from "../../lib/aws/create-table.ts";
import { type Item, readAttributes, type Table } from "../../lib/aws/table.ts";
import { AwsError } from "../../local/cloud/aws-error.ts";
import { TableService } from "../../local/cloud/table/table-service.ts";

/**
 * A table of the DynamoDB model, without a network. Each call takes effect before it returns its promise.
 */
export function createMemoryTable(
  partitionKey: string,
  sortKey?: string,
): Table & { readonly items: () => Item[] } {
  const service = new TableService({ now: () => 0 });
  const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
  const { table } = service.ensure(
    {
      TableName: "t",
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: keys.map((AttributeName, index) => ({
        AttributeName,
        KeyType: index === 0 ? "HASH" : "RANGE",
      })),
    },
    "us-east-1",
  );
  const callAws: AwsCaller = async (call) => {
    try {
      return service.call(call.target.slice(call.target.indexOf(".") + 1), call.input);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      const { code, details: answer } = error;
      throw new AwsCallError(call, { code, status: 400, maybeExecuted: false, answer });
    }
  };
  return {
    ...createTable({ callAws, tableName: "t", ...(sortKey !== undefined && { sortKey }) }),
    items: () => table.all().map(readAttributes),
  };
}
