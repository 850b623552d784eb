import type { Context } from "hono";
import * as z from "zod/mini";
import { payloadOf } from "../../../lib/queue/read-queued-event.ts";
import { countSelected } from "../../../lib/queue/set-aside.ts";
import type { QueueFigures, QueueList, QueueMessage, QueueName, QueuesOverview } from "../api/queues.ts";
import { appsOf } from "../ask-platform.ts";
import { maskFields } from "../calls/mask-fields.ts";
import type { ConsoleContext } from "../console-context.ts";
import { findStack } from "../log/pick-lines.ts";
import { operatorOf } from "../operate.ts";
import {
  createQueueReader,
  groupLooked,
  queueNames,
  queueTable,
  toQueueRow,
} from "../queues/look-at-queue.ts";
import { readHindrances, readParkedLanes } from "../queues/parked-lanes.ts";
import { queueKindOf, repairQueue } from "../queues/repair-queue.ts";
import { aCount, aText, must, readFilters, readInput } from "../read-input.ts";
import { pageOf } from "../rows.ts";

const manyMessages = 500;

const querySchema = z.object({ text: aText, app: aText, trigger: aText, cause: aText, page: aCount });

const word = z.optional(z.string().check(z.minLength(1), z.maxLength(1_000)));
const orderSchema = z.strictObject({
  picked: z.strictObject({
    ids: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.minLength(1), z.maxLength(100_000))),
    ...{ app: word, trigger: word, cause: word, text: word },
  }),
  expected: z.number().check(z.int(), z.positive()),
});

/** `/api/queues`, and the repairs `POST …/replay` and `…/drop`. */
export function addQueuesRoutes({ on, world, lines }: ConsoleContext): void {
  const { cloud, platform } = world;
  const now = () => platform.services.clock.now();
  const reader = createQueueReader(cloud);
  const { services, tableOf } = operatorOf(cloud, now);
  const oldestOf = findOldest(world);
  const parkedEdges = () => ({
    ...{ cloud, lanesTable: tableOf("LanesTable", "item"), nowMs: now() },
    appIds: appsOf(world).map(({ appId }) => appId),
  });

  on.get("/api/queues", async () => {
    const queues = queueNames.map((name): QueueFigures => {
      const { title, logicalId } = queueTable[name];
      const { visible: waiting, inFlight, delayed } = cloud.queueDepth(logicalId);
      const oldestMs = oldestOf(name, waiting + inFlight + delayed);
      return { name, title, waiting, inFlight, delayed, oldestMs };
    });
    return { nowMs: now(), queues, hindrances: await readHindrances(parkedEdges()) } satisfies QueuesOverview;
  });
  on.get("/api/queues/lanes", () => readParkedLanes(parkedEdges()));
  on.get("/api/queues/:queue", (context) => {
    const queue = queueOf(context);
    const { app: appId, page, ...filter } = readFilters(context, querySchema);
    const { found, all } = reader.look(queue, { ...filter, appId });
    const isSetAside = queue === "dead-letters" || queue === "quarantine";
    const sorted = isSetAside
      ? found.toSorted((one, other) => other.facts.setAsideAt - one.facts.setAsideAt)
      : found;
    return {
      ...{ ...pageOf(sorted, page, 100, toQueueRow), nowMs: now(), all },
      counts: countSelected(found.map(({ facts }) => facts)),
      groups: isSetAside ? groupLooked(found) : [],
    } satisfies QueueList;
  });
  on.get("/api/queues/:queue/:id", (context) => {
    const queue = queueOf(context);
    const id = context.req.param("id");
    const gone = `message ${id} no longer exists. It was handled, replayed or dropped.`;
    const looked = must(reader.look(queue, { id }).found[0], `${queueTable[queue].title}: ${gone}`);
    const { body } = looked.message;
    const { finished = [], deliveryKey } = looked.facts;
    return {
      ...{ ...toQueueRow(looked), finished },
      content: maskFields(payloadOf(body) ?? body),
      stack: findStack(lines.all, "deliveryKey", deliveryKey),
    } satisfies QueueMessage;
  });
  for (const act of ["replay", "drop"] as const) {
    on.post(`/api/queues/:queue/${act}`, async (context) => {
      const queue = queueOf(context);
      queueKindOf(queue);
      const order = await readInput(context, orderSchema);
      const { signal } = context.req.raw;
      return await repairQueue({ ...order, act, queue, signal }, reader, services);
    });
  }
}

/** For thousands of messages, looked up once a second at most. */
function findOldest({ cloud }: ConsoleContext["world"]) {
  const oldest = new Map<QueueName, { readonly sentAtMs: number | undefined; readonly untilMs: number }>();
  return (name: QueueName, all: number): number | undefined => {
    const known = oldest.get(name);
    if (known !== undefined && all > manyMessages && performance.now() < known.untilMs) return known.sentAtMs;
    const sentAtMs = cloud.receiveAll(queueTable[name].logicalId)[0]?.sentAtMs;
    oldest.set(name, { sentAtMs, untilMs: performance.now() + 1_000 });
    return sentAtMs;
  };
}

function queueOf(context: Context): QueueName {
  const wanted = context.req.param("queue");
  const found = queueNames.find((name) => name === wanted);
  return must(found, `There is no queue ${wanted}. There are ${queueNames.join(", ")}.`);
}
