import { createTable } from "../../lib/aws/create-table.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { createLedger, effectKey, ledgerIdOf, triggerKey } from "../../lib/effects/ledger.ts";
import { createOccurrenceMemory } from "../../lib/effects/occurrence-memory.ts";
import { nameOccurrence } from "../../lib/events/occurrence.ts";
import type { Target } from "../target/target.ts";
import type { TracedEvent } from "./trace-lines.ts";

/** The ledger's record of one effect. */
export interface TracedEffect {
  readonly trigger: string;
  readonly effect: string;
  readonly state: "done" | "begun" | "unknown";
  /** The id of what the effect made, such as a message or a flow, if it has one. */
  readonly madeId: string | undefined;
}

/**
 * Reads an event's effects from the ledger, by their names in the log. Changes nothing.
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
  // A key that can recur is stored with its first receipt; it is unknown beforehand whether it can.
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

/** Returns only the id of an effect's result: the rest may be users' text. */
function idIn(result: string): string | undefined {
  const made = parseJson(result);
  return isRecord(made) && (typeof made.id === "string" || typeof made.id === "number")
    ? String(made.id)
    : undefined;
}

const nothing = { state: "unknown" } as const;
