import { startAwsJsonServer } from "./aws-json-server.ts";
import type { ServiceFaults } from "./faults/cloud-faults.ts";
import { TableService } from "./table/table-service.ts";

export type DynamodbEndpoint = Awaited<ReturnType<typeof startDynamodbEndpoint>>;

export async function startDynamodbEndpoint(
  options: { dataFolder?: string | undefined; now?: () => number; faults?: ServiceFaults | undefined } = {},
) {
  const service = new TableService(options);
  service.sweep();
  const server = await startAwsJsonServer({
    target: "DynamoDB_20120810",
    version: "1.0",
    faults: options.faults,
    answer: ({ operation, input, region }) => service.call(operation, input, { region }),
    describeError: ({ code }) => ({ body: { __type: `${namespaceOf(code)}#${code}` } }),
  });
  return {
    url: server.url,
    service,
    async close() {
      await server.close();
      service.close();
    },
  };
}

function namespaceOf(code: string): string {
  return code === "ValidationException" ? "com.amazon.coral.validate" : "com.amazonaws.dynamodb.v20120810";
}
