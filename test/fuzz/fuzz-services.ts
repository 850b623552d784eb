import { startDynamodbEndpoint } from "../../local/cloud/dynamodb-endpoint.ts";
import { startSqsEndpoint } from "../../local/cloud/sqs-endpoint.ts";
import { createBenchEnvironment } from "../bench/environment.ts";
import { benchSecret, startLoopback } from "../bench/loopback-aws.ts";

export const queueNames = {
  events: "fuzz-events.fifo",
  calls: "fuzz-calls.fifo",
  parkedLanes: "fuzz-parked-lanes.fifo",
  deadLetters: "fuzz-dead-letters.fifo",
  quarantine: "fuzz-quarantine",
} as const;

const tableNames = {
  effects: "fuzz-effects",
  lanes: "fuzz-lanes",
  calls: "fuzz-calls",
  state: "fuzz-state",
  flows: "fuzz-flows",
} as const;

/** What the bundles stand on: models of SQS and DynamoDB with their rules, and the least that answers like the rest. */
export async function startFuzzServices() {
  const sqs = await startSqsEndpoint();
  const dynamodb = await startDynamodbEndpoint();
  const others = await startOthers();
  const fifo = { FifoQueue: "true" };
  const ensure = (name: string) => sqs.service.ensure(name, name.endsWith(".fifo") ? fifo : {}, "us-east-1");
  for (const name of Object.values(queueNames)) ensure(name);
  ensureTable("effects", "id");
  ensureTable("lanes", "lane", "item");
  ensureTable("calls", "call", "fact");
  ensureTable("state", "id");
  ensureTable("flows", "waits", "flow");

  function ensureTable(table: keyof typeof tableNames, ...keys: readonly string[]) {
    const definition = {
      TableName: tableNames[table],
      AttributeDefinitions: keys.map((name) => ({ AttributeName: name, AttributeType: "S" as const })),
      KeySchema: keys.map((name, index) => ({
        AttributeName: name,
        KeyType: index === 0 ? ("HASH" as const) : ("RANGE" as const),
      })),
      TimeToLiveSpecification: { AttributeName: "expiration", Enabled: true },
    };
    dynamodb.service.ensure(definition, "us-east-1");
  }

  const urlOf = (name: string) => {
    const answer: object = sqs.service.call("GetQueueUrl", { QueueName: name });
    return "QueueUrl" in answer ? String(answer.QueueUrl) : "";
  };
  const environment = {
    ...(await createBenchEnvironment(others.url)),
    AWS_ENDPOINT_URL_SQS: sqs.url,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: others.url,
    EVENTS_QUEUE_URL: urlOf(queueNames.events),
    CALLS_QUEUE_URL: urlOf(queueNames.calls),
    PARKED_LANES_QUEUE_URL: urlOf(queueNames.parkedLanes),
    DEAD_LETTER_QUEUE_URL: urlOf(queueNames.deadLetters),
    QUARANTINE_QUEUE_URL: urlOf(queueNames.quarantine),
    EFFECTS_TABLE_NAME: tableNames.effects,
    LANES_TABLE_NAME: tableNames.lanes,
    CALLS_TABLE_NAME: tableNames.calls,
    STATE_TABLE_NAME: tableNames.state,
    FLOWS_TABLE_NAME: tableNames.flows,
    FLOWS_FUNCTION_NAME: "flows",
    ENABLED_TRIGGERS: "auto-reply,welcome,escalate,forward",
  };
  return {
    sqs,
    environment,
    /** Forgets all that was written; what was handled before may be handled again. */
    forget() {
      for (const { queue } of sqs.service.list()) queue.replace([]);
      for (const { table } of dynamodb.service.list()) table.replace([]);
    },
    close: () => Promise.all([sqs.close(), dynamodb.close(), others.close()]),
  };
}

/** Secrets Manager, EventBridge and the chat platform, as far as the bundles ask them. */
function startOthers() {
  let ids = 0;
  const answerTo = (target: string, method: string, text: string): { status: number; body: object } => {
    ids += 1;
    if (target === "secretsmanager.GetSecretValue") {
      return { status: 200, body: { SecretString: JSON.stringify(benchSecret) } };
    }
    if (target === "AWSEvents.PutEvents") return putEvents(text, ids);
    const data = method === "GET" ? [] : { id: String(ids), conversationId: "c", sender: "support" };
    return { status: 200, body: { data } };
  };
  return startLoopback((request, bytes, response) => {
    const target = String(request.headers["x-amz-target"] ?? "");
    const { status, body } = answerTo(target, request.method ?? "", bytes.toString("utf8"));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html */
function putEvents(text: string, id: number): { status: number; body: object } {
  const [{ DetailType = "", Detail = "" }] = JSON.parse(text).Entries;
  const detail: unknown = JSON.parse(Detail);
  const isGood = DetailType !== "" && DetailType.length <= 128 && typeof detail === "object";
  if (!isGood) return { status: 400, body: { __type: "ValidationException" } };
  return { status: 200, body: { FailedEntryCount: 0, Entries: [{ EventId: String(id) }] } };
}
