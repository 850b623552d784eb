import { type Answer, NoAnswerError, type Post, type PostRequest } from "../../../lib/aws/post.ts";
import { AwsError } from "../../cloud/aws-error.ts";
import { QueueService } from "../../cloud/queue/queue-service.ts";
import { TableService } from "../../cloud/table/table-service.ts";
import type { Clock } from "./clock.ts";
import type { Fate } from "./faults.ts";
import type { Process } from "./process.ts";
import { between, type Random } from "./random.ts";

/** Queues and tables in memory, behind requests that can fail in every way. */
export interface Aws {
  readonly queues: QueueService;
  readonly tables: TableService;
  createPostOf(process: Process): (url: string) => Post;
  /** The same in no time of the clock, and without faults. */
  createInstantPostOf(process: Process): Post;
  /** Requests so far, by operation, e.g. `dynamodb.PutItem`. */
  readonly requests: ReadonlyMap<string, number>;
}

export interface AwsOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Decides the fate of a request, such as `sqs.SendMessage`. */
  readonly fateOf: (operation: string, body: string) => Fate;
  readonly onSent: (queueName: string, body: string) => void;
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

export function createAws({ clock, random, fateOf, onSent, secretOf }: AwsOptions): Aws {
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
  const requests = new Map<string, number>();

  const carryOut = createServices(queues, tables, { onSent, secretOf });

  const request = async ({ headers, body, timeoutMs }: PostRequest): Promise<Answer> => {
    const operation = operationOf(headers["x-amz-target"] ?? "");
    requests.set(operation, (requests.get(operation) ?? 0) + 1);
    const text = new TextDecoder().decode(body);
    const fate = fateOf(operation, text);
    if (fate === "not connected") {
      await clock.sleep(2);
      throw new NoAnswerError("refused", { code: "ECONNREFUSED", maybeExecuted: false });
    }
    await clock.sleep(between(random, 1, 4));
    const isCarriedOut = fate === "answered" || fate === "answer lost" || fate === "carried out in silence";
    const answer = isCarriedOut ? carryOut(operation, text) : undefined;
    if (fate === "silence" || fate === "carried out in silence") {
      await clock.sleep(timeoutMs);
      throw new NoAnswerError("no answer", { code: "ETIMEDOUT", maybeExecuted: true });
    }
    await clock.sleep(between(random, 1, 4));
    if (fate === "throttled") {
      const isQueue = operation.startsWith("sqs.");
      const code = isQueue ? "RequestThrottled" : "ThrottlingException";
      return { ...refusal(code, "Rate exceeded"), status: isQueue ? 403 : 400 };
    }
    if (answer === undefined && fate === "failed")
      return { ...refusal("InternalError", "We failed."), status: 500 };
    if (answer !== undefined && fate === "answered") return answer;
    throw new NoAnswerError("reset", { code: "ECONNRESET", maybeExecuted: true });
  };

  return {
    queues,
    tables,
    requests,
    createPostOf: (process) => () => (given) =>
      process.edge(operationOf(given.headers["x-amz-target"] ?? ""), () => request(given)),
    createInstantPostOf: (process) => (given) => {
      const operation = operationOf(given.headers["x-amz-target"] ?? "");
      return process.edge(operation, async () => carryOut(operation, new TextDecoder().decode(given.body)));
    },
  };
}

function createServices(
  queues: QueueService,
  tables: TableService,
  { onSent, secretOf }: Pick<AwsOptions, "onSent" | "secretOf">,
) {
  const answer = (service: string, name: string, input: object): object | undefined => {
    if (service === "dynamodb") return tables.call(name, input);
    if (service === "sqs") {
      const answered = queues.call(name, input);
      const { QueueUrl, MessageBody } = fieldsOf(input);
      if (name === "SendMessage") onSent(String(QueueUrl).split("/").at(-1) ?? "", String(MessageBody));
      return answered;
    }
    const { SecretId, VersionStage = "AWSCURRENT" } = fieldsOf(input);
    const SecretString = VersionStage === "AWSCURRENT" ? secretOf(String(SecretId)) : undefined;
    return SecretString === undefined ? undefined : { SecretString };
  };
  return (operation: string, body: string): Answer => {
    const [service = "", name = ""] = operation.split(".");
    try {
      const answered = answer(service, name, JSON.parse(body));
      if (answered !== undefined) return { status: 200, body: JSON.stringify(answered) };
      return refusal("ResourceNotFoundException", "There is no such version.");
    } catch (error) {
      if (error instanceof AwsError) return refusal(`x#${error.code}`, error.message, error.details);
      throw error;
    }
  };
}

function fieldsOf(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input));
}

/** `AmazonSQS.SendMessage` → `sqs.SendMessage` */
function operationOf(target: string): string {
  const [api = "", name = ""] = target.split(".");
  if (api === "AmazonSQS") return `sqs.${name}`;
  return api.startsWith("DynamoDB") ? `dynamodb.${name}` : `${api}.${name}`;
}

function refusal(type: string, message: string, details: object = {}): Answer {
  return { status: 400, body: JSON.stringify({ __type: type, message, ...details }) };
}

function provision(queues: QueueService, tables: TableService): void {
  const ensure = (name: string, attributes: Record<string, string>) =>
    queues.ensure(name, { MessageRetentionPeriod: "1209600", ...attributes }, "us-east-1");
  const fifo = { FifoQueue: "true" };
  const { arn } = ensure(queueNames.deadLetters, fifo);
  const handled = {
    ...fifo,
    VisibilityTimeout: "75",
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 1000 }),
  };
  const highThroughput = { DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" };
  ensure(queueNames.events, { ...handled, ...highThroughput });
  ensure(queueNames.parkedLanes, { ...handled, ...highThroughput });
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
