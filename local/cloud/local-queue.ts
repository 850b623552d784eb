import type { CloudResource } from "./cloud-report.ts";
import { localAccountId } from "./local-aws.ts";
import type { SqsEndpoint } from "./sqs-endpoint.ts";

export interface QueueOwner {
  readonly sqs: SqsEndpoint;
  readonly region: string;
}

/** Returns the local names of a declared AWS::SQS::Queue before it is created, as queues refer to one another. */
export function identifyQueue(
  properties: Record<string, unknown>,
  defaultName: string,
  { sqs, region }: QueueOwner,
): CloudResource & { url: string } {
  const suffix = properties.FifoQueue === true ? ".fifo" : "";
  const name = typeof properties.QueueName === "string" ? properties.QueueName : defaultName + suffix;
  return {
    type: "queue",
    name,
    arn: `arn:aws:sqs:${region}:${localAccountId}:${name}`,
    url: `${sqs.url}/${localAccountId}/${name}`,
  };
}

/** Creates a queue, or applies its declared settings to the existing one. */
export function declareQueue(
  { name }: { name: string },
  properties: Record<string, unknown>,
  { sqs, region }: QueueOwner,
): void {
  const { QueueName: _name, Tags: _tags, ...settings } = properties;
  const attributes = Object.entries(settings).map(([key, value]) => [
    key,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  sqs.service.ensure(name, Object.fromEntries(attributes), region);
}
