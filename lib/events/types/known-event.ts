import type { EventFamily } from "../identity.ts";
import type { EventHead } from "./event-head.ts";

/** Common fields of the catalogue's events. */
export interface KnownEvent<Family extends EventFamily, Trigger extends string> {
  /** Not `unknown` or `derived`. */
  readonly kind: "known";
  /** Distinguishes two events of one name. */
  readonly family: Family;
  /** The platform's name. */
  readonly trigger: Trigger;
  /** What every event has. */
  readonly head: EventHead;
  /** As received: unknown fields, nulls, the platform's numbers. */
  readonly data: unknown;
}

/** A trigger not in the catalogue: new or misspelled. */
export interface UnknownEvent {
  /** Not in the catalogue. */
  readonly kind: "unknown";
  /** The kind of delivery. */
  readonly family: EventFamily;
  /** The name as received. */
  readonly trigger: string;
  /** Without time, actor and conversation. */
  readonly head: EventHead;
  /** As received. */
  readonly data: unknown;
}
