import type { Context } from "hono";
import * as z from "zod/mini";
import { deadLetterKind, quarantineKind, type SetAsideKind } from "../../../cli/repair/open-operator.ts";
import type { AwsCaller } from "../../../lib/aws/aws-call.ts";
import { type DeployedFacts, readDeployedFacts } from "../../../lib/operate/doctor/deployed-facts.ts";
import { failedTriggersOf } from "../../../lib/operate/doctor/failed-triggers.ts";
import { openLaneStores } from "../../../lib/queue/lanes/lane-store.ts";
import type { OperatorServices } from "../../../lib/queue/operator-services.ts";
import { payloadOf } from "../../../lib/queue/read-queued-event.ts";
import { passedOverReason } from "../../../lib/queue/send-dead-letter.ts";
import { countSelected, type SetAside, toCounted } from "../../../lib/queue/set-aside.ts";
import type { LocalStack } from "../../stack/local-stack.ts";
import type {
  QueueFigures,
  QueueList,
  QueueMessage,
  QueueName,
  QueuesOverview,
  RepairReport,
} from "../api/queues.ts";
import { appsOf } from "../ask-platform.ts";
import { maskFields } from "../calls/call-store.ts";
import type { ConsoleContext } from "../console-context.ts";
import { refuseWhenBusy } from "../operate.ts";
import {
  groupLooked,
  type Looked,
  type QueueReader,
  queueNames,
  queueTable,
  readBlockers,
  readParkedLanes,
  readTickets,
  toQueueRow,
} from "../queues/look-at-queue.ts";
import { aCount, aText, must, readFilters, readInput, WrongInputError } from "../read-input.ts";
import { pageOf } from "../rows.ts";
import { findStack } from "./log-routes.ts";

const querySchema = z.object({ text: aText, app: aText, trigger: aText, cause: aText, page: aCount });

const word = z.optional(z.string().check(z.minLength(1), z.maxLength(1_000)));
/** Selects these ids, or all that match the filters. */
const orderSchema = z.strictObject({
  picked: z.strictObject({
    ids: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.minLength(1), z.maxLength(100_000))),
    app: word,
    trigger: word,
    cause: word,
    text: word,
  }),
  expected: z.number().check(z.int(), z.positive()),
});

export function addQueuesRoutes({ on, localStack, operator, journal, lines }: ConsoleContext): void {
  const { cloud } = localStack;
  const { reader } = journal;
  const { services, tableOf } = operator;
  const { now } = services;
  const openFailedTriggers = createFailedTriggers(localStack, services.callAws);
  const parkedEdges = () => ({
    cloud,
    stores: openLaneStores(tableOf("LanesTable", "item"), now),
    nowMs: now(),
    appIds: appsOf(localStack).map(({ appId }) => appId),
  });

  on.get("/api/queues", async () => {
    // A lane can have several tickets, or none during a pause.
    const lanes = (await readTickets(parkedEdges())).size;
    const queues = queueNames.map((name): QueueFigures => {
      const { title, logicalId } = queueTable[name];
      const { visible: waiting, inFlight, delayed } = cloud.queueDepth(logicalId);
      const oldestMs = cloud.receiveAll(logicalId)[0]?.sentAtMs;
      if (name === "parked-lanes") return { name, title, waiting: lanes, inFlight: 0, delayed: 0, oldestMs };
      return { name, title, waiting, inFlight, delayed, oldestMs };
    });
    return { nowMs: now(), queues, blockers: await readBlockers(parkedEdges()) } satisfies QueuesOverview;
  });
  on.get("/api/queues/lanes", () => readParkedLanes(parkedEdges()));
  on.get("/api/queues/:queue", async (context) => {
    const queue = queueOf(context);
    const { app: appId, page, ...filter } = readFilters(context, querySchema);
    const selection = { ...filter, appId, failedTriggersOf: await openFailedTriggers(queue) };
    const { found, all } = reader.look(queue, selection);
    const isSetAside = queue === "dead-letters" || queue === "quarantine";
    const sorted = isSetAside ? found.toSorted(newestFirst) : found;
    return {
      ...pageOf(sorted, page, 100, (looked) => toQueueRow(looked, selection.failedTriggersOf)),
      nowMs: now(),
      all,
      counts: countSelected(found.map(({ facts }) => toCounted(facts, selection))),
      groups: isSetAside ? groupLooked(found) : [],
    } satisfies QueueList;
  });
  on.get("/api/queues/:queue/:id", async (context) => {
    const queue = queueOf(context);
    const id = context.req.param("id");
    const gone = `message ${id} no longer exists. It was handled, replayed or dropped.`;
    const looked = must(reader.look(queue, { id }).found[0], `${queueTable[queue].title}: ${gone}`);
    const stack = findStack(lines.all, "deliveryKey", looked.facts.deliveryKey);
    return { ...showMessage(looked, await openFailedTriggers(queue)), stack } satisfies QueueMessage;
  });
  for (const act of ["replay", "drop"] as const) {
    on.post(`/api/queues/:queue/${act}`, async (context) => {
      const queue = queueOf(context);
      queueKindOf(queue);
      const order = await readInput(context, orderSchema);
      const { signal } = context.req.raw;
      const failedTriggersOf = await openFailedTriggers(queue);
      return await repairQueue({ ...order, act, queue, signal, failedTriggersOf }, reader, services);
    });
  }
}

