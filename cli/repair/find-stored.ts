import { readQueueDepth } from "../../lib/aws/queue-counts.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import type { SetAside } from "../../lib/queue/set-aside.ts";
import { deadLetterKind, quarantineKind, type SetAsideKind } from "./set-aside-kind.ts";

export interface StoredEvent {
  readonly kind: SetAsideKind;
  readonly message: SetAside;
}

/**
 * Changes nothing.
 * @throws AwsCallError
 */
export async function findStored(
  deliveryKey: string,
  services: OperatorServices,
  signal: AbortSignal,
): Promise<StoredEvent | undefined> {
  for (const kind of [deadLetterKind, quarantineKind]) {
    // Receiving hides the messages for a moment.
    if ((await readQueueDepth(services.callAws, services.queueUrls[kind.queue])) === 0) continue;
    const [message] = (await kind.list({ deliveryKey }, services, { signal })).found;
    if (message !== undefined) return { kind, message };
  }
  return undefined;
}
