import { readQueueDepth } from "../../lib/aws/queue-counts.ts";
import { deadLetters } from "../../lib/queue/dead-letter.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { quarantinedDeliveries } from "../../lib/queue/quarantined-delivery.ts";
import type { LookOptions } from "../../lib/queue/set-aside-queue.ts";
import type { WorkContext } from "../command.ts";
import { readTriggers } from "../target/trigger-names.ts";

export async function openOperator({
  target,
  edges: { now, sleep, token, signal },
  out,
}: WorkContext): Promise<OperatorServices> {
  const { physicalId } = await target.stack();
  return {
    callAws: target.callAws,
    queueUrls: {
      events: physicalId("EventsQueue"),
      calls: physicalId("CallsQueue"),
      parkedLanes: physicalId("ParkedLanesQueue"),
      deadLetters: physicalId("DeadLetterQueue"),
      quarantine: physicalId("QuarantineQueue"),
    },
    now,
    sleep: async (ms) => {
      out.progress("waiting until no other process has messages of the queue");
      await sleep(ms, signal);
      signal.throwIfAborted();
    },
    token,
  };
}

/** Notes every tenth message: a few take no time. */
export function lookingThrough({ edges, out }: WorkContext, of = ""): LookOptions {
  return {
    signal: edges.signal,
    onProgress: ({ looked }) => {
      if (looked % 10 === 0) out.progress(`looked at ${looked}${of}`);
    },
    onReturn: (count) => {
      if (count >= 10) out.progress(`returning ${count} messages to the queue`);
    },
  };
}

export const deadLetterKind = {
  name: "dead-letters",
  option: "",
  one: "dead letter",
  many: "dead letters",
  queue: "deadLetters",
  before: "Fix the cause and deploy first, or they are dead-lettered again.",
  ...deadLetters,
} as const;

export const quarantineKind = {
  name: "quarantine",
  option: " --quarantine",
  one: "quarantined delivery",
  many: "quarantined deliveries",
  queue: "quarantine",
  before: "Deliveries that still cannot be parsed stay in quarantine.",
  ...quarantinedDeliveries,
} as const;

export type SetAsideKind = typeof deadLetterKind | typeof quarantineKind;

export function kindOf({ quarantine }: { readonly quarantine: boolean }): SetAsideKind {
  return quarantine ? quarantineKind : deadLetterKind;
}

/** No trigger has failed with a delivery in quarantine. */
export async function triggersFor(kind: SetAsideKind, context: WorkContext, searched?: string) {
  if (kind === deadLetterKind) return await readTriggers(context, searched);
  return { failedOf: () => [], check: () => {}, checkApp: () => {} };
}

export type StoredEvent = NonNullable<Awaited<ReturnType<typeof findStored>>>;

/** Changes nothing. @param noteUnseen called with the number of unreadable ones, if none was found */
export async function findStored(
  deliveryKey: string,
  services: OperatorServices,
  looking: LookOptions,
  noteUnseen: (count: number) => unknown,
) {
  let hidden = 0;
  for (const kind of [deadLetterKind, quarantineKind]) {
    // Receiving hides the messages for a moment.
    if ((await readQueueDepth(services.callAws, services.queueUrls[kind.queue])) === 0) continue;
    const { found, unseen } = await kind.list({ deliveryKey }, services, { ...looking, firstOnly: true });
    const [message] = found;
    if (message !== undefined) return { kind, message };
    hidden += unseen;
  }
  if (hidden > 0) noteUnseen(hidden);
  return undefined;
}
