import { problemOfAppId } from "../../build/served-apps.ts";
import { createTable } from "../../lib/aws/create-table.ts";
import { describeError } from "../../lib/base/describe-error.ts";
import { sha256Hex } from "../../lib/base/digest.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { createLedger, effectKey, ledgerIdOf, triggerKey } from "../../lib/effects/ledger.ts";
import { createOccurrenceMemory } from "../../lib/effects/occurrence-memory.ts";
import { joinFields } from "../../lib/events/identity.ts";
import { nameOccurrence } from "../../lib/events/occurrence.ts";
import { readText } from "../../lib/events/read-path.ts";
import { sentAtOf } from "../../lib/handle/reported-message.ts";
import { createLaneStore, type ParkedLane } from "../../lib/queue/lanes/lane-store.ts";
import { readOutageRoom } from "../../lib/queue/lanes/outage-room.ts";
import { factsOf } from "../../lib/queue/message-facts.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { findStored } from "../repair/find-stored.ts";
import { deadLetterKind } from "../repair/set-aside-kind.ts";
import type { Target } from "../target/target.ts";
import { type OpenApp, openApp } from "./open-app.ts";
import type { TracedEvent, TraceStep } from "./trace-lines.ts";

export interface FoundPlace {
  readonly verdict: "dead" | "quarantined" | "parked";
  readonly step: TraceStep;
}

export interface PlaceServices {
  readonly operator: OperatorServices;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/**
 * Looks in dead letters, quarantine and parked lanes. Changes nothing.
 * @throws AwsCallError
 */
export async function findEvent(
  { deliveryKey, laneId }: { readonly deliveryKey: string; readonly laneId: string | undefined },
  { operator, target, signal }: PlaceServices,
): Promise<FoundPlace | undefined> {
  const stored = await findStored(deliveryKey, operator, signal);
  if (stored !== undefined) {
    const { id, reason, cause, setAsideAt } = stored.message;
    const what = `is there with the id ${id}: ${reason}; ${cause}`;
    return stored.kind === deadLetterKind
      ? { verdict: "dead", step: { atMs: setAsideAt, place: "dead letters", what, from: "DeadLetterQueue" } }
      : {
          verdict: "quarantined",
          step: { atMs: setAsideAt, place: "quarantine", what, from: "QuarantineQueue" },
        };
  }
  return laneId === undefined ? undefined : await findParked(deliveryKey, laneId, operator, target);
}

/** A longer lane is reported as "more". */
const mostLooked = 200;

async function findParked(
  deliveryKey: string,
  laneId: string,
  { callAws, now }: OperatorServices,
  { stack }: Target,
): Promise<FoundPlace | undefined> {
  const tableName = (await stack()).physicalId("LanesTable");
  const store = createLaneStore(createTable({ callAws, tableName, sortKey: "item" }), now);
  const parked = (await store.find([laneId])).get(laneId);
  if (parked === undefined) return undefined;
  const records = await store.first(laneId, mostLooked);
  const place = records.findIndex(
    ({ messageBody }) => factsOf(parseJson(messageBody))?.deliveryKey === deliveryKey,
  );
  if (place < 0) return undefined;
  const what = `waits as number ${place + 1} of ${records.length} of its conversation; ${describeWait(parked)}`;
  return {
    verdict: "parked",
    step: { atMs: parked.since ?? now(), place: "parked", what, from: "LanesTable" },
  };
}

function describeWait({ wakeAt, heldBy, head }: ParkedLane): string {
  const cause = head?.progress.cause;
  const outage = readOutageRoom(heldBy ?? "");
  const next =
    outage !== undefined
      ? `tried after the next answer of ${outage.destination}, at least every 30 minutes`
      : wakeAt > 0
        ? `tried next at ${new Date(wakeAt).toISOString()}`
        : "tried when its turn comes";
  return cause === undefined || cause === "" ? next : `${next}; ${cause}`;
}

interface TracedEffect {
  readonly trigger: string;
  readonly effect: string;
  readonly state: "done" | "begun" | "unknown";
  /** Of what the effect made, such as a message or a flow. */
  readonly madeId: string | undefined;
}

/**
 * By the effects' names in the log. Changes nothing.
 * @throws AwsCallError
 */
export async function traceEffects(
  { appId, deliveryKey, receivedAt, effects }: TracedEvent,
  { callAws, stack }: Pick<Target, "callAws" | "stack">,
  now: () => number,
): Promise<readonly TracedEffect[]> {
  if (effects.length === 0) return [];
  const table = createTable({ callAws, tableName: (await stack()).physicalId("EffectsTable") });
  const ledger = createLedger({ table, now });
  const { read } = createOccurrenceMemory(table);
  // A key that can recur is stored with its first receipt; unknown beforehand.
  const ofOccurrence = { key: deliveryKey, canRecur: true };
  const occurrence = { read, claim: async (_name: string, at: number) => at };
  const factKeys = [
    deliveryKey,
    ...(receivedAt === undefined ? [] : [await nameOccurrence(ofOccurrence, receivedAt, occurrence)]),
  ];
  return Promise.all(
    effects.map(async ({ trigger, effect }): Promise<TracedEffect> => {
      const entries = await Promise.all(
        factKeys.map((factKey) =>
          ledger.read(ledgerIdOf(effectKey(triggerKey({ appId, factKey, triggerName: trigger }), effect))),
        ),
      );
      const found = entries.find(({ state }) => state !== "unknown") ?? nothing;
      return {
        trigger,
        effect,
        state: found.state,
        madeId: found.state === "done" ? idIn(found.result) : undefined,
      };
    }),
  );
}

/** The rest of a result may be users' text. */
function idIn(result: string): string | undefined {
  const made = parseJson(result);
  return isRecord(made) && (typeof made.id === "string" || typeof made.id === "number")
    ? String(made.id)
    : undefined;
}

const nothing = { state: "unknown" } as const;

interface AskedMessage {
  readonly app: OpenApp;
  readonly sentAtMs: number | undefined;
  readonly laneId: string | undefined;
  readonly step: TraceStep;
}

/** Adds to `missing` why the message cannot be read. May be repeated. */
export async function readMessage(
  target: Parameters<typeof openApp>[0],
  appId: string | undefined,
  messageId: string | undefined,
  missing: string[],
): Promise<AskedMessage | undefined> {
  if (messageId === undefined || !/^\d+$/.test(messageId)) return undefined;
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
      ...{ app, sentAtMs },
      laneId: conversation && `events ${sha256Hex(joinFields([appId, conversation]))}`,
      step: { atMs: sentAtMs ?? 0, place: "platform", what, from: "the platform, in whole seconds" },
    };
  } catch (error) {
    missing.push(`the message itself: ${describeError(error)}`);
    return undefined;
  }
}

/** When a message entered its conversation; undefined if the platform does not say. */
export async function replyStep(app: OpenApp, messageId: string): Promise<TraceStep | undefined> {
  const message = await app.messages.get(messageId).catch(() => undefined);
  const sentAt = sentAtOf(message);
  if (sentAt === undefined) return undefined;
  const what = `the message ${messageId} of ${readText(message, "sender") ?? "somebody"} is there`;
  return { atMs: sentAt * 1000, place: "reply", what, from: "the platform, in whole seconds" };
}
