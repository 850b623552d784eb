import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { readQueueDepth } from "./queue-depth.ts";
import { deadLetterKind, quarantineKind, type SetAsideKind } from "./set-aside-kind.ts";

/** Where an event is stored as it was received, and its id there. */
export interface StoredEvent {
  readonly kind: SetAsideKind;
  readonly id: string;
}

/** Looks for an event among dead letters and in quarantine. Changes nothing. @throws AwsCallError */
export async function findStored(
  deliveryKey: string,
  services: OperatorServices,
  signal: AbortSignal,
): Promise<StoredEvent | undefined> {
  for (const kind of [deadLetterKind, quarantineKind]) {
    // Receiving hides the messages for a moment: skip an empty queue.
    if ((await readQueueDepth(services.callAws, services.queueUrls[kind.queue])) === 0) continue;
    const [found] = (await kind.list({ deliveryKey }, services, { signal })).found;
    if (found !== undefined) return { kind, id: found.id };
  }
  return undefined;
}
