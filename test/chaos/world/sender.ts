import type { Clock } from "../../../local/testing/simulated/clock.ts";
import type { Random } from "../../../local/testing/simulated/random.ts";
import type { Receive } from "./receiver.ts";

/** A message that a user wrote or edited: one occurrence that the system receives. */
export interface Fact {
  readonly id: string;
  /** Edited ones have no time of the edit, so that their keys may recur. */
  readonly trigger: "message_sent" | "message_edited";
  readonly appId: string;
  /** A guid; equal for messages that must be answered in order. */
  readonly conversation: string;
  readonly atMs: number;
  /** What the handler does with it: see handlers.ts. */
  readonly text: string;
  /** How often it is delivered. */
  readonly copies: number;
  /** How much later than the first a copy arrives at most, in milliseconds. */
  readonly copiesWithinMs: number;
  /** The names of its webhooks, in turn. */
  readonly webhooks: readonly string[];
}

/** The state of an occurrence's delivery. */
export interface Delivered extends Fact {
  /** When its first delivery was answered with 200, in milliseconds since 1970; undefined if none was. */
  readonly acceptedAtMs: number | undefined;
}

/** The platform retries after 10 s and 30 s if asked to (docs/internals/platform/webhooks.md#retries). */
const retriesMs = [10_000, 30_000] as const;

/** Delivers occurrences as the platform does. */
export function createSender({
  clock,
  random,
  receiverFor,
}: {
  readonly clock: Clock;
  readonly random: Random;
  readonly receiverFor: () => Receive;
}): {
  plan(fact: Fact): void;
  readonly delivered: ReadonlyMap<string, Delivered>;
  /** Future or running deliveries. */
  pending(): number;
} {
  const delivered = new Map<string, Delivered>();
  let pending = 0;

  const deliver = async (fact: Fact, body: string): Promise<void> => {
    for (const retryAfterMs of [...retriesMs, undefined]) {
      const status = await receiverFor()(fact.appId, body);
      if (status === 200) {
        const known = delivered.get(fact.id);
        if (known?.acceptedAtMs === undefined) delivered.set(fact.id, { ...fact, acceptedAtMs: clock.now() });
        break;
      }
      if (retryAfterMs === undefined) break;
      await clock.sleep(retryAfterMs);
    }
    pending -= 1;
  };

  return {
    delivered,
    pending: () => pending,
    plan: (fact) => {
      delivered.set(fact.id, { ...fact, acceptedAtMs: undefined });
      for (let copy = 0; copy < fact.copies; copy += 1) {
        pending += 1;
        const webhook = fact.webhooks[copy % fact.webhooks.length] ?? "functions";
        const delayMs = copy === 0 ? 0 : Math.floor(random() * fact.copiesWithinMs);
        clock.at(fact.atMs + delayMs, () => void deliver(fact, toBody(fact, webhook)));
      }
    },
  };
}

function toBody({ id, trigger, appId, conversation, atMs, text }: Fact, webhook: string): string {
  const sentAt = Math.floor(atMs / 1000);
  return JSON.stringify({
    trigger,
    data: {
      message: {
        id,
        conversationId: `group_${conversation}`,
        sender: "alice",
        receiverType: "group",
        receiver: conversation,
        category: "message",
        type: "text",
        data: { text, entities: {} },
        sentAt,
        updatedAt: sentAt,
      },
    },
    appId,
    region: "us",
    webhook,
  });
}
