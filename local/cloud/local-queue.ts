import { CreateQueueCommand, SetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { CloudResource } from "./cloud-report.ts";
import { localAccountId, localCredentials } from "./local-aws.ts";

export interface QueueOwner {
  readonly endpoint: string;
  readonly region: string;
}

/** Says what a declared AWS::SQS::Queue is called locally, before it exists: queues refer to one another. */
export function identifyQueue(
  properties: Record<string, unknown>,
  defaultName: string,
  { endpoint, region }: QueueOwner,
): CloudResource & { url: string } {
  const suffix = properties.FifoQueue === true ? ".fifo" : "";
  const name = typeof properties.QueueName === "string" ? properties.QueueName : defaultName + suffix;
  return {
    type: "queue",
    name,
    arn: `arn:aws:sqs:${region}:${localAccountId}:${name}`,
    url: `${endpoint}/${localAccountId}/${name}`,
  };
}

/** Creates a queue, or gives the one of an earlier run its declared settings. */
export async function createQueue(
  { name, url }: { name: string; url: string },
  properties: Record<string, unknown>,
  { endpoint, region }: QueueOwner,
): Promise<void> {
  const client = new SQSClient({ endpoint, region, credentials: localCredentials });
  const { QueueName: _name, Tags: _tags, ...settings } = properties;
  const Attributes = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]),
  );
  try {
    await client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "QueueNameExists") throw error;
    await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes }));
  } finally {
    client.destroy();
  }
}
