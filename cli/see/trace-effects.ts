import { createTable } from "../../lib/aws/create-table.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { effectKey, triggerKey } from "../../lib/effects/effect-key.ts";
import { createLedger, ledgerIdOf } from "../../lib/effects/ledger.ts";
import { createOccurrenceMemory } from "../../lib/effects/occurrence-memory.ts";
import { nameOccurrence } from "../../lib/events/occurrence.ts";
import type { Target } from "../target/target.ts";
import type { TracedEvent } from "./trace-lines.ts";

/** What the ledger says of one effect. */
export interface TracedEffect {
  readonly trigger: string;
  readonly effect: string;
  readonly state: "done" | "begun" | "unknown";
  /** What the effect made, where that has an id, such as a message or a flow. */
  readonly madeId: string | undefined;
}

/**
 * Asks the ledger for an event's effects, by the names that the log tells. Changes nothing.
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
  // Where the key can recur, the fact is named by its first receipt; nobody says beforehand whether it can.
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

/** Of what an effect gave, its id alone: the rest may be what somebody wrote. */
function idIn(result: string): string | undefined {
  const made = parseJson(result);
  return isRecord(made) && (typeof made.id === "string" || typeof made.id === "number")
    ? String(made.id)
    : undefined;
}

const nothing = { state: "unknown" } as const;
