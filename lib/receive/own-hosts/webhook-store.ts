import type { ChatEvent } from "../../events/chat-event.ts";
import type { Identity } from "../../events/identity.ts";
import type { Problem } from "../../events/problems.ts";
import type { QuarantineReason } from "../../queue/quarantine.ts";

/** Stores deliveries; `webhookStoreChecks` tests the requirements. */
export interface WebhookStore {
  /**
   * Resolves only when the delivery survives a crash of this process: the platform then never sends it again.
   * May be called again for one delivery, also concurrently: an occurrence that cannot recur
   * (`identity.canRecur`) is delivered once.
   * @throws MessageTooLargeError if it can never be stored (answered 413), any other error if it may be later
   * (503)
   */
  put(delivery: WebhookDelivery, limits: PutLimits): Promise<void>;
}

/** Limits of one `put`. */
export interface PutLimits {
  /** Milliseconds since 1970. A later result is answered 503. */
  readonly deadlineMs: number;
}

/** One accepted delivery; `event` is undefined if it cannot be read. */
export type WebhookDelivery = ReadDelivery | UnreadDelivery;

/** A delivery whose event was parsed. */
export interface ReadDelivery extends DeliveryFacts {
  readonly event: ChatEvent;
  readonly identity: Identity;
}

/** A delivery that is not an event, or lacks required fields. It must be stored too. */
export interface UnreadDelivery extends DeliveryFacts {
  readonly event: undefined;
  /** Undefined if not even the kind of event is known. */
  readonly identity: Identity | undefined;
  readonly reason: QuarantineReason;
  readonly problems: readonly Problem[];
}

interface DeliveryFacts {
  /** The app of the delivery's credentials, whatever its body says. */
  readonly appId: string;
  /** The exact bytes of the body. */
  readonly raw: Uint8Array;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}
