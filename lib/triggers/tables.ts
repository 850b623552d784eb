import type { Context } from "aws-lambda";
import type { EffectsStore } from "../effects/effects-store.ts";
import { lazy } from "../lazy.ts";
import type { CallTable } from "../phone-calls/call-table.ts";

/**
 * The consumer's tables. The AWS SDK's DynamoDB client and what stands on it are half of the consumer's cold start, so
 * they are loaded by the first event that needs a table (docs/performance.md).
 */
export function createTables(names: { readonly effects: string; readonly calls: string }) {
  const load = lazy(async () => {
    const [{ DynamoDBClient }, { createEffectsStore }, { createCallTable }] = await Promise.all([
      import("@aws-sdk/client-dynamodb"),
      import("../effects/effects-store.ts"),
      import("../phone-calls/call-table.ts"),
    ]);
    const client = new DynamoDBClient();
    return {
      storeOf: createEffectsStore(client, names.effects),
      calls: createCallTable(client, { tableName: names.calls, now: Date.now }),
    };
  });

  const calls: CallTable = {
    put: async (...fact) => (await load()).calls.put(...fact),
    list: async (...call) => (await load()).calls.list(...call),
    claim: async (...claim) => (await load()).calls.claim(...claim),
  };
  const effectsOf = (context: Context): EffectsStore => ({
    once: async (key, work, expiresAfterMs) =>
      (await load()).storeOf(context).once(key, work, expiresAfterMs),
  });
  return { calls, effectsOf };
}