function newestFirst(one: Looked, other: Looked) {
  return other.facts.setAsideAt - one.facts.setAsideAt;
}

/** Asks the function `doctor` once per version of the code what is deployed. */
function createFailedTriggers({ cloud, reload }: LocalStack, callAws: AwsCaller) {
  let asked: Promise<DeployedFacts | undefined> | undefined;
  const forget = () => {
    asked = undefined;
  };
  reload.subscribe(forget);
  const ask = () =>
    readDeployedFacts(callAws, cloud.functionNames.doctor ?? "").catch(() => {
      forget();
      return undefined;
    });
  return async (queue: QueueName) => {
    if (queue !== "dead-letters") return () => [];
    asked ??= ask();
    const facts = await asked;
    return (message: SetAside) => failedTriggersOf(message, facts);
  };
}

function showMessage(looked: Looked, failedTriggersOf: (message: SetAside) => readonly string[]) {
  const { body } = looked.message;
  const { finished = [] } = looked.facts;
  return { ...toQueueRow(looked, failedTriggersOf), finished, content: maskFields(payloadOf(body) ?? body) };
}

function queueOf(context: Context): QueueName {
  const wanted = context.req.param("queue");
  const found = queueNames.find((name) => name === wanted);
  return must(found, `There is no queue ${wanted}. There are ${queueNames.join(", ")}.`);
}

interface RepairOrder extends z.output<typeof orderSchema> {
  readonly act: "replay" | "drop";
  readonly queue: QueueName;
  readonly signal: AbortSignal;
  readonly failedTriggersOf: (message: SetAside) => readonly string[];
}

function queueKindOf(queue: QueueName): SetAsideKind {
  if (queue === "dead-letters") return deadLetterKind;
  if (queue === "quarantine") return quarantineKind;
  throw new WrongInputError(`Only dead letters and quarantine are replayed or dropped, not ${queue}.`);
}

async function repairQueue(
  order: RepairOrder,
  reader: QueueReader,
  services: OperatorServices,
): Promise<RepairReport> {
  const { act, queue, signal, expected } = order;
  const kind = queueKindOf(queue);
  const picked = lookAtPicked(order, reader);
  const ids = new Set(picked.map(({ id }) => id));
  const work = { selection: { ids }, signal };
  const end = (
    done: number,
    selected: number,
    failure: string | undefined,
    kept: readonly string[] = [],
  ) => ({
    picked: expected,
    done,
    remarks: [...kept, ...remarksOf(expected - selected, failure)],
  });
  if (act === "drop") {
    const { dropped, selected, failure } = await kind.drop(work, services);
    return end(dropped.length, selected, failure);
  }
  const { ids: named, text, cause } = order.picked;
  // Selecting only messages skipped as too old ignores their age.
  const isSelection = (named ?? text ?? cause) !== undefined;
  const ignoresAge = isSelection && picked.every(({ reason }) => reason === passedOverReason);
  const replay = kind.replay({ ...work, ignoresAge }, services);
  const { replayed, selected, failure, ...kept } = await replay.catch(refuseWhenBusy);
  const why: readonly (readonly [number, string])[] = [
    [kept.tooOld, "received more than 30 days ago."],
    [kept.passedOver, "skipped as too old. Select only these to ignore their age."],
    [kept.unreadable, "they cannot be parsed."],
  ];
  const notes = why.flatMap(([count, words]) => (count > 0 ? [`${count} not replayed: ${words}`] : []));
  return end(replayed, selected, failure, notes);
}

function remarksOf(unseen: number, failure: string | undefined): readonly string[] {
  return [
    ...(unseen > 0 ? [`${unseen} could not be read: another reader has them, or they are gone.`] : []),
    ...(failure === undefined ? [] : [`It ended early: ${failure}. Repeat it for the remaining messages.`]),
  ];
}

function lookAtPicked(
  { queue, picked, expected, failedTriggersOf }: RepairOrder,
  reader: QueueReader,
): readonly SetAside[] {
  const { ids, app: appId, ...filter } = picked;
  const selection = { ...filter, appId, failedTriggersOf, ...(ids && { ids: new Set(ids) }) };
  const { found } = reader.look(queue, selection);
  // The report counts chosen messages that are gone.
  if (found.length === expected || ids !== undefined) return found.map(({ facts }) => facts);
  throw new WrongInputError(
    `${expected} were counted, but ${found.length} are selected now. Nothing was changed. Check the selection and repeat.`,
    409,
  );
}
