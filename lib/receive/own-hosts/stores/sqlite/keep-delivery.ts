import type { DatabaseSync } from "node:sqlite";
import { sha256 } from "../../../../base/digest.ts";
import type { Identity } from "../../../../events/identity.ts";
import { retryWindowMs } from "../../../../events/occurrence.ts";
import { describeProblems } from "../../../../events/problems.ts";
import type { WebhookDelivery } from "../../webhook-store.ts";

/** Needs an open transaction. Returns false if the occurrence was known. */
export type KeepDelivery = (delivery: WebhookDelivery) => boolean;

/** Retention of keys: 35 days, as for effects (docs/internals/identity.md#the-name). */
const rememberedMs = 3_024_000_000;
const forgetEvery = 500;
const forgottenAtOnce = 1_000;

export function prepareOpenLane(database: DatabaseSync) {
  return database.prepare("INSERT INTO lanes (lane, due_at) VALUES (?, ?) ON CONFLICT (lane) DO NOTHING");
}

export function createKeepDelivery(database: DatabaseSync): KeepDelivery {
  const known = database.prepare(
    "SELECT received_at FROM facts WHERE key = ? AND received_at BETWEEN ? AND ? LIMIT 1",
  );
  const remember = database.prepare("INSERT INTO facts (key, received_at) VALUES (?, ?)");
  const insert = database.prepare(`
    INSERT INTO deliveries (app_id, received_at, raw, trigger, key, can_recur, fact, lane, set_aside, set_aside_at, cause)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const openLane = prepareOpenLane(database);
  const forget = database.prepare(`
    DELETE FROM facts WHERE id IN (SELECT id FROM facts ORDER BY id LIMIT ${forgottenAtOnce}) AND received_at < ?`);
  let written = 0;

  /** An occurrence that can recur is the same one within the platform's retry time. */
  const isNew = ({ key, canRecur }: Identity, receivedAt: number): boolean => {
    const digest = sha256(key);
    const windowMs = canRecur ? retryWindowMs : Number.MAX_SAFE_INTEGER - receivedAt;
    if (known.get(digest, receivedAt - windowMs, receivedAt + windowMs) !== undefined) return false;
    remember.run(digest, receivedAt);
    return true;
  };

  return (delivery) => {
    const { appId, receivedAt, raw, identity } = delivery;
    if (identity !== undefined && !isNew(identity, receivedAt)) return false;
    const { trigger = null, key = null, lane = null, canRecur = false } = identity ?? {};
    const fact = canRecur ? `${key}|@${receivedAt}` : key;
    const aside = delivery.event === undefined ? delivery : undefined;
    insert.run(
      appId,
      receivedAt,
      raw,
      trigger,
      key,
      canRecur ? 1 : 0,
      fact,
      aside === undefined ? lane : null,
      aside?.reason ?? null,
      aside === undefined ? null : receivedAt,
      aside === undefined ? null : describeProblems(aside.problems),
    );
    if (aside === undefined && lane !== null) openLane.run(lane, receivedAt);
    written += 1;
    if (written % forgetEvery === 0) forget.run(receivedAt - rememberedMs);
    return true;
  };
}
