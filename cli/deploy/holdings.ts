import {
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { type AwsCaller, isNotFound, unlessNotFound } from "../../lib/aws/aws-call.ts";
import { scanTable } from "../../lib/aws/create-table.ts";
import { readQueueDepth } from "../../lib/aws/queue-counts.ts";
import { listSome } from "../../lib/base/names.ts";
import { isEventItem } from "../../lib/queue/lanes/lane-events.ts";
import { refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { keyLost, parseTemplate, readTemplate, wouldLose } from "../stack/changes.ts";
import { pacedCalls } from "../target/paced-calls.ts";
import type { Stack, Target } from "../target/target.ts";
import { toFailure } from "../to-failure.ts";
import { readPastEvents } from "./make-ready.ts";

export interface Holding {
  logicalId: string;
  kind: "queue" | "table";
  name: string;
  /** Approximate: DynamoDB counts about every six hours. */
  count?: number | undefined;
  isKept: boolean;
}

const kinds: Readonly<Record<string, Holding["kind"]>> = {
  "AWS::SQS::Queue": "queue",
  "AWS::DynamoDB::Table": "table",
};

/**
 * Omits those deleted outside CloudFormation.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
 */
export async function readHoldings({ target }: WorkContext, { name: stackName, resources }: Stack) {
  const dynamodb = target.client(DynamoDBClient, "DYNAMODB");
  const template = parseTemplate(await readTemplate(target.cloudFormation, stackName));
  const countTable = async (TableName: string) =>
    (await dynamodb.send(new DescribeTableCommand({ TableName }))).Table?.ItemCount;
  const counted = [...resources].map(async ([logicalId, { type, physicalId }]) => {
    const kind = kinds[type];
    if (kind === undefined) return [];
    const isKept = template.Resources[logicalId]?.DeletionPolicy?.startsWith("Retain") === true;
    const holding = { logicalId, kind, name: physicalId.split("/").at(-1) ?? "", isKept };
    try {
      const count = kind === "queue" ? readQueueDepth(target.callAws, physicalId) : countTable(physicalId);
      return [{ ...holding, count: await count }];
    } catch (error) {
      // Without a number: a started removal must be able to finish.
      return toFailure(error).code === "NOT_THERE" ? [] : [holding];
    }
  });
  return (await Promise.all(counted)).flat();
}

const rulesSchema = z.object({
  Rules: z.array(z.object({ Name: z.string() })),
  NextToken: z.optional(z.string()),
});

/** @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeleteEventBus.html */
export async function refuseForeignRules(
  { target, out }: WorkContext,
  { resources }: Pick<Stack, "resources">,
): Promise<void> {
  const idsOf = (wanted: string) =>
    [...resources.values()].flatMap(({ type, physicalId }) => (type === wanted ? [physicalId] : []));
  const own = idsOf("AWS::Events::Rule").map((id) => id.split("|").at(-1));
  for (const bus of idsOf("AWS::Events::EventBus")) {
    const rules = await unlessNotFound(listRules(target.callAws, bus)).catch((error: unknown) =>
      out.note(`! The event bus ${bus} may have rules of others: ${toFailure(error).message}`),
    );
    const foreign = (rules ?? []).filter((name) => !own.includes(name));
    if (foreign.length === 0) continue;
    throw refused(
      "BUS_HAS_RULES",
      `The event bus ${bus} has rules of others, and can only be deleted without them: ${listSome(foreign, 20)}. Nothing was changed.`,
      "Let their owners delete them, then run this again.",
    );
  }
}

async function listRules(callAws: AwsCaller, EventBusName: string) {
  const names: string[] = [];
  let NextToken: string | undefined;
  do {
    const input = { EventBusName, NextToken };
    const page = rulesSchema.parse(
      await callAws({ service: "events", target: "AWSEvents.ListRules", input }),
    );
    names.push(...page.Rules.map(({ Name }) => Name));
    NextToken = page.NextToken;
  } while (NextToken);
  return names;
}

/**
 * Refuses a lower retention of queues that hold messages, of which SQS would delete the older ones.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
 */
export async function refuseExpiry(
  { callAws, rereadStack }: Pick<Target, "callAws"> & { rereadStack(): Promise<Pick<Stack, "resources">> },
  running: string,
  template: string,
): Promise<void> {
  const [before, after] = [running, template].map(retentionsOf);
  const shorter = [...(before ?? [])].filter(([id, seconds]) => (after?.get(id) ?? seconds) < seconds);
  if (shorter.length === 0) return;
  const { resources } = await rereadStack();
  const counted = shorter.map(async ([id]) => {
    const url = resources.get(id)?.physicalId;
    const count = url && (await readQueueDepth(callAws, url).catch(unlessNotThere));
    return !count ? [] : [`${id} (${count})`];
  });
  const held = (await Promise.all(counted)).flat();
  if (held.length === 0) return;
  throw wouldLose(
    `Messages older than the new retention would be deleted from queues that hold messages: ${held.join(", ")}.`,
    "Repeat this when they are empty, or add --allow-loss.",
  );
}

function unlessNotThere(error: unknown) {
  if (toFailure(error).code === "NOT_THERE") return 0;
  throw error;
}

/** Of what was set aside: other messages are kept for a week at least. */
function retentionsOf(template: string) {
  const queues = Object.entries(parseTemplate(template).Resources).filter(
    ([id, { Type }]) => Type === "AWS::SQS::Queue" && /^(DeadLetter|Quarantine)/.test(id),
  );
  return new Map(queues.map(([id, { Properties }]) => [id, Number(Properties?.MessageRetentionPeriod)]));
}

/** As refuseKeyLost, for kept tables. */
export async function refuseKeptKey({ stage, client }: Pick<Target, "stage" | "client">, template: string) {
  const dynamodb = client(DynamoDBClient, "DYNAMODB");
  for (const { Type, Properties: { TableName } = {} } of Object.values(parseTemplate(template).Resources)) {
    if (Type !== "AWS::DynamoDB::Table" || typeof TableName !== "string") continue;
    const found = await unlessNotFound(dynamodb.send(new DescribeTableCommand({ TableName })));
    const key = found?.Table?.SSEDescription?.KMSMasterKeyArn;
    if (key !== undefined && !template.includes(key))
      throw keyLost(stage, `The kept table ${TableName} is`, key);
  }
}

/** LanesTable holds events that exist nowhere else while lanes are parked. */
export async function warnOfParkedEvents(context: WorkContext, tables: readonly string[]): Promise<void> {
  const { target, edges, out } = context;
  const name = `${target.stackName}-lanes`;
  if (!tables.includes(name)) return;
  try {
    // Running functions may park the first event at any moment, also after a strongly consistent read.
    for await (const { item } of scanTable(pacedCalls(context), name)) {
      if (!isEventItem(item)) continue;
      out.note(`! ${name} holds events of parked lanes, which exist nowhere else.`);
      return;
    }
  } catch (error) {
    edges.signal.throwIfAborted();
    const { message } = toFailure(error);
    out.note(
      `! ${name} may hold events of parked lanes, which exist nowhere else. It was not read: ${message}`,
    );
  }
}

export async function findKeptTables(context: WorkContext) {
  const dynamodb = context.target.client(DynamoDBClient, "DYNAMODB");
  const events = await readPastEvents(context, ["DELETE_COMPLETE"], 0);
  const names = events.flatMap(({ ResourceType, ResourceStatus, PhysicalResourceId = "" }) =>
    ResourceType === "AWS::DynamoDB::Table" && ResourceStatus === "DELETE_SKIPPED"
      ? [PhysicalResourceId]
      : [],
  );
  const found = [...new Set(names)].map(async (name) =>
    (await protectionOf(dynamodb, name)) === undefined ? [] : [name],
  );
  return (await Promise.all(found)).flat();
}

/**
 * Does not ask. May be repeated.
 * @see
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.Basics.html#WorkingWithTables.Basics.DeletionProtection
 */
export async function deleteTables(
  { target, edges: { sleep, signal } }: WorkContext,
  names: readonly string[],
): Promise<void> {
  const dynamodb = target.client(DynamoDBClient, "DYNAMODB");
  for (const TableName of names) {
    signal.throwIfAborted();
    if (await protectionOf(dynamodb, TableName)) {
      await dynamodb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
    }
    while (!(await isDeletionTaken(dynamodb, TableName))) {
      signal.throwIfAborted();
      await sleep(everyMs, signal);
    }
  }
}

const everyMs = 2_000;

/** Returns false while the table is busy with a change, such as that of its protection. */
async function isDeletionTaken(client: DynamoDBClient, TableName: string) {
  try {
    await client.send(new DeleteTableCommand({ TableName }));
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (error instanceof Error && error.name === "ResourceInUseException") return false;
    throw error;
  }
}

async function protectionOf(client: DynamoDBClient, TableName: string) {
  const found = await unlessNotFound(client.send(new DescribeTableCommand({ TableName })));
  return found && (found.Table?.DeletionProtectionEnabled ?? false);
}
