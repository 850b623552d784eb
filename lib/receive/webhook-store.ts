import type { ChatEvent } from "../events/chat-event.ts";
import type { Identity } from "../events/identity.ts";
import type { Problem } from "../events/problems.ts";
import type { QuarantineReason } from "../queue/quarantine.ts";

/** Keeps deliveries. `webhookStoreChecks` tells what one must do to be relied on. */
export interface WebhookStore {
  /**
   * Keeps a delivery, and resolves only when it is kept whatever happens to this process: the platform is told so then and
   * never sends it again. May be asked for one delivery again, also at the same time: a fact whose key happens only once
   * (`identity.canRecur` is false) is handed on once.
   * @throws MessageTooLargeError for what can never be kept (answered 413), anything else for what may be later (503)
   */
  put(delivery: WebhookDelivery, limits: PutLimits): Promise<void>;
}

/** How long a store is waited for. */
export interface PutLimits {
  /** Milliseconds since 1970. What takes longer is answered 503, whatever comes of it. */
  readonly deadlineMs: number;
}

/** One accepted delivery; `event` is undefined where it cannot be read. */
export type WebhookDelivery = ReadDelivery | UnreadDelivery;

/** A delivery whose event was understood. */
export interface ReadDelivery extends DeliveryFacts {
  readonly event: ChatEvent;
  readonly identity: Identity;
}

/** A delivery that is none of an event, or of one that lacks what no handler can do without. It must be kept, too. */
export interface UnreadDelivery extends DeliveryFacts {
  readonly event: undefined;
  /** Undefined where not even the kind of event is told. */
  readonly identity: Identity | undefined;
  readonly reason: QuarantineReason;
  readonly problems: readonly Problem[];
}

interface DeliveryFacts {
  /** The app whose credentials the delivery carried, whatever its body says. */
  readonly appId: string;
  /** The body as it came, byte for byte. */
  readonly raw: Uint8Array;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}
