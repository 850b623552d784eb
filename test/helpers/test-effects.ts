import { randomUUID } from "node:crypto";
import type { Table } from "../../lib/aws/table.ts";
import type { EffectLimits, EffectTools } from "../../lib/effects/effect.ts";
import { EventEndedError } from "../../lib/effects/effect-errors.ts";
import { createEffects } from "../../lib/effects/effects.ts";
import { createLedger } from "../../lib/effects/ledger.ts";
import { createPerform, type PerformOptions } from "../../lib/effects/perform.ts";
import { createTestAnswers, createTestGuard } from "./loop-guard.ts";
import { noOutside } from "./no-outside.ts";

export type TestEffectsOptions = Omit<PerformOptions, "tools" | "ledger" | "token"> &
  Partial<EffectTools> &
  Partial<Pick<PerformOptions, "ledger" | "token">> & {
    readonly table: Table;
    readonly appId: string;
    readonly now: () => number;
  };

/** Effects of one trigger on one event, unwatched; the attempt begins now, and sends only with a `call`. */
export function createTestEffects(options: TestEffectsOptions) {
  const { ledger, key, receivedAt, onActed, onOutcome, token = randomUUID, ...given } = options;
  const { table, appId, now } = given;
  const tools: EffectTools = {
    ...noOutside,
    call: () => {
      throw new Error("Nothing is asked of the platform.");
    },
    guard: createTestGuard(appId),
    answers: createTestAnswers({ table, now }),
    limits: limitsFrom(now),
    ...given,
  };
  const rest = { key, receivedAt, onActed, onOutcome, token };
  const perform = createPerform({ ledger: ledger ?? createLedger({ table, now }), tools, ...rest });
  return { ...createEffects(perform, (begun) => begun, tools), perform };
}

/** An attempt that began now, and lasts for 30 s unless it is aborted before. */
export function limitsFrom(now: () => number, signal?: AbortSignal, isOver?: () => boolean): EffectLimits {
  const deadlineMs = now() + 30_000;
  const assertAlive = () => {
    if (isOver?.() || now() >= deadlineMs) throw new EventEndedError();
  };
  return { deadlineMs, assertAlive, ...(signal && { signal }) };
}
