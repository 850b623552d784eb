import type { Context, Hono } from "hono";
import * as z from "zod/mini";
import { listApps } from "../../platform/store/apps.ts";
import type {
  ParkedLanes,
  QueueFigures,
  QueueList,
  QueueMessage,
  QueueName,
  QueuesOverview,
  RepairReport,
} from "../api/queues.ts";
import { maskFields } from "../calls/mask-fields.ts";
import type { ConsoleContext } from "../console-context.ts";
import { type ConsoleOperator, operatorOf } from "../operate.ts";
import {
  countLooked,
  createQueueReader,
  groupLooked,
  type QueueReader,
  toQueueRow,
} from "../queues/look-at-queue.ts";
import { readHindrances, readParkedLanes } from "../queues/parked-lanes.ts";
import { queueNames, queueTable } from "../queues/queue-table.ts";
import { contentOfMessage } from "../queues/read-message.ts";
import { dropPicked, queueKindOf, type RepairOrder, replayPicked } from "../queues/repair-queue.ts";
import { readInput, WrongInputError } from "../read-input.ts";
import { aCount, aText, readFilters } from "./read-filters.ts";

const manyMessages = 500;

const querySchema = z.object({
  text: aText,
  app: aText,
  trigger: aText,
  cause: aText,
  skip: aCount,
  limit: aCount,
});

const word = z.optional(z.string().check(z.minLength(1), z.maxLength(1_000)));
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

/** `/api/queues`, and the repairs `POST …/replay` and `…/drop`. */
export function addQueuesRoutes(app: Hono, parts: Pick<ConsoleContext, "world" | "lines">): void {
  const { cloud, platform } = parts.world;
  const reader = createQueueReader(cloud);
  const operator = operatorOf(cloud, () => platform.clock.now());
  addOverview(app, parts, operator);
  addMessages(app, parts, reader);
  addRepairs(app, parts, { reader, operator });
}

function addOverview(app: Hono, { world }: Pick<ConsoleContext, "world">, operator: ConsoleOperator): void {
  const { cloud, platform } = world;
  const { redactor, clock, db } = platform.services;
  const now = () => clock.now();
  const oldest = new Map<QueueName, { readonly sentAtMs: number | undefined; readonly untilMs: number }>();
  const parkedEdges = () => ({
    cloud,
    lanesTable: operator.tableOf("LanesTable", "item"),
    appIds: listApps(db).map(({ appId }) => appId),
    nowMs: now(),
    redact: (text: string) => redactor.text(text),
  });

  app.get("/api/queues", async (context) => {
    const overview: QueuesOverview = {
      nowMs: now(),
      queues: queueNames.map((name) => figuresOf(name)),
      hindrances: await readHindrances(parkedEdges()),
    };
    return context.json(overview);
  });
  app.get("/api/queues/lanes", async (context) => {
    const lanes: ParkedLanes = await readParkedLanes(parkedEdges());
    return context.json(lanes);
  });

  function figuresOf(name: QueueName): QueueFigures {
    const { title, logicalId } = queueTable[name];
    const { visible: waiting, inFlight, delayed } = cloud.queueDepth(logicalId);
    const all = waiting + inFlight + delayed;
    return { name, title, waiting, inFlight, delayed, oldestMs: all === 0 ? undefined : oldestOf(name, all) };
  }

  /** For thousands of messages, computed once a second at most. */
  function oldestOf(name: QueueName, all: number): number | undefined {
    const known = oldest.get(name);
    if (known !== undefined && all > manyMessages && performance.now() < known.untilMs) return known.sentAtMs;
    const sentAtMs = cloud.receiveAll(queueTable[name].logicalId)[0]?.sentAtMs;
    oldest.set(name, { sentAtMs, untilMs: performance.now() + 1_000 });
    return sentAtMs;
  }
}

function addMessages(
  app: Hono,
  { world, lines }: Pick<ConsoleContext, "world" | "lines">,
  reader: QueueReader,
): void {
  const { redactor, clock } = world.platform.services;
  const redact = (text: string) => redactor.text(text);

  app.get("/api/queues/:queue", (context) => {
    const queue = queueOf(context);
    const { app: appId, trigger, cause, text, skip = 0, limit = 100 } = readFilters(context, querySchema);
    const { found, all } = reader.look(queue, { appId, trigger, cause, text });
    const isSetAside = queue === "dead-letters" || queue === "quarantine";
    const sorted = isSetAside
      ? found.toSorted((one, other) => other.facts.setAsideAt - one.facts.setAsideAt)
      : found;
    const end = skip + Math.min(limit, 200);
    const list: QueueList = {
      nowMs: clock.now(),
      messages: sorted.slice(skip, end).map((looked) => toQueueRow(looked, redact)),
      hasMore: sorted.length > end,
      counts: countLooked(found),
      groups: isSetAside ? groupLooked(found, redact) : [],
      all,
    };
    return context.json(list);
  });
  app.get("/api/queues/:queue/:id", (context) => {
    const queue = queueOf(context);
    const id = context.req.param("id");
    const [looked] = reader.look(queue, { id }).found;
    if (looked === undefined)
      throw new WrongInputError(
        `${queueTable[queue].title}: message ${id} no longer exists. It was handled, replayed or dropped.`,
        404,
      );
    const message: QueueMessage = {
      ...toQueueRow(looked, redact),
      content: maskFields(redact(contentOfMessage(looked.message))),
      finished: looked.facts.finished ?? [],
      stack: stackOf(lines, looked.facts.deliveryKey, redact),
    };
    return context.json(message);
  });
}

function addRepairs(
  app: Hono,
  { world }: Pick<ConsoleContext, "world">,
  { reader, operator }: { reader: QueueReader; operator: ConsoleOperator },
): void {
  // A message's age goes by the local stack's time.
  const services = { ...operator.services, now: () => world.platform.services.clock.now() };
  for (const [act, run] of [
    ["replay", replayPicked],
    ["drop", dropPicked],
  ] as const) {
    app.post(`/api/queues/:queue/${act}`, async (context) => {
      const queue = queueOf(context);
      queueKindOf(queue);
      const { picked, expected } = await readInput(context, orderSchema);
      const order: RepairOrder = { queue, picked, expected, signal: context.req.raw.signal };
      const report: RepairReport = await run(order, { services, reader });
      return context.json(report);
    });
  }
}

function stackOf(
  { lines }: ConsoleContext["lines"],
  deliveryKey: string | undefined,
  redact: (text: string) => string,
): string | undefined {
  if (deliveryKey === undefined) return undefined;
  const line = lines.findLast(({ text, read }) => {
    if (!text.includes('"stack"')) return false;
    const { fields } = read();
    return fields.deliveryKey === deliveryKey && typeof fields.stack === "string";
  });
  return line === undefined ? undefined : redact(String(line.read().fields.stack));
}

function queueOf(context: Context): QueueName {
  const wanted = context.req.param("queue");
  const found = queueNames.find((name) => name === wanted);
  if (found !== undefined) return found;
  throw new WrongInputError(`There is no queue ${wanted}. There are ${queueNames.join(", ")}.`, 404);
}
