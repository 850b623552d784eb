import { durationMs } from "../../../lib/base/config-fields.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import type { PauseTarget } from "../../../lib/effects/health/pause-settings.ts";
import type { AppEvent } from "../../../lib/events/app-event.ts";
import { identify } from "../../../lib/events/identity.ts";
import type { FlowDefinition } from "../../../lib/flows/define-flow.ts";
import type { TriggerTable } from "../../../lib/handle/on-trigger.ts";
import { toQueueMessage } from "../../../lib/queue/enqueue.ts";
import { createPauseStore, type PauseStore } from "../../../lib/queue/pauses/pause-store.ts";
import { seedOfEvent } from "../../platform/seed-of-event.ts";
import { defaultTime } from "../events/body.ts";
import { queueNames, tableNames } from "../simulated/aws.ts";
import type { Later, LaterEvent, StoryOptions } from "../story-options.ts";
import type { LogLine, OutsideRequestMade, StoryOutcome, WouldHave } from "../story-outcome.ts";
import { appOfStory } from "./app-of-story.ts";
import { type Exchange, readSent } from "./exchanges.ts";
import { openKitTable, readRemembered } from "./kit-tables.ts";
import { operateKitFlows, readRun } from "./played-flows.ts";
import { createSimulation, type Simulation } from "./simulation.ts";

export interface Story {
  readonly triggers: TriggerTable;
  readonly appId: string;
  /** What the app must contain, except for later events. */
  readonly about: readonly object[];
  readonly deliveries: readonly object[];
  readonly ageMs?: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly begin?: (simulation: Simulation) => Promise<void>;
  readonly isOver?: (failures: number) => boolean;
}

/** For an event without a time. */
export const usualTime = new Date(defaultTime * 1000);
/** An event that waits for an outage is dead-lettered after 24 hours. */
const longestMs = 3 * 86_400_000;
/** Flows end within 366 days. */
const longestFlowMs = 400 * 86_400_000;

/** @throws the errors of `Simulation.run`, and Error for a planned crash that did not happen */
export async function playStory(story: Story, options: StoryOptions): Promise<StoryOutcome> {
  const { triggers, appId, about, deliveries, receivedAt, ageMs = 0, isOver = () => false } = story;
  const later = (options.later ?? []).map(toLater);
  const startMs = receivedAt + ageMs;
  const known = later.flatMap(({ event }) => (typeof event === "object" ? [event] : []));
  assertOwnFacts([...deliveries, ...known], appId);
  const all = [...about, ...known];
  const simulation = await createSimulation({
    ...options,
    apps: [{ ...appOfStory(all, appId, options.app), lastMessageId: lastIdOf(all, appId) }],
    triggers,
    startMs,
  });
  let count = 0;
  const deliver = (delivery: object, at: number) => {
    count += 1;
    simulation.enqueue({ ...toMessage(delivery, appId, at), MessageDeduplicationId: `delivery-${count}` });
  };
  for (const delivery of deliveries) deliver(delivery, receivedAt);
  for (const { afterMs, event: given, cancel, pause, resume } of later) {
    const atMs = startMs + afterMs;
    simulation.later(atMs, async () => {
      const event = typeof given === "function" ? given(simulation.exchanges.flatMap(readSent)) : given;
      if (event !== undefined) {
        simulation.platform.add({
          appId,
          messages: seedOfEvent(event, appId).messages,
          hasLatestEdits: true,
        });
        deliver(event, atMs);
      }
      if (cancel !== undefined) await cancelFlow(simulation, cancel);
      if (pause !== undefined) await pausesIn(simulation).begin(appId, pause, { by: "the test" });
      if (resume !== undefined) await pausesIn(simulation).end(appId, resume);
    });
  }
  await story.begin?.(simulation);
  const untilMs = startMs + (options.flows?.length ? longestFlowMs : longestMs);
  const failures = createFailureCount(simulation);
  await simulation.run(untilMs, () => isOver(failures()));
  simulation.assertCrashed();
  return readOutcome(simulation, startMs);
}

function lastIdOf(bodies: readonly object[], appId: string) {
  const ids = bodies.flatMap((body) => seedOfEvent(body, appId).messages.map(({ id }) => Number(id)));
  return String(Math.max(0, ...ids));
}

