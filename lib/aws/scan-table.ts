import { isRecord } from "../base/json.ts";
import { readAttributes } from "./attribute-values.ts";
import type { AwsCaller } from "./aws-call.ts";
import type { Item } from "./table.ts";

/**
 * Reads all items of a table, page by page. For operators: it costs a read of the whole table.
 * @throws AwsCallError if the table does not answer
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html
 */
export async function* scanTable(callAws: AwsCaller, tableName: string): AsyncGenerator<Item, void> {
  let after: object = {};
  for (;;) {
    const answer = await callAws({
      service: "dynamodb",
      target: "DynamoDB_20120810.Scan",
      input: { TableName: tableName, ConsistentRead: true, ...after },
    });
    const { Items, LastEvaluatedKey } = isRecord(answer) ? answer : {};
    if (Array.isArray(Items)) yield* Items.map(readAttributes);
    if (LastEvaluatedKey === undefined) return;
    after = { ExclusiveStartKey: LastEvaluatedKey };
  }
}
