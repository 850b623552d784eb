import type { ServerResponse } from "node:http";
import type { StackModel } from "./stack-model.ts";

/** Tables with a change in progress. */
const updating = new Set<string>();
const protectedTables = new WeakMap<StackModel, Set<string>>();

/**
 * Answers for tables as far as the removal of a deployment needs: those that stacks created and that still
 * exist.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html
 */
export function answerTables(
  model: StackModel,
  call: string,
  body: Buffer,
  response: ServerResponse,
  {
    isSlowToUnprotect: isSlow,
    parkedEvents,
    tableKey: KMSMasterKeyArn,
  }: { isSlowToUnprotect: boolean; parkedEvents: number; tableKey?: string | undefined },
): void {
  const { TableName: name, DeletionProtectionEnabled: wanted } = JSON.parse(body.toString("utf8"));
  const key = `AWS::DynamoDB::Table ${name}`;
  const unprotected = protectedTables.get(model) ?? new Set();
  protectedTables.set(model, unprotected);
  const refuse = (type: string, message: string) =>
    response
      .writeHead(400)
      .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));
  if (!model.takenNames.has(key)) {
    refuse("ResourceNotFoundException", `Requested resource not found: Table: ${name} not found`);
    return;
  }
  const isProtected = !unprotected.has(name);
  if (call.endsWith("UpdateTable") && wanted === false) {
    unprotected.add(name);
    if (isSlow) updating.add(name);
  }
  if (call.endsWith("Scan")) {
    const count = name.endsWith("-lanes") ? parkedEvents : 0;
    const Items = Array.from({ length: count }, (_, at) => ({
      lane: { S: "a-lane" },
      item: { S: `event ${String(at).padStart(3, "0")} 00` },
    }));
    response.writeHead(200).end(JSON.stringify({ Items }));
    return;
  }
  if (call.endsWith("DeleteTable")) {
    // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html
    if (updating.delete(name)) {
      refuse("ResourceInUseException", `Table is being updated: ${name}`);
      return;
    }
    if (isProtected) {
      refuse(
        "ValidationException",
        "Resource cannot be deleted as it is currently protected against deletion.",
      );
      return;
    }
    model.takenNames.delete(key);
    unprotected.delete(name);
  }
  const SSEDescription = KMSMasterKeyArn && { KMSMasterKeyArn };
  const Table = { TableName: name, ItemCount: 3, DeletionProtectionEnabled: isProtected, SSEDescription };
  response.writeHead(200).end(JSON.stringify({ Table }));
}

/** Counts the messages of a queue. */
export function answerQueues(
  body: Buffer,
  { messages, goneQueues }: { messages: ReadonlyMap<string, number>; goneQueues: ReadonlySet<string> },
  response: ServerResponse,
): void {
  const { QueueUrl: url = "" } = JSON.parse(body.toString("utf8"));
  const name = String(url).split("/").at(-1) ?? "";
  if (goneQueues.has(name)) {
    const __type = "com.amazonaws.sqs#QueueDoesNotExist";
    response.writeHead(400).end(JSON.stringify({ __type, message: "The specified queue does not exist." }));
    return;
  }
  const Attributes = {
    ApproximateNumberOfMessages: String(messages.get(name) ?? 0),
    ApproximateNumberOfMessagesNotVisible: "0",
    ApproximateNumberOfMessagesDelayed: "0",
  };
  response.writeHead(200).end(JSON.stringify({ Attributes }));
}
