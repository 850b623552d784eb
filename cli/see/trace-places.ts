import { problemOfAppId } from "../../build/served-apps.ts";
import { createTable } from "../../lib/aws/create-table.ts";
import { describeError } from "../../lib/base/describe-error.ts";
import { sha256Hex } from "../../lib/base/digest.ts";
import { parseJson, readText } from "../../lib/base/json.ts";
import { lazy, lazyByKey } from "../../lib/base/lazy.ts";
import {
  createLedger,
  createOccurrenceMemory,
  effectKey,
  ledgerIdOf,
  triggerKey,
} from "../../lib/effects/ledger.ts";
import { type OutcomeFields, outcomeFields } from "../../lib/effects/outcomes.ts";
import { joinFields } from "../../lib/events/identity.ts";
import { nameOccurrence, withoutWriting } from "../../lib/events/occurrence.ts";
import { flowsStep } from "../../lib/flows/wake-flows.ts";
import { sentAtOf } from "../../lib/handle/count-received.ts";
import type { LaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { parkedOutcome } from "../../lib/queue/lanes/parked-outcome.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { factsOf } from "../../lib/queue/read-queued-event.ts";
import type { WorkContext } from "../command.ts";
import type { CliEdges } from "../edges.ts";
import { describeUnseen } from "../repair/change-queue.ts";
import { deadLetterKind, findStored, lookingThrough } from "../repair/open-operator.ts";
import { readServed } from "../target/served-apps.ts";
import { type OpenApp, openApp, openStores } from "./open-app.ts";
import { logsOf, openLogs } from "./read-logs.ts";
import type { TracedEvent, TraceStep } from "./trace-lines.ts";

export type Tracing = ReturnType<typeof openTracing>;

/** @param onlyApp also set where the stage serves no other */
export function openTracing(
  context: WorkContext,
  operator: OperatorServices,
  asked: {
    readonly app: string | undefined;
    readonly onlyApp: string | undefined;
    readonly since: ((nowMs: number) => number) | undefined;
  },
) {
  const { target, edges } = context;
  const missing: string[] = [];
  return {
    ...context,
    ...asked,
    operator,
    missing,
    /** Names that may have lanes of their own: the deployed triggers, and flows. */
    laneNames: lazy(async () => {
      const served = await readServed(context).catch((error: unknown) => {
        missing.push(`whether triggers have events in lanes of their own: ${describeError(error)}`);
        return { triggers: [] };
      });
      return [...served.triggers.map(({ name }) => name), flowsStep];
    }),
    lanes: lazy(async () => {
      const { store } = openStores(target, await target.stack(), edges.now);
      return {
        find: store.find,
        readPlaces: lazyByKey((laneId: string) => readPlaces(store, laneId, edges.signal)),
      };
    }),
    /** The time of processEvents' first line. */
    logBegin: lazy(async () => {
      const read = openLogs(target, logsOf(await target.stack(), "processEvents"));
      const first = read({ startMs: 0, pattern: "", signal: edges.signal, most: 1 });
      return (await Array.fromAsync(first))[0]?.atMs;
    }),
  };
}

export interface FoundPlace {
  readonly verdict: "dead" | "quarantined" | "parked";
  readonly step: TraceStep;
  readonly outcome: OutcomeFields;
}

/**
 * Returns all places: an event may wait in some triggers' lanes and be another's dead letter. `isCut`: a lane
 * was not read to its end.
 */
export async function findEvent(deliveryKey: string, laneIds: readonly string[], tracing: Tracing) {
  const { operator, missing, edges } = tracing;
  const stored = await findStored(deliveryKey, operator, lookingThrough(tracing), (count) =>
    missing.push(`whether it is a dead letter: ${describeUnseen(count)}`),
  );
  const found: FoundPlace[] = [];
  if (stored !== undefined) {
    const { id, reason, cause, setAsideAt: atMs } = stored.message;
    const what = `is there with the id ${id}: ${reason}; ${cause}`;
    const isDead = stored.kind === deadLetterKind;
    const [place, from] = isDead ? ["dead letters", "DeadLetterQueue"] : ["quarantine", "QuarantineQueue"];
    const outcome = outcomeFields(isDead ? "dead-lettered" : "quarantined", { cause });
    found.push({ verdict: isDead ? "dead" : "quarantined", step: { atMs, place, what, from }, outcome });
  }
  if (laneIds.length === 0) return { places: found, isCut: false };
  const lanes = await tracing.lanes();
  const parked = await findParked(deliveryKey, laneIds, lanes, { missing, now: edges.now });
  return { ...parked, places: [...found, ...parked.places] };
}

export async function findParked(
  deliveryKey: string,
  laneIds: readonly string[],
  { find, readPlaces: read }: Awaited<ReturnType<Tracing["lanes"]>>,
  { missing, now }: Pick<Tracing, "missing"> & Pick<CliEdges, "now">,
) {
  const found: FoundPlace[] = [];
  let isCut = false;
  const lanes = await find(laneIds);
  for (const laneId of laneIds) {
    const parked = lanes.get(laneId);
    if (parked === undefined) continue;
    const trigger = laneId.split(" ")[2];
    const { places, looked, length } = await read(laneId);
    const event = places.get(deliveryKey);
    if (event === undefined) {
      if (length !== undefined) continue;
      isCut = true;
      const lane = trigger === undefined ? "its conversation" : `the trigger ${trigger}`;
      missing.push(`${deliveryKey}: whether it waits behind the first ${looked} events of ${lane}`);
      continue;
    }
    // The lane may have been parked for an earlier event.
    const atMs = Math.max(parked.since ?? now(), event.receivedAt);
    const outcome = parkedOutcome(parked, { place: event.place, length, trigger, nowMs: now() });
    const step = { atMs, place: "parked", what: outcome.why, from: "LanesTable" };
    found.push({ verdict: "parked", step, outcome });
  }
  return { places: found, isCut };
}

const mostLooked = 10_000;
const pageSize = 200;

export async function readPlaces(
  store: Pick<LaneStore, "first">,
  laneId: string,
  signal: AbortSignal,
  most = mostLooked,
) {
  const places = new Map<string, { readonly place: number; readonly receivedAt: number }>();
  let looked = 0;
  for (let after: string | undefined; looked < most; ) {
    signal.throwIfAborted();
    const records = await store.first(laneId, pageSize, after);
    after = records.at(-1)?.sequence;
    if (after === undefined) return { places, looked, length: looked };
    for (const { messageBody } of records) {
      const { deliveryKey, receivedAt } = factsOf(parseJson(messageBody)) ?? {};
      if (deliveryKey !== undefined && receivedAt !== undefined && !places.has(deliveryKey))
        places.set(deliveryKey, { place: looked, receivedAt });
      looked += 1;
    }
  }
  return { places, looked, length: undefined };
}

export async function effectSteps(
  { appId, deliveryKey: key, receivedAt, effects, steps }: TracedEvent,
  message: AskedMessage | undefined,
  { target: { callAws, stack }, edges: { now } }: Tracing,
) {
  if (effects.length === 0) return [];
  const table = createTable({ callAws, tableName: (await stack()).physicalId("EffectsTable") });
  const ledger = createLedger({ table, now });
  const occurrence = withoutWriting(createOccurrenceMemory(table));
  const atMs = steps.at(-1)?.atMs ?? now();
  const found: TraceStep[] = [];
  for (const { trigger: triggerName, effect } of effects) {
    const readEntry = (occurrenceKey: string) =>
      ledger.readById(ledgerIdOf(effectKey(triggerKey({ appId, occurrenceKey, triggerName }), effect)));
    let entry = await readEntry(key);
    if (entry.state === "unknown" && receivedAt !== undefined) {
      // A key that can recur is stored with its first receipt; unknown beforehand.
      entry = await readEntry(await nameOccurrence({ key, canRecur: true }, receivedAt, occurrence));
    }
    // The rest of a result may be users' text.
    const madeId = entry.state === "done" ? readText(parseJson(entry.result), "id") : undefined;
    const made = madeId === undefined ? "" : `, made ${madeId}`;
    found.push({
      atMs,
      place: "effect",
      what: `${triggerName} ${effect}: ${entry.state}${made}`,
      from: "EffectsTable",
    });
    const reply = madeId === undefined ? undefined : message && (await replyStep(message.app, madeId));
    if (reply !== undefined) found.push({ ...reply, atMs: Math.max(reply.atMs, atMs) });
  }
  return found;
}

export type AskedMessage = NonNullable<Awaited<ReturnType<typeof readMessage>>>;

export async function readMessage(
  appId: string | undefined,
  messageId: string,
  { target, missing }: Pick<Tracing, "target" | "missing">,
) {
  if (!/^\d+$/.test(messageId)) return undefined;
  // Untrusted: only an app's secret is read.
  if (appId !== undefined && problemOfAppId(appId) !== undefined) return undefined;
  if (appId === undefined) {
    missing.push("the message itself: the stage serves several apps, and none is named (--app)");
    return undefined;
  }
  try {
    const app = await openApp(target, appId);
    const message = await app.messages.get(messageId);
    const sentAt = sentAtOf(message);
    const conversation = readText(message, "conversationId");
    const sentAtMs = sentAt === undefined ? undefined : sentAt * 1000;
    const what = `${readText(message, "sender") ?? "a user"} sent the message ${messageId}`;
    return {
      app,
      sentAtMs,
      laneId: conversation && `events ${sha256Hex(joinFields([appId, conversation]))}`,
      step: { atMs: sentAtMs ?? 0, place: "platform", what, from: "the platform, in whole seconds" },
    };
  } catch (error) {
    missing.push(`the message itself: ${describeError(error)}`);
    return undefined;
  }
}

async function replyStep(app: OpenApp, messageId: string) {
  const message = await app.messages.get(messageId).catch(() => undefined);
  const sentAt = sentAtOf(message);
  if (sentAt === undefined) return undefined;
  const what = `the message ${messageId} of ${readText(message, "sender") ?? "somebody"} is there`;
  return { atMs: sentAt * 1000, place: "reply", what, from: "the platform, in whole seconds" };
}
