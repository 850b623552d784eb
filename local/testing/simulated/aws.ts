import type { Answer, Post, PostRequest } from "../../../lib/aws/post.ts";
import { AwsError } from "../../cloud/aws-error.ts";
import { QueueService } from "../../cloud/queue/queue-service.ts";
import { TableService } from "../../cloud/table/table-service.ts";
import type { Clock } from "./clock.ts";
import type { Process } from "./process.ts";

/** Queues and tables in memory. */
export type Aws = ReturnType<typeof createAws>;

export interface AwsOptions {
  readonly clock: Clock;
  readonly secretOf: (secretId: string) => string | undefined;
}

export const queueNames = {
  events: "chaos-events.fifo",
  calls: "chaos-calls.fifo",
  parkedLanes: "chaos-parked-lanes.fifo",
  deadLetters: "chaos-dead-letters.fifo",
  quarantine: "chaos-quarantine",
} as const;

export const tableNames = {
  effects: "chaos-effects",
  lanes: "chaos-lanes",
  calls: "chaos-calls",
  state: "chaos-state",
  flows: "chaos-flows",
} as const;

const queuesUrl = "https://sqs.us-east-1.amazonaws.com";

export function createAws({ clock, secretOf }: AwsOptions) {
  let ids = 0;
  const queues = new QueueService({
    url: queuesUrl,
    now: clock.now,
    newId: () => {
      ids += 1;
      return `message-${ids}`;
    },
  });
  const tables = new TableService({ now: clock.now });
  provision(queues, tables);
  const carryOut = createServices(queues, tables, secretOf);
  const createInstantPostOf = (process: Process): Post => {
    return (request) => process.edge(operationOf(request), async () => carryOut(request));
  };
  const createPostOf =
    (process: Process) =>
    (_url: string): Post =>
    (request) =>
      process.edge(operationOf(request), async () => {
        await clock.sleep(1);
        const answer = carryOut(request);
        await clock.sleep(1);
        return answer;
      });
  return {
    queues,
    tables,
    /** In no time of the clock. */
    carryOut,
    createPostOf,
    /** The same in no time of the clock. */
    createInstantPostOf,
  };
}

function createServices(queues: QueueService, tables: TableService, secretOf: AwsOptions["secretOf"]) {
  const answer = (service: string, name: string, input: object): object | undefined => {
    if (service === "dynamodb") return tables.call(name, input);
    if (service === "sqs") return queues.call(name, input);
    const { SecretId, VersionStage = "AWSCURRENT" }: Record<string, unknown> = { ...input };
    const SecretString = VersionStage === "AWSCURRENT" ? secretOf(String(SecretId)) : undefined;
    return SecretString === undefined ? undefined : { SecretString };
  };
  return (request: PostRequest): Answer => {
    const [service = "", name = ""] = operationOf(request).split(".");
    try {
      const answered = answer(service, name, JSON.parse(new TextDecoder().decode(request.body)));
      if (answered !== undefined) return { status: 200, body: JSON.stringify(answered) };
      return refusal("ResourceNotFoundException", "There is no such version.");
    } catch (error) {
      if (error instanceof AwsError) return refusal(`x#${error.code}`, error.message, error.details);
      throw error;
    }
  };
}

/** `AmazonSQS.SendMessage` → `sqs.SendMessage` */
export function operationOf({ headers }: PostRequest): string {
  const [api = "", name = ""] = (headers["x-amz-target"] ?? "").split(".");
  if (api === "AmazonSQS") return `sqs.${name}`;
  return api.startsWith("DynamoDB") ? `dynamodb.${name}` : `${api}.${name}`;
}

export function refusal(type: string, message: string, details: object = {}): Answer {
  return { status: 400, body: JSON.stringify({ __type: type, message, ...details }) };
}

function provision(queues: QueueService, tables: TableService) {
  const ensure = (name: string, attributes: Record<string, string>) =>
    queues.ensure(name, { MessageRetentionPeriod: "1209600", ...attributes }, "us-east-1");
  const fifo = {
    FifoQueue: "true",
    DeduplicationScope: "messageGroup",
    FifoThroughputLimit: "perMessageGroupId",
  };
  const { arn } = ensure(queueNames.deadLetters, fifo);
  const handled = {
    ...fifo,
    VisibilityTimeout: "75",
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 1000 }),
  };
  ensure(queueNames.events, handled);
  ensure(queueNames.parkedLanes, handled);
  ensure(queueNames.calls, { ...handled, DelaySeconds: "90" });
  ensure(queueNames.quarantine, {});

  const table = (TableName: string, hash: string, range?: string) =>
    tables.ensure(
      {
        TableName,
        AttributeDefinitions: [hash, range].flatMap((name) =>
          name === undefined ? [] : [{ AttributeName: name, AttributeType: "S" as const }],
        ),
        KeySchema: [
          { AttributeName: hash, KeyType: "HASH" as const },
          ...(range === undefined ? [] : [{ AttributeName: range, KeyType: "RANGE" as const }]),
        ],
        TimeToLiveSpecification: { AttributeName: "expiration", Enabled: true },
      },
      "us-east-1",
    );
  table(tableNames.effects, "id");
  table(tableNames.lanes, "lane", "item");
  table(tableNames.calls, "call", "fact");
  table(tableNames.state, "id");
  table(tableNames.flows, "waits", "flow");
}

export function addressesIn(aws: Aws): Readonly<Record<string, string>> {
  return {
    AWS_REGION: "us-east-1",
    CHAT_BASE_URL_TEMPLATE: "https://{appId}.{service}-{region}.cometchat.io/v3",
    EVENTS_QUEUE_URL: queueUrlOf(aws, queueNames.events),
    CALLS_QUEUE_URL: queueUrlOf(aws, queueNames.calls),
    PARKED_LANES_QUEUE_URL: queueUrlOf(aws, queueNames.parkedLanes),
    QUARANTINE_QUEUE_URL: queueUrlOf(aws, queueNames.quarantine),
    DEAD_LETTER_QUEUE_URL: queueUrlOf(aws, queueNames.deadLetters),
    EFFECTS_TABLE_NAME: tableNames.effects,
    LANES_TABLE_NAME: tableNames.lanes,
    CALLS_TABLE_NAME: tableNames.calls,
    STATE_TABLE_NAME: tableNames.state,
    FLOWS_TABLE_NAME: tableNames.flows,
  };
}

export function queueUrlOf(aws: Aws, name: string): string {
  const answer: object = aws.queues.call("GetQueueUrl", { QueueName: name });
  return "QueueUrl" in answer ? String(answer.QueueUrl) : "";
}
