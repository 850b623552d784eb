import type { QueueKind } from "./journey.ts";

export interface StoredDelivery {
  readonly id: number;
  readonly appId: string;
  readonly webhookId: string;
  readonly trigger: string;
  readonly body: string;
  readonly state: "pending" | "delivered" | "lost";
  readonly createdMs: number;
  readonly dueMs: number | undefined;
  readonly attempts: readonly {
    readonly number: number;
    readonly atMs: number;
    readonly durationMs: number;
    readonly status: number | undefined;
    readonly error: string | undefined;
  }[];
}

export interface JournalOptions {
  readonly now: () => number;
  readonly readDelivery: (id: number) => StoredDelivery | undefined;
  readonly queueOf: (queueName: string) => QueueKind;
  /** Paths in stack traces begin here. */
  readonly projectFolder: string;
  /** Default: 10,000. */
  readonly mostJourneys?: number;
}