interface Moment {
  readonly afterMs: number;
  readonly event?: object | LaterEvent;
  readonly cancel?: FlowDefinition;
  readonly pause?: PauseTarget;
  readonly resume?: PauseTarget;
}

function toLater({ after, ...later }: Later): Moment {
  const afterMs = durationMs(after);
  if ("event" in later && typeof later.event === "object" && isDerived(later.event)) {
    throw new Error(
      "A derived event cannot come later by itself: give the deliveries that it is derived from.",
    );
  }
  return { afterMs, ...later };
}

let pauses = 0;

function pausesIn({ aws, clock }: Simulation): PauseStore {
  const table = openKitTable(aws, tableNames.lanes, "item");
  return createPauseStore(table, clock.now, () => `pause-${++pauses}`);
}

async function cancelFlow(simulation: Simulation, { name }: FlowDefinition) {
  const { operator } = operateKitFlows(simulation);
  for (const started of simulation.flows.started)
    if (started.name === name) await operator.cancel(started.id);
}

export function isDerived(body: object): body is AppEvent {
  return "kind" in body && body.kind === "derived";
}

/** Otherwise a test would pass for the wrong reason. */
function assertOwnFacts(deliveries: readonly object[], appId: string) {
  const known = new Map<string, string>();
  for (const delivery of deliveries) {
    assertMessageId(delivery);
    const { key } = identifyOrThrow(delivery, appId);
    const text = JSON.stringify(delivery);
    if ((known.get(key) ?? text) !== text) {
      throw new Error(
        `Two events of the story are the same fact for the system (${key}), and differ: give each an id of its own, such as events.messageSent({ id: "1002" }).`,
      );
    }
    known.set(key, text);
  }
}

/** The platform could not store such a message, or give later ids. */
function assertMessageId(delivery: object) {
  const { message } = Object("data" in delivery ? delivery.data : undefined);
  if (!isRecord(message) || message.category !== "message" || /^\d{1,15}$/.test(String(message.id))) return;
  throw new Error(
    `The id "${message.id}" of a message is not a form of the platform: give it a number of up to 15 digits, such as events.messageSent({ id: "1002" }).`,
  );
}

function toMessage(delivery: object, appId: string, receivedAt: number) {
  const identity = identifyOrThrow(delivery, appId);
  return toQueueMessage({ appId, bytes: Buffer.from(JSON.stringify(delivery)), receivedAt }, identity);
}

function identifyOrThrow(delivery: object, appId: string) {
  const identity = identify(delivery, appId);
  if (identity === undefined) throw new Error("This is no delivery: it has no trigger.");
  return identity;
}

async function readOutcome(simulation: Simulation, startMs: number): Promise<StoryOutcome> {
  const { lines, platform, clock } = simulation;
  return {
    ...(await readRun(simulation)),
    requested: simulation.asked.map(toOutsideRequest),
    remembered: readRemembered(simulation.aws, clock.now()),
    wouldHave: lines.flatMap(toShown),
    passedOver: lines.flatMap(({ message, fields }) =>
      message === "passed an event over" ? [fields.reason] : [],
    ),
    buried: buriedIn(simulation),
    failures: createFailureCount(simulation)(),
    tookMs: clock.now() - startMs,
    platform,
  };
}

/** Reads each line once: a story may have thousands. */
function createFailureCount({ lines }: Simulation) {
  let read = 0;
  let failures = 0;
  return () => {
    for (const { message } of lines.slice(read)) if (failed.test(message)) failures += 1;
    read = lines.length;
    return failures;
  };
}

const failed = /^could not handle an event/;

function toOutsideRequest({ request, body, status }: Exchange): OutsideRequestMade {
  const { method, url, headers } = request;
  return { method, url, headers: Object.fromEntries(headers), body: parseJson(body) ?? body, status };
}

function toShown({ message, fields }: LogLine): WouldHave[] {
  if (message === "would have done an effect")
    return [{ name: String(fields.effect), kind: String(fields.kind) }];
  if (message === "would have sent a request")
    return [{ name: String(fields.operation), kind: "chat-request" }];
  return [];
}

function buriedIn({ aws, lines }: Simulation): StoryOutcome["buried"] {
  const { visible } = aws.queues.get(queueNames.deadLetters).queue.depth();
  if (visible === 0) return undefined;
  const last = lines.findLast(({ message }) => failed.test(message));
  return { reason: last?.fields.failure, cause: last?.fields.cause };
}
