import { createTable } from "../../../lib/aws/create-table.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { effectKey, ledgerIdOf, triggerKey } from "../../../lib/effects/ledger.ts";
import { createOccurrenceMemory } from "../../../lib/effects/occurrence-memory.ts";
import { nameOccurrence } from "../../../lib/events/occurrence.ts";
import type { World } from "../../stack/world.ts";
import { callLocalAws } from "../call-local-aws.ts";

export interface EffectName {
  readonly appId: string;
  readonly deliveryKey: string;
  readonly trigger: string;
  readonly effect: string;
}

/** Remembered with their effects. */
const mostLines = 20_000;

/**
 * From the functions' log, because the ledger's ids are digests.
 * @returns names by ledger id, as far as logged
 */
export function listenForEffectNames({ cloud, subscribe }: Pick<World, "cloud" | "subscribe">) {
  const heard = new Map<string, { readonly name: EffectName; readonly receivedAt: number | undefined }>();
  const known = new Map<string, EffectName>();
  subscribe((news) => {
    if (news.kind !== "line" || !/"effects"|"held an effect back"/.test(news.line)) return;
    const line = parseJson(news.line);
    if (!isRecord(line)) return;
    const { message, deliveryKey, sinceReceivedMs, timestamp, step, effect } = line;
    const heldBack = [`${String(step).slice(String(step).indexOf(" ") + 1)} ${effect}`];
    const effects = message === "held an effect back" ? heldBack : line.effects;
    if (typeof deliveryKey !== "string" || !Array.isArray(effects)) return;
    const atMs = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
    const receivedAt = typeof sinceReceivedMs === "number" ? atMs - sinceReceivedMs : undefined;
    for (const text of effects.map(String)) {
      const end = text.indexOf(" ");
      const name = {
        appId: deliveryKey.slice(0, deliveryKey.indexOf("|")),
        deliveryKey,
        trigger: text.slice(0, end),
        effect: text.slice(end + 1),
      };
      heard.set(`${deliveryKey} ${text}`, { name, receivedAt });
      if (heard.size > mostLines) heard.delete(heard.keys().next().value ?? "");
    }
  });
  return async (): Promise<ReadonlyMap<string, EffectName>> => {
    const tableName = cloud.resources.EffectsTable?.name ?? "";
    const { read } = createOccurrenceMemory(createTable({ callAws: callLocalAws(cloud), tableName }));
    for (const [id, { name, receivedAt }] of heard) {
      heard.delete(id);
      const { appId, deliveryKey, trigger, effect } = name;
      // The time of the first receipt follows a key that can recur, which is not known here.
      const occurrence = { read, claim: async (_name: string, at: number) => at };
      const recurring =
        receivedAt === undefined || Number.isNaN(receivedAt)
          ? []
          : [await nameOccurrence({ key: deliveryKey, canRecur: true }, receivedAt, occurrence)];
      for (const factKey of [deliveryKey, ...recurring]) {
        known.set(ledgerIdOf(effectKey(triggerKey({ appId, factKey, triggerName: trigger }), effect)), name);
      }
    }
    for (const id of known.keys()) {
      if (known.size <= 2 * mostLines) break;
      known.delete(id);
    }
    return known;
  };
}
