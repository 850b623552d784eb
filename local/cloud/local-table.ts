import type { CloudResource } from "./cloud-report.ts";
import type { DynamodbEndpoint } from "./dynamodb-endpoint.ts";
import { tableSchema } from "./table/table-inputs.ts";

/**
 * Creates a declared AWS::DynamoDB::Table, or finds the one of an earlier run. Keys, indexes and the time to live are
 * taken; everything else (encryption, backups, streams) has no meaning here.
 */
export function declareTable(
  properties: Record<string, unknown>,
  defaultName: string,
  { dynamodb, region }: { dynamodb: DynamodbEndpoint; region: string },
): CloudResource {
  const description = tableSchema.parse({ TableName: defaultName, ...properties });
  const { name, arn } = dynamodb.service.ensure(description, region);
  return { type: "table", name, arn };
}
