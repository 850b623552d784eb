import type { Table } from "../../lib/aws/table.ts";
import { createClaimMark, createLedger } from "../../lib/effects/ledger.ts";
import { createRecentAnswers, type RecentAnswersOptions } from "../../lib/effects/recent-answers.ts";
import {
  createGuardKeys,
  createLoopGuard,
  type GuardKeys,
  type LoopGuard,
} from "../../lib/events/marks/loop-guard.ts";
import { guardKey } from "../../local/testing/kit/guard-key.ts";
import { createMemoryTable } from "./memory-table.ts";

/** The keys of a secret that was never changed. */
export const testGuardKeys: GuardKeys = createGuardKeys({
  secretId: "loop-guard",
  now: () => 0,
  readSecret: async (_id, stage) => {
    if (stage === undefined) return guardKey;
    throw Object.assign(new Error("There is no such version."), { name: "ResourceNotFoundException" });
  },
});

/** An app's loop guard with an available key, with marks stored in a table whose key is `id`. */
export function createTestGuard(appId: string, table: Table = createMemoryTable("id")): LoopGuard {
  return createLoopGuard(
    testGuardKeys,
    appId,
    createClaimMark(table, new Map(), () => 0),
  );
}

/** Recent answers with the settings of serverless.yml, on a table whose key is `id`. */
export function createTestAnswers(
  options: Pick<RecentAnswersOptions, "table" | "now"> & Partial<RecentAnswersOptions>,
) {
  let tokens = 0;
  return createRecentAnswers({
    ledger: createLedger(options),
    limit: 20,
    windowMs: 10 * 60_000,
    token: () => `version-${++tokens}`,
    ...options,
  });
}
