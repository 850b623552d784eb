import { IdempotencyConfig, makeIdempotent } from "@aws-lambda-powertools/idempotency";
import { DynamoDBPersistenceLayer } from "@aws-lambda-powertools/idempotency/dynamodb";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Context } from "aws-lambda";

/** Remembers on the table which effects were done and what they gave. */
export interface EffectsStore {
  /**
   * Runs `work` unless an effect of the same key was done, and gives what it gave the first time.
   * While another run is at it, throws IdempotencyAlreadyInProgressError; a run that died is overdue when its
   * function's time was up. When `work` fails, nothing is remembered.
   */
  once<T extends JsonValue>(key: string, work: () => Promise<T>, expiresAfterMs?: number): Promise<T>;
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** As long as the queues keep a message: even one replayed from the dead-letter queue on its last day finds it. */
const rememberedMs = 14 * 24 * 60 * 60_000;

/** Makes the store's part for one invocation, whose context tells when its work counts as dead. */
export function createEffectsStore(
  client: DynamoDBClient,
  tableName: string,
): (context: Context) => EffectsStore {
  const layers = new Map<number, DynamoDBPersistenceLayer>();
  const layerOf = (expiresAfterSeconds: number): DynamoDBPersistenceLayer => {
    const layer =
      layers.get(expiresAfterSeconds) ?? new DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client });
    layers.set(expiresAfterSeconds, layer);
    return layer;
  };

  return (lambdaContext) => ({
    once: (key, work, expiresAfterMs = rememberedMs) => {
      const expiresAfterSeconds = Math.ceil(expiresAfterMs / 1000);
      const config = new IdempotencyConfig({ expiresAfterSeconds, hashFunction: "sha256", lambdaContext });
      const workOnce = makeIdempotent((_key: string) => work(), {
        persistenceStore: layerOf(expiresAfterSeconds),
        keyPrefix: "effect",
        config,
      });
      return workOnce(key);
    },
  });
}
